"""A hostile client against `kafka-format serve`: `python -m tests.fuzz.broker --seconds 600`.

It sends garbage, requests with bytes changed, sizes that nothing follows, pieces of requests that
never end, hangs up in the middle, and reads no answers. Between all that, a sound client must get
its records; the broker must take no memory to speak of, and write no traceback.
"""

from __future__ import annotations

import argparse
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from kafka_conformance.vectors import protocol as vectors
from kafka_format import protocol, records
from kafka_format.records import Record
from kafka_tools.server.settings import USUAL

MOST_MEMORY = 400 << 20
"""Resident bytes that the broker may have after thousands of hostile clients."""

_LONGEST = 4000
DICE = random.Random()  # noqa: S311 - no secrets
SECONDS = 20.0
"""How long a sound client waits for its answer."""


def main() -> int:
    """Fuzz, and say what came of it; 1 if the broker did not stand it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    DICE.seed(asked.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "t.bin").write_bytes(records.encode([Record(0, 1, 0, None, b"value")] * 3))
        return _fuzz(folder, asked.seconds)


def _fuzz(folder: Path, seconds: float) -> int:
    command = [sys.executable, "-m", "kafka_tools", "serve", f"t={folder / 't.bin'}", "--port", "0"]
    command += ["--sessions", "--take", str(folder / "taken"), "--notes", str(folder / "notes")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as broker:
        assert broker.stderr is not None
        port = int(broker.stderr.readline().split(";")[0].rpartition(":")[2])
        begun, count, peak, wrong = time.monotonic(), 0, 0, ""
        left: list[socket.socket] = []
        while not wrong and time.monotonic() - begun < seconds:
            for _ in range(50):
                _attack(port, left)
                count += 1
            for connection in left[:-200]:
                connection.close()
            del left[:-200]
            peak = max(peak, _memory(broker.pid))
            wrong = _problem(broker, port, peak)
            (folder / "notes").write_bytes(b"")
        broker.terminate()
        said = broker.stderr.read()
    wrong = wrong or ("a traceback" if "Traceback" in said else "")
    sys.stdout.write(
        f"{count} hostile clients, at most {peak >> 20} MiB: {wrong or 'it stood all'}\n{said[-2000:] if wrong else ''}"
    )
    return 1 if wrong else 0


def _problem(broker: subprocess.Popen[str], port: int, memory: int) -> str:
    if broker.poll() is not None:
        return f"it ended with status {broker.returncode}"
    if memory > MOST_MEMORY:
        return f"it takes {memory >> 20} MiB"
    try:
        return _sound(port)
    except OSError as error:
        return f"a sound client gets no answer: {error}"


def _sound(port: int) -> str:
    partition = {"partition": 0, "fetch_offset": 0, "partition_max_bytes": 1 << 20}
    body = {"max_wait_ms": 1, "topics": [{"topic": "t", "partitions": [partition]}]}
    data = protocol.encode_request("fetch", 12, body, correlation_id=1, client_id="sound")
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as sound:
        sound.sendall(len(data).to_bytes(4, "big") + data)
        answer = b""
        while len(answer) < 4 or len(answer) < 4 + int.from_bytes(answer[:4], "big"):
            chunk = sound.recv(1 << 16)
            if not chunk:
                return "it hangs up on a sound client"
            answer += chunk
    served = protocol.decode_response(answer[4:], "fetch", 12).body.responses[0].partitions[0].records
    return "" if served else "a sound client gets no records"


def _memory(number: int) -> int:
    text = Path(f"/proc/{number}/status").read_text(encoding="ascii")
    return int(next(line for line in text.splitlines() if line.startswith("VmRSS")).split()[1]) << 10


def _attack(port: int, left: list[socket.socket]) -> None:
    with suppress(OSError):
        client = socket.create_connection(("127.0.0.1", port), timeout=1.0)
        for piece in DICE.choice(_WAYS)():
            client.sendall(piece)
        if DICE.random() < 0.3:
            left.append(client)  # it stays, and is never read
            return
        if DICE.random() < 0.5:
            client.settimeout(0.02)
            with suppress(OSError):
                client.recv(1 << 16)
        client.close()


def _garbage() -> Iterator[bytes]:
    yield DICE.randbytes(DICE.choice([1, 3, 4, 40, 4000]))


def _framed_garbage() -> Iterator[bytes]:
    data = DICE.randbytes(DICE.choice([0, 1, 7, 8, 20, 5000]))
    yield len(data).to_bytes(4, "big") + data


def _size_alone() -> Iterator[bytes]:
    size = DICE.choice([-1, -(1 << 31), 0, 7, 8, 100 << 20, (100 << 20) + 1, (1 << 31) - 1])
    yield size.to_bytes(4, "big", signed=True)
    yield DICE.randbytes(DICE.choice([0, 1, 100]))


def _large_and_cut() -> Iterator[bytes]:
    yield (50 << 20).to_bytes(4, "big")
    yield bytes(1 << 20)


def _changed() -> Iterator[bytes]:
    for _ in range(DICE.randint(1, 4)):
        data = bytearray(_request())
        for _ in range(DICE.randint(0, 6)):
            data[DICE.randrange(len(data))] = DICE.choice([0, 1, 0x7F, 0x80, 0xFF, DICE.randrange(256)])
        yield len(data).to_bytes(4, "big") + data


def _counts() -> Iterator[bytes]:
    """Send a header that is right, and a body of numbers that claim much."""
    data = _request()
    head = data[: DICE.randint(8, max(len(data), 9))]
    data = head + DICE.choice([b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff\x07", b"\xff" * 8]) * DICE.randint(1, 30)
    yield len(data).to_bytes(4, "big") + data


def _piece() -> Iterator[bytes]:
    data = _request()
    yield len(data).to_bytes(4, "big") + data[: DICE.randrange(len(data))]


def _request() -> bytes:
    """Return a request that the broker has: the body of a vector, right or wrong, and a header."""
    api, version, body = DICE.choice(_bodies())
    head = protocol.encode_request("api_versions", 0, {}, correlation_id=DICE.randrange(1 << 31), client_id="h")
    tags = b"\0" * (protocol.header_version(api, version) - 1)
    return protocol.api_number(api).to_bytes(2, "big") + version.to_bytes(2, "big") + head[4:] + tags + body


@cache
def _bodies() -> list[tuple[str, int, bytes]]:
    """List the bodies of requests of the vectors, right and wrong."""
    found = [
        vector
        for vector in vectors.load(None, tuple(USUAL))
        if vector.kind == "request" and len(vector.data) < _LONGEST
    ]
    return [
        (sample.family, version, sample.data)
        for sample in found
        for version in sample.versions
        if USUAL[sample.family][0] <= version <= USUAL[sample.family][1]
    ]


_WAYS: list[Callable[[], Iterator[bytes]]] = [
    _garbage,
    _framed_garbage,
    _size_alone,
    _large_and_cut,
    _changed,
    _changed,
    _changed,
    _counts,
    _piece,
]

if __name__ == "__main__":
    sys.exit(main())
