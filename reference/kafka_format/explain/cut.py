"""Reading to the last byte where bytes are missing, or are not to be trusted.

A frame, an array or a string that promises more than there is may be cut, which is not wrong. The
readers here take the end that was promised for the end, and stop where the bytes do: what is there
of a field is kept as a span, and `CutError` says how many bytes are missing at least. Checksums are
not looked at.
"""

from __future__ import annotations

from typing import Any, Final

from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.codec.interpreter.reader import OpenStructure, codec_name
from kafka_format.compression.partial import decompress_start
from kafka_format.errors import FieldPath, FormatError
from kafka_format.spec.layout.model import Array, Choice, Field, Form, Layout, Rest, Type, Varint

ENDLESS: Final = 1 << 31
"""An end that no bytes reach, for what does not say where it ends."""


class CutError(Exception):
    """The bytes are at their end, and the structure is not.

    Attributes:
        missing: bytes that are missing at least.
        path: the way to the field that is cut.
    """

    def __init__(self, missing: int, path: FieldPath) -> None:
        """Keep the facts."""
        super().__init__(f"{missing} bytes are missing")
        self.missing: Final = missing
        self.path: Final = path


class CutReader(SpanReader):
    """Reads a layout to the last byte that is there, whatever end is promised."""

    def _leaf(self, field: Field, kind: Type, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        if isinstance(kind, Rest) and end > len(self.data):
            self._stop(field, position, end, path)
        if isinstance(kind, Varint) and end > len(self.data):
            self._check_varint(field, kind, position, path)
        return super()._leaf(field, kind, position, end, path)

    def _sized(self, field: Field, size: int, position: int, end: int, path: FieldPath) -> tuple[bytes, int]:
        if len(self.data) < position + size <= end:
            self._stop(field, position, position + size, path)
        return super()._sized(field, size, position, end, path)

    def _check_varint(self, field: Field, kind: Varint, position: int, path: FieldPath) -> None:
        there = self.data[position : position + kind.kind.max_bytes]
        if len(there) < kind.kind.max_bytes and all(octet & 0x80 for octet in there):
            self._stop(field, position, position + len(there) + 1, path)

    def _form(self, field: Field, kind: Form, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        if end > len(self.data):
            length, start = self._leaf(field, kind.length, position, end, (*path, "length"))
            if 0 < length <= end - start and start + length > len(self.data):
                self._note((*path, "length"), position, start, length, field)
                self._stop(field, start, start + length, path)
        return super()._form(field, kind, position, end, path)

    def _choice(self, field: Field, kind: Choice, position: int, end: int, path: FieldPath) -> tuple[Any, int]:
        if len(self.data) <= position + kind.at < end:
            self._stop(field, position, position + kind.at + 1, path)
        return super()._choice(field, kind, position, end, path)

    def _checksum(self, *_: Any) -> None:
        """Look at no checksum: of what is cut it says nothing."""

    def _array(
        self, layout: Layout, field: Field, kind: Array, position: int, place: OpenStructure
    ) -> tuple[list[Any] | None, int]:
        codec, count = codec_name(place.values, field), place.values[kind.count]
        if codec == "none" or count <= 0:
            return super()._array(layout, field, kind, position, place)
        path = (*place.path, field.name)
        compressed = self.data[position : place.end]
        self._note(path, position, min(place.end, len(self.data)), compressed, field)
        payload = self._over(decompress_start(codec, compressed, self._limit))
        try:
            items, _ = payload._items(field, kind.item, 0, ENDLESS, place.path, count)
        except FormatError as error:
            raise error.within(payload=True) from None
        finally:
            self._take_notes(payload)
        if place.end > len(self.data):
            raise CutError(place.end - len(self.data), path)
        return items, place.end

    def _stop(self, field: Field, start: int, end: int, path: FieldPath) -> None:
        """Keep what there is of a field.

        Raises:
            CutError: always.
        """
        if start < len(self.data):
            self._note(path, start, len(self.data), self.data[start:], field)
        raise CutError(end - len(self.data), path)

    def _note(self, path: FieldPath, start: int, end: int, value: Any, field: Field) -> None:
        if end > len(self.data) >= start:  # an unknown tagged field, whose size was believed
            self.spans.append(Span(path, start, len(self.data), value, value, self._payload, field))
            raise CutError(end - len(self.data), path)
        super()._note(path, start, end, value, field)
