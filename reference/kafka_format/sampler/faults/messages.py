"""Faults of messages and wrappers (v0 and v1), also of inner messages.

All checksums around them are right.
"""

from __future__ import annotations

import zlib
from typing import Final

from kafka_format.primitives.integers import INT32_MAX, INT32_MIN, INT32_SPAN
from kafka_format.records.entries import LARGEST_SIZE, OVERHEAD, SMALLEST_SIZE
from kafka_format.records.formats import CODECS
from kafka_format.records.model import CODEC_MASK
from kafka_format.sampler.faults.compressed_payloads import DAMAGES, Damage
from kafka_format.sampler.faults.dice import Dice
from kafka_format.sampler.faults.edits import burst, flip_bit, int32, overwritten
from kafka_format.sampler.faults.fault import Faults, FaultyBytes
from kafka_format.sampler.faults.sound_message_set import (
    ATTRIBUTES,
    CRC,
    LENGTH_SIZE,
    MAGIC,
    SIZE,
    Message,
    MessageSet,
    entries_of,
    of_a_message,
    of_a_wrapper,
    offset_of,
    seal,
)
from kafka_format.sampler.records import LAST_OFFSET
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size

_LEAST: Final = tuple(minimum_size(Nested(find(name))) for name in ("message_v0", "message_v1"))
_KNOWN_CODECS: Final = len(CODECS["v1"])
_NAMED_BITS: Final = sum(bits.in_place for bits in find("message_v1").field("attributes").bits).bit_length()


def _declare(magic: int) -> Faults[MessageSet]:
    faults = Faults[MessageSet]()
    _declare_framing(faults, f"v{magic}")
    _declare_checksums(faults, f"v{magic}")
    _declare_fields(faults, f"v{magic}")
    _declare_wrappers(faults, f"v{magic}")
    if magic:
        _declare_relative_offsets(faults)
    for damage in DAMAGES:
        if damage.codec != "zstd":
            _declare_damage(faults, magic, damage)
    return faults


def _declare_framing(faults: Faults[MessageSet], version: str) -> None:
    @faults.invalid(f"{version}/magic-unknown", "entry.magic.known", "the magic byte is 3 to 255")
    def _(sets: MessageSet, dice: Dice) -> bytes:
        span = sets.entries[dice.below(len(sets.entries))]
        return overwritten(sets.data, span.start + MAGIC, bytes([dice.within(3, 255)]))

    @faults.invalid(f"{version}/size-too-small", "entry.size.minimum", "the size is below 14, or negative")
    def _(sets: MessageSet, dice: Dice) -> bytes:
        span = sets.entries[dice.below(len(sets.entries))]
        least = INT32_MIN if dice.below(2) else 0
        return overwritten(sets.data, span.start + SIZE, int32(dice.within(least, SMALLEST_SIZE - 1)))

    @faults.invalid(f"{version}/size-short", "legacy.crc.covers-magic-to-end", "the size is less than the message has")
    def _(sets: MessageSet, dice: Dice) -> bytes | None:
        span = sets.entries[dice.below(len(sets.entries))]
        least, most = _LEAST[sets.magic], span.end - span.start - OVERHEAD - 1
        return overwritten(sets.data, span.start + SIZE, int32(dice.within(least, most))) if least <= most else None

    @faults.valid(f"{version}/size-long", "entry.cut", "the size goes beyond the end: the message is cut off")
    def _(sets: MessageSet, dice: Dice) -> FaultyBytes:
        index = dice.below(len(sets.entries))
        at = sets.entries[index].start
        size = dice.within(len(sets.data) - at - OVERHEAD + 1, LARGEST_SIZE)
        return FaultyBytes(overwritten(sets.data, at + SIZE, int32(size)), kept=index)

    @faults.valid(f"{version}/cut-behind", "entry.cut", "a part of a further message follows")
    def _(sets: MessageSet, dice: Dice) -> FaultyBytes:
        first = sets.entries[0]
        return FaultyBytes(sets.data + sets.data[: dice.within(1, first.end - 1)])

    @faults.valid(f"{version}/cut", "entry.cut", "the end of the last message is missing")
    def _(sets: MessageSet, dice: Dice) -> FaultyBytes:
        last = sets.entries[-1]
        return FaultyBytes(sets.data[: dice.within(last.start + 1, last.end - 1)], kept=len(sets.entries) - 1)

    @faults.valid(
        f"{version}/offset", "legacy.crc.covers-magic-to-end", "a bit of the offset of a plain message is flipped"
    )
    def _(sets: MessageSet, dice: Dice) -> FaultyBytes | None:
        if sets.codec != "none":
            return None
        index = dice.below(len(sets.entries))
        at = sets.entries[index].start
        offset = offset_of(sets.data, at)
        other = offset ^ 1 << dice.below(63)
        data = overwritten(sets.data, at, other.to_bytes(8, "big"))
        return FaultyBytes(data, moved=other - offset, first=index, last=index + 1) if other <= LAST_OFFSET else None


def _declare_checksums(faults: Faults[MessageSet], version: str) -> None:
    rule = "legacy.crc.covers-magic-to-end"

    @faults.invalid(f"{version}/crc", rule, "a bit of a message's checksum is flipped")
    @of_a_message
    def _(message: Message, dice: Dice) -> bytes:
        return message.replace_entry(flip_bit(message.entry, CRC, MAGIC, dice))

    @faults.invalid(f"{version}/crc-of-something-else", rule, "the checksum is inverted, of other bytes, or 0")
    @of_a_message
    def _(message: Message, dice: Dice) -> bytes | None:
        entry = message.entry
        right = entry[CRC:MAGIC]
        crc, swapped = int.from_bytes(right, "big"), int.from_bytes(right, "little")
        other = (~crc % INT32_SPAN, swapped, 0, zlib.crc32(entry[ATTRIBUTES:]), zlib.crc32(entry))[dice.below(5)]
        return None if other == crc else message.replace_entry(overwritten(entry, CRC, int32(other)))

    @faults.invalid(f"{version}/flip", rule, "a bit after the magic byte of a message is flipped")
    @of_a_message
    def _(message: Message, dice: Dice) -> bytes:
        return message.replace_entry(flip_bit(message.entry, ATTRIBUTES, len(message.entry), dice))

    @faults.invalid(
        f"{version}/burst", rule, "up to 32 bits side by side after the magic byte of a message are changed"
    )
    @of_a_message
    def _(message: Message, dice: Dice) -> bytes:
        return message.replace_entry(burst(message.entry, ATTRIBUTES, len(message.entry), dice))

    @faults.lenient(
        f"{version}/wrapper-crc", rule, "wrapper-checksum-ignored", "a bit of a wrapper's checksum is flipped"
    )
    @of_a_wrapper
    def _(sets: MessageSet, dice: Dice) -> FaultyBytes:
        return FaultyBytes(flip_bit(sets.data, CRC, MAGIC, dice))


def _declare_fields(faults: Faults[MessageSet], version: str) -> None:
    @faults.invalid(f"{version}/codec-unknown", "legacy.codec.known", "the codec bits of a message are 4 to 7")
    @of_a_message
    def _(message: Message, dice: Dice) -> bytes:
        bits = message.entry[ATTRIBUTES] & ~CODEC_MASK | _KNOWN_CODECS + dice.below(4)
        return message.seal_with(ATTRIBUTES, bytes([bits]))

    @faults.valid(f"{version}/unused-bit", "legacy.attributes.unused-ignored", "an attribute bit from 4 on is flipped")
    @of_a_message
    def _(message: Message, dice: Dice) -> FaultyBytes:
        bit = _NAMED_BITS + dice.below(8 - _NAMED_BITS)
        return FaultyBytes(message.seal_with(ATTRIBUTES, bytes([message.entry[ATTRIBUTES] ^ 1 << bit])))

    @faults.invalid(f"{version}/content-beyond", "length.within", "a key or a value is longer than its message")
    @of_a_message
    def _(message: Message, dice: Dice) -> bytes:
        at = message.length_at(dice)
        return message.seal_with(at, int32(dice.within(len(message.entry) - at - 3, INT32_MAX)))

    @faults.lenient(
        f"{version}/null-below-minus-1",
        "length.not-negative",
        "negative-length-is-null",
        "the length of a null is -2 or less",
    )
    @of_a_message
    def _(message: Message, dice: Dice) -> FaultyBytes | None:
        at = message.length_at(dice)
        if int.from_bytes(message.entry[at : at + LENGTH_SIZE], "big", signed=True) >= 0:
            return None
        return FaultyBytes(message.seal_with(at, int32(dice.within(INT32_MIN, -2))))

    @faults.lenient(
        f"{version}/message-trailing",
        "legacy.message.fills-its-size",
        "message-trailing-bytes",
        "bytes follow the value",
    )
    @of_a_message
    def _(message: Message, dice: Dice) -> FaultyBytes:
        return FaultyBytes(message.replace_entry(seal(message.entry + bytes([dice.below(256)]) * dice.within(1, 20))))


def _declare_wrappers(faults: Faults[MessageSet], version: str) -> None:
    @faults.invalid(f"{version}/wrapper-null", "legacy.wrapper.value.not-null", "the value of a wrapper is null")
    @of_a_wrapper
    def _(sets: MessageSet, _dice: Dice) -> bytes:
        return seal(sets.data[: sets.value_at(sets.data, 0)] + int32(-1))

    @faults.lenient(
        f"{version}/wrapper-empty", "legacy.wrapper.not-empty", "empty-wrapper", "a wrapper holds no message"
    )
    @of_a_wrapper
    def _(sets: MessageSet, _dice: Dice) -> FaultyBytes:
        return FaultyBytes(sets.with_messages(b""), kept=0)

    @faults.lenient(
        f"{version}/inner-cut",
        "legacy.wrapper.inner.whole",
        "partial-inner-message-is-dropped",
        "the end of the last message in a wrapper is missing",
    )
    @of_a_wrapper
    def _(sets: MessageSet, dice: Dice) -> FaultyBytes | None:
        messages = sets.messages()
        spans = entries_of(messages)
        if len(spans) == 1:
            return None
        last = spans[-1]
        data = sets.with_messages(messages[: dice.within(last.start + 1, last.end - 1)])
        moved = offset_of(messages, last.start) - offset_of(messages, spans[-2].start) if _is_relative(sets) else 0
        return FaultyBytes(data, kept=len(spans) - 1, moved=moved)

    @faults.invalid(
        f"{version}/inner-size-too-small", "entry.size.minimum", "the size of a message in a wrapper is below 14"
    )
    @of_a_wrapper
    @of_a_message
    def _(message: Message, dice: Dice) -> bytes:
        size = int32(dice.within(INT32_MIN, SMALLEST_SIZE - 1))
        return message.replace_entry(overwritten(message.entry, SIZE, size))


def _is_relative(sets: MessageSet) -> bool:
    """Return whether the offsets in a wrapper count from that of its last message (KIP-31)."""
    return sets.magic > 0 and offset_of(sets.data, 0) > 0


def _declare_relative_offsets(faults: Faults[MessageSet]) -> None:
    @faults.valid("v1/wrapper-offset", "v1.wrapper.offsets.relative", "a wrapper has another offset; all offsets move")
    @of_a_wrapper
    def _(sets: MessageSet, dice: Dice) -> FaultyBytes | None:
        if not _is_relative(sets):
            return None
        other = dice.within(max(_last_offset(sets), 1), LAST_OFFSET)
        return FaultyBytes(overwritten(sets.data, 0, other.to_bytes(8, "big")), moved=other - offset_of(sets.data, 0))

    @faults.lenient(
        "v1/wrapper-offset-below",
        "v1.wrapper.offset.is-last",
        "wrapper-offset-below-last",
        "the offset of a wrapper is below that of its last message",
    )
    @of_a_wrapper
    def _(sets: MessageSet, dice: Dice) -> FaultyBytes | None:
        last = _last_offset(sets)
        if not _is_relative(sets) or last < 2:
            return None
        other = dice.within(1, last - 1)
        return FaultyBytes(overwritten(sets.data, 0, other.to_bytes(8, "big")), moved=last - offset_of(sets.data, 0))


def _last_offset(sets: MessageSet) -> int:
    """Read the offset of the last message in a wrapper."""
    messages = sets.messages()
    return offset_of(messages, entries_of(messages)[-1].start)


def _declare_damage(faults: Faults[MessageSet], magic: int, damage: Damage) -> None:
    def damaged(sets: MessageSet, dice: Dice) -> bytes | None:
        if sets.codec != damage.codec:
            return None
        payload = damage.make(sets.wrapped, dice)
        return None if payload is None else sets.with_wrapped(payload)

    flag = "lz4-header-checksum-ignored" if magic == 0 and damage.name == "header-checksum" else damage.flag
    name, doc = f"v{magic}/{damage.codec}-{damage.name}", f"{damage.codec} payload: {damage.doc}"
    faults.damage(name, damage.rule, flag, doc)(damaged)


V0: Final = _declare(0)
V1: Final = _declare(1)
