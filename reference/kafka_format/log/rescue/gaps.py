"""Offsets that no batch of a rescued log has, and no lost bytes tell of: files that are gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.partition import PartitionLog
from kafka_format.log.rescue.found import SegmentRescue
from kafka_format.log.verification.gaps import is_never_cleaned

_HIGH_WATERMARK: Final = "replication-offset-checkpoint"


class MissingOffsets(NamedTuple):
    """Offsets that are nowhere: the first and the last of them."""

    first: int
    last: int


def missing_offsets(log: PartitionLog, rescued: Sequence[SegmentRescue]) -> list[MissingOffsets]:
    """Return the offsets that are in no segment, though nothing was compacted.

    At the end of a log the high watermark tells of offsets that are gone. Offsets of bytes that are
    lost are not among them.
    """
    found = list(_at_end(log, rescued))
    if is_never_cleaned(log) and not any(each.has_holes for each in rescued):
        found += _between(log, rescued)
    return sorted(found)


def _between(log: PartitionLog, rescued: Sequence[SegmentRescue]) -> Iterator[MissingOffsets]:
    lost = [loss for each in rescued for loss in each.losses]
    runs = sorted((run for each in rescued for run in each.runs), key=lambda run: run.first_offset)
    end = max(log.start_offset, rescued[0].segment.base_offset) if rescued else 0
    for run in runs:
        is_told = any(loss.after < run.first_offset and (loss.before is None or loss.before >= end) for loss in lost)
        if run.first_offset > end and not is_told:
            yield MissingOffsets(end, run.first_offset - 1)
        end = max(end, run.last_offset + 1)


def _at_end(log: PartitionLog, rescued: Sequence[SegmentRescue]) -> Iterator[MissingOffsets]:
    end = max((run.last_offset + 1 for each in rescued for run in each.runs), default=log.start_offset)
    is_told = any(loss.before is None for loss in (rescued[-1].losses if rescued else ()))
    with suppress(FormatError):
        mark = None if log.name is None or log.name.marker else log.checkpoint(_HIGH_WATERMARK)
        if mark is not None and mark > end and not is_told:
            yield MissingOffsets(end, mark - 1)
