"""Fields inside byte fields that have a schema of the protocol: records of Kafka's own topics.

Nothing here is called wrong, since an application may write what it likes. What cannot be read
stays bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.codec.versions.interpreter import VersionSpanReader
from kafka_format.errors import FieldPath, FormatError
from kafka_format.protocol.records import Front, key_front, value_front
from kafka_format.spec.layout import find, specification


def with_schema_records(spans: list[Span], topic: str, flags: frozenset[str]) -> Iterator[Span]:
    """Yield the spans of an entry of one of Kafka's own topics, with fields of keys and values."""
    keys: dict[FieldPath, str] = {}
    for span in spans:
        front = None
        if span.path[-1] in {"key", "value"} and isinstance(span.value, bytes):
            with suppress(FormatError, ValueError):
                front = _front(span, topic, keys, flags)
        if front is None:
            yield span
        else:
            yield from _behind(span, front, flags)


def _front(span: Span, topic: str, keys: dict[FieldPath, str], flags: frozenset[str]) -> Front:
    """Read what stands in front of a key or value; remember of a key what its value is."""
    if span.path[-1] == "key":
        front = key_front(topic, span.raw, flags=flags)
        keys[span.path[:-1]] = front.layout
        return front
    return value_front(topic, span.raw, keys.get(span.path[:-1], ""), flags=flags)


def data_spans(span: Span, flags: frozenset[str]) -> list[Span]:
    """Return the spans of content of the kind that `field.holds` names; none if it is another.

    A version that is not known is read as the highest that is (clients ConsumerProtocol).
    """
    layout = specification().versioned[span.field.holds]
    try:
        (_, start) = SpanReader(span.raw, flags=flags).read(find(layout.behind), 0, len(span.raw))
        number = int.from_bytes(span.raw[:start], "big", signed=True)
        if number < 0:
            return []
        known = number if number in layout.versions else max(layout.versions.numbers)
        spans = list(_behind(span, Front(layout.behind, start, layout.name, known), flags))
    except FormatError:
        return []
    is_whole = spans[-1].path != span.path
    return spans if is_whole else []


def with_data(spans: list[Span], flags: frozenset[str]) -> Iterator[Span]:
    """Yield spans, with fields in the place of content that tells its own version."""
    for span in spans:
        yield from (data_spans(span, flags) if _holds_data(span) else []) or [span]


def _holds_data(span: Span) -> bool:
    """Tell whether a span is bytes that hold what tells its own version."""
    return span.path[-1] == span.field.name and span.field.holds in specification().versioned


def _behind(span: Span, front: Front, flags: frozenset[str]) -> Iterator[Span]:
    """Yield the fields of bytes as far as they can be read, and what is left as one more span."""
    first = SpanReader(span.raw, flags=flags, payload=span.payload)
    then = VersionSpanReader(span.raw, flags=flags, payload=span.payload)
    with suppress(FormatError):
        first.read(find(front.front), 0, len(span.raw), span.path)
        then.read(find(front.layout, front.version), front.start, len(span.raw), span.path)
    spans = [*first.spans, *then.spans]
    placed = [inner._replace(start=span.start + inner.start, end=span.start + inner.end) for inner in spans]
    yield from with_data(placed, flags)
    end = spans[-1].end if spans else 0
    if end < len(span.raw):
        rest = span.raw[end:]
        yield span._replace(start=span.start + end, value=rest, raw=rest)
