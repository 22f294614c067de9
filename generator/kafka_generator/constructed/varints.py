"""Varints: too long, longer than need be, and with bits that their width does not have."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_format.codec import edits
from kafka_format.codec.edits import Edit
from kafka_format.codec.interpreter import Span
from kafka_format.spec.layout.model import Form, Type, Varint

from kafka_generator.constructed.model import Construction, in_id
from kafka_generator.constructed.subjects import Subject


def kind_of(span: Span) -> Type:
    """Return the type of the number in a span: of the length, for a form."""
    kind = span.field.type
    if isinstance(kind, Form):
        return kind.length if span.path[-1] == "length" else kind
    return kind


def wrong(subject: Subject, span: Span, twin: str) -> Iterator[Construction]:
    """Yield a varint that is too long, with a zero group at its end, or bits beyond its width."""
    kind = kind_of(span)
    if not isinstance(kind, Varint):
        return
    for word, (title, raw, rule, flag) in forms(span.raw, kind).items():
        data = edits.apply(subject.shape, subject.data, Edit(span.path_text, raw))
        identifier, whole = (
            f"check/{subject.name}/{in_id(span.path)}/{word}",
            f"{span.path_text} of {subject.title} {title}",
        )
        yield Construction(identifier, whole, data, [rule], "lenient" if flag else "invalid", flag, twin, subject.input)


def forms(raw: bytes, kind: Varint) -> dict[str, tuple[str, bytes, str, str]]:
    """Return a varint's wrong forms by name: a sentence, the bytes, the rule and the flag."""
    most = kind.kind.max_bytes
    beyond = 1 << (kind.kind.bits - 7 * (most - 1))
    zeros, bits = ("varint.minimal", "overlong-varint"), ("varint.range", "varint-excess-bits")
    return {
        "too-long": (f"has {most + 1} bytes", _pad(raw, most + 1), "varint.length", ""),
        "overlong": ("has a zero group at its end", _pad(raw, len(raw) + 1), *zeros),
        "longest": (f"has {most} bytes, most of them zero groups", _pad(raw, most), *zeros),
        "excess-bits": ("has a bit beyond its width", _pad(raw, most, beyond), *bits),
    }


def _pad(raw: bytes, size: int, last: int = 0) -> bytes:
    """Return the same number in `size` bytes; `last` is what the last group has."""
    return bytes(byte | 0x80 for byte in raw) + b"\x80" * (size - len(raw) - 1) + bytes([last])
