"""How fast many batches become columns, beside kafka-python and aiokafka reading them, in one run.

All contenders take turns, as in reference.py, and the quickest round of each counts. The columns of
all records are there together at the end. The libraries make an object a record, and are measured
twice: each object dropped at once, which is the fastest that they can be asked for, and all of them
kept. Two contenders of ours compare no checksums, which shows what those cost.

    python benchmarks/columnar.py [--rounds N]

Below each table stands what is aimed at, and whether this run reached it.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from kafka_format import columnar, records
from kafka_format.codec.readings import engine, load_machine
from kafka_format.records import Header, Record

from reference import LIBRARIES, Contender, library_decode, measure


class Shape(NamedTuple):
    """So many batches, each of so many records."""

    batches: int
    fewest: int
    most: int

    def __str__(self) -> str:
        """As the tables call it."""
        counts = f"{self.fewest}" if self.fewest == self.most else f"{self.fewest} to {self.most}"
        return f"{self.batches:,} batches of {counts} record{'s' if self.most > 1 else ''}"


class Aim(NamedTuple):
    """At least this many times as fast as a library."""

    contender: str
    least: float
    peer: str


NUMPY: Final = "columns, numpy"
MACHINE: Final = "columns, machine"

SHAPES: Final = {
    Shape(10_000, 1, 20): (
        Aim(NUMPY, 20, "kafka-python"),
        Aim(NUMPY, 1.3, "aiokafka"),
        Aim(MACHINE, 2.5, "aiokafka"),
    ),
    Shape(1_000, 100, 100): (
        Aim(NUMPY, 20, "kafka-python"),
        Aim(NUMPY, 1.3, "aiokafka"),
        Aim(MACHINE, 2.5, "aiokafka"),
    ),
    Shape(100_000, 1, 1): (Aim(MACHINE, 2, "aiokafka"),),
}
"""What is measured, and the aims that it is held against."""


def run_of(shape: Shape) -> bytes:
    """Return batches, always the same: keys of 4 to 20 bytes, values of up to 60, some headers."""
    chance = random.Random(1)  # noqa: S311 - chance, not secrets
    return b"".join(records.encode(batch(chance, shape)) for _ in range(shape.batches))


def batch(chance: random.Random, shape: Shape) -> list[Record]:
    """Make the records of one batch."""
    step = chance.randint(0, 20)
    return [
        Record(
            offset,
            1_700_000_000_000 + offset * step,
            key=chance.randbytes(chance.randint(4, 20)),
            value=chance.randbytes(chance.randint(0, 60)),
            headers=(Header(b"trace", b"0123456789"),) if chance.random() < 0.5 else (),
        )
        for offset in range(chance.randint(shape.fewest, shape.most))
    ]


def contenders(data: bytes) -> Iterator[Contender]:
    """Columns by numpy and by the machine, with and without checksums; records; libraries."""
    engines = {NUMPY: "python"} | ({MACHINE: "machine"} if has_machine() else {})
    for suffix, check_crc in (("", True), (", no checksums", False)):
        for title, name in engines.items():
            yield f"{title}{suffix}", columns(data, name, check_crc=check_crc)
    yield "reference, records", lambda: records.decode(data)
    for name, package in LIBRARIES.items():
        reader = package.memory_records.MemoryRecords
        yield name, lambda reader=reader: read_and_drop(reader, data)
        yield f"{name}, all kept", lambda reader=reader: library_decode(reader, data)


def has_machine() -> bool:
    """Tell whether the layout machine is installed."""
    try:
        load_machine()
    except ImportError:
        return False
    return True


def columns(data: bytes, name: str, *, check_crc: bool) -> Callable[[], object]:
    """Return what reads columns with one engine."""

    def read() -> object:
        with engine(name):
            return columnar.decode(data, check_crc=check_crc)

    return read


def read_and_drop(reader: Any, data: bytes) -> None:
    """Read all records of all batches, and keep none."""
    batches = reader(data)
    while read_batch := batches.next_batch():
        if not read_batch.validate_crc():
            raise ValueError
        for _ in read_batch:
            pass


def show(shape: Shape, measured: dict[str, list[float]], count: int) -> None:
    """Print one table: nanoseconds a record, and how many times as fast as each library."""
    print(f"\n{shape}, {count:,} records")
    for name, seconds in measured.items():
        ratios = ((library, times_as_fast(seconds, measured[library])) for library in LIBRARIES)
        text = "".join(f"{ratio:9.2f} x {library}" for library, ratio in ratios)
        print(f"  {name:30}{min(seconds) / count * 1e9:8.0f} ns a record{text}")


def show_aims(aims: tuple[Aim, ...], measured: dict[str, list[float]]) -> None:
    """Print each aim and whether it was reached, but those whose contenders are not installed."""
    for aim in aims:
        if aim.contender in measured and aim.peer in measured:
            ratio = times_as_fast(measured[aim.contender], measured[aim.peer])
            verdict = "reached" if ratio >= aim.least else "MISSED"
            print(f"  aim: {aim.contender}, {aim.least:g} x {aim.peer}: {verdict} ({ratio:.2f})")


def times_as_fast(seconds: list[float], others: list[float]) -> float:
    """Return how many times as fast the first is.

    The quickest round of each counts, since other work only ever adds to it.
    """
    return min(others) / min(seconds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The speed of the columnar decoder beside kafka-python and aiokafka.")
    parser.add_argument("--rounds", type=int, default=15, help="turns of each contender (default: 15)")
    rounds = parser.parse_args().rounds
    for shape, aims in SHAPES.items():
        data = run_of(shape)
        measured = measure(list(contenders(data)), rounds)
        show(shape, measured, len(columnar.decode(data)))
        show_aims(aims, measured)


if __name__ == "__main__":
    main()
