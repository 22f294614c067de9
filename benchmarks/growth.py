"""Whether a record costs the same in batches of ten and of 100,000: nothing is quadratic.

A batch has a cost of its own: what one record costs beyond a tenth of what ten more do. It is taken
off; the rest is divided by the records and shown in parts of what a record costs in a batch of
1,000. The garbage collector is on, as it is for users. One thing is kept out, because it belongs to
the system: memory that is new to the process is mapped by the kernel page by page, and what is
counted is time in user mode.

Another thing stays in: what 100,000 records take does not fit the cache of a processor. So a plain
`b"".join` of the keys, values and headers of the same records is measured too; what a record costs
more there, it costs more anywhere.

    python benchmarks/growth.py [--rounds N]
"""

from __future__ import annotations

import argparse
import gc
import resource
from collections.abc import Callable
from typing import Final, NamedTuple

from kafka_format import records, structure
from kafka_format.records import Record
from kafka_format.records.model import NO_TIMESTAMP

from reference import LARGE, SMALL

COUNTS: Final = (10, 100, 1_000, 10_000, 100_000)
STANDARD: Final = 1_000


class Work(NamedTuple):
    """Something to be measured: `make` takes a number of records and returns what is called.

    A turn works through `records_a_turn`, in as many batches as that takes: what is quick needs
    more, or the clock of the system does not see it.
    """

    title: str
    make: Callable[[int], Callable[[], object]]
    records_a_turn: int = 30_000


def batch_of(count: int, record: Record) -> list[Record]:
    """Return so many records, one a millisecond if they have a time."""
    timed = record.timestamp >= 0
    return [record._replace(offset=index, timestamp=record.timestamp + index * timed) for index in range(count)]


def structure_decoder(record: Record) -> Callable[[int], Callable[[], object]]:
    """Read the wire values of a batch."""

    def make(count: int) -> Callable[[], object]:
        data = written(batch_of(count, record))
        return lambda: structure("record_batch").decode(data)

    return make


def structure_encoder(record: Record) -> Callable[[int], Callable[[], object]]:
    """Write them back; only what is computed is left out."""

    def make(count: int) -> Callable[[], object]:
        batch = structure("record_batch").decode(written(batch_of(count, record)))
        items = [item._replace(length=None, header_count=None) for item in batch.records]
        value = batch._replace(batch_length=None, crc=None, record_count=None, records=items)
        return lambda: structure("record_batch").encode(value)

    return make


def records_decoder(record: Record, magic: int, codec: str) -> Callable[[int], Callable[[], object]]:
    """Read records as a consumer gets them."""

    def make(count: int) -> Callable[[], object]:
        data = written(batch_of(count, record), magic, codec)
        return lambda: records.decode(data)

    return make


def records_encoder(record: Record, magic: int, codec: str) -> Callable[[int], Callable[[], object]]:
    """Write records as a producer does."""

    def make(count: int) -> Callable[[], object]:
        given = batch_of(count, record)
        return lambda: records.encode(given, magic=magic, codec=codec)

    return make


def joiner(record: Record) -> Callable[[int], Callable[[], object]]:
    """Join what the records of a batch hold, and nothing else."""

    def make(count: int) -> Callable[[], object]:
        decoded = records.decode(written(batch_of(count, record)))
        headers = [part for record in decoded for header in record.headers for part in header]
        contents = [part for record in decoded for part in (record.key, record.value)] + headers
        parts = [part for part in contents if part is not None]
        return lambda: b"".join(parts)

    return make


def written(given: list[Record], magic: int = 2, codec: str = "none") -> bytes:
    """Return the bytes of records; without any, those of an empty batch if the format has one."""
    return (
        records.encode(given, magic=magic, codec=codec) if given or magic < 2 else structure("record_batch").encode({})
    )


WORKS: Final = (
    *(
        Work(f"{doing} {name} records", make(record))
        for name, record in (("large", LARGE), ("small", SMALL))
        for doing, make in (
            ("structure: decode", structure_decoder),
            ("structure: encode", structure_encoder),
            ("records: decode", lambda contents: records_decoder(contents, 2, "none")),
            ("records: encode", lambda contents: records_encoder(contents, 2, "none")),
        )
    ),
    Work("records: decode batch of gzip", records_decoder(LARGE, 2, "gzip")),
    *(
        Work(f"records: {doing} v{magic} {name}", make(SMALL._replace(timestamp=timestamp), magic, codec))
        for magic, timestamp in ((0, NO_TIMESTAMP), (1, SMALL.timestamp))
        for name, codec in (("messages", "none"), ("wrapper", "gzip"))
        for doing, make in (("decode", records_decoder), ("encode", records_encoder))
    ),
    Work("a plain join of large contents", joiner(LARGE), 1_000_000),
)


def seconds(run: Callable[[], object], calls: int) -> float:
    """Return the seconds of one call in user mode."""
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for _ in range(calls):
        run()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_utime - start) / calls


def measure(work: Work, rounds: int) -> dict[int, float]:
    """Let all sizes take turns, and return the best seconds that one record costs in each."""
    runs = {count: work.make(count) for count in (1, 11, *COUNTS)}
    best = dict.fromkeys(runs, float("inf"))
    gc.collect()
    for _ in range(rounds):
        for count, run in runs.items():
            best[count] = min(best[count], seconds(run, max(1, work.records_a_turn // count)))
    of_the_batch = best[1] - (best[11] - best[1]) / 10
    return {count: (best[count] - of_the_batch) / count for count in COUNTS}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What a record costs in batches of 10 to 100,000.")
    parser.add_argument("--rounds", type=int, default=9, help="turns of each size (default: 9)")
    rounds = parser.parse_args().rounds
    print(f"{'records a batch:':32}" + "".join(f"{count:>9,}" for count in COUNTS) + f"   us at {STANDARD:,}")
    for work in WORKS:
        timings = measure(work, rounds)
        shown = "".join(f"{timings[count] / timings[STANDARD]:9.2f}" for count in COUNTS)
        print(f"{work.title:32}{shown}{timings[STANDARD] * 1e6:11.2f}", flush=True)


if __name__ == "__main__":
    main()
