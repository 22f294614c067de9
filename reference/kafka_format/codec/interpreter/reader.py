"""Reads and writes by walking the layout: slow, obvious, and aware of where every field's bytes are.

It exists for two reasons. It checks the compiler: both must agree on every value and every error. And it explains:
`Reader` keeps a `Span` for each field that it passed, also when it had to stop.

Order of the checks of one field: is it whole, is the varint canonical, constant, minimum, names of its bits, does its
frame fit, checksum.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from kafka_format import compression
from kafka_format.codec import checks
from kafka_format.errors import FormatError
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.primitives.numbers import read_varint
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
"""Bytes that a payload may decompress to, unless the caller says otherwise: far above any broker's default message
size.
"""


NULL_COUNT: Final = -1
"""The count of an array that is null."""


class Span(NamedTuple):
    """The bytes of one field.

    Attributes:
        path: the field, for example `records[0].key.length`.
        start: first byte; counts in the decompressed payload if `payload`.
        end: byte after the last.
        value: what the bytes say.
        raw: the bytes themselves.
        payload: True if the bytes are part of a decompressed payload.
        field: the field of the layout.
    """

    path: str
    start: int
    end: int
    value: Any
    raw: bytes
    payload: bool
    field: Field


class _Place:
    """What reading one structure has to remember: where it ends, what framed it, and where its fields are."""

    def __init__(self, path: str, end: int) -> None:
        self.path = path
        self.end = end
        self.frame: Field | None = None
        self.values: dict[str, Any] = {}
        self.starts: dict[str, int] = {}


class Reader:
    """Walks one layout over bytes."""

    def __init__(
        self, data: bytes, *, flags: frozenset[str] = frozenset(), limit: int = DEFAULT_LIMIT, payload: bool = False
    ) -> None:
        """Take the bytes, the leniencies that are allowed, and what a payload may decompress to."""
        self.data = data
        self.spans: list[Span] = []
        self._flags = flags
        self._limit = limit
        self._payload = payload
        self._relaxed = specification().flags

    def read(self, layout: Layout, start: int, end: int, path: str = "") -> tuple[dict[str, Any], int]:
        """Read one structure that lies in `data[start:end]`: its values by field, and the position behind it.

        Raises:
            FormatError: the bytes break a rule. The spans up to there are kept.
        """
        place = _Place(path, end)
        position = start
        for field in layout.fields:
            place.starts[field.name] = position
            position = self._field(layout, field, position, place)
        if place.frame is not None and position != place.end:
            if not self._allowed(place.frame.rules["trailing"]):
                frame_path = path + place.frame.name
                raise checks.trailing(place.frame, frame_path, position, place.end - position, payload=self._payload)
            position = place.end
        return place.values, position

    def _note(self, path: str, start: int, end: int, value: Any, field: Field) -> None:
        self.spans.append(Span(path, start, end, value, self.data[start:end], self._payload, field))

    def _allowed(self, rule: str) -> bool:
        return self._relaxed.get(rule) in self._flags

    def _field(self, layout: Layout, field: Field, position: int, place: _Place) -> int:
        path = place.path + field.name
        kind = field.type
        if not all(condition.holds(place.values[condition.by]) for condition in field.when):
            place.values[field.name] = None
            return position
        if isinstance(kind, Nested):
            place.values[field.name], after = self.read(kind.layout, position, place.end, path + ".")
            return after
        if isinstance(kind, Choice):
            place.values[field.name], after = self._choice(field, kind, position, place.end, path)
            return after
        if isinstance(kind, Array):
            place.values[field.name], after = self._array(layout, field, kind, position, place)
            return after
        value, after = self._plain(field, kind, position, place.end, path)
        place.values[field.name] = value
        if not isinstance(kind, Form):
            self._note(path, position, after, value, field)
        if isinstance(kind, Integer | Varint):
            self._check(layout, field, position, after, place)
        return after

    def _plain(self, field: Field, kind: Type, position: int, end: int, path: str) -> tuple[Any, int]:
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
                msg = f"{kind.name} is not plain"
                raise TypeError(msg)

    def _sized(self, field: Field, size: int, position: int, end: int, path: str) -> tuple[bytes, int]:
        after = position + size
        if after > end:
            raise checks.truncated(field, path, position, size, end - position, payload=self._payload)
        return self.data[position:after], after

    def _integer(self, field: Field, kind: Integer, position: int, end: int, path: str) -> tuple[int, int]:
        raw, after = self._sized(field, kind.size, position, end, path)
        return int.from_bytes(raw, kind.order, signed=kind.lowest < 0), after

    def _varint(self, field: Field, kind: Varint, position: int, end: int, path: str) -> tuple[int, int]:
        raw = read_varint(self.data, position, end, kind.kind)
        if raw is None:
            raise checks.varint_cut(field, path, position, payload=self._payload)
        if raw.end < 0:
            raise checks.too_long(field, path, position, kind.kind, payload=self._payload)
        if raw.excess and not self._allowed(field.rules["excess"]):
            raise checks.excess(field, path, position, kind.kind, payload=self._payload)
        if raw.overlong and not self._allowed(field.rules["overlong"]):
            raise checks.overlong(field, path, position, payload=self._payload)
        return raw.value, raw.end

    def _form(self, field: Field, kind: Form, position: int, end: int, path: str) -> tuple[bytes | None, int]:
        length_path = path + ".length"
        length, start = self._plain(field, kind.length, position, end, length_path)
        self._note(length_path, position, start, length, field)
        if kind.null is not None and length == kind.null:
            return None, start
        if length < 0:
            if kind.null is None or not self._allowed(field.rules["negative"]):
                raise checks.negative(
                    field, length_path, position, length, nullable=kind.null is not None, payload=self._payload
                )
            return None, start
        if length > end - start:
            raise checks.length_within(field, length_path, position, length, end - start, payload=self._payload)
        content = self.data[start : start + length]
        if length:
            self._note(path, start, start + length, content, field)
        if kind.content == "utf8":
            content = self._utf8(field, content, start, path)
        return content, start + length

    def _utf8(self, field: Field, content: bytes, start: int, path: str) -> bytes:
        try:
            content.decode()
        except UnicodeDecodeError as error:
            if not self._allowed(field.rules["utf8"]):
                raise checks.utf8(field, path, start + error.start, payload=self._payload) from None
            return content.decode(errors="replace").encode()
        return content

    def _check(self, layout: Layout, field: Field, position: int, after: int, place: _Place) -> None:
        """Make the checks of a number, and narrow the structure if the number frames it."""
        path = place.path + field.name
        value = place.values[field.name]
        if field.const is not None and value != field.const:
            raise checks.const(field, path, position, value, payload=self._payload)
        if field.minimum is not None and value < field.minimum:
            raise checks.minimum(field, path, position, value, payload=self._payload)
        for bits in field.bits:
            part = value >> bits.low & bits.mask
            if bits.enum is not None and part not in bits.enum.values:
                raise checks.enum(field, f"{path}.{bits.name}", position, part, bits.enum, payload=self._payload)
        if isinstance(field.computed, BytesAfter):
            if value > place.end - after:
                raise checks.within(field, path, position, value, place.end - after, payload=self._payload)
            place.end = after + value
            place.frame = field
        if isinstance(field.computed, Checksum):
            self._checksum(layout, field, field.computed, position, after, place)

    def _checksum(
        self, layout: Layout, field: Field, computed: Checksum, position: int, after: int, place: _Place
    ) -> None:
        start = after + gap(layout, field, computed)
        actual = CHECKSUMS[computed.algorithm](self.data[start : place.end])
        stored = place.values[field.name]
        if stored != actual and not self._allowed(field.rules["checksum"]):
            raise checks.checksum(field, place.path + field.name, position, stored, actual, payload=self._payload)

    def _choice(self, field: Field, kind: Choice, position: int, end: int, path: str) -> tuple[dict[str, Any], int]:
        deciding = position + kind.at
        by_path = f"{path}.{kind.by}"
        if deciding >= end:
            raise checks.truncated(field, by_path, deciding, 1, end - deciding, payload=self._payload)
        number = int.from_bytes(self.data[deciding : deciding + 1], "big", signed=True)
        if number not in kind.cases:
            raise checks.choose(field, kind, by_path, deciding, number, payload=self._payload)
        return self.read(kind.cases[number], position, end, path + ".")

    def _array(
        self, layout: Layout, field: Field, kind: Array, position: int, place: _Place
    ) -> tuple[list[Any] | None, int]:
        path = place.path + field.name
        counter = layout.field(kind.count)
        count = place.values[kind.count]
        count_path, count_at = place.path + kind.count, place.starts[kind.count]
        if kind.nullable and count == NULL_COUNT:
            return None, position
        if count < 0:
            raise checks.count_negative(counter, count_path, count_at, count, payload=self._payload)
        if count == 0 and field.compressed_by is not None and self._allowed(counter.rules["empty"]):
            return [], self._unread(field, position, place)
        inner, start, end = self._payload_of(field, position, place)
        if count * minimum_size(kind.item) > end - start:
            raise checks.count_within(
                counter, count_path, count_at, count, kind.item, end - start, payload=self._payload
            )
        items = []
        try:
            for index in range(count):
                item, start = inner.item(field, kind.item, start, end, f"{path}[{index}]")
                items.append(item)
            if count == 0 and field.compressed_by is not None and start != end:
                raise checks.empty(counter, path, start, end - start, payload=inner is not self or self._payload)
            if inner is not self and start != end and place.frame is not None:
                raise checks.trailing(place.frame, path, start, end - start, payload=True)
        finally:
            if inner is not self:
                self.spans += inner.spans
        return items, start if inner is self else place.end

    def _unread(self, field: Field, position: int, place: _Place) -> int:
        """Pass over the payload of an array without items, of which Kafka looks at the start of the stream only."""
        path = place.path + field.name
        payload = self.data[position : place.end]
        self._note(path, position, place.end, payload, field)
        try:
            compression.check_start(codec_name(place.values, field), payload, limit=self._limit, flags=self._flags)
        except FormatError as error:
            error.offset += position
            error.path = path
            raise
        return place.end

    def item(self, field: Field, kind: Type, position: int, end: int, path: str) -> tuple[Any, int]:
        """Read one item of an array."""
        if isinstance(kind, Nested):
            return self.read(kind.layout, position, end, path + ".")
        value, after = self._plain(field, kind, position, end, path)
        if not isinstance(kind, Form):
            self._note(path, position, after, value, field)
        return value, after

    def _payload_of(self, field: Field, position: int, place: _Place) -> tuple[Reader, int, int]:
        """Return who reads the items, and from where to where: this reader, or one over the decompressed payload."""
        if field.compressed_by is None:
            return self, position, place.end
        bits = field.compressed_by.bits
        codec = codec_name(place.values, field)
        if bits.enum is None or codec == "none":
            return self, position, place.end
        path = place.path + field.name
        compressed = self.data[position : place.end]
        self._note(path, position, place.end, compressed, field)
        plain = decompress(codec, compressed, position, path, self._limit, self._flags)
        return Reader(plain, flags=self._flags, limit=self._limit, payload=True), 0, len(plain)


def codec_name(values: Mapping[str, Any], field: Field) -> str:
    """Return the name of the codec that compresses an array, from the attributes read before it."""
    by = field.compressed_by
    if by is None or by.bits.enum is None:
        return "none"
    return by.bits.enum.values[values[by.attributes] >> by.bits.low & by.bits.mask]


def decompress(codec: str, data: bytes, position: int, path: str, limit: int, flags: frozenset[str]) -> bytes:
    """Decompress a payload that starts at `position`; its errors count from the start of the whole input."""
    try:
        return compression.decompress(codec, data, limit=limit, flags=flags)
    except FormatError as error:
        error.offset += position
        error.path = path
        raise


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
    value, position = Reader(data, flags=flags, limit=limit).read(layout, 0, len(data))
    if position != len(data):
        raise checks.input_trailing(position, len(data) - position)
    return value
