"""Audit of segments: its speed beside kafka-dump-log and bare checksums, and its memory.

All of it is processor time, on one core, of the quickest of several rounds, in one run:

- `read and CRC`: the file read in pieces, and the checksum of each batch computed where it is known
  to be
- `read and CRC, whole`: the same with one checksum for each piece, which no reader of batches can
  reach
- `scan`: what a task of an audit does with a slice; `partition`: all rules of the partition, on top
  of that, which is the work of `log verify`; `without the machine`: the same where
  kafka-format-native is not installed
- `log verify`: the command, its own start included
- `batch by batch`: the same rules where numpy is not installed, and where an audit has a doubt
- `log dump`: the lines of batches and records, with keys and values, thrown away; the values are
  random bytes, which are slower than text
- `kafka-dump-log, print`: DumpLogSegments with --print-data-log, likewise
- `kafka-dump-log`: DumpLogSegments of 4.3 with --deep-iteration, its lines thrown away; needs Java
  and Maven

Then the memory of audits of 1, 10 and 100 GB: partitions whose segment is one file under several
names.

    python benchmarks/logs.py [--mib N] [--rounds N] [--memory GB...] [--folder DIR]

Below the tables stands what is aimed at, and whether this run reached it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final, NamedTuple

from crc32c import crc32c
from kafka_format import log_columns, structure
from kafka_format.codec.prefix import prefix
from kafka_format.codec.readings import READINGS, engine
from kafka_format.log import PartitionLog
from kafka_format.log.indexes import OffsetEntry, OffsetIndex, TimeEntry, TimeIndex
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.verification import verify_partition
from kafka_generator import real_broker

CACHE: Final = Path(__file__).parents[1] / ".targets" / "wild"
DUMP: Final = ("4.4.0", "kafka-tools", "org.apache.kafka.tools.DumpLogSegments")
PRINTED: Final = {"batches": (), "records": ("--deep-iteration",), "values": ("--print-data-log",)}
"""What a dump prints, by its options."""

INTERVAL: Final = 4096
PIECE: Final = 2 << 20
ALONE: Final = "read and CRC"
START: Final = 1_700_000_000_000
TIMES_AS_FAST: Final = 10
DUMP_TIMES: Final = 2
SLOWER: Final = 4 / 3
SMALL: Final = 64
"""MiB that are verified batch by batch, since that takes long."""
USUAL: Final = {
    name: value for name, value in os.environ.items() if name not in {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
}
"""The environment of commands: users have compiled modules at hand, and buffered output."""


class Shape(NamedTuple):
    """A segment of batches of so many records with values of so many bytes."""

    records: int
    value: int

    def __str__(self) -> str:
        """As the tables call it."""
        return f"{self.records} record{'s' if self.records > 1 else ''} of {self.value} B a batch"


SHAPES: Final = (Shape(100, 120), Shape(10, 1000), Shape(10, 100), Shape(1, 100))


def write_partition(folder: Path, shape: Shape, size: int) -> int:
    """Write a partition with one segment of `size` bytes or less; return the bytes of a batch."""
    folder.mkdir(parents=True)
    items = [
        {
            "offset_delta": number,
            "timestamp_delta": number,
            "value": os.urandom(shape.value).hex()[: shape.value].encode(),
        }
        for number in range(shape.records)
    ]
    last = START + shape.records - 1
    fields = {"base_timestamp": START, "max_timestamp": last, "producer_id": 7, "producer_epoch": 0}
    batch = bytearray(structure("record_batch").encode({**fields, "base_sequence": 0, "records": items}))
    entries = list[OffsetEntry]()
    with (folder / segment_name(0, FileKind.SEGMENT)).open("wb") as file:
        for number in range(size // len(batch)):
            struct.pack_into(">q", batch, 0, number * shape.records)
            if number * len(batch) - (entries[-1].position if entries else 0) > INTERVAL:
                entries.append(OffsetEntry((number + 1) * shape.records - 1, number * len(batch)))
            file.write(batch)
    (folder / segment_name(0, FileKind.OFFSET_INDEX)).write_bytes(OffsetIndex.encode(entries, 0))
    times = [TimeEntry(last, shape.records - 1)]
    (folder / segment_name(0, FileKind.TIME_INDEX)).write_bytes(TimeIndex.encode(times, 0))
    return len(batch)


def read(path: Path, width: int, *, whole: bool) -> None:
    """Read a segment in pieces, and compute checksums: of batches of that width, or pieces."""
    covered = prefix("record_batch").places["attributes"]
    data = bytearray(PIECE // width * width)
    with path.open("rb", buffering=0) as file, memoryview(data) as view:
        while count := file.readinto(data):
            if whole:
                crc32c(view[:count])
            else:
                for start in range(0, count, width):
                    crc32c(view[start + covered : start + width])


def scan(folder: Path) -> None:
    """Scan the slices of a partition."""
    with PartitionLog(folder) as log:
        parts = list(log_columns.slices(log))
    if doubts := [result.doubt for result in map(log_columns.scan, parts) if result.doubt]:
        raise SystemExit(f"the segment leaves doubts: {doubts}")


def verify(folder: Path) -> None:
    """Look at all rules of a partition, in slices."""
    if breaches := list(log_columns.verify_partition(folder)):
        raise SystemExit(f"the segment breaks rules: {breaches}")


def quickest(work: Callable[[], None], rounds: int) -> float:
    """Return the processor time of the quickest round."""
    times = []
    for _ in range(rounds):
        began = process_time()
        work()
        times.append(process_time() - began)
    return min(times)


def spent(command: list[str]) -> float:
    """Return the processor time that a command takes on one core, its own start included."""
    one_core = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*one_core, *command], check=True, env=USUAL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours(*arguments: object) -> float:
    """Return the processor time of `kafka-format log`."""
    return spent([sys.executable, "-m", "kafka_tools", "log", *map(str, arguments)])


def dumped(path: Path, *options: str) -> float:
    """Return the processor time that kafka-dump-log takes."""
    release, artifact, name = DUMP
    jars = real_broker.jars(release, CACHE, artifact)
    return spent(["java", "-Xmx1g", "-XX:+UseSerialGC", "-cp", f"{jars}/*", name, *options, "--files", str(path)])


def compared(shape: Shape, folder: Path, size: int, rounds: int) -> Iterator[tuple[str, float]]:
    """Yield who reads a segment, and in how many seconds a GiB."""
    width = write_partition(folder, shape, size)
    path = folder / segment_name(0, FileKind.SEGMENT)
    real = path.stat().st_size
    gib = (1 << 30) / real
    yield ALONE, quickest(lambda: read(path, width, whole=False), rounds) * gib
    yield "read and CRC, whole", quickest(lambda: read(path, width, whole=True), rounds) * gib
    yield "scan", quickest(lambda: scan(folder), rounds) * gib
    yield "partition", quickest(lambda: verify(folder), rounds) * gib
    with engine("python"):
        yield "without the machine", quickest(lambda: verify(folder), rounds) * gib
    yield "log verify", min(ours("verify", folder) for _ in range(rounds)) * gib
    small = folder.with_name("small-0")
    write_partition(small, shape, SMALL << 20)
    yield "batch by batch", quickest(lambda: list(verify_partition(small)) and None, 1) * 1024 / SMALL
    for name, options in PRINTED.items():
        yield f"log dump, {name}", ours("dump", *options, path) * gib
        yield f"kafka-dump-log, {name}", dumped(path, *options) * gib


def memory(folder: Path, gigabytes: int, segment: Path) -> dict[str, int]:
    """Return the memory of an audit of so many partitions with the same segment each."""
    data, out = folder / f"data{gigabytes}", folder / f"audit{gigabytes}"
    for number in range(gigabytes):
        partition = data / f"topic-{number}"
        partition.mkdir(parents=True)
        for file in segment.parent.iterdir():
            os.link(file, partition / file.name)
    command = [sys.executable, "-m", "kafka_tools", "audit", str(data), "--out", str(out), "--master", "local[1]"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cost: dict[str, int] = json.loads((out / "summary.json").read_text(encoding="utf-8"))["cost"]
    return cost


def verdict(words: str, *, reached: bool) -> str:
    """Return a line that says whether an aim was reached."""
    return f"{words}: {'reached' if reached else 'MISSED'}"


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mib", type=int, default=1024, help="size of the segments (1024)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int, nargs="*", default=[1, 10, 100], metavar="GB")
    parser.add_argument("--folder", type=Path, help="where to work; needs three segments' room")
    asked = parser.parse_args()
    aims = list[str]()
    if READINGS.machine is None:
        print("the layout machine is not installed: the audit is as without it")
    with TemporaryDirectory(dir=asked.folder) as scratch:
        for number, shape in enumerate(SHAPES):
            print(f"\n{shape}, {asked.mib} MiB: seconds of processor time a GiB")
            timings = {}
            for name, seconds in compared(
                shape, Path(scratch) / str(number) / "topic-0", asked.mib << 20, asked.rounds
            ):
                timings[name] = seconds
                print(
                    f"  {name:20} {seconds:8.2f}   {seconds / timings[ALONE]:8.2f} times read and CRC",
                    flush=True,
                )
            faster, slower = (
                timings["kafka-dump-log, records"] / timings["partition"],
                timings["partition"] / timings["read and CRC"],
            )
            aims.append(
                verdict(f"{shape}: {faster:.0f} times as fast as kafka-dump-log", reached=faster >= TIMES_AS_FAST)
            )
            for what in PRINTED:
                times = timings[f"kafka-dump-log, {what}"] / timings[f"log dump, {what}"]
                words = f"{shape}: dump of {what} {times:.1f} times as fast as the tool"
                aims.append(verdict(words, reached=times >= DUMP_TIMES))
            aims.append(verdict(f"{shape}: {slower:.2f} times reading and CRC alone", reached=slower <= SLOWER))
        print("\nmemory of audits, in MiB: worker, command")
        peaks = []
        for gigabytes in asked.memory:
            cost = memory(Path(scratch), gigabytes, Path(scratch) / "0" / "topic-0" / segment_name(0, FileKind.SEGMENT))
            peaks.append(cost["worker_memory"])
            print(f"  {gigabytes:4} GB {cost['worker_memory'] >> 20:8,} {cost['driver_memory'] >> 20:8,}", flush=True)
        if peaks:
            aims.append(verdict("memory does not grow", reached=max(peaks) < 1.2 * min(peaks)))
    print("", *aims, sep="\n")


if __name__ == "__main__":
    main()
