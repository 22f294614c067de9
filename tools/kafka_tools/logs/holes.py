"""Offsets that no batch of a partition covers: where they are, and what they can come from.

They break no rule, since Kafka itself takes them: a follower appends what its leader has, and that
may be compacted (storage UnifiedLog.analyzeAndValidateRecords asks only that offsets rise). But in
a topic that is not compacted they are records that were lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kafka_format.log import PartitionLog, statistics
from kafka_format.log.statistics import SegmentStatistics
from kafka_format.log.verification.gaps import is_never_cleaned

from kafka_tools.text import plural

_SHOWN = 5


def lines(log: PartitionLog, segment_statistics: Sequence[SegmentStatistics]) -> Iterator[str]:
    """Yield lines about the first holes of a partition, and what they mean.

    None if it has none, or if its offsets go back: what seems to be missing may stand elsewhere.
    """
    if any(statistics.turns(segment_statistics)):
        return
    holes = list(_holes(segment_statistics))
    if not holes:
        return
    between = sum(1 for _ in _between(segment_statistics))
    count = between + sum(each.holes for each in segment_statistics)
    yield f"missing offsets, in {plural(count, 'place')}:"
    yield from (f"  {hole}" for hole in holes[:_SHOWN])
    if count > _SHOWN:
        yield f"  and {plural(count - min(len(holes), _SHOWN), 'more place')}"
    if is_never_cleaned(log):
        yield "  This broker never compacted the log. A leader of it did, or records were"
        yield "  lost: `log compare` with another replica shows if that one has them."
    else:
        yield "  Compaction leaves such holes. If the topic is not compacted, records were lost."


def _holes(segment_statistics: Sequence[SegmentStatistics]) -> Iterator[str]:
    """Yield descriptions of holes, in the order of offsets."""
    after = dict(_between(segment_statistics))
    for each in segment_statistics:
        for hole in each.first_holes:
            where = f"before the batch at byte {hole.position} of segment {each.base_offset}"
            yield f"{_range(hole.first, hole.last)}: {where}"
        if each.base_offset in after:
            yield after[each.base_offset]


def _between(segment_statistics: Sequence[SegmentStatistics]) -> Iterator[tuple[int, str]]:
    """Yield base offsets of segments and the hole after each, up to the next that has a batch."""
    filled = [each for each in segment_statistics if each.first_offset is not None]
    for before, behind in pairwise(filled):
        first, last = (before.last_offset or 0) + 1, (behind.first_offset or 0) - 1
        if first <= last:
            words = f"between the segments {before.base_offset} and {behind.base_offset}"
            yield before.base_offset, f"{_range(first, last)}: {words}"


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"
