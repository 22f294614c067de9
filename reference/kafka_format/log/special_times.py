"""Where a log begins, ends and what is newest, as ListOffsets answers it to its negative times.

A broker answers by partition and isolation: consumers get what is below the high watermark, and
with `read_committed` below the last stable offset; only replicas are told the end of the log
(cluster Partition.fetchOffsetForTimestamp; storage UnifiedLog.fetchOffsetByTimestamp; KIP-79,
KIP-405, KIP-734, KIP-1005, KIP-1023).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum, StrEnum
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.indexes import NEWEST
from kafka_format.log.partition import PartitionLog
from kafka_format.log.time_lookup import Moment
from kafka_format.log.transactions import high_watermark, last_stable_offset
from kafka_format.records.model import NO_EPOCH, NO_TIMESTAMP
from kafka_format.spec.layout.release_table import numbers

NONE: Final = Moment(NO_TIMESTAMP, -1, NO_EPOCH)
"""The answer where there is nothing of the kind."""

_BY_RECORD_SINCE: Final = (3, 8)
"""Since this release the record with the largest timestamp is looked for in its batch; before, the
time index says which offset it is (KAFKA-16310)."""


class SpecialTime(IntEnum):
    """A time that stands for something else."""

    LATEST = -1
    EARLIEST = -2
    MAX_TIMESTAMP = -3
    EARLIEST_LOCAL = -4
    LATEST_TIERED = -5
    EARLIEST_PENDING_UPLOAD = -6


SINCE: Final = {
    SpecialTime.LATEST: "0.8",
    SpecialTime.EARLIEST: "0.8",
    SpecialTime.MAX_TIMESTAMP: "3.0",
    SpecialTime.EARLIEST_LOCAL: "3.5",
    SpecialTime.LATEST_TIERED: "3.9",
    SpecialTime.EARLIEST_PENDING_UPLOAD: "4.2",
}
"""The first release that knows each."""


class Isolation(StrEnum):
    """Up to where a reader reads."""

    READ_UNCOMMITTED = "read_uncommitted"
    READ_COMMITTED = "read_committed"
    LOG_END = "log_end"


class UnknownTimeError(ValueError):
    """A release does not know a special time."""


def upper_limit(log: PartitionLog, isolation: Isolation) -> int:
    """Return the offset at which a reader waits: high watermark, last stable offset or log end.

    The high watermark is the one that was last written to the checkpoint beside the folder; without
    one, the end of the log.

    Raises:
        FormatError: the log cannot be read to its end.
    """
    if isolation is Isolation.LOG_END:
        return log.end_offset
    return high_watermark(log) if isolation is Isolation.READ_UNCOMMITTED else last_stable_offset(log)


def find_special(
    log: PartitionLog,
    time: SpecialTime,
    isolation: Isolation = Isolation.READ_UNCOMMITTED,
    release: str = NEWEST,
) -> Moment:
    """Return what a broker answers to a special time: timestamp, offset and leader epoch.

    What is in remote storage is not known from a log directory; the answer is that of a topic
    without.

    Raises:
        FormatError: the log cannot be read.
        UnknownTimeError: the release does not know that time.
    """
    if numbers(release) < numbers(SINCE[time]):
        raise UnknownTimeError(f"{release} does not know the time {int(time)}, {SINCE[time]} is the first that does")
    if time is SpecialTime.LATEST:
        return Moment(NO_TIMESTAMP, upper_limit(log, isolation), _epoch(log, log.end_offset))
    found = _FINDERS[time](log, release)
    is_hidden = time is SpecialTime.MAX_TIMESTAMP and found.offset >= upper_limit(log, isolation)
    return NONE if is_hidden else found


def _earliest(log: PartitionLog, _: str) -> Moment:
    return Moment(NO_TIMESTAMP, log.start_offset, _epoch(log, log.start_offset))


def _max_timestamp(log: PartitionLog, release: str) -> Moment:
    """Return the record with the largest timestamp, of the first segment whose index has it."""
    if not log.segments:
        return NONE
    segment = max(log.segments, key=lambda each: each.last_time_entry.timestamp)
    entry = segment.last_time_entry
    if numbers(release) < _BY_RECORD_SINCE:
        return Moment(entry.timestamp, entry.offset, _epoch(log, entry.offset)) if entry.timestamp >= 0 else NONE
    for batch in segment.batches(max(segment.offset_index.lookup(entry.offset).entry.position, 0)):
        if batch.max_timestamp == entry.timestamp:
            offset = _offset_of_max(batch)
            return NONE if offset is None else Moment(entry.timestamp, offset, batch.leader_epoch)
    return NONE


def _offset_of_max(batch: Batch) -> int | None:
    if batch.max_timestamp == NO_TIMESTAMP:
        return None
    if not batch.is_v2 and batch.codec == "none":
        return batch.last_offset
    is_any = batch.is_append_time
    records = (each.offset for each in batch.unchecked_records() if is_any or each.timestamp == batch.max_timestamp)
    return next(records, None)


_FINDERS: Final[dict[SpecialTime, Callable[[PartitionLog, str], Moment]]] = {
    SpecialTime.EARLIEST: _earliest,
    SpecialTime.MAX_TIMESTAMP: _max_timestamp,
    SpecialTime.EARLIEST_LOCAL: _earliest,
    SpecialTime.LATEST_TIERED: lambda _, __: NONE,
    SpecialTime.EARLIEST_PENDING_UPLOAD: lambda _, __: NONE,
}


def _epoch(log: PartitionLog, offset: int) -> int:
    """Return the leader epoch of an offset by the checkpoint; -1 if it does not tell."""
    try:
        return max((row.epoch for row in log.leader_epochs() if row.start_offset <= offset), default=NO_EPOCH)
    except FormatError:
        return NO_EPOCH
