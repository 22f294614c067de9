"""Codecs that read one thing wrong, and write it as they have read it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, Final

from kafka_format.codec.members import default_of
from kafka_format.primitives.varints import COMPACT_LENGTH, UVARINT
from kafka_format.spec.layout.model import Counted, Field, Form, Integer, TagSection, Varint

from kafka_conformance.kinds.message.wrong_codecs.plain import Length, PlainCodec
from kafka_conformance.kinds.message.wrong_codecs.tables import WrongCodec, reader

_PLAIN: Final = Varint(UVARINT)


def _count_without_plus(self: PlainCodec, kind: Length, data: bytes, at: int) -> tuple[int, int]:
    return self.read_length(_PLAIN if isinstance(kind, Varint) else kind, data, at)


def _count_of_some(self: PlainCodec, kind: Length, data: bytes, at: int) -> tuple[int, int]:
    """Know null, and take any other number for the count."""
    count, after = _count_without_plus(self, kind, data, at)
    return (count or -1 if isinstance(kind, Varint) else count), after


def _size_of_some(self: PlainCodec, kind: Form, data: bytes, at: int) -> tuple[int, int]:
    size, after = _size_without_plus(self, kind, data, at)
    return (size or -1 if isinstance(kind.length, Varint) else size), after


def _size_without_plus(self: PlainCodec, kind: Form, data: bytes, at: int) -> tuple[int, int]:
    return self.read_length(_PLAIN if isinstance(kind.length, Varint) else kind.length, data, at)


def _length_without_plus(self: PlainCodec, kind: Length, data: bytes, at: int) -> tuple[int, int]:
    if isinstance(kind, Varint):
        return self.read_varint(_PLAIN if kind.kind is COMPACT_LENGTH else kind, data, at)
    return self.read_integer(kind, data, at)


def _varint_of_bytes(most: int) -> Any:
    """Return what reads no more than so many bytes of a varint, and refuses longer ones."""

    def method(self: PlainCodec, kind: Varint, data: bytes, at: int) -> tuple[int, int]:
        value, after = PlainCodec.read_varint(self, kind, data, at)
        if after - at > most:
            msg = "a varint is too long"
            raise ValueError(msg)
        return value, after

    return method


def _varint_stops(most: int) -> Any:
    """Return what stops behind so many bytes of a varint."""

    def method(self: PlainCodec, kind: Varint, data: bytes, at: int) -> tuple[int, int]:
        number = 0
        for place in range(most):
            (group,) = self.take(data, at + place, 1)
            number |= (group & 0x7F) << 7 * place
            if group < 0x80:
                return kind.kind.value(number), at + place + 1
        return kind.kind.value(number), at + most

    return method


def _varint_one_byte(self: PlainCodec, kind: Varint, data: bytes, at: int) -> tuple[int, int]:
    (number,) = self.take(data, at, 1)
    return kind.kind.value(number), at + 1


def _varint_shifted(by: int) -> Any:
    """Return what takes the groups of a varint for so many bits each."""

    def method(self: PlainCodec, kind: Varint, data: bytes, at: int) -> tuple[int, int]:
        _, after = PlainCodec.read_varint(self, kind, data, at)
        return kind.kind.value(sum((group & 0x7F) << by * place for place, group in enumerate(data[at:after]))), after

    return method


def _varint_bits(bits: int) -> Any:
    """Return what keeps the low bits of varints."""

    def method(self: PlainCodec, kind: Varint, data: bytes, at: int) -> tuple[int, int]:
        value, after = PlainCodec.read_varint(self, kind, data, at)
        return kind.kind.value(kind.kind.number(value) & (1 << bits) - 1), after

    return method


def _varint_zigzag(self: PlainCodec, kind: Varint, data: bytes, at: int) -> tuple[int, int]:
    value, after = PlainCodec.read_varint(self, kind, data, at)
    number = kind.kind.number(value)
    return (number >> 1 ^ -(number & 1)) - kind.kind.plus, after


def _varint_big_endian(self: PlainCodec, kind: Varint, data: bytes, at: int) -> tuple[int, int]:
    _, after = PlainCodec.read_varint(self, kind, data, at)
    number = 0
    for group in data[at:after]:
        number = number << 7 | group & 0x7F
    return kind.kind.value(number), after


def _refused(*_: Any) -> None:
    msg = "null is refused"
    raise ValueError(msg)


def _unknown_refused(_self: PlainCodec, _unknown: Any, tag: int, _content: bytes) -> None:
    msg = f"tag {tag} is unknown"
    raise ValueError(msg)


def _tags_not_read(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
    values |= {known.name: self.default(known) for known in kind.fields}
    values[field.name] = ()
    return self.read_varint(_PLAIN, data, at)[1]


def _no_tags(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
    del data
    values |= {known.name: self.default(known) for known in kind.fields}
    values[field.name] = ()
    return at


def _first_tag_only(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
    after = PlainCodec.read_tags(self, field, kind, values, data, at)
    if len(values[field.name]) > 1:
        values[field.name] = values[field.name][:1]
    return after


def _tags_where(is_read: Callable[[int, int], bool]) -> Any:
    """Return what reads some tagged fields of its layout, by place and tag.

    It passes over the others, whatever is in them.
    """

    def method(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
        values |= {known.name: self.default(known) for known in kind.fields}
        known = {each.tag: each for each in kind.fields}
        unknown: list[tuple[int, bytes]] = []
        count, at = self.read_varint(_PLAIN, data, at)
        for place in range(count):
            tag, at = self.read_varint(_PLAIN, data, at)
            size, at = self.read_varint(_PLAIN, data, at)
            content = self.take(data, at, size)
            if tag not in known:
                self.read_unknown(unknown, tag, content)
            elif is_read(place, tag):
                values[known[tag].name], _ = self.read_value(known[tag].type, data, at)
            at += size
        values[field.name] = tuple(unknown)
        return at

    return method


def _tags_refused(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
    if data[at : at + 1] != b"\0":
        msg = "there are tagged fields"
        raise ValueError(msg)
    return PlainCodec.read_tags(self, field, kind, values, data, at)


def _tag_size_ignored(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
    """Take unknown tagged fields for empty."""
    values |= {known.name: self.default(known) for known in kind.fields}
    known = {each.tag: each for each in kind.fields}
    count, at = self.read_varint(_PLAIN, data, at)
    for _ in range(count):
        tag, at = self.read_varint(_PLAIN, data, at)
        _, at = self.read_varint(_PLAIN, data, at)
        if tag in known:
            values[known[tag].name], at = self.read_value(known[tag].type, data, at)
    values[field.name] = ()
    return at


def _zero(_self: PlainCodec, field: Field) -> Any:
    """Return 0 or nothing, whatever the default is."""
    value = default_of(field, lambda _, values: values)
    if isinstance(value, bool):
        return False
    return type(value)() if isinstance(value, int | float | str | bytes) else [] if value == () else value


def _null_default(_self: PlainCodec, field: Field) -> Any:
    """Return null where a field may be null, whatever the default is."""
    value = default_of(field, lambda _, values: values)
    kind = field.type
    may_be_null = (isinstance(kind, Form) and kind.null is not None) or (isinstance(kind, Counted) and kind.nullable)
    return None if may_be_null else [] if value == () else value


def _bool_is(test: Any) -> Any:
    return lambda self, data, at: (test(self.take(data, at, 1)[0]), at + 1)


def _text_to_nul(_self: PlainCodec, content: bytes) -> str:
    return content.partition(b"\0")[0].decode()


def _text_stripped(_self: PlainCodec, content: bytes) -> str:
    return content.decode().strip()


def _text_stripped_behind(_self: PlainCodec, content: bytes) -> str:
    return content.decode().rstrip()


def _text_stripped_in_front(_self: PlainCodec, content: bytes) -> str:
    return content.decode().lstrip()


def _text_as_latin_1(_self: PlainCodec, content: bytes) -> str:
    return content.decode("latin-1")


def _text_as_ascii(_self: PlainCodec, content: bytes) -> str:
    return content.decode("ascii")


def _text_ascii_replaced(_self: PlainCodec, content: bytes) -> str:
    return content.decode("ascii", "replace")


def _text_in_plane_0(_self: PlainCodec, content: bytes) -> str:
    """Replace what is beyond the first plane, as whoever keeps 16 bits a character."""
    return "".join(letter if ord(letter) < 0x10000 else "\ufffd" for letter in content.decode())


def _keeping(is_kept: Callable[[int], bool]) -> Any:
    return lambda _, content: "".join(letter for letter in content.decode() if is_kept(ord(letter)))


def _text_of_plane_0(_self: PlainCodec, content: bytes) -> str:
    text = content.decode()
    if any(ord(letter) > 0xFFFF for letter in text):
        msg = "a character is beyond U+FFFF"
        raise ValueError(msg)
    return text


def _text_lower(_self: PlainCodec, content: bytes) -> str:
    return content.decode().lower()


def _cut(size: int) -> Any:
    return lambda _, content: content[:size].decode(errors="ignore")


def _items(change: Any) -> Any:
    def method(self: PlainCodec, kind: Counted, data: bytes, at: int) -> tuple[Any, int]:
        items, after = PlainCodec.read_array(self, kind, data, at)
        return (items and change(items)), after

    return method


def _once(items: list[Any]) -> list[Any]:
    return [item for index, item in enumerate(items) if item not in items[:index]]


def _count_moved(by: int) -> Any:
    def method(self: PlainCodec, kind: Length, data: bytes, at: int) -> tuple[int, int]:
        count, after = PlainCodec.read_count(self, kind, data, at)
        return (max(count + by, 0) if count > 0 else count), after

    return method


def _little_number(self: PlainCodec, kind: Length, data: bytes, at: int) -> tuple[int, int]:
    if isinstance(kind, Varint):
        return self.read_length(kind, data, at)
    return int.from_bytes(self.take(data, at, kind.size), "little", signed=kind.lowest < 0), at + kind.size


def _number_of_size(size: int, change: Any) -> Any:
    def method(self: PlainCodec, kind: Length, data: bytes, at: int) -> tuple[int, int]:
        number, after = self.read_length(kind, data, at)
        return (change(number) if isinstance(kind, Integer) and kind.size == size else number), after

    return method


def _low_bits(bits: int, *, signed: bool) -> Callable[[int], int]:
    half = 1 << bits - 1 if signed else 0
    return lambda number: (number + half) % (1 << bits) - half


def _absolute(bits: int) -> Callable[[int], int]:
    """Return what drops a sign, as machines do: the lowest number keeps it."""
    return lambda number: number if number == -1 << bits - 1 else abs(number)


def _clamped(read: tuple[int, int]) -> tuple[int, int]:
    return max(read[0], 0), read[1]


def _narrow(size: int, wide: int) -> Any:
    """Return what reads integers of one size from other bytes."""

    def method(self: PlainCodec, kind: Length, data: bytes, at: int) -> tuple[int, int]:
        if not isinstance(kind, Integer) or kind.size != size:
            return self.read_length(kind, data, at)
        return int.from_bytes(self.take(data, at, wide), "big", signed=True), at + wide

    return method


_KEPT_BITS: Final = (
    *((2, 8, True), (2, 8, False), (4, 8, True), (4, 8, False)),
    *((4, 16, True), (4, 16, False), (8, 32, False)),
)
"""Bytes of a number, the bits that are kept of it, and whether these have a sign."""

READERS: Final[tuple[WrongCodec, ...]] = (
    reader(
        "compact-count",
        "takes the number in front of a compact array for the number of items, which is one less",
        read_count=_count_without_plus,
    ),
    reader(
        "compact-count-but-null",
        "takes the number in front of a compact array that is not null for the number of items, which is one less",
        read_count=_count_of_some,
    ),
    reader(
        "compact-size-but-null",
        "takes the number in front of compact strings and bytes that are not null for their length, which is one less",
        read_size=_size_of_some,
    ),
    reader(
        "compact-size",
        "takes the number in front of compact strings and bytes for their length, which is one less",
        read_size=_size_without_plus,
    ),
    reader(
        "compact-length",
        "takes compact lengths and counts as they are, and not for one more than the number",
        read_length=_length_without_plus,
    ),
    reader("varint-one-byte", "reads varints of one byte alone, with all its bits", read_varint=_varint_one_byte),
    reader("varint-refused-beyond-one-byte", "refuses varints of more than one byte", read_varint=_varint_of_bytes(1)),
    reader(
        "varint-refused-beyond-two-bytes", "refuses varints of more than two bytes", read_varint=_varint_of_bytes(2)
    ),
    reader("varint-stops-after-one-byte", "stops behind the first byte of a varint", read_varint=_varint_stops(1)),
    reader("varint-stops-after-two-bytes", "stops behind the second byte of a varint", read_varint=_varint_stops(2)),
    reader("varint-7-bits", "keeps the low seven bits of varints", read_varint=_varint_bits(7)),
    reader("varint-8-bits", "keeps the low eight bits of varints", read_varint=_varint_bits(8)),
    reader("varint-14-bits", "keeps the low fourteen bits of varints", read_varint=_varint_bits(14)),
    reader("varint-16-bits", "keeps the low sixteen bits of varints", read_varint=_varint_bits(16)),
    *(
        reader(
            f"varint-groups-of-{by}-bits",
            f"takes the groups of varints for {by} bits each, not for seven",
            read_varint=_varint_shifted(by),
        )
        for by in (8, 6)
    ),
    reader("varint-zigzag", "reads unsigned varints as zig-zag ones", read_varint=_varint_zigzag),
    reader("varint-big-endian", "reads the groups of varints with the highest first", read_varint=_varint_big_endian),
    reader("unknown-tags-refused", "refuses tagged fields that it does not know", read_unknown=_unknown_refused),
    reader(
        "tags-not-read", "reads the number of tagged fields, and takes them for what follows", read_tags=_tags_not_read
    ),
    reader("no-tag-sections", "reads no tagged fields, and not their number either", read_tags=_no_tags),
    reader(
        "unknown-tags-empty",
        "does not pass over the content of tagged fields that it does not know",
        read_tags=_tag_size_ignored,
    ),
    reader(
        "known-tags-skipped",
        "passes over the tagged fields of its layout, and gives their defaults",
        read_tags=_tags_where(lambda *_: False),
    ),
    reader(
        "first-tag-only",
        "reads the first tagged field of a section, and passes over the others that are of its layout",
        read_tags=_tags_where(lambda place, _: place == 0),
    ),
    reader(
        "tag-0-only",
        "reads of the tagged fields of its layout those with tag 0 alone",
        read_tags=_tags_where(lambda _, tag: tag == 0),
    ),
    reader(
        "tag-0-lost",
        "passes over the tagged fields of its layout that have tag 0",
        read_tags=_tags_where(lambda _, tag: tag != 0),
    ),
    reader("tags-refused", "refuses tagged fields, those of its layout, too", read_tags=_tags_refused),
    reader("one-unknown-tag", "keeps one of the tagged fields that it does not know", read_tags=_first_tag_only),
    reader(
        "default-zero",
        "gives 0, false or nothing for tagged fields that are not there, whatever their default",
        default=_zero,
    ),
    reader(
        "default-null",
        "gives null for tagged fields that are not there and may be null, whatever their default",
        default=_null_default,
    ),
    reader("bool-not-zero", "takes only 0 for true", read_bool=_bool_is(lambda byte: byte == 0)),
    reader("bool-false", "takes every bool for false", read_bool=_bool_is(lambda _: False)),
    reader("bool-true", "takes every bool for true", read_bool=_bool_is(lambda _: True)),
    reader("text-to-nul", "ends strings at a NUL", read_text=_text_to_nul),
    reader("text-stripped", "strips strings of blanks", read_text=_text_stripped),
    reader("text-stripped-behind", "strips strings of blanks at their end", read_text=_text_stripped_behind),
    reader("text-stripped-in-front", "strips strings of blanks at their start", read_text=_text_stripped_in_front),
    reader("text-as-latin-1", "takes strings for Latin-1", read_text=_text_as_latin_1),
    reader("text-as-ascii", "refuses strings beyond ASCII", read_text=_text_as_ascii),
    reader("text-ascii-replaced", "replaces what is beyond ASCII in strings", read_text=_text_ascii_replaced),
    reader("text-in-plane-0", "replaces characters beyond U+FFFF in strings", read_text=_text_in_plane_0),
    reader(
        "text-ascii-kept", "drops what is beyond ASCII from strings", read_text=_keeping(lambda letter: letter < 128)
    ),
    reader(
        "text-plane-0-kept",
        "drops characters beyond U+FFFF from strings",
        read_text=_keeping(lambda letter: letter < 0x10000),
    ),
    reader("text-upper", "gives strings in capital letters", read_text=lambda _, content: content.decode().upper()),
    reader("text-as-cesu-8", "refuses characters beyond U+FFFF", read_text=_text_of_plane_0),
    reader("text-lower", "gives strings in small letters", read_text=_text_lower),
    *(
        reader(f"text-cut-{size}", f"cuts strings off behind {size} bytes", read_text=_cut(size))
        for size in (64, 127, 128, 255, 256, 1024, 16383)
    ),
    reader("last-item-lost", "loses the last item of arrays", read_array=_items(lambda items: items[:-1])),
    reader("first-item-lost", "loses the first item of arrays", read_array=_items(lambda items: items[1:])),
    reader("only-first-item", "gives only the first item of arrays", read_array=_items(lambda items: items[:1])),
    reader(
        "items-reversed", "gives the items of arrays in reverse order", read_array=_items(lambda items: items[::-1])
    ),
    reader(
        "item-repeated",
        "gives the first item of an array for each of its items",
        read_array=_items(lambda items: [items[0]] * len(items)),
    ),
    reader(
        "last-item-repeated",
        "gives the last item of an array for each of its items",
        read_array=_items(lambda items: [items[-1]] * len(items)),
    ),
    reader(
        "items-sorted",
        "gives the items of arrays in another order, sorted",
        read_array=_items(lambda items: sorted(items, key=repr)),
    ),
    reader("repeated-items-lost", "loses items of arrays that are there twice", read_array=_items(_once)),
    reader("count-too-low", "reads one item less than the count of an array says", read_count=_count_moved(-1)),
    reader("count-too-high", "reads one item more than the count of an array says", read_count=_count_moved(1)),
    reader("null-refused", "refuses null", read_null_array=_refused, read_null_form=_refused),
    reader("numbers-little-endian", "reads numbers with the low byte first", read_number=_little_number),
    reader(
        "int64-low-32-bits",
        "keeps the low 32 bits of numbers of 64 bits",
        read_number=_number_of_size(8, lambda number: (number + (1 << 31)) % (1 << 32) - (1 << 31)),
    ),
    reader(
        "int64-as-double",
        "keeps numbers of 64 bits as floating-point numbers",
        read_number=_number_of_size(8, lambda number: min(int(float(number)), (1 << 63) - 1)),
    ),
    *(
        reader(
            f"int{8 * size}-low-{bits}-bits{'' if signed else '-unsigned'}",
            f"keeps the low {bits} bits of numbers of {8 * size} bits{'' if signed else ', without a sign'}",
            read_number=_number_of_size(size, _low_bits(bits, signed=signed)),
        )
        for size, bits, signed in _KEPT_BITS
    ),
    reader("int64-as-int32", "reads numbers of 8 bytes from 4", read_number=_narrow(8, 4)),
    reader("int32-as-int64", "reads numbers of 4 bytes from 8", read_number=_narrow(4, 8)),
    reader("int32-as-int16", "reads numbers of 4 bytes from 2", read_number=_narrow(4, 2)),
    reader("int16-as-int32", "reads numbers of 2 bytes from 4", read_number=_narrow(2, 4)),
    reader("int16-as-int8", "reads numbers of 2 bytes from 1", read_number=_narrow(2, 1)),
    reader("int8-as-int16", "reads numbers of 1 byte from 2", read_number=_narrow(1, 2)),
    *(
        reader(
            f"int{8 * size}-unsigned",
            f"reads numbers of {8 * size} bits without their sign",
            read_number=_number_of_size(size, lambda number, bits=8 * size: number % (1 << bits)),
        )
        for size in (1, 2, 4, 8)
    ),
    *(
        reader(
            f"int{8 * size}-clamped",
            f"takes numbers of {8 * size} bits below 0 for 0",
            read_number=_number_of_size(size, lambda number: max(number, 0)),
        )
        for size in (1, 2, 4, 8)
    ),
    reader(
        "numbers-clamped",
        "takes numbers below 0 for 0",
        read_number=lambda self, kind, data, at: _clamped(self.read_length(kind, data, at)),
    ),
    *(
        reader(
            f"int{8 * size}-absolute",
            f"drops the sign of numbers of {8 * size} bits",
            read_number=_number_of_size(size, _absolute(8 * size)),
        )
        for size in (1, 2, 4, 8)
    ),
    reader(
        "id-halves", "exchanges the halves of ids of 16 bytes", read_fixed=lambda _, content: content[8:] + content[:8]
    ),
    reader("id-reversed", "reads the bytes of ids the other way round", read_fixed=lambda _, content: content[::-1]),
    reader(
        "id-mixed-endian",
        "reads the first three parts of ids with the low byte first, as GUIDs have them",
        read_fixed=lambda _, value: value[3::-1] + value[5:3:-1] + value[7:5:-1] + value[8:],
    ),
    reader(
        "float-single",
        "keeps floating-point numbers in 32 bits",
        read_float=lambda self, data, at: (
            struct.unpack(">f", struct.pack(">f", struct.unpack(">d", self.take(data, at, 8))[0]))[0],
            at + 8,
        ),
    ),
    reader(
        "float-little-endian",
        "reads floating-point numbers with the low byte first",
        read_float=lambda self, data, at: (struct.unpack("<d", self.take(data, at, 8))[0], at + 8),
    ),
    reader(
        "float-as-integer",
        "takes floating-point numbers for integers",
        read_float=lambda self, data, at: (float(int.from_bytes(self.take(data, at, 8), "big", signed=True)), at + 8),
    ),
    reader(
        "float-whole",
        "drops what is behind the point of floating-point numbers",
        read_float=lambda self, data, at: (float(int(struct.unpack(">d", self.take(data, at, 8))[0])), at + 8),
    ),
    reader("bytes-cut", "loses the last byte of bytes", read_bytes=lambda _, content: content[:-1]),
    reader(
        "bytes-as-text",
        "passes bytes through UTF-8",
        read_bytes=lambda _, content: content.decode(errors="replace").encode(),
    ),
    reader("bytes-to-nul", "ends bytes at a NUL", read_bytes=lambda _, content: content.partition(b"\0")[0]),
    reader("bytes-empty", "gives no bytes", read_bytes=lambda *_: b""),
)
"""What shows in values, and in bytes that are written again."""
