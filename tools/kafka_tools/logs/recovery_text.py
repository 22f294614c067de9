"""What a start after a crash would do to a partition, in lines: what goes, why, and what stays."""

from collections.abc import Iterable, Iterator

from kafka_format.log import PartitionLog
from kafka_format.log.mapped_file import Data
from kafka_format.log.recovery import STOPPERS, Fate, Recovery, SegmentRecovery

from kafka_tools.text import size_text

LOST = "lost: "
"""How the line begins that says what is lost."""

PERHAPS_LOST = "perhaps lost: "
"""How lines begin that say what is lost with another setting."""

ZEROS = "room that a broker makes with preallocate=true, or records that a power loss took"
_REFETCHED = "on a replica, what is lost is fetched from the leader; on the only one, it is gone"
_GAP = "later segments stay: the gap is never filled, on a replica neither, and nothing tells consumers of it"

_CHUNK = 1 << 20


def are_zeros(data: Data, start: int) -> bool:
    """Tell whether all bytes from a position on are zero."""
    return not any(any(data[at : at + _CHUNK]) for at in range(start, len(data), _CHUNK))


def lines(log: PartitionLog, recovery: Recovery) -> Iterator[str]:
    """Yield lines about what recovery does with each segment, and what is lost."""
    yield f"{log.folder.name}: what a broker would do at a start without a clean shutdown; nothing was changed"
    for each in recovery.segments:
        yield f"  {each.segment.path.name}: {each.fate}{_figures(each)}"
        if each.fault is not None:
            yield f"    {each.fault}"
    if recovery.emptied:
        yield f"the log would end below its start: all of it is removed, and it begins again at {recovery.start_offset}"
    elif recovery.lost_bytes and all(map(_loses_zeros_alone, recovery.segments)):
        yield f"only zeros go, {size_text(recovery.lost_bytes)}: {ZEROS}"
    elif recovery.lost_bytes:
        yield f"{LOST}{size_text(recovery.lost_bytes)}, {_lost_offsets(recovery)}"
        yield _REFETCHED if recovery.cuts_end else _GAP
    elif any(each.fate in STOPPERS for each in recovery.segments):
        yield "the broker does not start with this directory"
    elif any(each.goes_back is not None for each in recovery.segments):
        yield from _go_back(recovery)
    else:
        yield f"nothing is lost: offsets {recovery.start_offset} to {recovery.end_offset - 1}"


def _go_back(recovery: Recovery) -> Iterator[str]:
    for each in recovery.segments:
        if each.goes_back is not None:
            yield f"{PERHAPS_LOST}{each.segment.path.name}, in which offsets go back at {each.goes_back}"
    yield "  Kafka sees it only where it makes an entry of the index: with another --index-interval the"
    yield "  segment is emptied. If it stays, consumers skip what is out of order; `log rescue` sorts it."


def _loses_zeros_alone(each: SegmentRecovery) -> bool:
    return are_zeros(each.segment.data, each.valid_bytes)


def _figures(each: SegmentRecovery) -> str:
    if each.fate is Fate.CUT:
        return f": {each.valid_bytes:,} of {each.segment.size:,} bytes stay, the next offset is {each.next_offset}"
    return "" if each.fate is Fate.KEPT else f": {size_text(each.segment.size)}"


def _lost_offsets(recovery: Recovery) -> str:
    """The offsets of what goes: up to the next segment that stays, or to what can be seen."""
    spans, seen = list[str](), False
    for at, each in enumerate(recovery.segments):
        if each.fate is Fate.REMOVED or not each.lost_bytes:
            continue
        behind = recovery.segments[at + 1 :]
        if behind and behind[0].fate is not Fate.REMOVED:
            last = behind[0].segment.base_offset - 1
        else:
            last, seen = _last_seen((each, *behind)), True
        if last >= each.next_offset:
            spans.append(f"{each.next_offset} to {last}")
    if not spans:
        return "no whole batch"
    return f"offsets {', '.join(spans)}" + (", if the batches after the fault are where they seem" if seen else "")


def _last_seen(segments: Iterable[SegmentRecovery]) -> int:
    offsets = (batch.last_offset for each in segments for batch in each.segment.whole_batches())
    return max(offsets, default=-1)
