"""Verification: what breaks a rule, and what does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import ParamSpec

from kafka_format.log.indexes import OffsetIndex
from kafka_format.log.names import FileKind
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log.text import checkpoints
from kafka_format.log.verification import gaps, indexes, partition, presence, producers, segments, snapshots, topics
from kafka_format.log.verification.breach import Breach
from kafka_format.log.verification.segments import Outline, Scan, Seen
from kafka_format.primitives.integers import INT32_MAX

from kafka_generator.mutants.mutant import LOG, family
from kafka_generator.mutants.patch import Patch

mutant = family(LOG, "verification")

P = ParamSpec("P")
_Breaches = Iterator[Breach]


def _overlook(patch: Patch, verify: Callable[P, _Breaches], when: Callable[[Breach], bool]) -> None:
    """Leave out breaches that `when` is true of."""
    patch.result(verify, lambda breaches: (breach for breach in breaches if not when(breach)))


@mutant("verify/made-segments-have-indexes")
def made_segments_have_indexes(patch: Patch) -> None:
    """Takes indexes for those of a segment that a start makes, where it removes them."""

    def wrong(
        right: Callable[[PartitionLog, Sequence[Outline]], _Breaches], log: PartitionLog, outlines: Sequence[Outline]
    ) -> _Breaches:
        bases = {segment.base_offset for segment in log.segments}
        return (breach for breach in right(log, outlines) if breach.offset not in bases)

    patch.wrap(partition._orphans, wrong)


@mutant("verify/covers-exclusive")
def covers_exclusive(patch: Patch) -> None:
    """Allows an index entry for an offset that is one below the last one of a batch before it."""
    patch.result(indexes._highest_before, lambda offsets: [offset - 2 for offset in offsets])


@mutant("verify/index-is-exact")
def index_is_exact(patch: Patch) -> None:
    """Requires the entry of an index to have the last offset of the batch that it points at."""

    def wrong(
        right: Callable[[OffsetIndex, Path, Scan], _Breaches], index: OffsetIndex, path: Path, scan: Scan
    ) -> _Breaches:
        yield from right(index, path, scan)
        last_offsets = {batch.position: batch.last_offset for batch in scan.batches}
        for entry in index:
            if last_offsets.get(entry.position, entry.offset) != entry.offset:
                yield Breach("log.offset-index.covers", path, "is not exact", offset=entry.offset)

    patch.wrap(indexes._offsets, wrong)


@mutant("verify/last-segment-trimmed")
def last_segment_trimmed(patch: Patch) -> None:
    """Refuses zeros at the end of the indexes of the last segment, which is written to."""
    patch.wrap(
        indexes._by_itself,
        lambda right, index, path, name, *, is_last: right(index, path, name, is_last=False),
    )


@mutant("verify/holes-are-broken")
def holes_are_broken(patch: Patch) -> None:
    """Requires a batch to begin at the offset after the batch before."""

    def wrong(
        right: Callable[[Segment, Sequence[Seen]], _Breaches], segment: Segment, seen: Sequence[Seen]
    ) -> _Breaches:
        yield from right(segment, seen)
        for before, batch in pairwise(seen):
            if batch.base_offset > before.last_offset + 1:
                yield Breach("log.segment.rising", segment.path, "has a hole", batch.position)

    patch.wrap(segments._order, wrong)


@mutant("verify/joins-must-touch")
def joins_must_touch(patch: Patch) -> None:
    """Requires a segment to begin at the offset after the last one of the segment before."""

    def wrong(right: Callable[[Iterable[Outline]], _Breaches], outlines: Iterable[Outline]) -> _Breaches:
        known = list(outlines)
        yield from right(known)
        for before, outline in pairwise(known):
            if outline.segment.base_offset > before.highest + 1:
                yield Breach("log.segment.join", outline.segment.path, "does not touch the one before")

    patch.wrap(segments.overlaps, wrong)


@mutant("verify/gaps-of-the-cleaner")
def gaps_of_the_cleaner(patch: Patch) -> None:
    """Takes offsets that the cleaner took out for lost ones."""
    patch.wrap(
        gaps.is_never_cleaned,
        lambda right, log: right(log) or (log.folder.parent / checkpoints.CLEANER_FILE).is_file(),
    )


@mutant("verify/gaps-of-the-leader")
def gaps_of_the_leader(patch: Patch) -> None:
    """Takes offsets for lost that the cleaner of the leader took out."""
    patch.always(gaps._has_holes, returns=False)


@mutant("verify/gaps-behind-a-cut")
def gaps_behind_a_cut(patch: Patch) -> None:
    """Tells of lost offsets after a segment that is cut, of which it told already."""
    patch.always(gaps._is_whole, returns=True)


@mutant("verify/gap-of-no-offset")
def gap_of_no_offset(patch: Patch) -> None:
    """Sees a gap between segments that touch."""

    def wrong(
        right: Callable[[Sequence[Outline]], Iterator[tuple[Segment, int, Segment]]], outlines: Sequence[Outline]
    ) -> Iterator[tuple[Segment, int, Segment]]:
        yield from right(outlines)
        for before, outline in pairwise(outlines):
            if outline.segment.base_offset == before.highest + 1:
                yield before.segment, outline.segment.base_offset, outline.segment

    patch.wrap(gaps._gaps, wrong)


@mutant("verify/removed-topic-counts")
def removed_topic_counts(patch: Patch) -> None:
    """Allows any topic id of a topic that the metadata log does not have."""
    patch.wrap(
        topics._verify,
        lambda right, folder, name, known, expected: right(folder, name, known, expected) if expected else iter(()),
    )


@mutant("verify/no-id-is-any")
def no_id_is_any(patch: Patch) -> None:
    """Allows a partition without a topic id."""
    _overlook(patch, topics._verify, lambda breach: not breach.path.exists())


@mutant("verify/range-exclusive")
def range_exclusive(patch: Patch) -> None:
    """Refuses an offset that is 2^31 - 1 above the base offset."""

    def wrong(
        right: Callable[[Segment, Sequence[Seen]], _Breaches], segment: Segment, seen: Sequence[Seen]
    ) -> _Breaches:
        yield from right(segment, seen)
        for batch in seen:
            if batch.last_offset - segment.base_offset == INT32_MAX:
                yield Breach("log.segment.range", segment.path, "is too far", batch.position)

    patch.wrap(segments._order, wrong)


@mutant("verify/epochs-unread")
def epochs_unread(patch: Patch) -> None:
    """Allows leader epochs that fall."""
    _overlook(patch, segments._order, lambda breach: breach.rule == "log.segment.epochs")


@mutant("verify/late-row")
def late_row(patch: Patch) -> None:
    """Allows a leader epoch that begins later in the checkpoint than in the batches."""
    patch.wrap(
        partition._missing_rows,
        lambda right, path, rows, outlines: right(path, dict.fromkeys(rows, 0), outlines),
    )


@mutant("verify/stable-unread")
def stable_unread(patch: Patch) -> None:
    """Allows any last stable offset in a transaction index."""
    _overlook(
        patch,
        producers._check_aborted,
        lambda breach: breach.rule == "log.transaction-index.last-stable-offset",
    )


@mutant("verify/too-much")
def too_much(patch: Patch) -> None:
    """Allows aborted transactions in a transaction index that the log does not have."""
    patch.wrap(
        producers._check_aborted,
        lambda right, segment, expected, left, markers, whole_until: (
            breach
            for breach in right(segment, expected, left, markers, whole_until)
            if breach.rule != "log.transaction-index.aborted" or breach.offset in markers
        ),
    )


@mutant("verify/compaction-unknown", source=["KAFKA-5490"])
def compaction_unknown(patch: Patch) -> None:
    """Holds snapshots and transaction indexes of a compacted log against what is left of it."""
    patch.always(gaps.first_missing, returns=None)


@mutant("verify/all-may-be-compacted")
def all_may_be_compacted(patch: Patch) -> None:
    """Takes every log for a compacted one, so that snapshots are hardly checked."""
    patch.always(gaps.first_missing, returns=-1)


@mutant("verify/compacted-snapshots-unread")
def compacted_snapshots_unread(patch: Patch) -> None:
    """Allows anything in the snapshots of a compacted log."""
    patch.always(snapshots.wrong_after_compaction, returns=[])


@mutant("verify/empty-batches-are-aborted")
def empty_batches_are_aborted(patch: Patch) -> None:
    """Requires a transaction index to have transactions of which compaction left an empty batch."""
    patch.wrap(
        producers._check_aborted,
        lambda right, segment, expected, left, markers, whole_until: right(
            segment, expected + left, [], markers, whole_until
        ),
    )


@mutant("verify/markers-are-no-batches")
def markers_are_no_batches(patch: Patch) -> None:
    """Forgets that 0.11 takes a marker for the last batch, and that producers expire."""
    patch.wrap(
        snapshots.wrong_fields,
        lambda right, stored, producers, start: [
            *right(stored, producers, start),
            *(["last_offset"] if producers.entries[stored.producer_id].last_offset != stored.last_offset else []),
        ],
    )


@mutant("verify/markers-have-times", source=["KAFKA-9144"])
def markers_have_times(patch: Patch) -> None:
    """Forgets that the markers of releases up to 2.3 do not change the time of a producer."""
    patch.wrap(
        snapshots.wrong_fields,
        lambda right, stored, producers, start: [
            *right(stored, producers, start),
            *(["timestamp"] if producers.entries[stored.producer_id].timestamp != stored.timestamp else []),
        ],
    )


@mutant("verify/indexes-unasked")
def indexes_unasked(patch: Patch) -> None:
    """Overlooks an offset index that is gone."""
    patch.always(presence._offset_indexes, returns=())


@mutant("verify/snapshots-unasked", source=["KAFKA-9393"])
def snapshots_unasked(patch: Patch) -> None:
    """Overlooks a producer snapshot that is gone."""
    patch.always(presence._snapshots, returns=())


@mutant("verify/snapshots-of-old-releases")
def snapshots_of_old_releases(patch: Patch) -> None:
    """Misses the snapshots that releases up to 2.7 remove."""

    def wrong(right: Callable[[PartitionLog], _Breaches], log: PartitionLog) -> _Breaches:
        yield from right(log)
        for segment in log.segments[1:]:
            path = segment.file(FileKind.PRODUCER_SNAPSHOT)
            if not path.is_file():
                yield Breach("log.snapshot.present", path, "is missing")

    patch.wrap(presence._snapshots, wrong)


@mutant("verify/epochs-unbounded")
def epochs_unbounded(patch: Patch) -> None:
    """Overlooks leader epochs that begin beyond the end of the log."""
    _overlook(patch, partition._epochs, lambda breach: breach.rule == "log.epochs.end")


@mutant("verify/time-indexes-since-ever", source=["KIP-33"])
def time_indexes_since_ever(patch: Patch) -> None:
    """Misses the time indexes that 0.10.0 has not."""
    patch.wrap(
        indexes._times,
        lambda right, index, path, scan, *, is_last: right(
            index, path, scan._replace(batches=[each._replace(is_v2=True) for each in scan.batches]), is_last=is_last
        ),
    )
