"""Faults of record batches (v2): outside the checksum, under it, and in the header."""

from __future__ import annotations

import zlib
from typing import Final

from kafka_format import compression
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.primitives.integers import INT32_MAX, INT32_MIN, INT32_SPAN
from kafka_format.records.entries import LARGEST_SIZE, OVERHEAD, SMALLEST_SIZE
from kafka_format.records.model import TIMESTAMP_TYPE_BIT
from kafka_format.sampler.faults.compressed_payloads import DAMAGES, Damage
from kafka_format.sampler.faults.dice import Dice
from kafka_format.sampler.faults.edits import burst, flip_bit, overwritten
from kafka_format.sampler.faults.fault import Faults, FaultyBytes
from kafka_format.sampler.faults.sound_batch import HEADER, SMALLEST_RECORD, SoundBatch, seal
from kafka_format.sampler.records import LAST_OFFSET
from kafka_format.spec.layout import find

_AT: Final = HEADER.places
"""Where the fields of the header stand."""

_ATTRIBUTES: Final = _AT["attributes"]
_COUNTABLE: Final = 1 << 20
_LEAST_LENGTH: Final = HEADER.size - OVERHEAD
_NAMED_BITS: Final = sum(bits.in_place for bits in find("record_batch").field("attributes").bits).bit_length()
_STARTS: Final = {"gzip": b"\x1f\x8b", "lz4": b"\x04\x22\x4d\x18", "zstd": b"\x28\xb5\x2f\xfd"}
_SKIPPABLE: Final = b"\x2a\x4d\x18"
"""The end of the magic of a skippable frame, which lz4 and zstd pass over."""

_CRC_RULE: Final = "v2.crc.covers-attributes-to-end"


def _countable(data: bytes) -> bytes | None:
    """Return the batch; None if its count is so high that a reader may refuse it by a limit."""
    return data if HEADER.read(data).record_count < _COUNTABLE else None


FAULTS: Final = Faults[SoundBatch]()


@FAULTS.valid("v2/base-offset", "v2.leader-epoch.outside-crc", "a bit of the base offset is flipped; all offsets move")
def _(batch: SoundBatch, dice: Dice) -> FaultyBytes | None:
    base = batch.header.base_offset
    other = base ^ 1 << dice.below(63)
    if other > LAST_OFFSET - batch.header.last_offset_delta:
        return None
    return FaultyBytes(batch.with_fields(base_offset=other), moved=other - base)


@FAULTS.valid("v2/leader-epoch", "v2.leader-epoch.outside-crc", "a bit of the partition leader epoch is flipped")
def _(batch: SoundBatch, dice: Dice) -> FaultyBytes:
    return FaultyBytes(flip_bit(batch.data, _AT["partition_leader_epoch"], _AT["magic"], dice))


@FAULTS.invalid("v2/magic-unknown", "entry.magic.known", "the magic byte is 3 to 255")
def _(batch: SoundBatch, dice: Dice) -> bytes:
    return overwritten(batch.data, _AT["magic"], bytes([dice.within(3, 255)]))


@FAULTS.invalid("v2/magic-older", "legacy.crc.covers-magic-to-end", "the magic byte is 0 or 1")
def _(batch: SoundBatch, dice: Dice) -> bytes:
    return batch.with_fields(magic=dice.below(2))


@FAULTS.invalid("v2/length-too-small", "entry.size.minimum", "the length is below 14, or negative")
def _(batch: SoundBatch, dice: Dice) -> bytes:
    least = INT32_MIN if dice.below(2) else 0
    return batch.with_fields(batch_length=dice.within(least, SMALLEST_SIZE - 1))


@FAULTS.invalid("v2/length-below-least", "v2.batch-length.minimum", "the length is 14 to 48")
def _(batch: SoundBatch, dice: Dice) -> bytes:
    return batch.with_fields(batch_length=dice.within(SMALLEST_SIZE, _LEAST_LENGTH - 1))


@FAULTS.invalid("v2/length-short", _CRC_RULE, "the length is less than the bytes that there are")
def _(batch: SoundBatch, dice: Dice) -> bytes | None:
    most = batch.header.batch_length - 1
    return batch.with_fields(batch_length=dice.within(_LEAST_LENGTH, most)) if most >= _LEAST_LENGTH else None


@FAULTS.valid("v2/length-long", "entry.cut", "the length goes beyond the end: the batch is cut off")
def _(batch: SoundBatch, dice: Dice) -> FaultyBytes:
    return FaultyBytes(batch.with_fields(batch_length=dice.within(batch.header.batch_length + 1, LARGEST_SIZE)), kept=0)


@FAULTS.lenient(
    "v2/length-beyond", "entry.size.maximum", "cut-entry-size-beyond-int32", "the length is more than an entry can have"
)
def _(batch: SoundBatch, dice: Dice) -> FaultyBytes:
    return FaultyBytes(batch.with_fields(batch_length=dice.within(LARGEST_SIZE + 1, INT32_MAX)), kept=0)


@FAULTS.valid("v2/cut-behind", "entry.cut", "a part of a further batch follows")
def _(batch: SoundBatch, dice: Dice) -> FaultyBytes:
    return FaultyBytes(batch.data + batch.data[: dice.within(1, len(batch.data) - 1)])


@FAULTS.valid("v2/cut", "entry.cut", "the end of the batch is missing")
def _(batch: SoundBatch, dice: Dice) -> FaultyBytes:
    return FaultyBytes(batch.data[: dice.within(1, len(batch.data) - 1)], kept=0)


@FAULTS.invalid("v2/crc", _CRC_RULE, "a bit of the checksum is flipped")
def _(batch: SoundBatch, dice: Dice) -> bytes:
    return flip_bit(batch.data, _AT["crc"], _ATTRIBUTES, dice)


@FAULTS.invalid("v2/crc-of-something-else", _CRC_RULE, "the checksum is CRC-32, of too many bytes, inverted, or 0")
def _(batch: SoundBatch, dice: Dice) -> bytes | None:
    crc32c, crc, covered = CHECKSUMS["crc32c"], batch.header.crc, batch.data[_ATTRIBUTES:]
    others = (
        lambda: zlib.crc32(covered),
        lambda: crc32c(batch.data[_AT["magic"] :]),
        lambda: crc32c(batch.data[_AT["last_offset_delta"] :]),
        lambda: ~crc % INT32_SPAN,
        lambda: int.from_bytes(crc.to_bytes(4, "big"), "little"),
        lambda: 0,
    )
    other = others[dice.below(len(others))]()
    return None if other == crc else batch.with_fields(crc=other)


@FAULTS.invalid("v2/flip", _CRC_RULE, "a bit that the checksum covers is flipped")
def _(batch: SoundBatch, dice: Dice) -> bytes | None:
    return _countable(flip_bit(batch.data, _ATTRIBUTES, len(batch.data), dice))


@FAULTS.invalid("v2/flip-in-header", _CRC_RULE, "a bit between checksum and records is flipped")
def _(batch: SoundBatch, dice: Dice) -> bytes | None:
    return _countable(flip_bit(batch.data, _ATTRIBUTES, HEADER.size, dice))


@FAULTS.invalid("v2/burst", _CRC_RULE, "up to 32 bits side by side are changed that the checksum covers")
def _(batch: SoundBatch, dice: Dice) -> bytes | None:
    return _countable(burst(batch.data, _ATTRIBUTES, len(batch.data), dice))


@FAULTS.invalid("v2/codec-unknown", "v2.codec.known", "the codec bits are 5 to 7")
def _(batch: SoundBatch, dice: Dice) -> bytes:
    return batch.with_codec(len(compression.NAMES) + dice.below(3))


@FAULTS.valid("v2/unused-bit", "v2.attributes.unused-ignored", "an attribute bit from 7 on is flipped")
def _(batch: SoundBatch, dice: Dice) -> FaultyBytes:
    bit = _NAMED_BITS + dice.below(16 - _NAMED_BITS)
    low = _ATTRIBUTES + 1 - bit // 8
    return FaultyBytes(seal(overwritten(batch.data, low, bytes([batch.data[low] ^ 1 << bit % 8]))))


@FAULTS.valid("v2/last-offset-delta", "v2.last-offset-delta.kept", "the last offset delta is greater")
def _(batch: SoundBatch, dice: Dice) -> FaultyBytes | None:
    last = batch.header.last_offset_delta
    most = min(INT32_MAX, LAST_OFFSET - batch.header.base_offset)
    return FaultyBytes(batch.seal_with(last_offset_delta=dice.within(last + 1, most))) if most > last else None


@FAULTS.valid("v2/max-timestamp", "v2.timestamp.create", "with create time, the max timestamp is another")
def _(batch: SoundBatch, dice: Dice) -> FaultyBytes | None:
    if batch.header.attributes & TIMESTAMP_TYPE_BIT:
        return None
    return FaultyBytes(seal(flip_bit(batch.data, _AT["max_timestamp"], _AT["producer_id"], dice)))


@FAULTS.invalid("v2/count-negative", "v2.record-count.not-negative", "the record count is negative")
def _(batch: SoundBatch, dice: Dice) -> bytes:
    return batch.seal_with(record_count=dice.within(INT32_MIN, -1))


@FAULTS.invalid("v2/count-less", "v2.records.fill-the-batch", "the record count is less, but not 0")
def _(batch: SoundBatch, dice: Dice) -> bytes | None:
    return batch.seal_with(record_count=dice.within(1, batch.count - 1)) if batch.count > 1 else None


@FAULTS.lenient(
    "v2/count-zero",
    "v2.batch.empty.no-payload",
    "empty-batch-payload-ignored",
    "the record count is 0, the records stay",
)
def _(batch: SoundBatch, _dice: Dice) -> FaultyBytes | None:
    return FaultyBytes(batch.seal_with(record_count=0), kept=0) if batch.count else None


@FAULTS.invalid("v2/count-more", "field.truncated", "the record count is more than there are, though there was room")
def _(batch: SoundBatch, dice: Dice) -> bytes | None:
    most = len(batch.payload) // SMALLEST_RECORD
    return batch.seal_with(record_count=dice.within(batch.count + 1, most)) if most > batch.count else None


@FAULTS.invalid("v2/count-beyond", "v2.record-count.within", "the record count is more than the payload has room for")
def _(batch: SoundBatch, dice: Dice) -> bytes:
    most = len(batch.payload) // SMALLEST_RECORD
    return batch.seal_with(record_count=INT32_MAX if dice.below(2) else most + 1 + dice.below(1000))


def _declare_claim(codec: str) -> None:
    rule = f"compression.{codec}.magic"

    @FAULTS.invalid(f"v2/claims-{codec}", rule, f"the codec bits say {codec}, and the payload is none")
    def _(batch: SoundBatch, _dice: Dice) -> bytes | None:
        payload = batch.data[HEADER.size :]
        skippable = payload[1:4] == _SKIPPABLE
        if batch.codec == codec or len(payload) < 4 or payload.startswith(_STARTS[codec]) or skippable:
            return None
        return batch.with_codec(compression.NAMES.index(codec))


def _declare_damage(damage: Damage) -> None:
    name, doc = f"v2/{damage.codec}-{damage.name}", f"{damage.codec} payload: {damage.doc}"

    def damaged(batch: SoundBatch, dice: Dice) -> bytes | None:
        if batch.codec != damage.codec:
            return None
        payload = damage.make(batch.data[HEADER.size :], dice)
        return None if payload is None else seal(batch.data[: HEADER.size] + payload)

    FAULTS.damage(name, damage.rule, damage.flag, doc)(damaged)


for _codec in _STARTS:
    _declare_claim(_codec)
for _damage in DAMAGES:
    _declare_damage(_damage)
