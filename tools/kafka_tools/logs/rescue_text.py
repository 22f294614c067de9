"""What can be rescued of a log, as lines: what is sound, what is lost and why, what to do then."""

from collections.abc import Iterator, Sequence

from kafka_format.log import PartitionLog
from kafka_format.log.rescue import LostBytes, SegmentRescue

from kafka_tools.text import plural


def lines(log: PartitionLog, rescued: Sequence[SegmentRescue]) -> Iterator[str]:
    """Yield lines about the sound batches of each segment, and the lost bytes."""
    yield f"{log.folder.name}: what can be rescued; nothing is changed there"
    for each in rescued:
        batches = plural(each.batches, "sound batch").replace("batchs", "batches")
        yield f"  {each.segment.path.name}: {batches}, {each.size} of {each.segment.size} bytes"
        for lost in each.losses:
            yield f"    bytes {lost.start} to {lost.end - 1} are lost: {lost.reason}"
            yield f"      {_offsets(lost)}"
    records, size = sum(each.records for each in rescued), sum(each.size for each in rescued)
    lost_bytes = sum(each.segment.size for each in rescued) - size
    yield f"rescued: {plural(records, 'record')}, {plural(size, 'byte')}; lost: {plural(lost_bytes, 'byte')}"
    first = rescued[0].runs[0].first_offset if rescued and rescued[0].runs else log.start_offset
    if log.start_offset > first:
        yield (
            f"offsets {first} to {log.start_offset - 1} were deleted before: they come back, unless"
            f" log-start-offset-checkpoint of the other data directory says {log.start_offset}"
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
    if lost.before == lost.after + 1:
        return f"no offset is missing: {lost.after} is followed by {lost.before}"
    return f"offsets {lost.after + 1} to {lost.before - 1} are missing"
