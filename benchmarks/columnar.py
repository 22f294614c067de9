"""How fast many batches become columns, beside kafka-python and aiokafka reading them, measured in one run.

All contenders take turns, as in reference.py. The columns of all records are there together at the end. The libraries
make an object a record, and are measured twice: each object dropped at once, which is the fastest that they can be
asked for, and all of them kept. Checksums are compared by all but one contender, which tells what they cost.

    python benchmarks/columnar.py [--rounds N]
"""

from __future__ import annotations

import argparse
import gc
import random
from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any, Final, NamedTuple

from kafka_format import columnar, records
from kafka_format.records import Header, Record
from ways import using, ways

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


SHAPES: Final = (Shape(10_000, 1, 20), Shape(100_000, 1, 1), Shape(1_000, 100, 100))


def run_of(shape: Shape) -> bytes:
    """Make batches, always the same: keys of 4 to 20 bytes, values of up to 60, a header in every second record."""
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
    """The columns, in each way, with and without checksums, the scalar reference, and the libraries."""
    for way in ways():
        yield f"columns, {way}", lambda way=way: using(way, lambda: columnar.decode(data))
        unchecked = partial(columnar.decode, data, check_crc=False)
        yield f"columns, {way}, no checksums", lambda way=way, unchecked=unchecked: using(way, unchecked)
    yield "reference, records", lambda: records.decode(data)
    for name, package in LIBRARIES.items():
        reader = package.memory_records.MemoryRecords
        yield name, lambda reader=reader: read_and_drop(reader, data)
        yield f"{name}, all kept", lambda reader=reader: library_decode(reader, data)


def read_and_drop(reader: Any, data: bytes) -> None:  # noqa: ANN401 - the libraries' own classes
    """Read all records of all batches, and keep none."""
    batches = reader(data)
    while found := batches.next_batch():
        if not found.validate_crc():
            raise ValueError
        for _ in found:
            pass


def show(shape: Shape, measured: dict[str, list[float]], count: int) -> None:
    """Print one table: nanoseconds a record, and how many times as fast as each library, the median of all rounds."""
    print(f"\n{shape}, {count:,} records")
    for name, seconds in measured.items():
        ratios = ((library, times_as_fast(seconds, measured[library])) for library in LIBRARIES)
        told = "".join(f"{ratio:9.2f} x {library}" for library, ratio in ratios)
        print(f"  {name:30}{median(seconds) / count * 1e9:8.0f} ns a record{told}")


def times_as_fast(seconds: list[float], others: list[float]) -> float:
    """Return how many times as fast as another: compared within each round, since they meet the same slow moments."""
    return median(other / one for one, other in zip(seconds, others, strict=True))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The speed of the columnar decoder beside kafka-python and aiokafka.")
    parser.add_argument("--rounds", type=int, default=9, help="turns of each contender (default: 9)")
    rounds = parser.parse_args().rounds
    for shape in SHAPES:
        data = run_of(shape)
        gc.collect()
        gc.freeze()  # else the garbage collector walks through every imported library
        show(shape, measure(list(contenders(data)), rounds), len(columnar.decode(data)))


if __name__ == "__main__":
    main()
