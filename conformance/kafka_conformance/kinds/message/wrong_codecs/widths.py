"""Codecs that take values for wider or narrower than they are, or lengths for those of others.

One is made for each kind of value and each width that implementors know, for reading and for
writing, so that none has to be thought of.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

from kafka_format.primitives.varints import COMPACT_LENGTH, UVARINT, VARINT
from kafka_format.spec.layout.model import Field, Form, Integer, Optional, TagSection, Varint

from kafka_conformance.kinds.message.wrong_codecs.plain import Length, PlainCodec
from kafka_conformance.kinds.message.wrong_codecs.tables import WrongCodec, reader, writer

_COMPACT: Final = Varint(COMPACT_LENGTH)
_PLAIN: Final = Varint(UVARINT)
_ZIGZAG: Final = Varint(VARINT)
_WIDTHS: Final = (1, 2, 4, 8)
_BYTES: Final = {1: "one byte", 2: "two bytes", 4: "four bytes", 8: "eight bytes"}
_NAMES: Final = {width: f"in-{words.replace(' ', '-')}" for width, words in _BYTES.items()}

Is = Callable[[Any], bool]
"""Whether a wrong codec is about a type."""

_Way = tuple[Callable[..., tuple[int, int]], Callable[..., bytes]]
"""What reads a length otherwise, and what writes it so."""


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big", signed=True)


def _instead(name: str, is_about: Is, other: Callable[..., Any]) -> dict[str, Any]:
    """Return a method of that name which does something else with some types."""

    def method(self: PlainCodec, kind: Any, *given: Any) -> Any:
        return other(self, *given) if is_about(kind) else getattr(PlainCodec, name)(self, kind, *given)

    return {name: method}


def _fixed(width: int, plus: int, *, signed: bool) -> _Way:
    """Return what reads and writes a length in so many bytes."""
    return (
        lambda self, data, at: (int.from_bytes(self.take(data, at, width), "big", signed=signed) - plus, at + width),
        lambda _, size, *__: ((size + plus) % (1 << 8 * width)).to_bytes(width, "big"),
    )


def _as_varint(kind: Varint, plus: int = 0) -> _Way:
    """Return what reads and writes a length as such a varint, which may be more than the length."""

    def read(self: PlainCodec, data: bytes, at: int) -> tuple[int, int]:
        number, after = self.read_varint(kind, data, at)
        return number - plus, after

    return read, lambda self, size, *_: self.write_varint(kind, size + plus)


def _is_compact(kind: Length) -> bool:
    return isinstance(kind, Varint)


def _is_plain(kind: Length) -> bool:
    return isinstance(kind, Integer)


def _of_form(content: str, is_length: Is) -> Is:
    return lambda kind: isinstance(kind, Form) and kind.content == content and is_length(kind.length)


_LENGTHS: Final[tuple[tuple[str, str, str, Is, int], ...]] = (
    ("count", "the number of items of arrays", "count", _is_plain, 4),
    ("compact-count", "the number of items of compact arrays", "count", _is_compact, 0),
    ("text-size", "the length of strings", "size", _of_form("text", _is_plain), 2),
    ("compact-text-size", "the length of compact strings", "size", _of_form("text", _is_compact), 0),
    ("bytes-size", "the length of bytes", "size", _of_form("bytes", _is_plain), 4),
    ("compact-bytes-size", "the length of compact bytes", "size", _of_form("bytes", _is_compact), 0),
)
"""Lengths: names of the cause, words, the method that they are of, which these are, their width."""


def _ways(name: str, right: int) -> Iterator[tuple[str, str, str, _Way]]:
    """Yield other ways to have a length: the end of a name, words for who reads and who writes."""
    if right:
        yield "as-compact", "reads {} as compact", "writes {} as compact", _as_varint(_COMPACT)
    else:
        if "count" not in name:
            reads = "takes {} as it is, not for one more than the number"
            yield "as-it-is", reads, "writes {} as it is, not one more", _as_varint(_PLAIN)
        yield "as-zigzag", "reads {} as a zig-zag varint", "writes {} as a zig-zag varint", _as_varint(_ZIGZAG, 1)
    for width in (each for each in _WIDTHS if each != right):
        for plus in (0, 1) if not right else (0,):
            less = ", one more than it is," if plus else ""
            own = f"{_NAMES[width]}{'-plus-one' * plus}"
            yield (
                own,
                f"reads {{}}{less} from {_BYTES[width]}",
                f"writes {{}}{less} with {_BYTES[width]}",
                _fixed(width, plus, signed=bool(right) or not plus),
            )


def _of_lengths() -> Iterator[WrongCodec]:
    for name, what, method, is_about, right in _LENGTHS:
        for way, reads, writes, (read, write) in _ways(name, right):
            yield reader(f"{name}-{way}", reads.format(what), **_instead(f"read_{method}", is_about, read))
            yield writer(f"{name}-{way}", writes.format(what), **_instead(f"write_{method}", is_about, write))


def _read_bool(width: int) -> Any:
    return lambda self, data, at: (any(self.take(data, at, width)), at + width)


def _id_value(width: int) -> dict[str, Any]:
    """Return methods of what takes ids for so many bytes."""

    def read_value(self: PlainCodec, kind: Any, data: bytes, at: int) -> tuple[Any, int]:
        if kind.name == "uuid":
            return self.take(data, at, width)[:16].ljust(16, b"\0"), at + width
        return PlainCodec.read_value(self, kind, data, at)

    return {"read_value": read_value}


def _read_marker(width: int) -> Any:
    def method(self: PlainCodec, kind: Length, data: bytes, at: int) -> tuple[int, int]:
        del kind
        return _number(self.take(data, at, width)), at + width

    return method


def _no_marker(self: PlainCodec, kind: Optional, data: bytes, at: int) -> tuple[Any, int]:
    return self.read(kind.layout, data, at)


def _marker_of(there: int) -> Any:
    """Return what takes one number alone for a structure that is there."""

    def method(self: PlainCodec, kind: Optional, data: bytes, at: int) -> tuple[Any, int]:
        marker, at = self.read_marker(kind.marker, data, at)
        return self.read(kind.layout, data, at) if marker == there else (None, at)

    return method


def _signed_varint(self: PlainCodec, kind: Varint, data: bytes, at: int) -> tuple[int, int]:
    """Take the highest bit that is there for a sign, as LEB128 of numbers with a sign has it."""
    value, after = PlainCodec.read_varint(self, kind, data, at)
    number, bits = kind.kind.number(value), 7 * (after - at)
    return kind.kind.value(number - (1 << bits) if number >> bits - 1 & 1 else number), after


def _tag_count_read(width: int) -> Any:
    """Return what reads the number of tagged fields from so many bytes."""

    def method(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
        count = _number(self.take(data, at, width))
        front = self.write_varint(_PLAIN, max(count, 0))
        moved = PlainCodec.read_tags(self, field, kind, values, front + data[at + width :], 0)
        return at + width + moved - len(front)

    return method


def _tag_count_written(width: int) -> Any:
    def method(self: PlainCodec, fields: list[tuple[int, bytes]]) -> bytes:
        right = PlainCodec.write_section(self, fields)
        return len(fields).to_bytes(width, "big") + right[len(self.write_varint(_PLAIN, len(fields))) :]

    return method


def _read_single(self: PlainCodec, data: bytes, at: int) -> tuple[float, int]:
    return struct.unpack(">f", self.take(data, at, 4))[0], at + 4


def _read_unsigned(name: str) -> Any:
    """Return what reads a length without its sign, and so has no null."""

    def method(self: PlainCodec, kind: Any, data: bytes, at: int) -> tuple[int, int]:
        length = getattr(kind, "length", kind)
        if not isinstance(length, Integer):
            return getattr(PlainCodec, name)(self, kind, data, at)  # type: ignore[no-any-return]
        return int.from_bytes(self.take(data, at, length.size), "big"), at + length.size

    return method


def _read_in_letters(self: PlainCodec, kind: Form, data: bytes, at: int) -> tuple[Any, int]:
    """Take the length of a string for its number of characters."""
    size, start = self.read_size(kind, data, at)
    if kind.content != "text" or size <= 0:
        return PlainCodec.read_form(self, kind, data, at)
    text = data[start:].decode(errors="surrogateescape")[:size]
    content = text.encode(errors="surrogateescape")
    return self.read_text(content), start + len(content)


_LITTLE: Final = {
    "size": ("read_size", "write_size", "the length of strings and bytes"),
    "count": ("read_count", "write_count", "the number of items of arrays"),
}


def _read_little(name: str) -> Any:
    def method(self: PlainCodec, kind: Any, data: bytes, at: int) -> tuple[int, int]:
        length = getattr(kind, "length", kind)
        if not isinstance(length, Integer):
            return getattr(PlainCodec, name)(self, kind, data, at)  # type: ignore[no-any-return]
        return int.from_bytes(self.take(data, at, length.size), "little", signed=True), at + length.size

    return method


def _write_little(name: str) -> Any:
    def method(self: PlainCodec, kind: Any, size: int, *rest: Any) -> bytes:
        length = getattr(kind, "length", kind)
        if not isinstance(length, Integer):
            return getattr(PlainCodec, name)(self, kind, size, *rest)  # type: ignore[no-any-return]
        return size.to_bytes(length.size, "little", signed=True)

    return method


def _integer(width: int, order: Literal["big", "little"], *, signed: bool) -> Any:
    """Return what reads all integers of a width otherwise, lengths and counts, too; 0 for all."""

    def method(self: PlainCodec, kind: Integer, data: bytes, at: int) -> tuple[int, int]:
        if width not in (0, kind.size):
            return PlainCodec.read_integer(self, kind, data, at)
        return int.from_bytes(self.take(data, at, kind.size), order, signed=signed), at + kind.size

    return method


def _written_integer(width: int) -> Any:
    """Return what writes all integers of a width with the low byte first."""

    def method(self: PlainCodec, kind: Integer, number: int) -> bytes:
        right = PlainCodec.write_integer(self, kind, number)
        return right[::-1] if kind.size == width else right

    return method


_ORDERS: Final[tuple[tuple[str, str, Literal["big", "little"], bool], ...]] = (
    ("little-endian", "with the low byte first", "little", True),
    ("unsigned", "without their sign", "big", False),
)
_ALSO: Final = {1: "whether a structure is there", 2: "lengths of strings", 4: "lengths and counts"}
"""What else than fields is written as a number of so many bytes."""


WIDTHS: Final[tuple[WrongCodec, ...]] = (
    reader(
        "all-little-endian",
        "reads numbers, lengths and counts with the low byte first",
        read_integer=_integer(0, "little", signed=True),
    ),
    *(
        reader(
            f"all-int{8 * width}-{name}",
            f"reads numbers of {8 * width} bits {how}, {also} among them",
            read_integer=_integer(width, order, signed=signed),
        )
        for width, also in _ALSO.items()
        for name, how, order, signed in _ORDERS
        if width > 1 or order == "big"
    ),
    *(
        writer(
            f"all-int{8 * width}-little-endian",
            f"writes numbers of {8 * width} bits with the low byte first, {also} among them",
            write_integer=_written_integer(width),
        )
        for width, also in _ALSO.items()
        if width > 1
    ),
    *(
        reader(f"bool-{_NAMES[width]}", f"reads true and false from {_BYTES[width]}", read_bool=_read_bool(width))
        for width in (4, 2, 8)
    ),
    *(
        writer(
            f"bool-{_NAMES[width]}",
            f"writes true and false with {_BYTES[width]}",
            write_bool=lambda _, value, width=width: int(value).to_bytes(width, "big"),
        )
        for width in (2, 8)
    ),
    *(reader(f"id-in-{width}-bytes", f"reads ids from {width} bytes", **_id_value(width)) for width in (8, 20, 32, 36)),
    *(
        writer(
            f"id-in-{width}-bytes",
            f"writes ids with {width} bytes",
            write_fixed=lambda _, value, width=width: value[:width].ljust(width, b"\0"),
        )
        for width in (8, 20, 32, 36)
    ),
    writer("id-with-size", "writes ids behind their length", write_fixed=lambda _, value: b"\x11" + value),
    writer(
        "id-as-text-with-dashes",
        "writes ids as text, with dashes",
        write_fixed=lambda _, value: "-".join(
            value.hex()[start:end] for start, end in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32))
        ).encode(),
    ),
    *(
        reader(
            f"tag-count-{_NAMES[width]}",
            f"reads the number of tagged fields from {_BYTES[width]}",
            read_tags=_tag_count_read(width),
        )
        for width in (2, 4)
    ),
    *(
        writer(
            f"tag-count-{_NAMES[width]}",
            f"writes the number of tagged fields with {_BYTES[width]}",
            write_section=_tag_count_written(width),
        )
        for width in (2, 4)
    ),
    reader("float-in-four-bytes", "reads floating-point numbers of 32 bits", read_float=_read_single),
    *(
        reader(
            f"marker-{_NAMES[width]}",
            f"reads whether a structure is there from {_BYTES[width]}",
            read_marker=_read_marker(width),
        )
        for width in (2, 4)
    ),
    *(
        writer(
            f"marker-{_NAMES[width]}",
            f"writes whether a structure is there with {_BYTES[width]}",
            write_marker=lambda _, __, number, width=width: number.to_bytes(width, "big", signed=True),
        )
        for width in (2, 4)
    ),
    reader("no-marker", "reads nothing in front of structures that may be null", read_optional=_no_marker),
    reader(
        "marker-inverted",
        "takes -1 in front of a structure for one that is there, and other numbers for null",
        read_optional=_marker_of(-1),
    ),
    writer(
        "marker-inverted",
        "writes -1 in front of structures that are there, and 1 for null",
        write_marker=lambda self, kind, number: self.write_length(kind.marker, -1 if number == 1 else 1),
    ),
    reader("marker-0-for-value", "takes 0 in front of a structure for one that is there", read_optional=_marker_of(0)),
    reader(
        "varint-signed",
        "takes the highest bit of a varint for a sign, as LEB128 of signed numbers",
        read_varint=_signed_varint,
    ),
    reader("size-in-characters", "takes the length of strings for characters, not bytes", read_form=_read_in_letters),
    *(reader(f"{name}-unsigned", f"reads {what} without its sign", **{reads: _read_unsigned(reads)})
      for name, (reads, _, what) in _LITTLE.items()),
    *(reader(f"{name}-little-endian", f"reads {what} with the low byte first", **{reads: _read_little(reads)})
      for name, (reads, _, what) in _LITTLE.items()),
    *(writer(f"{name}-little-endian", f"writes {what} with the low byte first", **{writes: _write_little(writes)})
      for name, (_, writes, what) in _LITTLE.items()),
    *_of_lengths(),
)  # fmt: skip
"""All of them."""
