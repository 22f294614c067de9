"""Values of control records: cut at every byte, and wrong in every field that a reader must check.

Clients look at none of it, so all are lenient; a broker that reads them, and a tool that shows
them, must refuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kafka_format.codec import edits, interpreter
from kafka_format.codec.interpreter import Span
from kafka_format.primitives.varints import write_varint
from kafka_format.records import control
from kafka_format.spec.layout import Layout, find
from kafka_format.spec.layout.model import Array, CountOf, Form, Nested, Varint

from kafka_generator.constructed import varints
from kafka_generator.constructed.edges import UNREAD, control_batch, control_types
from kafka_generator.constructed.model import Construction, in_id
from kafka_generator.constructed.values import fill
from kafka_generator.payloads import PayloadStore

_ENDED: Final = ("field.truncated", "count.within", "length.within")
_TAGS: Final[dict[str, Any]] = {"fields": [{"tag": 1, "content": b"abcd"}, {"tag": 2, "content": b"ab"}]}


def constructions(_store: PayloadStore) -> Iterator[Construction]:
    """Yield the twin of each type, its cuts and its faults."""
    for number, name in control_types().items():
        layout = find(control.VALUES[name])
        value = interpreter.encode(layout, with_tags(layout))
        key = number.to_bytes(4, "big")
        word, title = name.replace("_", "-"), f"the value of {name}"
        twin = f"check/{word}/twin"
        yield Construction(twin, f"Every field of {title}", control_batch(key, value), ["control.value.schema"])
        for kept in range(len(value)):
            cut = f"{title.capitalize()}, cut after {kept} of {len(value)} bytes"
            yield _lenient(f"cut/{word}/inside-{kept}", cut, control_batch(key, value[:kept]), _ENDED, twin)
        for span in edits.spans_of(layout, value):
            for mistake, what, raw, rules in _mistakes(span):
                data = control_batch(key, value[: span.start] + raw + value[span.end :])
                identifier = f"check/{word}/{in_id(span.path)}/{mistake}"
                yield _lenient(identifier, f"{span.path_text} of {title} {what}", data, rules, twin)


def _lenient(identifier: str, title: str, data: bytes, rules: tuple[str, ...], twin: str) -> Construction:
    return Construction(identifier, title, data, rules, "lenient", UNREAD, twin)


def with_tags(layout: Layout) -> dict[str, Any]:
    """Return values for every field, with two items in arrays and two tagged fields everywhere."""
    values = fill(layout)
    for field in layout.fields:
        kind = field.type.item if isinstance(field.type, Array) else field.type
        if isinstance(kind, Nested):
            inside = _TAGS if kind.layout.name == "tagged_fields" else with_tags(kind.layout)
            values[field.name] = [inside, inside] if isinstance(field.type, Array) else inside
    return values


def _mistakes(span: Span) -> Iterator[tuple[str, str, bytes, tuple[str, ...]]]:
    """Yield each mistake in a field: a word, a sentence, the bytes, the rules that it breaks."""
    kind = varints.kind_of(span)
    if isinstance(kind, Varint):
        for word, (what, raw, rule, _) in varints.forms(span.raw, kind).items():
            yield word, what, raw, (rule,)
        counts = isinstance(span.field.computed, CountOf) or isinstance(span.field.type, Form)
        if counts and kind.lowest < 0:
            yield "null", "is null", b"\x00", ("compact.not-null",)
        if counts:
            many = write_varint(60000, kind.kind)
            yield "far-too-many", "is 60000, which is more than there is", many, _ENDED
    if isinstance(span.field.type, Form) and span.field.type.content == "utf8" and span.path[-1] != "length":
        yield "not-utf8", "is no UTF-8", b"\xff" * len(span.raw), ("string.utf8",)
