"""Why an offset is missing: deleted, compacted, a marker, aborted, an empty batch, or broken."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log import Batch, LookupOutcome, OffsetLookup, PartitionLog
from kafka_format.log.batches import batches
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.names import FileKind
from kafka_format.log.transactions import transactions
from kafka_format.primitives.counts import byte_count
from kafka_format.records import Record

CLEANER: Final = "cleaner-offset-checkpoint"


def lines(log: PartitionLog, lookup: OffsetLookup) -> Iterator[str]:
    """Yield lines that say why a consumer gets no record with the offset; none if it does."""
    target = lookup.target
    if lookup.outcome is LookupOutcome.BELOW_START:
        first = log.segments[0].base_offset if log.segments else lookup.start_offset
        if target >= first:
            start = lookup.start_offset
            yield f"why: the log starts at {start}, by retention or DeleteRecords; the bytes are still there"
        else:
            yield "why: its segment was removed, by retention or DeleteRecords"
        return
    if lookup.batch is None:
        return
    broken = fault(lookup)
    if broken is not None:
        yield f"why: its batch is broken: {broken}"
        yield "  consumers and followers get an error here, and go no further; `log rescue` copies what is sound"
        return
    by_offset = {record.offset: record for record in lookup.batch.records()}
    if target in by_offset:
        yield from _why_hidden(log, lookup.batch, by_offset[target])
        return
    yield f"why: {_hole(log, lookup.batch, target)}"
    yield from _old(log, target)


def _why_hidden(log: PartitionLog, batch: Batch, record: Record) -> Iterator[str]:
    """Yield why a record that is there is not shown."""
    if batch.has("is_control"):
        yield "why: it is a control record, the end of a transaction for example, and no consumer is shown one"
    elif batch.has("is_transactional"):
        with suppress(FormatError):
            known = transactions(log)
            for entry in known.aborted:
                if entry.producer_id == batch.producer_id and entry.first_offset <= record.offset < entry.last_offset:
                    yield f"why: its transaction was aborted at {entry.last_offset}; read_committed leaves it out"
            if record.offset >= known.last_stable_offset:
                yield f"why: read_committed waits at {known.last_stable_offset}, see `log transactions`"
    elif record.value is None:
        yield "why: it is a tombstone, there is no value; compaction removes it after delete.retention.ms"


def fault(lookup: OffsetLookup) -> FormatError | None:
    """Return what is wrong with the batch that was found; None if it can be read."""
    try:
        if lookup.batch is not None:
            lookup.batch.check()
            lookup.batch.records()
    except FormatError as error:
        return error
    return None


def _hole(log: PartitionLog, batch: Batch, target: int) -> str:
    if batch.offset > target:
        return _stray_place(log, target) or _gone_whole(log)
    if not batch.count:
        return "compaction took all records of the batch, and left it for its producer's sequence"
    return "compaction took it out of its batch, for a later record with the same key, or as an old tombstone"


def _stray_place(log: PartitionLog, target: int) -> str:
    """Return where a batch with an offset stands, which lookups pass by; "" if nowhere."""
    for segment in log.segments:
        for batch in segment.whole_batches():
            if batch.is_v2 and batch.base_offset <= target <= batch.last_offset:
                where = (
                    f"{segment.path.name}, byte {batch.position}, offsets {batch.base_offset} to {batch.last_offset}"
                )
                return f"its batch is not in its place ({where}): a reader that comes by offset never sees it"
    return ""


def _gone_whole(log: PartitionLog) -> str:
    with suppress(FormatError):
        if (log.folder.parent / CLEANER).is_file():
            if log.checkpoint(CLEANER) is None:
                return f"no batch has it, and {CLEANER} does not know the log: it was not compacted, so bytes are lost"
            return "compaction took its whole batch: the next one that is left begins above it"
    return "no batch has it: compaction takes whole batches; in a topic that is not compacted, they are lost"


def _old(log: PartitionLog, target: int) -> Iterator[str]:
    """Yield where the record still is, in a file about to go, and what became of its key."""
    for file in log.files:
        if file.name is None or file.name.kind is not FileKind.SEGMENT or not file.name.markers:
            continue
        with suppress(FormatError), MappedFile(file.path) as old:
            for batch in batches(old.data):
                record = next((each for each in _records(batch, target) if each.offset == target), None)
                if record is not None:
                    key = "no key" if record.key is None else f"key {record.key[:40]!r}"
                    yield f"  {file.path.name} still has it: {key}, a value of {byte_count(len(record.value or b''))}"
                    yield from _newer(log, record)
                    return


def _newer(log: PartitionLog, old: Record) -> Iterator[str]:
    newest: Record | None = None
    for segment in log.segments:
        for batch in segment.whole_batches():
            for record in () if batch.has("is_control") or batch.last_offset <= old.offset else batch.records():
                if record.key == old.key and record.offset > old.offset:
                    newest = record
    if newest is None:
        yield "  no later record has its key now: a tombstone took it, and is gone itself"
    else:
        what = "a tombstone" if newest.value is None else "a value"
        yield f"  the newest record with its key is at {newest.offset}, {what}"


def _records(batch: Batch, target: int) -> list[Record]:
    return batch.records() if batch.offset <= target <= batch.last_offset or not batch.is_v2 else []
