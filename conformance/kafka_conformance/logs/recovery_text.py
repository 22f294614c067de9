"""What a start after a crash would do to a partition, in lines: what goes, why, and what stays."""

from collections.abc import Iterator

from kafka_format.log import PartitionLog
from kafka_format.log.recovery import Fate, Recovery, SegmentRecovery

from kafka_conformance.text import plural


def lines(log: PartitionLog, recovery: Recovery) -> Iterator[str]:
    """Yield what becomes of each segment, and then what is lost."""
    yield f"{log.folder.name}: what a broker would do at a start without a clean shutdown; nothing was changed"
    for each in recovery.segments:
        yield f"  {each.segment.path.name}: {each.fate}{_figures(each)}"
        if each.fault is not None:
            yield f"    {each.fault}"
    if recovery.emptied:
        yield f"the log would end below its start: all of it is removed, and it begins anew at {recovery.start_offset}"
    elif recovery.lost_bytes:
        yield f"lost: {plural(recovery.lost_bytes, 'byte')}, {_lost_offsets(recovery)}"
        yield "on a replica, what is lost is fetched from the leader; on the only one, it is gone"
    elif any(each.fate is Fate.FAILS for each in recovery.segments):
        yield "the broker does not start with this directory"
    else:
        yield f"nothing is lost: offsets {recovery.start_offset} to {recovery.end_offset - 1}"


def _figures(each: SegmentRecovery) -> str:
    if each.fate is Fate.CUT:
        return f": {each.valid_bytes} of {each.segment.size} bytes stay, the next offset is {each.next_offset}"
    return "" if each.fate is Fate.KEPT else f": {plural(each.segment.size, 'byte')}"


def _lost_offsets(recovery: Recovery) -> str:
    """The offsets from the new end of the log to the last batch that can be seen behind it."""
    last = recovery.end_offset - 1
    for each in recovery.segments:
        for batch in each.segment.whole_batches():
            last = max(last, batch.last_offset)
    lost = last - recovery.end_offset + 1
    if not lost:
        return "no whole batch"
    return f"offsets {recovery.end_offset} to {last}, if the batches behind the fault are where they seem"
