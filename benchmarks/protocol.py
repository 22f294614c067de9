"""How fast the reference reads and writes requests and responses, beside kio and kafka-python.

All contenders take turns, round by round, so that a slow moment meets all of them, and what is
counted is the processor's time for this process, that of the garbage collector included. Shown is
the median of the rounds: bodies decoded and encoded in a second, and how many times as fast the
reference is, at both together and at each. kio's decoder is a compiled extension. Two kinds of
work:

- random bodies of every API and version that both know;
- Metadata, Fetch and Produce of about 1 KB and 100 KB.

A contender is asked only what it reads without an error. kio and kafka-python take part where they
are installed.

    python benchmarks/protocol.py [--rounds N]
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import pkgutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from kafka_format import protocol, records
from kafka_format.codec.readings import READINGS
from kafka_format.records import Record
from kafka_format.sampler import exchanges

SECONDS_A_TURN = 0.02
AIMS = (1.5, 10)
"""How many times as fast as kio bodies are to be decoded, and encoded, with the layout machine."""

PER_PAIR = 20
"""Random bodies of each API, version and kind.

With few of them it is measured how fast code gets into the processor's caches, not how fast it is.
"""


class Work(NamedTuple):
    """A body, and what it is."""

    kind: str
    api: int
    version: int
    data: bytes


class Contender(NamedTuple):
    """What decodes and encodes the body of one kind, API and version."""

    decode: Callable[[bytes], Any]
    encode: Callable[[Any], bytes]


Find = Callable[[str, int, int], Contender | None]


def reference(kind: str, api: int, version: int) -> Contender:
    """The reference, compiled."""
    find = protocol.request if kind == "request" else protocol.response
    compiled = find(api, version)
    return Contender(compiled.decode, compiled.encode)


def kio(kind: str, api: int, version: int) -> Contender | None:
    """Kio, which has a class for each version."""
    from kio.serial import entity_reader, entity_writer  # noqa: PLC0415 - installed for benchmarks only

    name = protocol.api_name(api)
    try:
        module = importlib.import_module(f"kio.schema.{name}.v{version}.{kind}")
    except ImportError:
        return None
    entity = getattr(module, "".join(word.capitalize() for word in name.split("_")) + kind.capitalize())
    read, write = entity_reader(entity), entity_writer(entity)

    def encode(value: Any) -> bytes:
        output = io.BytesIO()
        write(output, value)
        return output.getvalue()

    return Contender(lambda data: read(data, 0)[0], encode)


def kafka_python() -> Find:
    """kafka-python, whose classes are made of Kafka's schemas."""
    import kafka.protocol  # noqa: PLC0415 - installed for benchmarks only
    from kafka.protocol.api_message import ApiMessage  # noqa: PLC0415 - installed beside its adapter only

    for module in pkgutil.walk_packages(kafka.protocol.__path__, "kafka.protocol."):
        if ".old" not in module.name:
            importlib.import_module(module.name)
    known: dict[tuple[str, int], Any] = {}

    def collect(parent: Any) -> None:
        for child in parent.__subclasses__():
            if getattr(child, "_json", None) and child._class_version is None:  # noqa: SLF001 - there is no other way
                known[child.type, child.API_KEY] = child
            collect(child)

    collect(ApiMessage)

    def find(kind: str, api: int, version: int) -> Contender | None:
        schema = known.get((kind, api))
        if schema is None or version > schema.max_version:
            return None

        def encode(value: Any) -> bytes:
            value._header = None  # noqa: SLF001 - else it writes the header too
            return bytes(value.encode(version=version))

        return Contender(lambda data: schema.decode(data, version=version), encode)

    return find


def random_work() -> Iterator[Work]:
    """Random bodies of every API, version and kind.

    They have no unknown tagged fields, since kio refuses those.
    """
    for kind in ("request", "response"):
        for api, version in exchanges.pairs(kind):
            body = exchanges.body_of(kind, api, version, unknown=False)
            compiled = (protocol.request if kind == "request" else protocol.response)(api, version)
            random = Random(f"{kind} {api} {version}")  # noqa: S311 - no secret
            yield from (Work(kind, api, version, compiled.encode(body(random))) for _ in range(PER_PAIR))


def usual_work(size: int) -> Iterator[tuple[str, Work]]:
    """Metadata, Fetch and Produce of about that many bytes, as brokers and clients send them."""
    partition = {"replica_nodes": [1, 2, 3], "isr_nodes": [1, 2, 3], "leader_id": 1}
    topics = [
        {
            "name": f"orders-{number}",
            "topic_id": bytes(range(16)),
            "partitions": [partition | {"partition_index": index} for index in range(6)],
        }
        for number in range(max(1, size // 330))
    ]
    brokers = [{"node_id": number, "host": f"broker-{number}.example.org", "port": 9092} for number in range(3)]
    yield "Metadata", _written("response", "metadata", 12, {"brokers": brokers, "topics": topics})
    batch = records.encode([Record(0, 1_700_000_000_000, value=bytes(900))])
    count = max(1, size // 1000)
    parts = [{"partition_index": number, "high_watermark": 7, "records": batch} for number in range(count)]
    yield "Fetch", _written("response", "fetch", 12, {"responses": [{"topic": "orders", "partitions": parts}]})
    parts = [{"index": number, "records": batch} for number in range(count)]
    topic = {"name": "orders", "partition_data": parts}
    yield "Produce", _written("request", "produce", 9, {"acks": -1, "topic_data": [topic]})


def _written(kind: str, api: str, version: int, body: dict[str, Any]) -> Work:
    compiled = (protocol.request if kind == "request" else protocol.response)(api, version)
    return Work(kind, protocol.api_number(api), version, compiled.encode(body))


Job = tuple[Callable[[Any], Any], Any]
"""A function, and what it is given."""


class Side(NamedTuple):
    """What one of two does with all bodies."""

    decode: list[Job]
    encode: list[Job]


def sides(work: list[Work], find: Find) -> tuple[Side, Side]:
    """Return what the contender and the reference do with all bodies that both know.

    Each has its values together in memory, as a program has that uses one of them.
    """
    known = [(item, theirs) for item in work if (theirs := find(*item[:3])) and knows(theirs, item.data)]
    return _side([(theirs, item.data) for item, theirs in known]), _side(
        [(reference(*item[:3]), item.data) for item, _ in known]
    )


def knows(contender: Contender, data: bytes) -> bool:
    """Whether a contender reads and writes a body without an error."""
    try:
        contender.encode(contender.decode(data))
    except Exception:  # noqa: BLE001 - whatever a contender raises, it is not asked
        return False
    return True


def _side(asked: list[tuple[Contender, bytes]]) -> Side:
    return Side(
        [(contender.decode, data) for contender, data in asked],
        [(contender.encode, contender.decode(data)) for contender, data in asked],
    )


def seconds(jobs: list[Job], times: int) -> float:
    """Return the processor's seconds of all jobs, so many times."""
    start = time.process_time()
    for _ in range(times):
        for call, given in jobs:
            call(given)
    return time.process_time() - start


def compare(title: str, both: tuple[Side, Side], rounds: int) -> None:
    """Print both speeds, and how many times as fast the reference is: in all, and each way."""
    times = max(1, int(SECONDS_A_TURN / max(sum(_turn(both[0], 1)), 1e-6)))
    spent = [(_turn(both[0], times), _turn(both[1], times)) for _ in range(rounds)]
    in_all = statistics.median(sum(theirs) / sum(ours) for theirs, ours in spent)
    each = [statistics.median(theirs[way] / ours[way] for theirs, ours in spent) for way in (0, 1)]
    done = len(both[0].decode) * times
    rates = [done / statistics.median(sum(turn[side]) for turn in spent) for side in (0, 1)]
    print(
        f"{title:<38} {rates[0]:>9,.0f}/s  reference {rates[1]:>9,.0f}/s: {in_all:5.2f} times "
        f"(decode {each[0]:5.2f}, encode {each[1]:5.2f}){missed(title, each)}"
    )


def missed(title: str, each: list[float]) -> str:
    """Return which aims beside kio a comparison misses, as text."""
    if READINGS.machine is None or not title.startswith("kio"):
        return ""
    named = zip(("decode", "encode"), each, AIMS, strict=True)
    below = [f"{way} {aim:g}" for way, reached, aim in named if reached < aim]
    return f" MISSED: {', '.join(below)}" if below else ""


def _turn(side: Side, times: int) -> tuple[float, float]:
    """Return the seconds that one side decodes, and encodes."""
    return seconds(side.decode, times), seconds(side.encode, times)


FIRST_USE = """
import time
start = time.process_time()
from kafka_format import protocol
data = protocol.encode_request("fetch", 12, {})
protocol.decode_request(data)
print(time.process_time() - start)
"""


def first_use(rounds: int) -> float:
    """Return the seconds from a process's start to its first request, without Python's own."""
    places = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", FIRST_USE]
    runs = [subprocess.run(command, env=places, stdout=subprocess.PIPE, check=True) for _ in range(rounds + 1)]
    return statistics.median(float(run.stdout) for run in runs[1:])  # the first one may have compiled the modules


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    print(f"import, then the first request written and read: {first_use(5) * 1000:.0f} ms")
    contenders: dict[str, Find] = {}
    for name, make in (("kio", lambda: kio), ("kafka-python", kafka_python)):
        try:
            importlib.import_module(name.replace("-python", ""))
            contenders[name] = make()
        except ImportError:
            print(f"{name} is not installed", file=sys.stderr)
    work = list(random_work())
    for name, find in contenders.items():
        for size, label in ((1_000, "1 KB"), (100_000, "100 KB")):
            for title, item in usual_work(size):
                compare(f"{name}: {title} {label}", sides([item], find), rounds)
        known = sides(work, find)  # last: what they leave in memory makes large bodies slower
        compare(f"{name}: {len(known[0].decode)} random of {len(work)}", known, rounds)


if __name__ == "__main__":
    main()
