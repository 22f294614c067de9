"""What can be rescued of a log, as lines: what is sound, what is lost and why, what to do then."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from kafka_format.log import PartitionLog
from kafka_format.log.kraft import FOLDER, is_snapshot
from kafka_format.log.names import folder_name
from kafka_format.log.rescue import (
    FileRescue,
    LeftOut,
    LostBytes,
    Mended,
    MissingOffsets,
    SegmentRescue,
    are_moved,
    odd_epochs,
)

from kafka_tools.text import first_few, plural, size_text

_SHOWN = 3
TOTAL = "rescued: "
"""How the line begins that sums up."""


def lines(
    log: PartitionLog,
    rescued: Sequence[SegmentRescue],
    files: Sequence[FileRescue],
    missing: Sequence[MissingOffsets],
    *,
    show_all: bool = False,
) -> Iterator[str]:
    """Yield lines about the sound batches of the segments, what is lost, and what is left out.

    Args:
        log: the log.
        rescued: what is sound of its segments.
        files: its other files.
        missing: offsets that are nowhere.
        show_all: tell all; else only what is wrong, and of many segments the first.
    """
    yield f"{log.folder.name}: what can be rescued; nothing is changed there"
    whole = [each for each in rescued if not each.losses and not each.left_out]
    told = rescued if show_all or len(whole) == 1 else [each for each in rescued if each.losses or each.left_out]
    if len(told) != len(rescued):
        size = sum(each.size for each in whole)
        batches = sum(each.batches for each in whole)
        yield f"  {plural(len(whole), 'segment')} whole: {plural(batches, 'batch')}, {size_text(size)}"
    shown = None if show_all else _SHOWN
    yield from first_few((list(_segment(each, shown)) for each in told), shown, "segment")
    if are_moved(rescued):
        yield "sound batches do not stand in the order of their offsets; they are written in that order"
    yield from first_few(map(_gone, missing), shown, "gap")
    yield from first_few(map(_mended, _all_mended(rescued)), shown, "batch")
    odd = (
        [f"the batch at offset {each.offset} has leader epoch {each.epoch}, out of line; it gets {each.right}"]
        for each in odd_epochs(rescued)
    )
    yield from first_few(odd, shown, "batch")
    yield from _files([file for file in files if file.path not in {each.segment.path for each in rescued}])
    yield from _quorum(log, rescued, files)
    records, size = sum(each.records for each in rescued), sum(each.size for each in rescued)
    lost_bytes = sum(lost.end - lost.start for each in rescued for lost in each.losses)
    twice = sum(left.end - left.start for each in rescued for left in each.left_out)
    also = f"; left out: {size_text(twice)}" if twice else ""
    gone = sum(each.last - each.first + 1 for each in missing)
    also += f"; offsets that are nowhere: {gone:,}" if gone else ""
    yield f"{TOTAL}{plural(records, 'record')}, {size_text(size)}; lost: {size_text(lost_bytes)}{also}"
    first = rescued[0].runs[0].first_offset if rescued and rescued[0].runs else log.start_offset
    if log.start_offset > first:
        yield (
            f"offsets {first} to {log.start_offset - 1} were deleted before: they come back, unless"
            f" log-start-offset-checkpoint of the other data directory says {log.start_offset}"
        )


def _gone(missing: MissingOffsets) -> list[str]:
    return [f"offsets {missing.first} to {missing.last} are nowhere: a segment, or the end of one, is gone"]


def _all_mended(rescued: Sequence[SegmentRescue]) -> Iterator[tuple[Path, Mended]]:
    return ((each.segment.path, mended) for each in rescued for mended in each.mended)


def _mended(found: tuple[Path, Mended]) -> list[str]:
    path, each = found
    why = "out of line" if each.field == "base_offset" else "against its checksum"
    return [
        f"{path.name}: the batch at byte {each.position} has {each.field} {each.value}, {why}; it gets {each.right}"
    ]


def _segment(each: SegmentRescue, shown: int | None) -> Iterator[str]:
    batches = plural(each.batches, "sound batch")
    yield f"  {each.segment.path.name}: {batches}, {each.size:,} of {each.segment.size:,} bytes"
    said = [
        [f"    bytes {lost.start} to {lost.end - 1} are lost: {lost.reason}", f"      {_offsets(lost)}"]
        for lost in each.losses
    ]
    yield from first_few([*said, *([_left_out(left)] for left in each.left_out)], shown, "place")


def _files(files: Sequence[FileRescue]) -> Iterator[str]:
    """Yield the files that are left out, a line a reason."""
    for reason in dict.fromkeys(file.reason for file in files if file.reason):
        first, *rest = [file.path.name for file in files if file.reason == reason]
        more = f" and {plural(len(rest), 'other file')} are" if rest else " is"
        yield f"  {first}{more} left out: {reason}"


def _left_out(left: LeftOut) -> str:
    count = plural(left.batches, "sound batch")
    offsets = f"{left.first_offset} to {left.last_offset}"
    what = "the same bytes are" if left.are_same else "other batches with these offsets are"
    return (
        f"    bytes {left.start} to {left.end - 1} are left out, {count} with offsets {offsets}:"
        f" {what} in {left.kept.path.name} from byte {left.kept_at} on"
    )


def _quorum(log: PartitionLog, rescued: Sequence[SegmentRescue], files: Sequence[FileRescue]) -> Iterator[str]:
    """Yield what the rescued folder of a metadata quorum lacks for a start."""
    if folder_name(log.folder) != FOLDER:
        return
    taken = {file.path for file in files if not file.reason}
    names = (file.name for file in log.files if file.path in taken)
    newest = max((name.offset for name in names if name is not None and is_snapshot(name)), default=0)
    first = min((run.first_offset for each in rescued for run in each.runs), default=newest)
    if first > newest:
        yield f"no sound snapshot reaches up to {first}, where the log begins: a node does not start with that"
    if any(each.losses for each in rescued):
        yield (
            "later records may speak of what is lost, and a node ends at the first that does;"
            " `log recover --out DIR --segments` writes only what is before the fault"
        )


def open_transactions(producers: dict[int, int]) -> Iterator[str]:
    """Yield the open transactions at the end of a rescued log, by producer and first offset."""
    for producer, first in sorted(producers.items()):
        yield (
            f"producer {producer} has a transaction open from offset {first}: its marker may be among what is lost,"
            " and read_committed consumers wait there; `kafka-transactions.sh abort` ends it"
        )


def _offsets(lost: LostBytes) -> str:
    if lost.before is None:
        return f"no sound batch follows offset {lost.after} in this segment" if lost.after >= 0 else "nothing is sound"
    if lost.before <= lost.after:
        return f"a sound batch from {lost.before} on follows, in the place of another"
    if lost.before == lost.after + 1:
        return f"no offset is missing: {lost.after} is followed by {lost.before}"
    return f"offsets {lost.after + 1} to {lost.before - 1} are missing"
