"""The batches of a segment, by their headers: where each is and which offsets it has.

No record is read.

They are found as Kafka finds them (clients FileLogInputStream): at least 18 bytes must be left, the
size of an entry is at least 14, and an entry that goes beyond the end is not there. Message sets of
v0 and v1 have one batch per outer message, as in Kafka.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError, Stage
from kafka_format.log.mapped_file import Data, check_size
from kafka_format.records import Record, decode
from kafka_format.records.entries import MAGIC_AT, OVERHEAD, SMALLEST_SIZE
from kafka_format.records.model import CODEC_MASK, NO_EPOCH, NO_PRODUCER, NO_TIMESTAMP
from kafka_format.spec.layout import specification

_V2: Final = 2
_SMALLEST_REST: Final = MAGIC_AT + 2
"""Kafka takes fewer bytes at the end for nothing, without a look at the size in them."""

_BATCH: Final = prefix("record_batch")
_ENTRY: Final = prefix("message_set_entry")
_MESSAGES: Final = {0: prefix("message_v0"), 1: prefix("message_v1")}
_CODECS: Final = specification().enums["codec"].values
_BITS: Final = {bits.name: bits.in_place for bits in _BATCH.layout.field("attributes").bits}


class Batch:
    """A record batch of v2, or an outer message of v0 or v1, in a file.

    Attributes:
        position: its first byte in the file.
        size: its bytes, with the offset and the size in front.
        magic: 0 to 2; Kafka reads a batch with a higher one as 2, and one with a negative one as 0.
        offset: the number in front: base offset of v2, last offset of v0 and v1.
    """

    def __init__(self, data: Data, position: int, size: int, magic: int, offset: int) -> None:
        """Take what the first 17 bytes say."""
        self._data = data
        self.position: Final = position
        self.size: Final = size
        self.magic: Final = magic
        self.offset: Final = offset

    def __repr__(self) -> str:
        """Say where it is, and which offsets it has."""
        return f"<Batch of v{self.magic} at {self.position}: {self.size} bytes, up to offset {self.last_offset}>"

    @property
    def end(self) -> int:
        """The byte after its last."""
        return self.position + self.size

    @property
    def is_v2(self) -> bool:
        """Whether Kafka reads it as v2."""
        return self.magic >= _V2

    @cached_property
    def header(self) -> Any:  # noqa: ANN401 - the fields of the layout, which only the running program knows
        """The fields in front of the records: of `record_batch`, `message_v0` or `message_v1`."""
        if self.is_v2:
            return _BATCH.read(self._data, self.position)
        return _MESSAGES[max(self.magic, 0)].read(self._data, self.position + OVERHEAD)

    @property
    def data(self) -> bytes:
        """A copy of its bytes."""
        return bytes(self._data[self.position : self.end])

    @property
    def codec(self) -> str:
        """Name of the codec; its number where Kafka knows no such codec."""
        number = self.header.attributes & CODEC_MASK
        return _CODECS.get(number, str(number))

    @cached_property
    def base_offset(self) -> int:
        """The first offset. For a compressed message of v0 or v1 its payload must be read.

        Raises:
            FormatError: the payload is broken.
        """
        if self.is_v2 or self.codec == "none":
            return self.offset
        records = self.unchecked_records()
        return records[0].offset if records else self.offset

    @property
    def last_offset(self) -> int:
        """The last offset; compaction keeps it though the record goes."""
        return self.offset + self.header.last_offset_delta if self.is_v2 else self.offset

    @property
    def next_offset(self) -> int:
        """The offset after the batch."""
        return self.last_offset + 1

    @property
    def max_timestamp(self) -> int:
        """The largest timestamp; -1 is none."""
        if self.is_v2:
            return int(self.header.max_timestamp)
        return int(getattr(self.header, "timestamp", NO_TIMESTAMP))

    @property
    def leader_epoch(self) -> int:
        """Epoch of the leader that took it; -1 is unknown."""
        return int(self.header.partition_leader_epoch) if self.is_v2 else NO_EPOCH

    @property
    def producer_id(self) -> int:
        """Id of the producer; -1 is none."""
        return int(self.header.producer_id) if self.is_v2 else NO_PRODUCER

    @property
    def count(self) -> int | None:
        """Records as the header counts them; None for v0 and v1."""
        return int(self.header.record_count) if self.is_v2 else None

    @property
    def is_append_time(self) -> bool:
        """Whether the broker set the timestamps; false for v0, which has none."""
        return self.magic > 0 and bool(self.header.attributes & _BITS["timestamp_type"])

    def has(self, bits: str) -> bool:
        """Tell whether an attribute of v2 is set, such as `is_control`; older formats have none."""
        return self.is_v2 and bool(self.header.attributes & _BITS[bits])

    def records(self) -> list[Record]:
        """Read its records, and check them.

        Raises:
            FormatError: they break a rule.
        """
        return decode(self.data)

    def unchecked_records(self) -> list[Record]:
        """Read its records as a broker does that looks for a time: whatever the checksum is.

        Raises:
            FormatError: they break another rule.
        """
        data = bytearray(self.data)
        if self.is_v2:
            _BATCH.write(data, magic=_V2)
            _BATCH.seal(data, 0, self.size)
        else:
            _MESSAGES[max(self.magic, 0)].seal(data, OVERHEAD, self.size)
        return decode(bytes(data))

    def check(self) -> None:
        """Check what Kafka checks of a batch in a file: its least size, and its checksum.

        Raises:
            FormatError: it is too small, or the checksum does not fit.
        """
        if self.is_v2:
            if self.size < _BATCH.size:
                detail = f"the batch has {self.size} bytes, its header alone has {_BATCH.size}"
                raise _framing("v2.batch-length.minimum", detail, self.position)
            _BATCH.check(self._data, self.position, self.end)
        else:
            _MESSAGES[max(self.magic, 0)].check(self._data, self.position + OVERHEAD, self.end)


def batches(data: Data, start: int = 0, end: int | None = None) -> Iterator[Batch]:
    """Yield the whole batches of a segment from a position on.

    Raises:
        FormatError: a size is too small for any entry, which Kafka calls a corrupt record, and
            batches before it were yielded; or the position is negative.
        OSError: the file became shorter meanwhile.
    """
    limit = len(data) if end is None else end
    if start < 0:
        raise _framing("log.offset-index.position", f"no batch begins at {start}; an index is broken", 0)
    position = start
    while (batch := _whole_batch(data, position, limit)) is not None:
        yield batch
        position = batch.end


def _whole_batch(data: Data, position: int, limit: int) -> Batch | None:
    """Return the batch that begins at a position; None if it is not whole before the limit.

    Raises:
        FormatError: its size is too small for any entry.
        OSError: the file became shorter meanwhile.
    """
    if limit - position < _SMALLEST_REST:
        return None
    check_size(data)
    head = _ENTRY.read(data, position)
    if head.message_size < SMALLEST_SIZE:
        detail = f"is {head.message_size}, the smallest message has {SMALLEST_SIZE} bytes"
        raise _framing("entry.size.minimum", detail, position + _ENTRY.places["message_size"])
    size = OVERHEAD + head.message_size
    if position + size > limit:
        return None
    magic = data[position + MAGIC_AT]
    return Batch(data, position, size, magic - 256 if magic > 127 else magic, head.offset)


def _framing(rule: str, detail: str, offset: int) -> FormatError:
    return FormatError(detail, rule=rule, stage=Stage.FRAMING, offset=offset, path=("size",))
