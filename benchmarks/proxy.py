"""What the proxy adds to a request: latencies through it and beside it, at a steady rate.

A client asks a broker for offsets at fixed times, whether or not the answers have come, first
directly and then through `kafka-format proxy`, in turns, so that a slow moment meets both. Shown
are the medians of the rounds, in ms, and the processor time of the proxy for a request and its
answer, which says something on a busy machine too (on Linux). With --quiet, frames are judged and
not listed.

    python benchmarks/proxy.py --broker localhost:9092 [--rate N] [--seconds S] [--rounds N]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from kafka_format import protocol

_SIZE: Final = 4
_SHARES: Final = (0.5, 0.95, 0.99)
_WARM_SECONDS: Final = 1.0


def main() -> None:
    """Measure, and print a table."""
    options = _options()
    taken: dict[str, list[list[float]]] = {"directly": [], "through the proxy": []}
    with _proxy(options.broker, is_quiet=options.quiet) as (proxy, process):
        asyncio.run(_round(proxy, options.rate, _WARM_SECONDS))
        before = _processor_time(process)
        for _ in range(options.rounds):
            for name, address in (("directly", options.broker), ("through the proxy", proxy)):
                taken[name].append(asyncio.run(_round(address, options.rate, options.seconds)))
        spent = _processor_time(process) - before
    print(f"{options.rate} requests a second, {options.rounds} rounds of {options.seconds} s; ms")
    print(f"{'':<20}" + "".join(f"{f'p{share * 100:g}':>9}" for share in _SHARES))
    medians = {name: [_median(rounds, share) for share in _SHARES] for name, rounds in taken.items()}
    for name, times in medians.items():
        print(f"{name:<20}" + "".join(f"{one:9.2f}" for one in times))
    added = [other - one for one, other in zip(*medians.values(), strict=True)]
    print(f"{'added':<20}" + "".join(f"{one:9.2f}" for one in added))
    each = spent * 1000 / (options.rounds * int(options.rate * options.seconds))
    print(f"processor time of the proxy: {each:.3f} a request and its answer")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--broker", default="localhost:9092")
    parser.add_argument("--rate", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quiet", action="store_true")
    return parser.parse_args()


@contextmanager
def _proxy(broker: str, *, is_quiet: bool) -> Iterator[tuple[str, int]]:
    """Run the proxy; yield its address and the number of its process."""
    command = [sys.executable, "-m", "kafka_tools", "proxy", "--upstream", broker, "--listen", "127.0.0.1:0"]
    command += ["--quiet"] if is_quiet else []
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        yield (process.stderr or sys.stdin).readline().split()[3].rstrip("."), process.pid
    finally:
        process.terminate()
        process.wait()


def _processor_time(process: int) -> float:
    """Return the seconds of processor time that a process took; 0 where that cannot be read."""
    file = Path(f"/proc/{process}/stat")
    if not file.exists():
        return 0.0
    fields = file.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime and stime of proc(5)


async def _round(address: str, rate: int, seconds: float) -> list[float]:
    """Return how long each answer took, in ms."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    count = int(rate * seconds)
    asked: list[float] = []
    times: list[float] = []

    async def take() -> None:
        for number in range(count):
            size = int.from_bytes(await reader.readexactly(_SIZE), "big")
            await reader.readexactly(size)
            times.append((time.perf_counter() - asked[number]) * 1000)

    taking = asyncio.create_task(take())
    start = time.perf_counter()
    for number in range(count):
        due = start + number / rate
        while (left := due - time.perf_counter()) > 0:  # noqa: ASYNC110 - it waits for a time, exactly
            await asyncio.sleep(left if left > 0.002 else 0)
        asked.append(time.perf_counter())
        writer.write(_request(number))
    await taking
    writer.close()
    return times


def _request(number: int) -> bytes:
    body = {"replica_id": -1, "topics": [{"name": "none", "partitions": [{"partition_index": 0, "timestamp": -1}]}]}
    data = protocol.encode_request("list_offsets", 5, body, correlation_id=number, client_id="bench")
    return len(data).to_bytes(_SIZE, "big") + data


def _median(rounds: list[list[float]], share: float) -> float:
    return statistics.median(sorted(times)[int(share * (len(times) - 1))] for times in rounds)


if __name__ == "__main__":
    main()
