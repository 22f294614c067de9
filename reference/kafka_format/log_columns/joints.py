"""The slices of a log put together again, and the rules between segments.

A segment whose slices leave no doubt keeps all rules by itself. Any other one is read again, from
its first byte on, by `kafka_format.log.verification`, which says what is broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.names import FileKind
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log.verification.breach import Breach
from kafka_format.log.verification.partition import verify_joints, verify_names, verify_segment
from kafka_format.log.verification.segments import Epoch, Outline
from kafka_format.log_columns.producer_batches import Followed
from kafka_format.log_columns.scan import NONE, SliceScan, scan
from kafka_format.log_columns.slices import SLICE, LogSlice, slices


class Scanned(NamedTuple):
    """A slice, and the results of its scan."""

    part: LogSlice
    scan: SliceScan


@dataclass(frozen=True, slots=True)
class SegmentFindings:
    """The results of a segment.

    Attributes:
        path: the segment.
        highest: its largest offset; -1 without a batch.
        epochs: its leader epochs that are above all before them.
        breaches: the rules that it breaks by itself.
        followed: the batches to follow producers by; None if they are to be read from the segment.
        first_missing: the smallest offset that no record has, see `Outline`, as for the last two.
    """

    path: Path
    highest: int
    epochs: tuple[Epoch, ...]
    breaches: tuple[Breach, ...] = ()
    followed: Followed | None = None
    first_missing: int | None = None
    unsure: tuple[int, ...] = ()
    first_unsure: int | None = None


def sound_segment(scanneds: Sequence[Scanned]) -> SegmentFindings | None:
    """Return the results of a segment from those of its slices; None if the segment is doubtful.

    Raises:
        OSError: an index cannot be read.
    """
    first = scanneds[0].part
    if any(each.scan.doubt for each in scanneds) or not _meet(scanneds) or not _in_order(scanneds):
        return None
    with Segment(first.path) as segment:
        if not _indexes_are_seen(segment, scanneds, is_last=first.is_last):
            return None
    highest = max(each.scan.highest for each in scanneds)
    data = b"".join(each.scan.followed.data for each in scanneds)
    sizes = tuple(size for each in scanneds for size in each.scan.followed.sizes)
    missing = _first_missing(segment.base_offset, scanneds)
    return SegmentFindings(first.path, highest, _epochs(scanneds), (), Followed(data, sizes), missing)


def judge_segment(path: Path, *, is_last: bool) -> SegmentFindings:
    """Check a segment against the rules, batch by batch.

    Raises:
        OSError: it cannot be read.
    """
    with Segment(path) as segment:
        return _judge(segment, is_last=is_last)


def _judge(segment: Segment, *, is_last: bool) -> SegmentFindings:
    outlines: list[Outline] = []
    breaches = tuple(verify_segment(segment, outlines, is_last=is_last))
    (outline,) = outlines
    return SegmentFindings(
        segment.path,
        outline.highest,
        outline.epochs,
        breaches,
        None,
        outline.first_missing,
        outline.unsure,
        outline.first_unsure,
    )


def verify_log(folder: Path, segment_findings: Mapping[Path, SegmentFindings]) -> Iterator[Breach]:
    """Yield every rule that a partition's files break, given the findings on its segments.

    Raises:
        OSError: a file cannot be read.
    """
    yield from verify_names(folder)
    try:
        log = PartitionLog(folder)
    except FormatError:
        return  # its name was reported above, and a broker does not start
    with log:
        known = [
            segment_findings.get(each.path) or _judge(each, is_last=each is log.segments[-1]) for each in log.segments
        ]
        for each in known:
            yield from each.breaches
        pairs = zip(log.segments, known, strict=True)
        outlines = [
            Outline(segment, each.highest, each.epochs, each.first_missing, each.unsure, each.first_unsure)
            for segment, each in pairs
        ]
        followed = {each.path: each.followed for each in known}

        def known_batches(segment: Segment) -> Iterable[Batch] | None:
            kept = followed[segment.path]
            return None if kept is None else kept.batches()

        yield from verify_joints(log, outlines, known_batches)


def verify_partition(folder: Path, most: int = SLICE) -> Iterator[Breach]:
    """Yield the same as `verification.verify_partition`, in slices of `most` bytes.

    Raises:
        OSError: a file cannot be read.
    """
    try:
        with PartitionLog(folder) as log:
            parts = list(slices(log, most))
    except FormatError:
        parts = []
    scans: dict[Path, list[Scanned]] = {}
    for part in parts:
        scans.setdefault(part.path, []).append(Scanned(part, scan(part)))
    segments = {
        path: sound_segment(each) or judge_segment(path, is_last=each[0].part.is_last) for path, each in scans.items()
    }
    yield from verify_log(folder, segments)


def _meet(scanneds: Sequence[Scanned]) -> bool:
    """Tell whether the slices meet: each one's batches end where the next one's begin."""
    starts = [each.part.start for each in scanneds] + [scanneds[0].part.size]
    return starts[0] == 0 and [each.scan.end for each in scanneds] == starts[1:]


def _in_order(scanneds: Sequence[Scanned]) -> bool:
    """Tell whether offsets and epochs rise from slice to slice, and index entries with them."""
    highest = epoch = NONE
    for _, each in scanneds:
        if (each.batches and each.lowest <= highest) or NONE < each.lowest_entry <= highest:
            return False
        if NONE < each.lowest_epoch < epoch:
            return False
        highest, epoch = max(highest, each.highest), max([epoch, *(row.epoch for row in each.epochs)])
    return True


def _indexes_are_seen(segment: Segment, scanneds: Sequence[Scanned], *, is_last: bool) -> bool:
    """Tell whether each index entry was looked at, and the time index reaches the last batch."""
    offsets, times = segment.offset_index, segment.time_index
    if sum(each.scan.offset_entries for each in scanneds) != len(offsets):
        return False
    if sum(each.scan.time_entries for each in scanneds) != len(times):
        return False
    largest = max(each.scan.largest_timestamp for each in scanneds)
    is_there = any(segment.file(kind).is_file() for kind in (FileKind.OFFSET_INDEX, FileKind.TIME_INDEX))
    return is_last or largest < 0 or not is_there or times.last.timestamp >= largest


def _first_missing(base_offset: int, scanneds: Sequence[Scanned]) -> int | None:
    end = base_offset
    for _, each in scanneds:
        if each.batches and each.lowest > end:
            return end
        if each.first_missing != NONE:
            return each.first_missing
        end = max(end, each.highest + 1)
    return None


def _epochs(scanneds: Sequence[Scanned]) -> tuple[Epoch, ...]:
    epochs: list[Epoch] = []
    for each in scanneds:
        epochs += [row for row in each.scan.epochs if row.epoch > (epochs[-1].epoch if epochs else NONE)]
    return tuple(epochs)
