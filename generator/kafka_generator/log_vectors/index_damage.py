"""Damaged offset and time indexes, as disks, crashes and releases do."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_generator.log_vectors.case_types import DirectoryCase
from kafka_generator.log_vectors.changes import (
    add,
    each,
    name,
    over,
    remove,
    write_file,
)
from kafka_generator.log_vectors.sound import changed_case


def cases() -> Iterator[DirectoryCase]:
    """Yield the cases."""
    index, times = name(9, "index"), name(9, "timeindex")
    yield changed_case(
        "index/missing", "An inner segment has no offset index.", remove(index), "log.offset-index.present"
    )
    yield changed_case(
        "index/missing-of-an-empty-segment",
        "The last segment is empty, and 2.3 to 3.1 have not made its offset index.",
        each(write_file(name(30), b""), write_file(name(30, "timeindex"), b"")),
        keeps=frozenset({"log.offset-index.present"}),
    )
    yield changed_case(
        "index/trailing-byte", "A byte follows the last entry.", add(index, b"\1"), "log.offset-index.size"
    )
    yield changed_case(
        "index/zeros-behind",
        "Zeros follow the entries of an inner segment.",
        add(index, bytes(24)),
        "log.offset-index.trimmed",
    )
    yield changed_case(
        "index/all-zeros", "An offset index is all zeros.", write_file(index, bytes(64)), "log.offset-index.trimmed"
    )
    yield changed_case(
        "index/below-base",
        "An entry is below the base offset.",
        over(index, 0, "ffffffff"),
        "log.offset-index.offset",
        "log.offset-index.covers",
    )
    yield changed_case(
        "index/negative-position", "A position is negative.", over(index, 4, "ffffffff"), "log.offset-index.position"
    )
    yield changed_case(
        "index/offsets-fall",
        "An entry has a lower offset than the one before.",
        over(index, 8, "00000001"),
        "log.offset-index.rising",
        "log.offset-index.covers",
    )
    yield changed_case(
        "index/no-batch-there", "A position is within a batch.", over(index, 4, "00000010"), "log.offset-index.batch"
    )
    yield changed_case(
        "index/not-covered",
        "An offset is lower than batches before its position.",
        over(index, 0, "00000001"),
        "log.offset-index.covers",
    )
    yield changed_case(
        "index/position-behind-the-end",
        "A position is past the end of the segment.",
        over(index, 4, "00100000"),
        "log.offset-index.batch",
        "log.offset-index.rising",
    )
    yield changed_case("timeindex/missing", "An inner segment has no time index.", remove(times), "log.time-index.last")
    yield changed_case(
        "timeindex/trailing-byte", "A byte follows the last entry.", add(times, b"\1"), "log.time-index.size"
    )
    yield changed_case(
        "timeindex/zeros-behind",
        "Zeros follow the entries of an inner segment.",
        add(times, bytes(24)),
        "log.time-index.trimmed",
    )
    yield changed_case(
        "timeindex/all-zeros",
        "A time index is all zeros.",
        write_file(times, bytes(48)),
        "log.time-index.trimmed",
        "log.time-index.last",
    )
    yield changed_case(
        "timeindex/below-base",
        "An entry is below the base offset.",
        over(times, 8, "ffffffff"),
        "log.time-index.offset",
        "log.time-index.batch",
    )
    yield changed_case(
        "timeindex/stamps-fall",
        "An entry has a lower timestamp than the one before.",
        over(times, 12, "0000000000000001"),
        "log.time-index.rising",
        "log.time-index.batch",
    )
    yield changed_case(
        "timeindex/other-stamp",
        "An entry has a timestamp that its batch has not.",
        over(times, 7, "00"),
        "log.time-index.batch",
    )
    yield changed_case(
        "timeindex/last-missing",
        "The last entry is missing.",
        lambda files: files.update({times: files[times][:-12]}),
        "log.time-index.last",
    )
    yield changed_case(
        "index/orphan", "An offset index has no segment.", write_file(name(500, "index"), b""), "log.file.orphan"
    )
