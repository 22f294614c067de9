"""Reading of a version by walking its layout.

It has the last word where the compiled reader gives up.
"""

from __future__ import annotations

import struct
from typing import Any, Final

from kafka_format.codec.checks import length_within
from kafka_format.codec.interpreter import Reader, SpanReader
from kafka_format.codec.interpreter.reader import INT32_MAX, OpenStructure
from kafka_format.codec.versions import checks
from kafka_format.codec.versions.defaults import default_of
from kafka_format.codec.versions.runtime import LONGEST_STRING, UnknownTaggedField
from kafka_format.errors import FieldPath
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
    Field,
    Float,
    Form,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
    minimum_size,
)
from kafka_format.spec.layout.types import VARINTS

_UNSIGNED: Final = VARINTS["uvarint"]
_LEAST_TAG: Final = 2
"""Bytes of the shortest tagged field: its tag and its size."""


class VersionReader(Reader):
    """Walks one version of a versioned layout over bytes."""

    def _field(self, _layout: Layout, field: Field, position: int, place: OpenStructure) -> int:
        kind = field.type
        if isinstance(kind, TagSection):
            return self._tags(field, kind, position, place)
        path = (*place.path, field.name)
        place.values[field.name], after = self._value(field, kind, position, place.end, path)
        return after

    def _value(self, field: Field, kind: Type, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        """Read one value of any type."""
        match kind:
            case Nested(layout=layout):
                return self._structure(layout, position, end, path)
            case Optional():
                return self._optional(field, kind, position, end, path)
            case Counted():
                return self._counted_items(field, kind, position, end, path)
            case Form():
                return self._form(field, kind, position, end, path)
            case Boolean() | Float():
                value, after = self._scalar(field, kind, position, end, path)
            case _:
                value, after = self._leaf(field, kind, position, end, path)
        self._note(path, position, after, value, field)
        return value, after

    def _scalar(
        self, field: Field, kind: Boolean | Float, position: int, end: int, path: FieldPath
    ) -> tuple[bool | float, int]:
        raw, after = self._sized(field, kind.size, position, end, path)
        if isinstance(kind, Float):
            (number,) = struct.unpack(">d", raw)
            return float(number), after
        if raw[0] > 1 and not self.allows("protocol.boolean"):
            raise checks.boolean(path, position, raw[0])
        return raw[0] != 0, after

    def _form(self, field: Field, kind: Form, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        content, after = super()._form(field, kind, position, end, path)
        if kind.content != "text" or content is None:
            return content, after
        start = after - len(content)
        if len(content) > LONGEST_STRING:
            raise checks.longest((*path, "length"), position, len(content))
        return self._utf8(field, content, start, path).decode(), after

    def _number(self, field: Field, kind: Type, position: int, end: int, path: FieldPath) -> tuple[int, int]:
        """Read a count, a marker, a tag or a size."""
        number, after = self._leaf(field, kind, position, end, path)
        self._note(path, position, after, number, field)
        return number, after

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
            raise checks.count_within(count_path, position, count, least, end - start)
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
            raise checks.count_within((*path, "count"), position, count, _LEAST_TAG, place.end - after)
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
            raise length_within(field, (*path, "size"), size_at, size, place.end - start)
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


class VersionSpanReader(VersionReader, SpanReader):
    """Walks one version over bytes, and keeps where each field is."""
