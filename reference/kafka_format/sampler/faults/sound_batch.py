"""Sound record batches (v2), and how something in them is replaced with all around it put right."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

from kafka_format import compression
from kafka_format.codec.prefix import prefix
from kafka_format.primitives.varints import VARINT, VARLONG, VarintKind, quick_varint, write_varint
from kafka_format.records.entries import OVERHEAD
from kafka_format.records.model import CODEC_MASK
from kafka_format.sampler.faults.dice import Dice
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size

HEADER: Final = prefix("record_batch")
SMALLEST_RECORD: Final = minimum_size(Nested(find("record")))

_Result = TypeVar("_Result")


class SoundBatch:
    """A sound batch.

    Attributes:
        data: its bytes.
        codec: name of its codec.
        header: its fields before the records.
        count: how many records it has.
    """

    def __init__(self, data: bytes, codec: str) -> None:
        self.data = data
        self.codec = codec
        self.header = HEADER.read(data)
        self.count: int = self.header.record_count

    @cached_property
    def payload(self) -> bytes:
        """Its records, not compressed."""
        return compression.decompress(self.codec, self.data[HEADER.size :])

    def with_fields(self, **values: int) -> bytes:
        """The batch with other values in its header, and nothing else."""
        data = bytearray(self.data)
        HEADER.write(data, **values)
        return bytes(data)

    def seal_with(self, **values: int) -> bytes:
        """The batch with other values in its header; the checksum is right."""
        return seal(self.with_fields(**values))

    def with_codec(self, codec: int) -> bytes:
        """The batch with the number of another codec; the checksum is right."""
        return self.seal_with(attributes=self.header.attributes & ~CODEC_MASK | codec)

    def with_payload(self, payload: bytes) -> bytes:
        """The batch with other records, compressed as it was; length and checksum are right."""
        return seal(self.data[: HEADER.size] + compression.compress(self.codec, payload))


def seal(data: bytes) -> bytes:
    """Put length and checksum right."""
    changed = bytearray(data)
    HEADER.write(changed, batch_length=len(data) - OVERHEAD)
    HEADER.seal(changed, 0, len(data))
    return bytes(changed)


class VarintSpan(NamedTuple):
    """A varint: where it begins and ends, and what it says."""

    start: int
    end: int
    value: int
    kind: VarintKind = VARINT

    @property
    def behind(self) -> int:
        """The byte after the content whose length it is."""
        return self.end + max(self.value, 0)


class FoundRecord(NamedTuple):
    """A record of a batch, and where its fields are in the payload.

    Attributes:
        batch: the batch.
        length: its length.
        end: the byte after it.
        deltas: its timestamp delta and its offset delta.
        key: the length of its key.
        value: the length of its value.
        header_count: how many headers it has.
        headers: the lengths of each header's key and value.
    """

    batch: SoundBatch
    length: VarintSpan
    end: int
    deltas: tuple[VarintSpan, VarintSpan]
    key: VarintSpan
    value: VarintSpan
    header_count: VarintSpan
    headers: list[tuple[VarintSpan, VarintSpan]]

    @property
    def body(self) -> bytes:
        """Its bytes after its length."""
        return self.batch.payload[self.length.end : self.end]

    @property
    def contents(self) -> list[VarintSpan]:
        """The lengths of its key, of its value, and of its headers' keys and values."""
        return [self.key, self.value, *(site for header in self.headers for site in header)]

    def any_varint(self, dice: Dice) -> VarintSpan:
        """Pick one of its varints."""
        sites = [self.length, *self.deltas, self.header_count, *self.contents[:6]]
        return sites[dice.below(len(sites))]

    def with_length(self, number: int) -> bytes:
        """The batch with another record length, and nothing else."""
        return self._with_bytes(self.length.start, self.length.end, write_varint(number))

    def with_body(self, body: bytes) -> bytes:
        """The batch with other bytes in the record; its length is right."""
        return self._with_bytes(self.length.start, self.end, write_varint(len(body)) + body)

    def with_varint(self, site: VarintSpan, new: bytes) -> bytes:
        """Return the batch with other bytes for a varint.

        The record's length is put right, unless it is that varint.
        """
        if site is self.length:
            return self._with_bytes(site.start, site.end, new)
        payload = self.batch.payload
        return self.with_body(payload[self.length.end : site.start] + new + payload[site.end : self.end])

    def _with_bytes(self, start: int, end: int, new: bytes) -> bytes:
        payload = self.batch.payload
        return self.batch.with_payload(payload[:start] + new + payload[end:])


def find_record(batch: SoundBatch, index: int) -> FoundRecord:
    """Find the fields of a record."""
    data, at = batch.payload, 0
    for _ in range(index):
        at = _site(data, at).behind
    length = _site(data, at)
    timestamp = _site(data, length.end + 1, VARLONG)
    offset = _site(data, timestamp.end)
    key = _site(data, offset.end)
    value = _site(data, key.behind)
    count = _site(data, value.behind)
    headers, at = [], count.end
    for _ in range(count.value):
        header_key = _site(data, at)
        header_value = _site(data, header_key.behind)
        headers.append((header_key, header_value))
        at = header_value.behind
    return FoundRecord(batch, length, at, (timestamp, offset), key, value, count, headers)


def _site(data: bytes, at: int, kind: VarintKind = VARINT) -> VarintSpan:
    value, end = quick_varint(data, at, kind)
    return VarintSpan(at, end, value, kind)


def of_a_record(change: Callable[[FoundRecord, Dice], _Result]) -> Callable[[SoundBatch, Dice], _Result | None]:
    """Turn a change of a record, picked by the dice, into one of a batch; None without records."""

    def make(batch: SoundBatch, dice: Dice) -> _Result | None:
        return change(find_record(batch, dice.below(batch.count)), dice) if batch.count else None

    return make
