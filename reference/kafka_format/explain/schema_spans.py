"""Fields inside byte fields that have a schema of the protocol: records of Kafka's own topics.

Nothing here is called wrong, since an application may write what it likes. What cannot be read
stays bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final

from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.errors import FieldPath, FormatError
from kafka_format.protocol.records import Front, key_front, value_front
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.versioned import VersionedLayout

Texts = Mapping[FieldPath, str]
"""Texts by the paths of their fields."""

NO_TEXTS: Final[Texts] = MappingProxyType({})
_LONGEST_NAME: Final = 249
"""Bytes of a text that may name a protocol; so many has the longest name of a topic."""


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
            yield from _behind(span, front, NO_TEXTS, flags)


def _front(span: Span, topic: str, keys: dict[FieldPath, str], flags: frozenset[str]) -> Front:
    """Read what stands in front of a key or value; remember of a key what its value is."""
    if span.path[-1] == "key":
        front = key_front(topic, span.raw, flags=flags)
        keys[span.path[:-1]] = front.layout
        return front
    return value_front(topic, span.raw, keys.get(span.path[:-1], ""), flags=flags)


def texts_of(spans: Iterable[Span]) -> Texts:
    """Return the short texts among spans, by their paths: such as may say what bytes hold."""
    return {
        span.path: span.value.decode(errors="replace")
        for span in spans
        if isinstance(span.value, bytes) and len(span.value) <= _LONGEST_NAME
    }


def data_spans(span: Span, texts: Texts, flags: frozenset[str]) -> list[Span]:
    """Return the spans of content of the kind that the layout or a text beside it names.

    A version that is not known is read as the highest that is (clients ConsumerProtocol). What
    tells no version is read as the highest that fits it whole.

    Args:
        span: the bytes.
        texts: the texts around them, by their paths.
        flags: names of the leniencies that are allowed.

    Returns:
        The spans; none if the content is another.
    """
    name = held(span, texts)
    if name not in specification().versioned:
        return []
    layout = specification().versioned[name]
    spans = _in_told_version(span, layout, texts, flags) if layout.behind else _in_any_version(span, layout, flags)
    is_whole = bool(spans) and spans[-1].path != span.path
    return spans if is_whole else []


def held(span: Span, texts: Texts) -> str:
    """Return what bytes hold, as `Field.holds` says it; nothing if it is not known."""
    by = span.field.held_by
    if by is None:
        return span.field.holds
    for up in range(1, len(span.path) + 1):
        said = [texts.get((*span.path[:-up], name), "") for name in by.fields]
        if any(said):
            return by.layouts.get(next(filter(None, said)), "")
    return span.field.holds


def _in_told_version(span: Span, layout: VersionedLayout, texts: Texts, flags: frozenset[str]) -> list[Span]:
    try:
        (_, start) = SpanReader(span.raw, flags=flags).read(find(layout.behind), 0, len(span.raw))
        number = int.from_bytes(span.raw[:start], "big", signed=True)
        if number < 0:
            return []
        known = number if number in layout.versions else max(layout.versions.numbers)
        return list(_behind(span, Front(layout.behind, start, layout.name, known), texts, flags))
    except FormatError:
        return []


def _in_any_version(span: Span, layout: VersionedLayout, flags: frozenset[str]) -> list[Span]:
    for version in sorted(layout.versions.numbers, reverse=True):
        reader = SpanReader(span.raw, flags=flags, payload=span.payload)
        with suppress(FormatError):
            _, end = reader.read(find(layout.name, version), 0, len(span.raw), span.path)
            if end == len(span.raw) and _says(reader.spans) in {None, version}:
                return [_placed(inner, span) for inner in reader.spans]
    return []


def _says(spans: list[Span]) -> int | None:
    """Return the version that content says itself; None if it says none."""
    first = spans[0]
    return int(first.value) if first.field.name == "version" else None


def _placed(inner: Span, span: Span) -> Span:
    return inner._replace(start=span.start + inner.start, end=span.start + inner.end)


def with_data(spans: list[Span], flags: frozenset[str], around: Texts = NO_TEXTS) -> Iterator[Span]:
    """Yield spans, with fields in the place of content of a kind that is known.

    Args:
        spans: the spans.
        flags: names of the leniencies that are allowed.
        around: texts around them that may say what some of them hold.
    """
    texts = {**around, **texts_of(spans)}
    for span in spans:
        yield from (data_spans(span, texts, flags) if _holds_data(span) else []) or [span]


def _holds_data(span: Span) -> bool:
    """Tell whether a span is bytes that may hold content of a kind that is known."""
    field = span.field
    is_known = field.held_by is not None or field.holds in specification().versioned
    return is_known and span.path[-1] == field.name and isinstance(span.value, bytes)


def _behind(span: Span, front: Front, texts: Texts, flags: frozenset[str]) -> Iterator[Span]:
    """Yield the fields of bytes as far as they can be read, and what is left as one more span."""
    first = SpanReader(span.raw, flags=flags, payload=span.payload)
    then = SpanReader(span.raw, flags=flags, payload=span.payload)
    with suppress(FormatError):
        first.read(find(front.front), 0, len(span.raw), span.path)
        then.read(find(front.layout, front.version), front.start, len(span.raw), span.path)
    spans = [*first.spans, *then.spans]
    yield from with_data([_placed(inner, span) for inner in spans], flags, texts)
    end = spans[-1].end if spans else 0
    if end < len(span.raw):
        rest = span.raw[end:]
        yield span._replace(start=span.start + end, value=rest, raw=rest)
