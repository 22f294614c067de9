"""The way of a lookup, in lines: segment, index entry, position, batches, answer."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from kafka_format.errors import FormatError
from kafka_format.log import Batch, OffsetLookup, PartitionLog, TimeLookup
from kafka_format.log.indexes import IndexLookup, OffsetEntry, TimeEntry
from kafka_format.log.offset_lookup import SegmentScan
from kafka_format.log.special_times import Isolation, SpecialTime
from kafka_format.log.time_lookup import Moment, TimeScan

from kafka_tools.text import plural

_SHOWN = 3
_LATEST = 253_402_300_799_999
"""The last millisecond of the year 9999, beyond which no calendar goes."""


def offset_lines(log: PartitionLog, lookup: OffsetLookup) -> Iterator[str]:
    """Yield lines about each step of a lookup by offset."""
    holds_any = lookup.start_offset < lookup.end_offset
    held = f"which has offsets {lookup.start_offset} to {lookup.end_offset - 1}" if holds_any else "which is empty"
    yield f"offset {lookup.target} in {log.folder.name}, {held}"
    for scan in lookup.scans:
        yield f"segment {scan.segment.path.name}: {_why(scan, lookup.target)}"
        yield from _index_lines("index", scan.lookup)
        yield from _passed_batches(scan.passed)
        if scan.batch is None:
            yield "  no batch reaches the offset: the next segment"
    if lookup.batch is None:
        yield str(lookup.outcome)
    else:
        yield f"  {_batch(lookup.batch)}"
        yield from _records(lookup.batch, lookup.target)
    if lookup.next_offset is not None:
        yield f"next offset: {lookup.next_offset}"


def offset_line(lookup: OffsetLookup) -> str:
    """Return where the batch of an offset is, or that there is none, in a line."""
    if lookup.batch is None:
        return str(lookup.outcome)
    return f"{lookup.scans[-1].segment.path.name}: {_batch(lookup.batch)}"


def time_lines(log: PartitionLog, lookup: TimeLookup) -> Iterator[str]:
    """Yield lines about each step of a lookup by time."""
    yield f"the first record of {log.folder.name} at or after {moment(lookup.target)}"
    for segment in lookup.passed:
        yield f"segment {segment.path.name}: passed over, its largest timestamp is {moment(segment.largest_timestamp)}"
    if lookup.scan is None:
        yield "not there: no segment reaches the time"
        return
    yield from _time_scan(lookup.scan)
    if lookup.record is None:
        yield "not there: the segment promises such a record and has none, and Kafka looks into no other"
    else:
        epoch = f", leader epoch {lookup.record.leader_epoch}" if lookup.record.leader_epoch >= 0 else ""
        yield f"offset {lookup.record.offset}, {moment(lookup.record.timestamp)}{epoch}"


_LIMITS = {
    Isolation.READ_UNCOMMITTED: "the high watermark",
    Isolation.READ_COMMITTED: "the last stable offset",
    Isolation.LOG_END: "the end of the log",
}


def limit_line(offset: int, limit: int, isolation: Isolation) -> str:
    """Return whether a reader gets an offset yet."""
    what = f"{_LIMITS[isolation]} is {limit}"
    return f"{isolation}: {what}, so the offset is served" if offset < limit else f"{isolation}: waits, {what}"


def special_lines(log: PartitionLog, time: SpecialTime, isolation: Isolation, found: Moment) -> Iterator[str]:
    """Yield lines about the answer to a special time."""
    name = time.name.lower().replace("_", "-")
    where = f" below {_LIMITS[isolation]}" if time in {SpecialTime.LATEST, SpecialTime.MAX_TIMESTAMP} else ""
    yield f"{name} ({int(time)}) of {log.folder.name}{where}"
    if found.offset < 0:
        is_remote = time in {SpecialTime.LATEST_TIERED, SpecialTime.EARLIEST_PENDING_UPLOAD}
        why = "nothing here tells of remote storage" if is_remote else "there is no such record"
        yield f"offset -1: {why}"
        return
    epoch = f", leader epoch {found.leader_epoch}" if found.leader_epoch >= 0 else ""
    at = f", {moment(found.timestamp)}" if found.timestamp >= 0 else ""
    yield f"offset {found.offset}{at}{epoch}"


def _time_scan(scan: TimeScan) -> Iterator[str]:
    segment = scan.segment
    source = (
        "its time index says" if segment.last_time_entry.timestamp >= 0 else "its time index is empty, its file is of"
    )
    yield f"segment {segment.path.name}: {source} {moment(segment.largest_timestamp)}"
    yield from _index_lines("timeindex", scan.time)
    yield from _index_lines("index", scan.offset)
    yield from _passed_batches(scan.passed)
    if scan.batch is not None:
        yield f"  {_batch(scan.batch)}"


def _why(scan: SegmentScan, target: int) -> str:
    base = scan.segment.base_offset
    return f"the last one with a base offset up to {target}" if base <= target else "the next one"


def _index_lines(name: str, lookup: IndexLookup[OffsetEntry] | IndexLookup[TimeEntry]) -> Iterator[str]:
    entry = lookup.entry
    what = f"offset {entry.offset} at {entry.position}" if isinstance(entry, OffsetEntry) else _of_time(entry)
    looked = f"after {plural(len(lookup.probes), 'look')}" if lookup.probes else "without a look, it is empty"
    if lookup.slot < 0:
        yield f"  {name}: no entry is low enough, {looked}: {what}"
    else:
        yield f"  {name}: entry {lookup.slot} {looked}: {what}"


def _of_time(entry: TimeEntry) -> str:
    return f"{moment(entry.timestamp)}, offset {entry.offset}" if entry.timestamp >= 0 else f"offset {entry.offset}"


def _passed_batches(batches: Sequence[Batch]) -> Iterator[str]:
    for batch in batches[:_SHOWN]:
        yield f"  passed over: {_batch(batch)}"
    if len(batches) > _SHOWN:
        yield f"  passed over: {plural(len(batches) - _SHOWN, 'more batch')}"


def _batch(batch: Batch) -> str:
    count = "" if batch.count is None else f", {plural(batch.count, 'record')}"
    first, last = batch.base_offset, batch.last_offset
    offsets = f"offset {first}" if first == last else f"offsets {first} to {last}"
    return f"batch at {batch.position}, {batch.size} bytes, {offsets}{count}"


def _records(batch: Batch, target: int) -> Iterator[str]:
    try:
        offsets = [record.offset for record in batch.records()]
    except FormatError:
        yield "  the records of the batch cannot be read"
        return
    if target in offsets:
        yield f"  record {offsets.index(target)} of the batch has the offset"
    elif not offsets:
        yield "  the batch has no records any more; compaction left it for its producer's sequence"
    else:
        later = [offset for offset in offsets if offset > target]
        yield f"  no record has the offset; the next one is {later[0]}" if later else "  all its records are before it"


def moment(timestamp: int) -> str:
    """Return a timestamp as a number and as people read it."""
    if not 0 <= timestamp <= _LATEST:
        return str(timestamp)
    return f"{timestamp} ({datetime.fromtimestamp(timestamp / 1000, UTC).isoformat(timespec='milliseconds')[:-6]}Z)"
