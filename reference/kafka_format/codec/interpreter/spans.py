"""Reads by walking the layout, and keeps where each field is, also when it had to stop.

For those who explain bytes, or change them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kafka_format.codec.interpreter.reader import Reader
from kafka_format.errors import FieldPath, path_text
from kafka_format.spec.layout.model import Field


class Span(NamedTuple):
    """The bytes of one field.

    Attributes:
        path: the way to the field, for example `("records", 0, "key", "length")`.
        start: first byte; counts in the decompressed payload if `payload`.
        end: byte after the last.
        value: what the bytes say.
        raw: the bytes themselves.
        payload: True if the bytes are part of a decompressed payload.
        field: the field of the layout.
    """

    path: FieldPath
    start: int
    end: int
    value: Any
    raw: bytes
    payload: bool
    field: Field

    @property
    def path_text(self) -> str:
        """The path as people write it, for example `records[0].key.length`."""
        return path_text(self.path)


class SpanReader(Reader):
    """Walks one layout over bytes, and keeps where each field is.

    Attributes:
        spans: the fields that were passed, in the order of the bytes; those of a decompressed
            payload come after the compressed bytes.
    """

    def __init__(self, data: bytes, **how: Any) -> None:
        """Take the bytes and how they are to be read, as `Reader` does."""
        super().__init__(data, **how)
        self.spans: list[Span] = []

    def _note(self, path: FieldPath, start: int, end: int, value: Any, field: Field) -> None:
        self.spans.append(Span(path, start, end, value, self.data[start:end], self._payload, field))

    def _take_notes(self, payload: Reader) -> None:
        if isinstance(payload, SpanReader):
            self.spans += payload.spans
