"""Faults of message sets of 0.7, fetched at offset 0; sizes and checksums around are right."""

from __future__ import annotations

import zlib
from functools import cached_property
from typing import Final

from kafka_format.codec.prefix import prefix
from kafka_format.primitives.integers import INT32_MAX, INT32_MIN
from kafka_format.records import v07
from kafka_format.sampler.faults.compressed_payloads import DAMAGES, Damage
from kafka_format.sampler.faults.dice import Dice
from kafka_format.sampler.faults.edits import burst, flip_bit, int32, overwritten
from kafka_format.sampler.faults.fault import Faults, FaultyBytes
from kafka_format.sampler.faults.sound_message_set import Span
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import minimum_size

_HEADS: Final = (prefix("v07_message_0"), prefix("v07_message_1"))
_MAGIC: Final = v07.OVERHEAD + _HEADS[0].places["magic"]
_ATTRIBUTES: Final = v07.OVERHEAD + _HEADS[1].places["attributes"]
_LEAST: Final = tuple(head.size for head in _HEADS)
_CRC_SIZE: Final = minimum_size(find("v07_message_0").field("crc").type)
_UNUSED: Final = v07.CODEC_MASK.bit_length()
_CRC_RULE: Final = "v07.crc.covers-payload"

FAULTS: Final = Faults["MessageSet07"]()


class MessageSet07:
    """A sound message set of 0.7: messages, and maybe a wrapper after them.

    Attributes:
        data: its bytes.
        codec: name of the codec of its wrapper, or `none`.
    """

    def __init__(self, data: bytes, codec: str) -> None:
        self.data = data
        self.codec = codec

    @cached_property
    def entries(self) -> list[Span]:
        """The messages, and the wrapper."""
        spans, at = [], 0
        while at < len(self.data):
            end = at + _MAGIC + int.from_bytes(self.data[at : at + _MAGIC], "big")
            spans.append(Span(at, end))
            at = end
        return spans

    def crc_at(self, span: Span) -> int:
        """Where the checksum of an entry stands."""
        return span.start + v07.OVERHEAD + _HEADS[self.data[span.start + _MAGIC]].places["crc"]

    def any(self, dice: Dice) -> Span:
        """Pick an entry."""
        return self.entries[dice.below(len(self.entries))]


@FAULTS.invalid("v07/magic-unknown", "v07.magic.known", "the magic byte is 2 to 255")
def _(sets: MessageSet07, dice: Dice) -> bytes:
    return overwritten(sets.data, sets.any(dice).start + _MAGIC, bytes([dice.within(2, 255)]))


@FAULTS.invalid("v07/size-too-small", "v07.size.minimum", "the size is below 5, or negative")
def _(sets: MessageSet07, dice: Dice) -> bytes:
    return overwritten(
        sets.data, sets.any(dice).start, int32(dice.within(INT32_MIN if dice.below(2) else 0, _LEAST[0] - 1))
    )


@FAULTS.invalid("v07/first-too-long", "v07.first-entry.whole", "the size of the first message goes beyond the end")
def _(sets: MessageSet07, dice: Dice) -> bytes:
    return overwritten(sets.data, 0, int32(dice.within(len(sets.data) - _MAGIC + 1, INT32_MAX)))


@FAULTS.valid("v07/size-long", "v07.entry.cut", "the size of a later message goes beyond the end: it is cut off")
def _(sets: MessageSet07, dice: Dice) -> FaultyBytes | None:
    if len(sets.entries) == 1:
        return None
    index = 1 + dice.below(len(sets.entries) - 1)
    at = sets.entries[index].start
    return FaultyBytes(
        overwritten(sets.data, at, int32(dice.within(len(sets.data) - at - _MAGIC + 1, INT32_MAX))), kept=index
    )


@FAULTS.valid("v07/cut-behind", "v07.entry.cut", "a part of a further message follows")
def _(sets: MessageSet07, dice: Dice) -> FaultyBytes:
    return FaultyBytes(sets.data + sets.data[: dice.within(1, sets.entries[0].end - 1)])


@FAULTS.valid("v07/cut", "v07.entry.cut", "the end of the last message, which is not the first, is missing")
def _(sets: MessageSet07, dice: Dice) -> FaultyBytes | None:
    last = sets.entries[-1]
    if not last.start:
        return None
    return FaultyBytes(sets.data[: dice.within(last.start + 1, last.end - 1)], kept=len(sets.entries) - 1)


@FAULTS.invalid("v07/crc", _CRC_RULE, "a bit of a checksum is flipped")
def _(sets: MessageSet07, dice: Dice) -> bytes:
    at = sets.crc_at(sets.any(dice))
    return flip_bit(sets.data, at, at + _CRC_SIZE, dice)


@FAULTS.invalid("v07/crc-of-something-else", _CRC_RULE, "the checksum is inverted, of too many bytes, or 0")
def _(sets: MessageSet07, dice: Dice) -> bytes | None:
    span = sets.any(dice)
    at = sets.crc_at(span)
    crc = int.from_bytes(sets.data[at : at + _CRC_SIZE], "big")
    swapped = int.from_bytes(sets.data[at : at + _CRC_SIZE], "little")
    other = (crc ^ 0xFFFFFFFF, swapped, 0, zlib.crc32(sets.data[span.start + _MAGIC : span.end]))[dice.below(4)]
    return None if other == crc else overwritten(sets.data, at, int32(other))


@FAULTS.invalid("v07/flip", _CRC_RULE, "a bit of a payload is flipped")
def _(sets: MessageSet07, dice: Dice) -> bytes | None:
    span = sets.any(dice)
    first = sets.crc_at(span) + _CRC_SIZE
    return flip_bit(sets.data, first, span.end, dice) if first < span.end else None


@FAULTS.invalid("v07/burst", _CRC_RULE, "up to 32 bits side by side of a payload are changed")
def _(sets: MessageSet07, dice: Dice) -> bytes | None:
    span = sets.any(dice)
    first = sets.crc_at(span) + _CRC_SIZE
    return burst(sets.data, first, span.end, dice) if first < span.end else None


@FAULTS.invalid("v07/size-short", _CRC_RULE, "the size is less than the message has")
def _(sets: MessageSet07, dice: Dice) -> bytes | None:
    span = sets.any(dice)
    least, most = _LEAST[sets.data[span.start + _MAGIC]], span.end - span.start - _MAGIC - 1
    return overwritten(sets.data, span.start, int32(dice.within(least, most))) if least <= most else None


@FAULTS.invalid("v07/codec-unknown", "v07.codec.known", "the codec bits of a message are 3")
def _(sets: MessageSet07, dice: Dice) -> bytes | None:
    at = sets.any(dice).start + _MAGIC
    return overwritten(sets.data, at + 1, bytes([sets.data[at + 1] | v07.CODEC_MASK])) if sets.data[at] else None


@FAULTS.valid("v07/unused-bit", "v07.attributes.unused-ignored", "an attribute bit from 2 on is flipped")
def _(sets: MessageSet07, dice: Dice) -> FaultyBytes | None:
    at = sets.any(dice).start + _MAGIC
    if not sets.data[at]:
        return None
    return FaultyBytes(overwritten(sets.data, at + 1, bytes([sets.data[at + 1] ^ 1 << _UNUSED + dice.below(6)])))


def _declare_damage(damage: Damage) -> None:
    def make(sets: MessageSet07, dice: Dice) -> bytes | None:
        if sets.codec != damage.codec:
            return None
        last = sets.entries[-1]
        payload = damage.make(sets.data[last.start + v07.OVERHEAD + _LEAST[1] :], dice)
        if payload is None:
            return None
        entry = sets.data[last.start + _MAGIC : last.start + _ATTRIBUTES + 1] + int32(zlib.crc32(payload)) + payload
        return sets.data[: last.start] + int32(len(entry)) + entry

    FAULTS.invalid(f"v07/{damage.codec}-{damage.name}", damage.rule, f"{damage.codec} payload: {damage.doc}")(make)


for _damage in DAMAGES:
    if _damage.codec in {"gzip", "snappy"} and not _damage.flag:
        _declare_damage(_damage)
