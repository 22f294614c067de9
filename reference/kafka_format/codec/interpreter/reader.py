"""Reads by walking the layout: slow and obvious, the specification that can be run.

It decides on everything that the quick reader gives up (`kafka_format.codec.readings`): it says
what is wrong with the bytes, or accepts them as far as flags allow.

Order of the checks of one field: is it whole, is the varint canonical, constant, minimum, names of
its bits, does its frame fit, checksum.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafka_format.codec import checks
from kafka_format.codec.interpreter.leaves import NULL_COUNT, LeafReader
from kafka_format.codec.members import default_of
from kafka_format.codec.readings import DEFAULT_LIMIT
from kafka_format.codec.runtime import UnknownTaggedField
from kafka_format.errors import FieldPath, FormatError
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.spec.layout.fixed import gap
from kafka_format.spec.layout.model import (
    Array,
    BytesAfter,
    Checksum,
    Choice,
    Counted,
    Field,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
    Varint,
    minimum_size,
)
from kafka_format.spec.layout.types import VARINTS

_UNSIGNED: Final = VARINTS["uvarint"]
_LEAST_TAG: Final = 2
"""Bytes of the shortest tagged field: its tag and its size."""


class OpenStructure:
    """State of reading one structure: where it ends, what framed it, and where its fields are."""

    def __init__(self, path: FieldPath, end: int) -> None:
        self.path = path
        self.end = end
        self.frame: Field | None = None
        self.values: dict[str, Any] = {}
        self.starts: dict[str, int] = {}


class Reader(LeafReader):
    """Walks one layout over bytes, the version of a versioned one too."""

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

    def _over(self, payload: bytes) -> Reader:
        """Return a reader of a payload that this one decompressed."""
        return type(self)(payload, flags=self._flags, limit=self._limit, payload=True, make=self._make)

    def _take_notes(self, payload: Reader) -> None:
        """Take over the notes of a reader of a payload, also when it had to stop."""

    def _field(self, layout: Layout, field: Field, position: int, place: OpenStructure) -> int:
        kind = field.type
        if isinstance(kind, TagSection):
            return self._tags(field, kind, position, place)
        if not all(condition.holds(place.values[condition.by]) for condition in field.when):
            place.values[field.name] = None
            return position
        if isinstance(kind, Array):
            place.values[field.name], after = self._array(layout, field, kind, position, place)
            return after
        place.values[field.name], after = self._value(field, kind, position, place.end, (*place.path, field.name))
        if isinstance(kind, Integer | Varint):
            self._check(layout, field, position, after, place)
        return after

    def _value(self, field: Field, kind: Type, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        """Read one value of any type but an array that is counted elsewhere, and note it."""
        match kind:
            case Nested(layout=layout):
                return self._structure(layout, position, end, path)
            case Choice():
                return self._choice(field, kind, position, end, path)
            case Optional():
                return self._optional(field, kind, position, end, path)
            case Counted():
                return self._counted_items(field, kind, position, end, path)
            case Form():
                return self._form(field, kind, position, end, path)
            case _:
                return self._number(field, kind, position, end, path)

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
        from kafka_format.primitives.checksums import CHECKSUMS  # noqa: PLC0415 - requests have none, and it loads slowly

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
            raise checks.count_within(counter, path, at, count, minimum_size(kind.item), left)
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
            item, position = self._value(field, kind, position, end, (*path, field.name, index))
            items.append(item)
        return items, position

    def _payload_of(self, field: Field, codec: str, position: int, place: OpenStructure) -> Reader:
        """Decompress the rest of the structure.

        Offsets in errors of the codec count from its start.
        """
        from kafka_format import compression  # noqa: PLC0415 - the same

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
        from kafka_format import compression  # noqa: PLC0415 - the same

        path = (*place.path, field.name)
        payload = self.data[position : place.end]
        self._note(path, position, place.end, payload, field)
        try:
            compression.check_start(codec_name(place.values, field), payload, limit=self._limit, flags=self._flags)
        except FormatError as error:
            raise error.within(*path, offset=position) from None
        return place.end

    def _optional(self, field: Field, kind: Optional, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        marker_path = (*path, "marker")
        marker, start = self._number(field, kind.marker, position, end, marker_path)
        if marker not in (kind.null, 1) and not self.allows("protocol.marker"):
            raise checks.marker(kind, marker_path, position, marker)
        if marker == kind.null or marker < 0:
            return None, start
        return self._structure(kind.layout, start, end, path)

    def _counted_items(self, field: Field, kind: Counted, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        count_path = (*path, "count")
        count, start = self._number(field, kind.length, position, end, count_path)
        count = self._signed(count, position, count_path)
        if count < 0:
            if not kind.nullable:
                raise checks.null_array(count_path, position)
            if count != -1 and not self.allows("protocol.array.count"):
                raise checks.count(count_path, position, count)
            return None, start
        least = max(minimum_size(kind.item), 1)
        if count * least > end - start:
            raise checks.count_within(field, count_path, position, count, least, end - start)
        items = []
        for index in range(count):
            item, start = self._value(field, kind.item, start, end, (*path, index))
            items.append(item)
        return items, start

    def _tags(self, field: Field, kind: TagSection, position: int, place: OpenStructure) -> int:
        """Read a tag section: the fields that the layout knows, and those that it does not."""
        for known in kind.fields:
            default = default_of(known, self._make)
            place.values[known.name] = [] if default == () else default
        path = (*place.path, field.name)
        count, after = self._number(field, _UNSIGNED, position, place.end, (*path, "count"))
        if count > INT32_MAX:
            if not self.allows("protocol.tags.count"):
                raise checks.tag_count((*path, "count"), position, count)
            count = 0
        if count * _LEAST_TAG > place.end - after:
            raise checks.count_within(field, (*path, "count"), position, count, _LEAST_TAG, place.end - after)
        unknown: list[UnknownTaggedField] = []
        last = -1
        for index in range(count):
            last, after = self._tag(field, kind, after, place, (*path, index), last, unknown)
        place.values[field.name] = tuple(unknown)
        return after

    def _tag(
        self,
        field: Field,
        kind: TagSection,
        position: int,
        place: OpenStructure,
        path: FieldPath,
        last: int,
        unknown: list[UnknownTaggedField],
    ) -> tuple[int, int]:
        """Read one tagged field: its tag, and the position after it."""
        tag, size_at = self._number(field, _UNSIGNED, position, place.end, (*path, "tag"))
        rule = "protocol.tags.once" if tag == last else "protocol.tags.ascending"
        if tag <= last and not self.allows(rule):
            raise checks.tag_order((*path, "tag"), position, tag, last)
        if tag in kind.elsewhere:
            raise checks.tag_version((*path, "tag"), position, tag)
        size, start = self._number(field, _UNSIGNED, size_at, place.end, (*path, "size"))
        known = next((field for field in kind.fields if field.tag == tag), None)
        if known is not None and self.allows("protocol.tag.size"):
            place.values[known.name], after = self._known_tag(known, start, place.end, place)
            return tag, after
        if size > place.end - start:
            raise checks.length_within(field, (*path, "size"), size_at, size, place.end - start)
        end = start + size
        if known is None:
            content = self.data[start:end]
            self._note((*path, "content"), start, end, content, field)
            unknown.append(UnknownTaggedField(tag, content))
            return tag, end
        place.values[known.name], after = self._known_tag(known, start, end, place)
        if after != end:
            raise checks.tag_size((*place.path, known.name), after, end - after)
        return tag, end

    def _known_tag(self, field: Field, position: int, end: int, place: OpenStructure) -> tuple[Any, int]:
        return self._value(field, field.type, position, end, (*place.path, field.name))


def codec_name(values: Mapping[str, Any], field: Field) -> str:
    """Return the name of the codec that compresses an array, from the attributes read before it."""
    by = field.compressed_by
    if by is None or by.bits.enum is None:
        return "none"
    return by.bits.enum.values[values[by.attributes] >> by.bits.low & by.bits.mask]


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
