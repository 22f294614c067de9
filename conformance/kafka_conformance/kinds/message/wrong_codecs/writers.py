"""Codecs that read rightly, and write one thing wrong."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

from kafka_format.primitives.varints import COMPACT_LENGTH, UVARINT
from kafka_format.spec.layout.model import Counted, Form, Integer, Optional, TagSection, Varint
from kafka_format.spec.layout.types import INTEGERS

from kafka_conformance.kinds.message.wrong_codecs.plain import Length, PlainCodec
from kafka_conformance.kinds.message.wrong_codecs.tables import WrongCodec, writer

_COMPACT: Final = Varint(COMPACT_LENGTH)
_PLAIN: Final = Varint(UVARINT)


def _count_without_plus(self: PlainCodec, kind: Length, count: int) -> bytes:
    return self.write_varint(_PLAIN, count) if isinstance(kind, Varint) else self.write_integer(kind, count)


def _size_without_plus(self: PlainCodec, kind: Form, size: int, _value: Any) -> bytes:
    compact = isinstance(kind.length, Varint)
    return self.write_varint(_PLAIN, size) if compact else self.write_length(kind.length, size)


def _length_without_plus(self: PlainCodec, kind: Length, number: int) -> bytes:
    if isinstance(kind, Varint):
        return self.write_varint(_PLAIN if kind.kind is COMPACT_LENGTH and number >= 0 else kind, number)
    return self.write_integer(kind, number)


def _moved_count(by: int) -> Any:
    def method(self: PlainCodec, kind: Length, count: int) -> bytes:
        return self.write_length(kind, max(count + by, 0))

    return method


def _moved_size(by: int) -> Any:
    def method(self: PlainCodec, kind: Form, size: int, _value: Any) -> bytes:
        return self.write_length(kind.length, max(size + by, 0))

    return method


def _array_not_compact(self: PlainCodec, kind: Length, count: int) -> bytes:
    return self.write_integer(INTEGERS["int32"], count) if isinstance(kind, Varint) else self.write_length(kind, count)


def _string_not_compact(self: PlainCodec, kind: Form, size: int, _value: Any) -> bytes:
    wide = INTEGERS["int16" if kind.content == "text" else "int32"]
    return self.write_integer(wide if isinstance(kind.length, Varint) else kind.length, size)


def _in_characters(self: PlainCodec, kind: Form, size: int, value: Any) -> bytes:
    return self.write_length(kind.length, len(value) if isinstance(value, str) else size)


def _in_utf16(self: PlainCodec, kind: Form, size: int, value: Any) -> bytes:
    return self.write_length(kind.length, len(value.encode("utf-16-be")) // 2 if isinstance(value, str) else size)


def _groups(number: int, size: int) -> list[int]:
    return [number >> 7 * place & 0x7F for place in range(size)]


def _size_of(number: int) -> int:
    return max((number.bit_length() + 6) // 7, 1)


def _joined(groups: list[int]) -> bytes:
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])


def _varint_of_bytes(most: int) -> Any:
    def method(_self: PlainCodec, kind: Varint, number: int) -> bytes:
        wire = kind.kind.number(number)
        return _joined(_groups(wire, min(_size_of(wire), most)))

    return method


def _varint_bits(bits: int) -> Any:
    """Return what writes the low bits of numbers, in as few bytes as they take."""

    def method(_self: PlainCodec, kind: Varint, number: int) -> bytes:
        wire = kind.kind.number(number) & (1 << bits) - 1
        return _joined(_groups(wire, _size_of(wire)))

    return method


def _varint_big_endian(_self: PlainCodec, kind: Varint, number: int) -> bytes:
    wire = kind.kind.number(number)
    return _joined(_groups(wire, _size_of(wire))[::-1])


def _varint_zigzag(_self: PlainCodec, kind: Varint, number: int) -> bytes:
    wire = kind.kind.number(number) << 1
    return _joined(_groups(wire, _size_of(wire)))


def _varint_padded(_self: PlainCodec, kind: Varint, number: int) -> bytes:
    wire = kind.kind.number(number)
    return _joined(_groups(wire, _size_of(wire) + 1))


def _varint_ends_at(last: int) -> Any:
    """Return what ends a varint where what is left is no more than that; 127 is right."""

    def method(_self: PlainCodec, kind: Varint, number: int) -> bytes:
        wire, made = kind.kind.number(number), bytearray()
        while wire > last:
            made.append(wire & 0x7F | 0x80)
            wire >>= 7
        return bytes([*made, wire])

    return method


def _varint_one_byte(_self: PlainCodec, kind: Varint, number: int) -> bytes:
    return bytes((kind.kind.number(number) & 0xFF,))


def _null_as_not_compact(self: PlainCodec, kind: Counted | Form) -> bytes:
    if not isinstance(kind.length, Varint):
        return self.write_length(kind.length, -1)
    return b"\xff\xff" if isinstance(kind, Form) and kind.content == "text" else b"\xff" * 4


def _tags_counted(by: int) -> Any:
    """Return what writes another number of tagged fields than there are."""

    def method(self: PlainCodec, fields: list[tuple[int, bytes]]) -> bytes:
        right = PlainCodec.write_section(self, fields)
        size = len(self.write_varint(_PLAIN, len(fields)))
        return self.write_varint(_PLAIN, max(len(fields) + by, 0)) + right[size:]

    return method


def _tags_in_bytes(self: PlainCodec, fields: list[tuple[int, bytes]]) -> bytes:
    """Write how many bytes of tagged fields follow, not how many fields."""
    content = PlainCodec.write_section(self, fields)[len(self.write_varint(_PLAIN, len(fields))) :]
    return self.write_varint(_PLAIN, len(content)) + content


def _tags_renumbered(self: PlainCodec, fields: list[tuple[int, bytes]]) -> bytes:
    return PlainCodec.write_section(self, [(tag + 1, content) for tag, content in fields])


def _not_below_0(self: PlainCodec, kind: Length, number: int) -> bytes:
    return self.write_length(kind, max(number, 0))


def _as_surrogates(value: str) -> bytes:
    units = value.encode("utf-16-be")
    letters = (chr(int.from_bytes(units[at : at + 2], "big")) for at in range(0, len(units), 2))
    return "".join(letters).encode("utf-8", "surrogatepass")


def _no_tags(_self: PlainCodec, *_: Any) -> bytes:
    return b""


def _empty_tags(_self: PlainCodec, *_: Any) -> bytes:
    return b"\0"


def _inner_tags(keeps_outer: bool) -> Any:  # noqa: FBT001 - a method
    def method(self: PlainCodec, unknown: Any) -> list[tuple[int, bytes]]:
        is_outer = len(self.path) == 1
        return list(unknown) if is_outer == keeps_outer else []

    return method


def _outer_section(self: PlainCodec, *arguments: Any) -> bytes:
    return PlainCodec.write_tags(self, *arguments) if len(self.path) > 1 else b""


def _inner_section(self: PlainCodec, *arguments: Any) -> bytes:
    return PlainCodec.write_tags(self, *arguments) if len(self.path) == 1 else b""


def _unsorted(self: PlainCodec, fields: list[tuple[int, bytes]]) -> bytes:
    return PlainCodec.write_section(self, fields[::-1])


def _unknown_first(self: PlainCodec, field: Any, kind: TagSection, values: Any) -> bytes:
    known = [
        (each.tag or 0, self.write_value(each.type, values[each.name]))
        for each in kind.fields
        if self.is_written(each, values[each.name])
    ]
    return self.write_section([*self.kept_unknown(values.get(field.name, ())), *known])


def _known_first(self: PlainCodec, field: Any, kind: TagSection, values: Any) -> bytes:
    known = [
        (each.tag or 0, self.write_value(each.type, values[each.name]))
        for each in kind.fields
        if self.is_written(each, values[each.name])
    ]
    return self.write_section([*known, *self.kept_unknown(values.get(field.name, ()))])


def _tag_size_plus(self: PlainCodec, size: int) -> bytes:
    return self.write_varint(_COMPACT, size)


def _without_last(self: PlainCodec, kind: Counted, value: Any) -> bytes:
    return PlainCodec.write_array(self, kind, value and value[:-1])


def _without_first(self: PlainCodec, kind: Counted, value: Any) -> bytes:
    return PlainCodec.write_array(self, kind, value and value[1:])


def _reversed(self: PlainCodec, kind: Counted, value: Any) -> bytes:
    return PlainCodec.write_array(self, kind, value and value[::-1])


def _little_endian(_self: PlainCodec, kind: Integer, number: int) -> bytes:
    return number.to_bytes(kind.size, "little", signed=kind.lowest < 0)


def _little_number(self: PlainCodec, kind: Length, number: int) -> bytes:
    return _little_endian(self, kind, number) if isinstance(kind, Integer) else self.write_length(kind, number)


def _strictly_of_size(size: int, wide: int) -> Any:
    """Return what does that, and refuses numbers that do not fit."""

    def method(self: PlainCodec, kind: Length, number: int) -> bytes:
        is_about = isinstance(kind, Integer) and kind.size == size
        return number.to_bytes(wide, "big", signed=True) if is_about else self.write_length(kind, number)

    return method


def _of_size(size: int, wide: int) -> Any:
    """Return what writes integers of one size with other bytes."""

    def method(self: PlainCodec, kind: Length, number: int) -> bytes:
        if not isinstance(kind, Integer) or kind.size != size:
            return self.write_length(kind, number)
        return (number % (1 << 8 * wide)).to_bytes(wide, "big")

    return method


def _low_bits(size: int, bits: int) -> Any:
    """Return what keeps the low bits of integers of one size, with their sign."""

    def method(self: PlainCodec, kind: Length, number: int) -> bytes:
        if isinstance(kind, Integer) and kind.size == size:
            number = (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
        return self.write_length(kind, number)

    return method


def _as_double(self: PlainCodec, kind: Length, number: int) -> bytes:
    if isinstance(kind, Integer) and kind.size == 8:
        number = min(int(float(number)), kind.highest)
    return self.write_length(kind, number)


def _marker_of(there: int, null: int) -> Any:
    def method(self: PlainCodec, kind: Optional, number: int) -> bytes:
        return self.write_length(kind.marker, there if number == 1 else null)

    return method


def _no_marker(_self: PlainCodec, _kind: Optional, number: int) -> bytes:
    return b"" if number == 1 else b"\xff"


def _repeated(is_twice: Callable[[bool], bool]) -> Any:
    """Return what writes tagged fields twice, by whether one is the last of its section."""

    def method(self: PlainCodec, fields: list[tuple[int, bytes]]) -> bytes:
        given = [each for at, each in enumerate(fields) for _ in range(1 + is_twice(at == len(fields) - 1))]
        return PlainCodec.write_section(self, given)

    return method


WRITERS: Final[tuple[WrongCodec, ...]] = (
    writer(
        "compact-count", "writes the number of items of a compact array, not one more", write_count=_count_without_plus
    ),
    writer(
        "compact-size", "writes the length of compact strings and bytes, not one more", write_size=_size_without_plus
    ),
    writer(
        "compact-length",
        "writes compact lengths and counts as they are, not one more",
        write_length=_length_without_plus,
    ),
    writer(
        "count-too-high", "writes one item more than there are into the count of arrays", write_count=_moved_count(1)
    ),
    writer(
        "count-too-low", "writes one item less than there are into the count of arrays", write_count=_moved_count(-1)
    ),
    writer("size-too-high", "writes lengths of strings and bytes that are one too high", write_size=_moved_size(1)),
    writer("size-too-low", "writes lengths of strings and bytes that are one too low", write_size=_moved_size(-1)),
    writer("array-not-compact", "writes counts of four bytes where arrays are compact", write_count=_array_not_compact),
    writer(
        "string-not-compact",
        "writes lengths of two or four bytes where strings and bytes are compact",
        write_size=_string_not_compact,
    ),
    writer("size-in-characters", "writes the length of strings in characters, not in bytes", write_size=_in_characters),
    writer("size-in-utf-16", "writes the length of strings in units of UTF-16, not in bytes", write_size=_in_utf16),
    writer("varint-one-byte", "writes varints of one byte, whatever the number", write_varint=_varint_one_byte),
    writer("varint-seven-bits", "writes the low seven bits of varints", write_varint=_varint_of_bytes(1)),
    writer("varint-two-bytes", "writes no more than two bytes of varints", write_varint=_varint_of_bytes(2)),
    *(
        writer(f"varint-{bits}-bits", f"writes the low {bits} bits of varints", write_varint=_varint_bits(bits))
        for bits in (14, 15, 16, 21, 8)  # whoever loses fewer bits, of those that explain the same
    ),
    writer(
        "varint-ends-at-128",
        "writes varints that are a byte short where the last byte is to be 1: 128 in one byte",
        write_varint=_varint_ends_at(128),
    ),
    writer(
        "varint-ends-before-127",
        "writes varints with a byte more than they need where the last byte is 127",
        write_varint=_varint_ends_at(126),
    ),
    writer("varint-big-endian", "writes the groups of varints with the highest first", write_varint=_varint_big_endian),
    writer("varint-zigzag", "writes unsigned varints as zig-zag ones", write_varint=_varint_zigzag),
    writer("varint-padded", "writes varints with a byte more than they need", write_varint=_varint_padded),
    writer(
        "null-not-compact",
        "writes -1 in two or four bytes for null where strings, bytes and arrays are compact",
        write_null_form=_null_as_not_compact,
        write_null_array=_null_as_not_compact,
    ),
    writer(
        "null-array-not-compact",
        "writes -1 in four bytes for null where arrays are compact",
        write_null_array=_null_as_not_compact,
    ),
    writer(
        "null-string-not-compact",
        "writes -1 in two or four bytes for null where strings and bytes are compact",
        write_null_form=_null_as_not_compact,
    ),
    writer("no-tag-sections", "writes no tagged fields, and not their number, 0, either", write_tags=_no_tags),
    writer(
        "no-outer-tag-section",
        "writes no tagged fields at the end of messages, and not their number either",
        write_tags=_outer_section,
    ),
    writer(
        "no-inner-tag-sections",
        "writes no tagged fields at the end of inner structures, and not their number either",
        write_tags=_inner_section,
    ),
    writer("known-tags-lost", "writes no tagged field of its layout", is_written=lambda *_: False),
    writer("tags-lost", "writes no tagged field", write_tags=_empty_tags),
    writer("default-tags-written", "writes tagged fields that have their defaults", is_written=lambda *_: True),
    writer(
        "inner-unknown-tags-lost",
        "keeps the tagged fields that it does not know at the end of messages, and drops those of inner structures",
        kept_unknown=_inner_tags(keeps_outer=True),
    ),
    writer(
        "outer-unknown-tags-lost",
        "keeps the tagged fields that it does not know in inner structures, and drops those at the end of messages",
        kept_unknown=_inner_tags(keeps_outer=False),
    ),
    writer("each-tag-twice", "writes each tagged field twice", write_section=_repeated(lambda _: True)),
    writer(
        "last-tag-twice", "writes the last tagged field of a section twice", write_section=_repeated(lambda last: last)
    ),
    writer("tags-descending", "writes tagged fields in descending order", write_section=_unsorted),
    writer(
        "unknown-tags-first",
        "writes the tagged fields that it does not know in front of all others, whatever their tags",
        write_tags=_unknown_first,
    ),
    writer(
        "unknown-tags-last",
        "writes the tagged fields that it does not know behind all others, whatever their tags",
        write_tags=_known_first,
    ),
    writer("tag-size", "writes sizes of tagged fields that are one too high", write_tag_size=_tag_size_plus),
    writer(
        "tag-count-too-high", "writes a number of tagged fields that is one too high", write_section=_tags_counted(1)
    ),
    writer(
        "tag-count-too-low", "writes a number of tagged fields that is one too low", write_section=_tags_counted(-1)
    ),
    writer("tag-count-in-bytes", "writes the size of tagged fields for their number", write_section=_tags_in_bytes),
    writer("tag-number", "writes tags that are one too high", write_section=_tags_renumbered),
    writer("last-item-lost", "writes all items of an array but the last", write_array=_without_last),
    writer("first-item-lost", "writes all items of an array but the first", write_array=_without_first),
    writer("items-reversed", "writes the items of arrays in reverse order", write_array=_reversed),
    writer("numbers-little-endian", "writes numbers with the low byte first", write_number=_little_number),
    writer(
        "all-little-endian", "writes numbers, lengths and counts with the low byte first", write_integer=_little_endian
    ),
    writer("int64-as-int32", "writes numbers of 8 bytes with 4", write_number=_of_size(8, 4)),
    writer(
        "int64-as-int32-or-refused",
        "writes numbers of 8 bytes with 4, and refuses those that do not fit",
        write_number=_strictly_of_size(8, 4),
    ),
    writer("int32-as-int64", "writes numbers of 4 bytes with 8", write_number=_of_size(4, 8)),
    writer("int16-as-int32", "writes numbers of 2 bytes with 4", write_number=_of_size(2, 4)),
    writer("int32-as-int16", "writes numbers of 4 bytes with 2", write_number=_of_size(4, 2)),
    writer(
        "int32-as-int16-or-refused",
        "writes numbers of 4 bytes with 2, and refuses those that do not fit",
        write_number=_strictly_of_size(4, 2),
    ),
    writer("int16-as-int8", "writes numbers of 2 bytes with 1", write_number=_of_size(2, 1)),
    writer(
        "int16-as-int8-or-refused",
        "writes numbers of 2 bytes with 1, and refuses those that do not fit",
        write_number=_strictly_of_size(2, 1),
    ),
    writer("int8-as-int16", "writes numbers of 1 byte with 2", write_number=_of_size(1, 2)),
    writer(
        "int64-low-32-bits",
        "writes the low 32 bits of numbers of 64 bits, with their sign",
        write_number=_low_bits(8, 32),
    ),
    writer(
        "int32-low-16-bits",
        "writes the low 16 bits of numbers of 32 bits, with their sign",
        write_number=_low_bits(4, 16),
    ),
    writer(
        "int16-low-8-bits", "writes the low 8 bits of numbers of 16 bits, with their sign", write_number=_low_bits(2, 8)
    ),
    writer(
        "int64-as-double",
        "keeps numbers of 64 bits as floating-point numbers, and writes them without their last bits",
        write_number=_as_double,
    ),
    writer("numbers-clamped", "writes 0 for numbers below 0", write_number=_not_below_0),
    *(
        writer(
            f"bool-as-{number}",
            f"writes {number} for true",
            write_bool=lambda _, value, number=number: bytes((number if value else 0,)),
        )
        for number in (255, 2, 49)
    ),
    writer(
        "bool-inverted", "writes true for false, and false for true", write_bool=lambda _, value: bytes((not value,))
    ),
    writer(
        "bool-in-four-bytes", "writes true and false in four bytes", write_bool=lambda _, value: bytes((0, 0, 0, value))
    ),
    writer(
        "float-in-four-bytes",
        "writes floating-point numbers of 32 bits",
        write_float=lambda _, value: struct.pack(">f", value),
    ),
    writer(
        "float-little-endian",
        "writes floating-point numbers with the low byte first",
        write_float=lambda _, value: struct.pack("<d", value),
    ),
    writer(
        "float-as-single",
        "keeps floating-point numbers in 32 bits",
        write_float=lambda _, value: struct.pack(">d", struct.unpack(">f", struct.pack(">f", value))[0]),
    ),
    writer("id-halves", "exchanges the halves of ids of 16 bytes", write_fixed=lambda _, value: value[8:] + value[:8]),
    writer("id-reversed", "writes the bytes of ids the other way round", write_fixed=lambda _, value: value[::-1]),
    writer(
        "id-mixed-endian",
        "writes the first three parts of ids with the low byte first, as GUIDs have them",
        write_fixed=lambda _, value: value[3::-1] + value[5:3:-1] + value[7:5:-1] + value[8:],
    ),
    writer("id-as-text", "writes ids as text", write_fixed=lambda _, value: value.hex().encode()),
    writer("id-zero", "writes an id of zeros", write_fixed=lambda _, value: bytes(len(value))),
    writer("marker-0-for-null", "writes 0 in front of structures that are null, not -1", write_marker=_marker_of(1, 0)),
    writer(
        "marker-0-for-value", "writes 0 in front of structures that are there, not 1", write_marker=_marker_of(0, -1)
    ),
    writer("no-marker", "writes nothing in front of structures that may be null", write_marker=_no_marker),
    writer("text-with-nul", "writes a NUL behind strings", write_text=lambda _, value: value.encode() + b"\0"),
    writer(
        "text-as-latin-1",
        "writes strings in Latin-1, and ? for what that does not have",
        write_text=lambda _, value: value.encode("latin-1", "replace"),
    ),
    writer(
        "text-as-ascii",
        "writes ? for what is beyond ASCII in strings",
        write_text=lambda _, value: value.encode("ascii", "replace"),
    ),
    writer("text-as-utf-16", "writes strings in UTF-16", write_text=lambda _, value: value.encode("utf-16-be")),
    writer(
        "text-as-cesu-8",
        "writes characters beyond U+FFFF as two surrogates of three bytes each, as Java's modified UTF-8 has them",
        write_text=lambda _, value: _as_surrogates(value),
    ),
    writer(
        "text-nul-in-two-bytes",
        "writes the character NUL as C0 80, as Java's modified UTF-8 has it",
        write_text=lambda _, value: value.encode().replace(b"\0", b"\xc0\x80"),
    ),
    writer(
        "bytes-padded",
        "pads bytes with zeros to a multiple of four",
        write_bytes=lambda _, value: value + bytes(-len(value) % 4),
    ),
    writer("bytes-with-padding", "writes a byte more behind bytes", write_bytes=lambda _, value: value + b"\0"),
)
"""What shows in bytes that are written again, and in no value."""
