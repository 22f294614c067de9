"""Offsets that no segment has, in a log that was never compacted: a segment was lost.

A segment begins where the one before ends, since it is rolled at the end of the log. Only the
cleaner takes offsets out of a log, and notes how far it was in `cleaner-offset-checkpoint`. A
follower may have fetched what its leader's cleaner left; such a log has holes within segments too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kafka_format.errors import FormatError
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log.text import checkpoints
from kafka_format.log.verification.breach import Breach
from kafka_format.log.verification.segments import Outline


def verify(log: PartitionLog, outlines: Sequence[Outline]) -> Iterator[Breach]:
    """Yield the offsets between segments that are lost; none of a log that may be compacted."""
    gaps = list(_gaps(outlines))
    if not gaps or not is_never_cleaned(log) or any(map(_has_holes, outlines)):
        return
    for before, end, segment in gaps:
        if _is_whole(before):  # else it was reported what follows its last batch
            base = segment.base_offset
            offsets = f"offset {end} is" if end == base - 1 else f"the offsets {end} to {base - 1} are"
            detail = f"{offsets} in no segment, and the log was never compacted: a segment, or an end of one, was lost"
            yield Breach("log.segment.gap", segment.path, detail, None, end)


def _gaps(outlines: Sequence[Outline]) -> Iterator[tuple[Segment, int, Segment]]:
    """Yield the segment before a gap, the first offset of the gap, and the segment after it."""
    before, end = None, 0
    for outline in outlines:
        segment = outline.segment
        if before is not None and segment.base_offset > end:
            yield before, end, segment
        before, end = segment, max(end, outline.highest + 1, segment.base_offset)


def first_missing(outlines: Sequence[Outline]) -> int | None:
    """Return the smallest offset of a log that no record has; None if there is none up to its end.

    What is below it was never compacted.
    """
    end: int | None = None
    for outline in outlines:
        if end is not None and outline.segment.base_offset > end:
            return end
        if outline.first_missing is not None:
            return outline.first_missing
        end = max(outline.highest + 1, outline.segment.base_offset)
    return None


def is_never_cleaned(log: PartitionLog) -> bool:
    """Tell whether the checkpoint of the cleaner is there, and has no row of the log."""
    if log.name is None or log.name.marker or not (log.folder.parent / checkpoints.CLEANER_FILE).is_file():
        return False
    try:
        return log.checkpoint(checkpoints.CLEANER_FILE) is None
    except FormatError:
        return False


def _has_holes(outline: Outline) -> bool:
    """Tell whether a segment lacks offsets between its batches or in them, as cleaners leave it."""
    return outline.first_missing is not None


def _is_whole(segment: Segment) -> bool:
    """Tell whether nothing follows the last batch of a segment."""
    end = 0
    for batch in segment.whole_batches():
        end = batch.end
    return end == segment.size
