"""The batches of segments: whole, sound, in order, in range, and without gaps between files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from crc32c import crc32c

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.mapped_file import check_size
from kafka_format.log.segment import Segment
from kafka_format.log.verification.breach import Breach, of_error
from kafka_format.primitives.counts import byte_count
from kafka_format.primitives.integers import INT32_MAX, INT64_MAX
from kafka_format.records.entries import FORMATS, MAGIC_AT, OVERHEAD

_V2: Final = 2
_BATCH: Final = prefix("record_batch")
_PLAIN: Final = _BATCH.reader(
    "base_offset",
    "batch_length",
    "partition_leader_epoch",
    "magic",
    "crc",
    "last_offset_delta",
    "max_timestamp",
    "record_count",
)
_SUMMED: Final = _BATCH.places["attributes"]
_CHECKED: Final = 1 << 16
"""Bytes after which the size of a file is looked at again."""


class Seen(NamedTuple):
    """The part of a batch that verification keeps: position, offsets, largest timestamp, epoch.

    Attributes:
        is_v2: whether Kafka reads it as v2.
        is_whole: whether it has as many records as offsets, so that compaction took none; true for
            v0 and v1, whose headers do not tell.
        is_sure: whether its checksum fits and its offsets are among those of its segment; else what
            its header says is held against no other file.
    """

    position: int
    base_offset: int
    last_offset: int
    max_timestamp: int
    leader_epoch: int
    is_v2: bool = True
    is_whole: bool = True
    is_sure: bool = True


class Epoch(NamedTuple):
    """A leader epoch, and the first offset of the first batch that has it."""

    epoch: int
    offset: int


class Outline(NamedTuple):
    """The facts of a segment that the rules between segments need.

    Attributes:
        segment: the segment.
        highest: its largest offset; -1 without a batch.
        epochs: its leader epochs that are above all before them, in order.
        first_missing: the smallest offset from the base offset on that no record of a v2 batch has;
            None if there is none up to the last batch.
        unsure: the positions of batches whose headers cannot be relied on.
        first_unsure: the smallest offset that such a batch may have; None if all are sure.
    """

    segment: Segment
    highest: int
    epochs: tuple[Epoch, ...]
    first_missing: int | None = None
    unsure: tuple[int, ...] = ()
    first_unsure: int | None = None


class Scan(NamedTuple):
    """The batches of a segment up to the first one that is broken, and the breaches among them."""

    segment: Segment
    batches: list[Seen]
    breaches: list[Breach]


def scan(segment: Segment) -> Scan:
    """Read all batches of a segment, with their checksums."""
    seen, breaches, end = list[Seen](), list[Breach](), 0
    try:
        while True:
            end = _read_plain(segment, end, seen)
            batch = next(segment.batches(end), None)
            if batch is None:
                break
            end = batch.end
            breaches += _judge(batch, segment, seen)
    except FormatError as error:
        breaches.append(of_error(error, segment.path))
    else:
        if end < segment.size:
            detail = f"{byte_count(segment.size - end)} after the last whole batch"
            breaches.append(Breach("log.segment.tail", segment.path, detail, end))
    breaches += _order(segment, seen)
    return Scan(segment, _doubted(seen), breaches)


def _read_plain(segment: Segment, position: int, seen: list[Seen]) -> int:
    """Add the sound batches in v2 from a position on; return where the next is none, or the end.

    A segment may have millions, so each is looked at once, without an object of its own.

    Raises:
        OSError: the file became shorter meanwhile.
    """
    data, size, highest, checked = segment.data, segment.size, segment.base_offset + INT32_MAX, -1
    with memoryview(data) as view:
        while size - position >= _BATCH.size:
            if position - checked > _CHECKED or checked < 0:
                check_size(data)
                checked = position
            base, length, epoch, magic, crc, delta, timestamp, count = _PLAIN.unpack_from(data, position)
            end = position + OVERHEAD + length
            if magic != _V2 or end > size or end - position < _BATCH.size:
                break
            if crc32c(view[position + _SUMMED : end]) != crc:
                break
            last = base + delta
            seen.append(Seen(position, base, last, timestamp, epoch, True, count > delta, last <= highest))  # noqa: FBT003 - names would cost a tenth of all
            position = end
    return position


def _judge(batch: Batch, segment: Segment, seen: list[Seen]) -> Iterator[Breach]:
    base = batch.offset if batch.is_v2 else batch.last_offset
    if batch.magic not in FORMATS:
        detail = f"the magic is {batch.magic}"
        yield Breach("entry.magic.known", segment.path, detail, batch.position + MAGIC_AT, base)
    is_sound = True
    try:
        batch.check()
    except FormatError as error:
        is_sound = False
        yield of_error(error, segment.path)._replace(offset=base)
    each = _seen(batch, base, segment)
    seen.append(each if is_sound else each._replace(is_sure=False))


def _seen(batch: Batch, base: int, segment: Segment) -> Seen:
    last, count = batch.last_offset, batch.count
    is_whole = count is None or count > last - base
    is_sure = last - segment.base_offset <= INT32_MAX
    return Seen(batch.position, base, last, batch.max_timestamp, batch.leader_epoch, batch.is_v2, is_whole, is_sure)


def _doubted(seen: list[Seen]) -> list[Seen]:
    """Return the batches, and doubt one that alone is out of line with those beside it.

    Offset and leader epoch are outside the checksum: a flipped bit there breaks no other rule.
    """
    for at, (before, batch, after) in enumerate(zip(seen, seen[1:], seen[2:], strict=False), 1):
        is_offset_odd = before.last_offset < after.base_offset <= batch.last_offset
        if is_offset_odd or before.leader_epoch <= after.leader_epoch < batch.leader_epoch:
            seen[at] = batch._replace(is_sure=False)
    return seen


def _order(segment: Segment, seen: Sequence[Seen]) -> Iterator[Breach]:
    last, epoch = -1, -1
    for batch in seen:
        where = (batch.position, batch.base_offset)
        if batch.base_offset < segment.base_offset:
            detail = f"a batch begins at {batch.base_offset}, below the base offset {segment.base_offset}"
            yield Breach("log.segment.base", segment.path, detail, *where)
        if batch.last_offset - segment.base_offset > INT32_MAX:
            detail = f"a batch ends at {batch.last_offset}, more than 2^31 - 1 above {segment.base_offset}"
            yield Breach("log.segment.range", segment.path, detail, *where)
        if not batch.is_sure:
            continue
        if batch.base_offset <= last:
            detail = f"a batch begins at {batch.base_offset}, the one before ends at {last}"
            yield Breach("log.segment.rising", segment.path, detail, *where)
        if 0 <= batch.leader_epoch < epoch:
            detail = f"a batch has leader epoch {batch.leader_epoch}, the one before has {epoch}"
            yield Breach("log.segment.epochs", segment.path, detail, *where)
        last, epoch = batch.last_offset, batch.leader_epoch


def outline(scan: Scan) -> Outline:
    """Return the facts of a segment that the rules between segments need."""
    epochs: list[Epoch] = []
    sure = [batch for batch in scan.batches if batch.is_sure]
    for batch in sure:
        if batch.leader_epoch > (epochs[-1].epoch if epochs else -1):
            epochs.append(Epoch(batch.leader_epoch, batch.base_offset))
    highest = max((batch.last_offset for batch in sure), default=-1)
    unsure = tuple(batch.position for batch in scan.batches if not batch.is_sure)
    return Outline(scan.segment, highest, tuple(epochs), _first_missing(scan), unsure, _first_unsure(scan))


def _first_missing(scan: Scan) -> int | None:
    """Return the first offset that is missing; beside a batch that is not sure none is."""
    end = scan.segment.base_offset
    for batch in scan.batches:
        if not batch.is_sure:
            end = INT64_MAX
            continue
        if batch.is_v2 and batch.base_offset > end:
            return end
        if not batch.is_whole:
            return batch.base_offset
        end = batch.last_offset + 1
    return None


def _first_unsure(scan: Scan) -> int | None:
    end = scan.segment.base_offset
    for batch in scan.batches:
        if not batch.is_sure:
            return end
        end = batch.last_offset + 1
    return None


def overlaps(outlines: Iterable[Outline]) -> Iterator[Breach]:
    """Yield where a segment begins at or below the end of the one before."""
    last = -1
    for each in outlines:
        base = each.segment.base_offset
        if base <= last:
            detail = f"the segment begins at {base}, the one before goes up to {last}"
            yield Breach("log.segment.join", each.segment.path, detail, offset=base)
        last = max(last, each.highest)
