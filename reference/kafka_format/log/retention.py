"""Which segments a broker would remove, and why: by time, by size, or below the log's start.

Segments go from the oldest on, as long as each may go, and none above the high watermark. The age
of a segment is what its time index says last; where that is empty, the time of change of its file
(storage UnifiedLog.deleteOldSegments, LogSegment.largestTimestamp). So a time index that ends in
zeros makes a segment look as old as 1970 (KAFKA-10207).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment

WEEK: Final = 7 * 24 * 60 * 60 * 1000
"""The usual retention.ms."""

NO_LIMIT: Final = -1
HIGH_WATERMARK: Final = "replication-offset-checkpoint"


class Source(StrEnum):
    """Where the age of a segment comes from. The value says it in words."""

    TIME_INDEX = "its time index says"
    FILE = "its time index is empty, its file is of"


class RetentionReason(StrEnum):
    """Why a segment is deleted or kept. The value says it in words."""

    TIME = "deleted: older than retention.ms"
    SIZE = "deleted: without it, the log is still larger than retention.bytes"
    START = "deleted: the log starts above it"
    YOUNG = "kept: not old enough"
    BEHIND = "kept: an earlier segment is kept"
    WATERMARK = "kept: it is not below the high watermark"
    EMPTY = "kept: the last segment, and empty"

    @property
    def is_deletion(self) -> bool:
        """Whether a broker removes a segment for this reason."""
        return self in {RetentionReason.TIME, RetentionReason.SIZE, RetentionReason.START}


class Aging(NamedTuple):
    """The age of a segment, and whether retention removes it.

    Attributes:
        segment: the segment.
        largest: what Kafka takes for its largest timestamp, in milliseconds since 1970.
        source: where that comes from.
        in_batches: the largest timestamp of its batches; -1 for none.
        reason: why it is deleted or kept.
    """

    segment: Segment
    largest: int
    source: Source
    in_batches: int
    reason: RetentionReason

    @property
    def goes(self) -> bool:
        """Whether a broker removes it."""
        return self.reason.is_deletion


def judge(log: PartitionLog, now: int, *, retention_ms: int = WEEK, retention_bytes: int = NO_LIMIT) -> list[Aging]:
    """Return for each segment whether a broker with these settings would remove it.

    Args:
        log: the log; its indexes are read with the zeros at their end where it was opened so.
        now: the time of the broker, in milliseconds since 1970.
        retention_ms: the setting of the topic; -1 for no limit.
        retention_bytes: the setting of the topic; -1 for no limit.
    """
    ageing: list[Aging] = []
    excess = sum(segment.size for segment in log.segments) - retention_bytes if retention_bytes >= 0 else -1
    watermark = _watermark(log)
    for segment in log.segments:
        following = log.after(segment)
        upper = following.base_offset if following is not None else log.end_offset
        reason = _reason(segment, now, retention_ms, excess)
        if following is not None and following.base_offset <= log.start_offset:
            reason = RetentionReason.START
        if following is None and not segment.size:
            reason = RetentionReason.EMPTY
        elif ageing and not ageing[-1].goes:
            reason = RetentionReason.BEHIND
        elif watermark is not None and upper > watermark and reason.is_deletion:
            reason = RetentionReason.WATERMARK
        excess -= segment.size if reason is RetentionReason.SIZE else 0
        source = Source.TIME_INDEX if segment.last_time_entry.timestamp >= 0 else Source.FILE
        in_batches = max((batch.max_timestamp for batch in segment.whole_batches()), default=-1)
        ageing.append(Aging(segment, segment.largest_timestamp, source, in_batches, reason))
    return ageing


def _reason(segment: Segment, now: int, retention_ms: int, excess: int) -> RetentionReason:
    if retention_ms >= 0 and now - segment.largest_timestamp > retention_ms:
        return RetentionReason.TIME
    return RetentionReason.SIZE if excess - segment.size >= 0 else RetentionReason.YOUNG


def _watermark(log: PartitionLog) -> int | None:
    try:
        return log.checkpoint(HIGH_WATERMARK)
    except FormatError:
        return None
