"""How fast the compiled reference is, beside kafka-python and aiokafka, measured in one run.

Absolute figures are those of the machine and its other work. Ratios are not: all contenders take
turns, round by round, so that a slow moment meets all of them, and what is counted is the
processor's time for this process. The median of the rounds is shown, of the ratios too. The garbage
collector is on, as it is for users.

    python benchmarks/reference.py [--rounds N]

kafka-python and aiokafka take part where they are installed; benchmarks/README.md says how to get
them.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from kafka_format import records, structure
from kafka_format.codec.compiler import Structure
from kafka_format.codec.readings import READINGS
from kafka_format.records import Header, Record
from kafka_format.spec import data
from kafka_format.spec.layout import load, specification

Contender = tuple[str, Callable[[], object]]

SECONDS_A_TURN = 0.01
"""Long enough for the clock, short enough for many turns."""


class Workload(NamedTuple):
    """Records of one batch, and their bytes."""

    title: str
    records: list[Record]
    encoded: bytes


def workload(title: str, count: int, record: Record) -> Workload:
    """Make a batch of so many records, one a millisecond."""
    numbered = [record._replace(offset=number, timestamp=record.timestamp + number) for number in range(count)]
    return Workload(title, numbered, records.encode(numbered))


LARGE = Record(0, 1_700_000_000_000, 0, b"k" * 10, b"v" * 100, (Header(b"trace", b"0123456789abcdef"),))
SMALL = Record(0, 1_700_000_000_000, 0, None, b"v" * 16)
WORKLOADS = [
    workload("a batch of 100 records: key 10 B, value 100 B, one header", 100, LARGE),
    workload("a batch of one record: value 16 B", 1, SMALL),
]
AIMS = {f"decode {work.title}": aim for work, aim in zip(WORKLOADS, (1.2, 1.0), strict=True)}
"""How many times as fast as aiokafka records are to be decoded with the layout machine."""


def reference_decoders(work: Workload) -> Iterator[Contender]:
    """The reference at its two levels: a batch's wire values, and a consumer's records."""
    batch = structure("record_batch")
    yield "reference, structure", lambda: batch.decode(work.encoded)
    yield "reference, records", lambda: records.decode(work.encoded)


def reference_encoders(work: Workload) -> Iterator[Contender]:
    """The same upwards; the structure is given everything but what is computed."""
    batch = structure("record_batch")
    read = batch.decode(work.encoded)
    items = [item._replace(length=None, header_count=None) for item in read.records]
    value = read._replace(batch_length=None, crc=None, record_count=None, records=items)
    yield "reference, structure", lambda: batch.encode(value)
    yield "reference, records", lambda: records.encode(work.records)


def library_decoders(work: Workload) -> Iterator[Contender]:
    """What the libraries' consumers do, checksum included."""
    for name, package in LIBRARIES.items():
        yield name, lambda reader=package.memory_records.MemoryRecords: library_decode(reader, work.encoded)


def library_decode(reader: Any, encoded: bytes) -> list[Any]:
    """Read all records of all batches; both libraries have the same words."""
    batches, decoded = reader(encoded), []
    while batch := batches.next_batch():
        if not batch.validate_crc():
            raise ValueError
        decoded += batch
    return decoded


def library_encoders(work: Workload) -> Iterator[Contender]:
    """The encoding of the libraries' producers.

    They take the keys of headers as text, so that is made in advance.
    """
    texts = [[(header.key.decode(), header.value) for header in record.headers] for record in work.records]
    given = [
        (record.offset, record.timestamp, record.key, record.value, text)
        for record, text in zip(work.records, texts, strict=True)
    ]
    for name, package in LIBRARIES.items():
        yield name, lambda builder=package.default_records.DefaultRecordBatchBuilder: library_encode(builder, given)


def library_encode(builder: Any, given: list[tuple[Any, ...]]) -> bytes:
    """Write one batch; both libraries have the same words."""
    built = builder(2, 0, 0, -1, -1, -1, 1 << 20)
    for record in given:
        built.append(*record)
    return bytes(built.build())


class Library(NamedTuple):
    """The modules of a library that read and write batches."""

    memory_records: Any
    default_records: Any


def libraries() -> dict[str, Library]:
    """Import the libraries that are installed, and say what is missing."""
    by_name = {}
    for name, package in (("kafka-python", "kafka"), ("aiokafka", "aiokafka")):
        try:
            modules = [importlib.import_module(f"{package}.record.{part}") for part in Library._fields]
        except ImportError:
            print(f"{name} is not installed, so it does not take part; benchmarks/README.md says how.", file=sys.stderr)
        else:
            by_name[name] = Library(*modules)
    return by_name


LIBRARIES = libraries()


def measure(contenders: list[Contender], rounds: int) -> dict[str, list[float]]:
    """Let all take turns, and return the seconds of one call of each, round by round."""
    calls = {name: calls_a_turn(run) for name, run in contenders}
    seconds: dict[str, list[float]] = {name: [] for name, _ in contenders}
    for _ in range(rounds):
        for name, run in contenders:
            seconds[name].append(turn(run, calls[name]) / calls[name])
    return seconds


def calls_a_turn(run: Callable[[], object]) -> int:
    """Return how many calls fill a turn."""
    calls = 1
    while (took := turn(run, calls)) < SECONDS_A_TURN / 10:
        calls *= 4
    return max(1, round(calls * SECONDS_A_TURN / took))


def turn(run: Callable[[], object], calls: int) -> float:
    """Return the seconds of so many calls."""
    start = time.process_time()
    for _ in range(calls):
        run()
    return time.process_time() - start


def show(title: str, measured: dict[str, list[float]], count: int) -> None:
    """Print one table: microseconds a record, and how many times as fast as each library."""
    print(f"\n{title}")
    for name, seconds in measured.items():
        shown = "".join(f"{ratio(seconds, measured[peer]):8.2f} x {peer}" for peer in LIBRARIES)
        print(f"  {name:24}{statistics.median(seconds) / count * 1e6:9.2f} us a record{shown}")
    aim, name = AIMS.get(title, 0), "reference, records"
    if aim and "aiokafka" in measured and READINGS.machine is not None:
        reached = ratio(measured[name], measured["aiokafka"])
        print(f"  aim: {name}, {aim:g} x aiokafka: {'reached' if reached >= aim else 'MISSED'} ({reached:.2f})")


def ratio(seconds: list[float], others: list[float]) -> float:
    """Return how many times as fast the first is: the median of the rounds."""
    return statistics.median(other / ours for ours, other in zip(seconds, others, strict=True))


def show_start(rounds: int) -> None:
    """Print what loading and compiling the layouts costs, once a process."""
    layouts = specification().layouts
    start: list[Contender] = [
        ("load", lambda: load(data.path("spec"))),
        ("compile", lambda: [Structure(layout) for layout in layouts.values()]),
    ]
    measured = {name: statistics.median(seconds) * 1e3 for name, seconds in measure(start, rounds).items()}
    print(f"\nstart: {len(layouts)} layouts loaded in {measured['load']:.1f} ms,", end=" ")
    print(f"compiled in {measured['compile']:.1f} ms")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The speed of the reference beside kafka-python and aiokafka.")
    parser.add_argument("--rounds", type=int, default=81, help="turns of each contender (default: 81)")
    rounds = parser.parse_args().rounds
    races = []
    for work in WORKLOADS:
        races.append((f"decode {work.title}", work, [*reference_decoders(work), *library_decoders(work)]))
        races.append((f"encode {work.title}", work, [*reference_encoders(work), *library_encoders(work)]))
    for title, work, contenders in races:
        show(title, measure(contenders, rounds), len(work.records))
    show_start(max(rounds // 20, 1))


if __name__ == "__main__":
    main()
