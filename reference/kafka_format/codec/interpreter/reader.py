"""Reads by walking the layout: slow and obvious, the specification that can be run.

It decides on everything that the quick reader gives up (`kafka_format.codec.readings`): it says
what is wrong with the bytes, or accepts them as far as flags allow.

Order of the checks of one field: is it whole, is the varint canonical, constant, minimum, names of
its bits, does its frame fit, checksum.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from kafka_format import compression
from kafka_format.codec import checks
from kafka_format.errors import FieldPath, FormatError
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.primitives.varints import read_varint
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import (
    Array,
    BytesAfter,
    Checksum,
    Choice,
    Field,
    Fixed,
    Form,
    Integer,
    Layout,
    Nested,
    Rest,
    Type,
    Varint,
    minimum_size,
)

DEFAULT_LIMIT = 64 << 20
"""Bytes that a payload may decompress to, unless the caller says otherwise: far above any broker's
default message size.
"""


INT32_MAX: Final = (1 << 31) - 1
NULL_COUNT: Final = -1
"""The count of an array that is null, and the length of a form that is."""


SURROGATE: Final = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]?")
"""Half of a pair of UTF-16, which UTF-8 does not have: Java replaces its three bytes, or two if it
is cut, by one character."""

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}".encode()


Make = Callable[[Layout, dict[str, Any]], Any]
"""Makes the value of a structure from the values of its fields, in wire order."""


def _fields(_layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
    return values


class OpenStructure:
    """State of reading one structure: where it ends, what framed it, and where its fields are."""

    def __init__(self, path: FieldPath, end: int) -> None:
        self.path = path
        self.end = end
        self.frame: Field | None = None
        self.values: dict[str, Any] = {}
        self.starts: dict[str, int] = {}


class Reader:
    """Walks one layout over bytes.

    Attributes:
        data: the bytes.
        payload_size: bytes that payloads were decompressed to.
    """

    def __init__(
        self,
        data: bytes,
        *,
        flags: frozenset[str] = frozenset(),
        limit: int = DEFAULT_LIMIT,
        payload: bool = False,
        make: Make = _fields,
    ) -> None:
        """Take the bytes and how they are to be read.

        Args:
            data: the bytes.
            flags: leniencies that are allowed.
            limit: bytes that a payload may decompress to.
            payload: True if the bytes are a decompressed payload themselves.
            make: makes what is returned of a structure; without it, that is a dictionary of its
                fields.
        """
        self.data = data
        self.payload_size = 0
        self._flags = flags
        self._limit = limit
        self._payload = payload
        self._make = make
        self._relaxed = specification().flags

    def read(self, layout: Layout, start: int, end: int, path: FieldPath = ()) -> tuple[Any, int]:
        """Read one structure that lies in `data[start:end]`: its value, and the position after it.

        Raises:
            FormatError: the bytes break a rule.
        """
        try:
            return self._structure(layout, start, end, path)
        except FormatError as error:
            raise error.within(payload=self._payload) from None

    def _structure(self, layout: Layout, start: int, end: int, path: FieldPath) -> tuple[Any, int]:
        place = OpenStructure(path, end)
        position = start
        for field in layout.fields:
            place.starts[field.name] = position
            position = self._field(layout, field, position, place)
        if place.frame is not None and position != place.end:
            if not self.allows(place.frame.rules["trailing"]):
                raise checks.trailing(place.frame, (*path, place.frame.name), position, place.end - position)
            position = place.end
        return self._make(layout, place.values), position

    def _note(self, path: FieldPath, start: int, end: int, value: Any, field: Field) -> None:
        """Called for every field that was read; `SpanReader` keeps a span of it."""

    def _over(self, payload: bytes) -> Reader:
        """Return a reader of a payload that this one decompressed."""
        return type(self)(payload, flags=self._flags, limit=self._limit, payload=True, make=self._make)

    def _take_notes(self, payload: Reader) -> None:
        """Take over the notes of a reader of a payload, also when it had to stop."""

    def allows(self, rule: str) -> bool:
        """Tell whether a flag that is allowed relaxes the rule."""
        return self._relaxed.get(rule) in self._flags

    def _field(self, layout: Layout, field: Field, position: int, place: OpenStructure) -> int:
        path = (*place.path, field.name)
        kind = field.type
        if not all(condition.holds(place.values[condition.by]) for condition in field.when):
            place.values[field.name] = None
            return position
        if isinstance(kind, Nested):
            place.values[field.name], after = self._structure(kind.layout, position, place.end, path)
            return after
        if isinstance(kind, Choice):
            place.values[field.name], after = self._choice(field, kind, position, place.end, path)
            return after
        if isinstance(kind, Array):
            place.values[field.name], after = self._array(layout, field, kind, position, place)
            return after
        value, after = self._leaf(field, kind, position, place.end, path)
        place.values[field.name] = value
        if not isinstance(kind, Form):
            self._note(path, position, after, value, field)
        if isinstance(kind, Integer | Varint):
            self._check(layout, field, position, after, place)
        return after

    def _leaf(self, field: Field, kind: Type, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        """Read what is no structure: a number, a form, or the rest."""
        match kind:
            case Integer():
                return self._integer(field, kind, position, end, path)
            case Fixed(size=size):
                return self._sized(field, size, position, end, path)
            case Varint():
                return self._varint(field, kind, position, end, path)
            case Form():
                return self._form(field, kind, position, end, path)
            case Rest():
                return self.data[position:end], end
            case _:
                msg = f"{kind.name} is a structure or an array"
                raise TypeError(msg)

    def _sized(self, field: Field, size: int, position: int, end: int, path: FieldPath) -> tuple[bytes, int]:
        after = position + size
        if after > end:
            raise checks.truncated(field, path, position, size, end - position)
        return self.data[position:after], after

    def _integer(self, field: Field, kind: Integer, position: int, end: int, path: FieldPath) -> tuple[int, int]:
        raw, after = self._sized(field, kind.size, position, end, path)
        return int.from_bytes(raw, kind.order, signed=kind.lowest < 0), after

    def _varint(self, field: Field, kind: Varint, position: int, end: int, path: FieldPath) -> tuple[int, int]:
        raw = read_varint(self.data, position, end, kind.kind)
        if raw is None:
            raise checks.varint_cut(field, path, position)
        if raw.end < 0:
            raise checks.too_long(field, path, position, kind.kind)
        if raw.excess and not self.allows(field.rules["excess"]):
            raise checks.excess(field, path, position, kind.kind)
        if raw.overlong and not self.allows(field.rules["overlong"]):
            raise checks.overlong(field, path, position)
        return raw.value, raw.end

    def _form(self, field: Field, kind: Form, position: int, end: int, path: FieldPath) -> tuple[bytes | None, int]:
        length_path = (*path, "length")
        length, start = self._leaf(field, kind.length, position, end, length_path)
        self._note(length_path, position, start, length, field)
        length = self._signed(length, position, length_path)
        if kind.null is not None and length == kind.null:
            return None, start
        if length < 0:
            if kind.null is None or not self.allows(field.rules["negative"]):
                raise checks.negative(field, length_path, position, length, nullable=kind.null is not None)
            return None, start
        if length > end - start:
            raise checks.length_within(field, length_path, position, length, end - start)
        content = self.data[start : start + length]
        if length:
            self._note(path, start, start + length, content, field)
        if kind.content == "utf8":
            content = self._utf8(field, content, start, path)
        return content, start + length

    def _signed(self, number: int, position: int, path: FieldPath) -> int:
        """Return a length or count as an int32.

        A compact one may be too large for that, and Kafka then takes it for null.
        """
        if number <= INT32_MAX:
            return number
        if not self.allows("protocol.length.int32"):
            raise checks.beyond_int32(path, position, number)
        return NULL_COUNT

    def _utf8(self, field: Field, content: bytes, start: int, path: FieldPath) -> bytes:
        try:
            content.decode()
        except UnicodeDecodeError as error:
            if not self.allows(field.rules["utf8"]):
                raise checks.utf8(field, path, start + error.start) from None
            return SURROGATE.sub(REPLACEMENT, content).decode(errors="replace").encode()
        return content

    def _check(self, layout: Layout, field: Field, position: int, after: int, place: OpenStructure) -> None:
        """Make the checks of a number, and narrow the structure if the number frames it."""
        path = (*place.path, field.name)
        value = place.values[field.name]
        if field.const is not None and value != field.const:
            raise checks.const(field, path, position, value)
        if field.minimum is not None and value < field.minimum:
            raise checks.minimum(field, path, position, value)
        for bits in field.bits:
            part = value >> bits.low & bits.mask
            if bits.enum is not None and part not in bits.enum.values:
                raise checks.enum(field, (*path, bits.name), position, part, bits.enum)
        if isinstance(field.computed, BytesAfter):
            if value > place.end - after:
                raise checks.within(field, path, position, value, place.end - after)
            place.end = after + value
            place.frame = field
        if isinstance(field.computed, Checksum):
            self._checksum(layout, field, field.computed, position, after, place)

    def _checksum(
        self, layout: Layout, field: Field, computed: Checksum, position: int, after: int, place: OpenStructure
    ) -> None:
        start = after + gap(layout, field, computed)
        actual = CHECKSUMS[computed.algorithm](self.data[start : place.end])
        stored = place.values[field.name]
        if stored != actual and not self.allows(field.rules["checksum"]):
            raise checks.checksum(field, (*place.path, field.name), position, stored, actual)

    def _choice(
        self, field: Field, kind: Choice, position: int, end: int, path: FieldPath
    ) -> tuple[dict[str, Any], int]:
        deciding = position + kind.at
        by_path = (*path, kind.by)
        if deciding >= end:
            raise checks.truncated(field, by_path, deciding, 1, end - deciding)
        number = int.from_bytes(self.data[deciding : deciding + 1], "big", signed=True)
        if number not in kind.cases:
            raise checks.choose(field, kind, by_path, deciding, number)
        return self._structure(kind.cases[number], position, end, path)

    def _array(
        self, layout: Layout, field: Field, kind: Array, position: int, place: OpenStructure
    ) -> tuple[list[Any] | None, int]:
        counter, count = layout.field(kind.count), place.values[kind.count]
        path, at = (*place.path, kind.count), place.starts[kind.count]
        if kind.nullable and count == NULL_COUNT:
            return None, position
        if count < 0:
            raise checks.count_negative(counter, path, at, count)
        if count == 0 and field.compressed_by is not None and self.allows(counter.rules["empty"]):
            return [], self._unread(field, position, place)
        codec = codec_name(place.values, field)
        payload = None if codec == "none" else self._payload_of(field, codec, position, place)
        left = place.end - position if payload is None else len(payload.data)
        if count * minimum_size(kind.item) > left:
            raise checks.count_within(counter, path, at, count, kind.item, left)
        if payload is not None:
            return self._compressed_items(payload, field, kind, count, counter, place), place.end
        items, after = self._items(field, kind.item, position, place.end, place.path, count)
        if count == 0 and field.compressed_by is not None and after != place.end:
            raise checks.empty(counter, (*place.path, field.name), after, place.end - after)
        return items, after

    def _items(
        self, field: Field, kind: Type, position: int, end: int, path: FieldPath, count: int
    ) -> tuple[list[Any], int]:
        items = []
        for index in range(count):
            item, position = self._item(field, kind, position, end, (*path, field.name, index))
            items.append(item)
        return items, position

    def _item(self, field: Field, kind: Type, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        if isinstance(kind, Nested):
            return self._structure(kind.layout, position, end, path)
        value, after = self._leaf(field, kind, position, end, path)
        if not isinstance(kind, Form):
            self._note(path, position, after, value, field)
        return value, after

    def _payload_of(self, field: Field, codec: str, position: int, place: OpenStructure) -> Reader:
        """Decompress the rest of the structure.

        Offsets in errors of the codec count from its start.
        """
        path = (*place.path, field.name)
        compressed = self.data[position : place.end]
        self._note(path, position, place.end, compressed, field)
        try:
            payload = compression.decompress(codec, compressed, limit=self._limit, flags=self._flags)
        except FormatError as error:
            raise error.within(*path, offset=position) from None
        self.payload_size += len(payload)
        return self._over(payload)

    def _compressed_items(
        self, payload: Reader, field: Field, kind: Array, count: int, counter: Field, place: OpenStructure
    ) -> list[Any]:
        """Read the items in a payload, which are all that may be in it."""
        path, end = (*place.path, field.name), len(payload.data)
        try:
            items, after = payload._items(field, kind.item, 0, end, place.path, count)
            if count == 0 and after != end:
                raise checks.empty(counter, path, after, end - after)
            if after != end and place.frame is not None:
                raise checks.trailing(place.frame, path, after, end - after)
        except FormatError as error:
            raise error.within(payload=True) from None
        finally:
            self._take_notes(payload)
        return items

    def _unread(self, field: Field, position: int, place: OpenStructure) -> int:
        """Pass over the payload of an array without items.

        Kafka only looks at the start of the stream then.
        """
        path = (*place.path, field.name)
        payload = self.data[position : place.end]
        self._note(path, position, place.end, payload, field)
        try:
            compression.check_start(codec_name(place.values, field), payload, limit=self._limit, flags=self._flags)
        except FormatError as error:
            raise error.within(*path, offset=position) from None
        return place.end


def codec_name(values: Mapping[str, Any], field: Field) -> str:
    """Return the name of the codec that compresses an array, from the attributes read before it."""
    by = field.compressed_by
    if by is None or by.bits.enum is None:
        return "none"
    return by.bits.enum.values[values[by.attributes] >> by.bits.low & by.bits.mask]


def gap(layout: Layout, field: Field, computed: Checksum) -> int:
    """Return how many bytes lie between a checksum and the first field that it covers."""
    names = [member.name for member in layout.fields]
    between = layout.fields[names.index(field.name) + 1 : names.index(computed.first)]
    return sum(minimum_size(member.type) for member in between)


def decode(
    layout: Layout, data: bytes, *, flags: frozenset[str] = frozenset(), limit: int = DEFAULT_LIMIT
) -> dict[str, Any]:
    """Read one structure that is all of `data`.

    Raises:
        FormatError: the bytes break a rule, or more bytes follow.
    """
    value: dict[str, Any]
    value, position = Reader(data, flags=flags, limit=limit).read(layout, 0, len(data))
    if position != len(data):
        raise checks.input_trailing(position, len(data) - position)
    return value
