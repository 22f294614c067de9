"""Faults of record batches (v2): outside the checksum, in its reach, and in the header with a right checksum."""

from __future__ import annotations

import zlib
from functools import cached_property
from typing import Final

from kafka_format import compression
from kafka_format.codec.prefix import prefix
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.primitives.integers import INT32_MAX, INT32_MIN
from kafka_format.records.entries import LARGEST_SIZE, OVERHEAD, SMALLEST_SIZE
from kafka_format.records.model import TIMESTAMP_TYPE_BIT
from kafka_format.sampler.bodies import LAST_OFFSET
from kafka_format.sampler.hostile.model import Dice, Faults, Made, burst, flipped, int32, put
from kafka_format.sampler.hostile.payloads import DAMAGES, Damage
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size

_HEAD: Final = prefix("record_batch")
HEADER: Final = _HEAD.size
_AT: Final = _HEAD.places
_LENGTH, _EPOCH, _MAGIC, _CRC = (_AT[name] for name in ("batch_length", "partition_leader_epoch", "magic", "crc"))
_ATTRIBUTES, _LAST, _GREATEST, _COUNT = (
    _AT[name] for name in ("attributes", "last_offset_delta", "max_timestamp", "record_count")
)
_LEAST: Final = HEADER - OVERHEAD
_COUNTABLE: Final = 1 << 20
SMALLEST_RECORD: Final = minimum_size(Nested(find("record")))
_STARTS: Final = {"gzip": b"\x1f\x8b", "lz4": b"\x04\x22\x4d\x18", "zstd": b"\x28\xb5\x2f\xfd"}


class Batch:
    """A sound batch.

    Attributes:
        data: its bytes.
        codec: name of its codec.
        count: how many records it has.
    """

    def __init__(self, data: bytes, codec: str) -> None:
        self.data = data
        self.codec = codec
        self.count = int.from_bytes(data[_COUNT:HEADER], "big")

    @cached_property
    def payload(self) -> bytes:
        """Its records, not compressed."""
        return compression.decompress(self.codec, self.data[HEADER:])

    def with_payload(self, payload: bytes, count: int | None = None) -> bytes:
        """The batch with other records, compressed as it was; length and checksum are right."""
        head = self.data[:HEADER] if count is None else put(self.data[:HEADER], _COUNT, int32(count))
        return sealed(head + compression.compress(self.codec, payload))


def sealed(data: bytes) -> bytes:
    """Put length and checksum right."""
    crc = CHECKSUMS["crc32c"](data[_ATTRIBUTES:])
    return data[:_LENGTH] + int32(len(data) - OVERHEAD) + data[_EPOCH:_CRC] + int32(crc) + data[_ATTRIBUTES:]


def _countable(data: bytes) -> bytes | None:
    """Return the batch unless its count is so high that a reader may refuse it by a limit of its own, unread."""
    count = int.from_bytes(data[_COUNT:HEADER], "big", signed=True)
    return data if count < _COUNTABLE else None


FAULTS: Final = Faults[Batch]()
_CRC_RULE: Final = "v2.crc.covers-attributes-to-end"


@FAULTS.valid("v2/base-offset", "v2.leader-epoch.outside-crc", "a bit of the base offset is flipped; all offsets move")
def _(batch: Batch, dice: Dice) -> Made | None:
    base = int.from_bytes(batch.data[:8], "big")
    spread = int.from_bytes(batch.data[_LAST : _LAST + 4], "big")
    other = base ^ 1 << dice.below(63)
    if other > LAST_OFFSET - spread:
        return None
    return Made(put(batch.data, 0, other.to_bytes(8, "big")), moved=other - base)


@FAULTS.valid("v2/leader-epoch", "v2.leader-epoch.outside-crc", "a bit of the partition leader epoch is flipped")
def _(batch: Batch, dice: Dice) -> Made:
    return Made(flipped(batch.data, _EPOCH, _MAGIC, dice))


@FAULTS.invalid("v2/magic-unknown", "entry.magic.known", "the magic byte is 3 to 255")
def _(batch: Batch, dice: Dice) -> bytes:
    return put(batch.data, _MAGIC, bytes([dice.within(3, 255)]))


@FAULTS.invalid("v2/magic-older", "legacy.crc.covers-magic-to-end", "the magic byte is 0 or 1")
def _(batch: Batch, dice: Dice) -> bytes:
    return put(batch.data, _MAGIC, bytes([dice.below(2)]))


@FAULTS.invalid("v2/length-too-small", "entry.size.minimum", "the length is below 14, or negative")
def _(batch: Batch, dice: Dice) -> bytes:
    least = INT32_MIN if dice.below(2) else 0
    return put(batch.data, _LENGTH, int32(dice.within(least, SMALLEST_SIZE - 1)))


@FAULTS.invalid("v2/length-below-least", "v2.batch-length.minimum", "the length is 14 to 48")
def _(batch: Batch, dice: Dice) -> bytes:
    return put(batch.data, _LENGTH, int32(dice.within(SMALLEST_SIZE, _LEAST - 1)))


@FAULTS.invalid("v2/length-short", _CRC_RULE, "the length is less than the bytes that there are")
def _(batch: Batch, dice: Dice) -> bytes | None:
    most = len(batch.data) - OVERHEAD - 1
    return put(batch.data, _LENGTH, int32(dice.within(_LEAST, most))) if most >= _LEAST else None


@FAULTS.valid("v2/length-long", "entry.cut", "the length goes beyond the end: the batch is cut off")
def _(batch: Batch, dice: Dice) -> Made:
    return Made(put(batch.data, _LENGTH, int32(dice.within(len(batch.data) - OVERHEAD + 1, LARGEST_SIZE))), kept=0)


@FAULTS.lenient(
    "v2/length-beyond", "entry.size.maximum", "cut-entry-size-beyond-int32", "the length is more than an entry can have"
)
def _(batch: Batch, dice: Dice) -> Made:
    return Made(put(batch.data, _LENGTH, int32(dice.within(LARGEST_SIZE + 1, INT32_MAX))), kept=0)


@FAULTS.valid("v2/cut-behind", "entry.cut", "a part of a further batch follows")
def _(batch: Batch, dice: Dice) -> Made:
    return Made(batch.data + batch.data[: dice.within(1, len(batch.data) - 1)])


@FAULTS.valid("v2/cut", "entry.cut", "the end of the batch is missing")
def _(batch: Batch, dice: Dice) -> Made:
    return Made(batch.data[: dice.within(1, len(batch.data) - 1)], kept=0)


@FAULTS.invalid("v2/crc", _CRC_RULE, "a bit of the checksum is flipped")
def _(batch: Batch, dice: Dice) -> bytes:
    return flipped(batch.data, _CRC, _ATTRIBUTES, dice)


@FAULTS.invalid("v2/crc-of-something-else", _CRC_RULE, "the checksum is CRC-32, of too many bytes, inverted, or 0")
def _(batch: Batch, dice: Dice) -> bytes | None:
    data = batch.data
    crc = int.from_bytes(data[_CRC:_ATTRIBUTES], "big")
    covered = data[_ATTRIBUTES:]
    others = (
        lambda: zlib.crc32(covered),
        lambda: CHECKSUMS["crc32c"](data[_MAGIC:]),
        lambda: CHECKSUMS["crc32c"](covered[2:]),
        lambda: crc ^ 0xFFFFFFFF,
        lambda: int.from_bytes(data[_CRC:_ATTRIBUTES], "little"),
        lambda: 0,
    )
    other = others[dice.below(len(others))]()
    return None if other == crc else put(data, _CRC, int32(other))


@FAULTS.invalid("v2/flip", _CRC_RULE, "a bit that the checksum covers is flipped")
def _(batch: Batch, dice: Dice) -> bytes | None:
    return _countable(flipped(batch.data, _ATTRIBUTES, len(batch.data), dice))


@FAULTS.invalid("v2/flip-in-header", _CRC_RULE, "a bit between checksum and records is flipped")
def _(batch: Batch, dice: Dice) -> bytes | None:
    return _countable(flipped(batch.data, _ATTRIBUTES, HEADER, dice))


@FAULTS.invalid("v2/burst", _CRC_RULE, "up to 32 bits side by side are changed that the checksum covers")
def _(batch: Batch, dice: Dice) -> bytes | None:
    return _countable(burst(batch.data, _ATTRIBUTES, len(batch.data), dice))


@FAULTS.invalid("v2/codec-unknown", "v2.codec.known", "the codec bits are 5 to 7")
def _(batch: Batch, dice: Dice) -> bytes:
    bits = batch.data[_ATTRIBUTES + 1] & ~7 | 5 + dice.below(3)
    return sealed(put(batch.data, _ATTRIBUTES + 1, bytes([bits])))


@FAULTS.valid("v2/unused-bit", "v2.attributes.unused-ignored", "an attribute bit from 7 on is flipped")
def _(batch: Batch, dice: Dice) -> Made:
    bits = int.from_bytes(batch.data[_ATTRIBUTES:_LAST], "big") ^ 1 << 7 + dice.below(9)
    return Made(sealed(put(batch.data, _ATTRIBUTES, bits.to_bytes(2, "big"))))


@FAULTS.valid("v2/last-offset-delta", "v2.last-offset-delta.kept", "the last offset delta is greater")
def _(batch: Batch, dice: Dice) -> Made | None:
    spread = int.from_bytes(batch.data[_LAST : _LAST + 4], "big")
    most = min(INT32_MAX, LAST_OFFSET - int.from_bytes(batch.data[:8], "big"))
    return Made(sealed(put(batch.data, _LAST, int32(dice.within(spread + 1, most))))) if most > spread else None


@FAULTS.valid("v2/max-timestamp", "v2.timestamp.create", "with create time, the max timestamp is another")
def _(batch: Batch, dice: Dice) -> Made | None:
    if batch.data[_ATTRIBUTES + 1] & TIMESTAMP_TYPE_BIT:
        return None
    return Made(sealed(flipped(batch.data, _GREATEST, _GREATEST + 8, dice)))


@FAULTS.invalid("v2/count-negative", "v2.record-count.not-negative", "the record count is negative")
def _(batch: Batch, dice: Dice) -> bytes:
    return sealed(put(batch.data, _COUNT, int32(dice.within(INT32_MIN, -1))))


@FAULTS.invalid("v2/count-less", "v2.records.fill-the-batch", "the record count is less, but not 0")
def _(batch: Batch, dice: Dice) -> bytes | None:
    return sealed(put(batch.data, _COUNT, int32(dice.within(1, batch.count - 1)))) if batch.count > 1 else None


@FAULTS.lenient(
    "v2/count-zero",
    "v2.batch.empty.no-payload",
    "empty-batch-payload-ignored",
    "the record count is 0, the records stay",
)
def _(batch: Batch, _dice: Dice) -> Made | None:
    return Made(sealed(put(batch.data, _COUNT, bytes(4))), kept=0) if batch.count else None


@FAULTS.invalid("v2/count-more", "field.truncated", "the record count is more than there are, though there was room")
def _(batch: Batch, dice: Dice) -> bytes | None:
    most = len(batch.payload) // SMALLEST_RECORD
    return sealed(put(batch.data, _COUNT, int32(dice.within(batch.count + 1, most)))) if most > batch.count else None


@FAULTS.invalid("v2/count-beyond", "v2.record-count.within", "the record count is more than the payload has room for")
def _(batch: Batch, dice: Dice) -> bytes:
    most = len(batch.payload) // SMALLEST_RECORD
    return sealed(put(batch.data, _COUNT, int32(INT32_MAX if dice.below(2) else most + 1 + dice.below(1000))))


def _claimed(codec: str) -> None:
    rule, number = f"compression.{codec}.magic", compression.NAMES.index(codec)

    @FAULTS.invalid(f"v2/claims-{codec}", rule, f"the codec bits say {codec}, and the payload is none")
    def _(batch: Batch, _dice: Dice) -> bytes | None:
        tail = batch.data[HEADER:]
        if batch.codec == codec or len(tail) < 4 or tail.startswith(_STARTS[codec]) or tail[1:4] == b"\x2a\x4d\x18":
            return None
        bits = batch.data[_ATTRIBUTES + 1] & ~7 | number
        return sealed(put(batch.data, _ATTRIBUTES + 1, bytes([bits])))


for _codec in _STARTS:
    _claimed(_codec)


def _damaged(damage: Damage) -> None:
    name, doc = f"v2/{damage.codec}-{damage.name}", f"{damage.codec} payload: {damage.doc}"

    def make(batch: Batch, dice: Dice) -> bytes | None:
        if batch.codec != damage.codec:
            return None
        payload = damage.make(batch.data[HEADER:], dice)
        return None if payload is None else sealed(batch.data[:HEADER] + payload)

    if not damage.flag:
        FAULTS.invalid(name, damage.rule, doc)(make)
        return

    @FAULTS.lenient(name, damage.rule, damage.flag, doc)
    def _(batch: Batch, dice: Dice) -> Made | None:
        data = make(batch, dice)
        return None if data is None else Made(data)


for _damage in DAMAGES:
    _damaged(_damage)
