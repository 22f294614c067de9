"""Explains what a field of a request or response holds: records, requests, metadata, metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from kafka_format.codec.interpreter import Span
from kafka_format.compression import NAMES
from kafka_format.errors import FieldPath, Stage, path_text
from kafka_format.explain.lines import DEFAULT_LIMIT, Explanation, Line, explain, lines_of
from kafka_format.explain.salvage import salvage
from kafka_format.explain.schema_spans import Texts, data_spans, texts_of
from kafka_format.explain.telemetry import explain_telemetry

NO_TOPICS: Final[Mapping[bytes, str]] = MappingProxyType({})


class How(NamedTuple):
    """The settings for reading requests and responses.

    Attributes:
        flags: leniencies that are allowed.
        limit: decompressed bytes of an entry that are explained.
        topics: names of topics by their ids, to know those whose records have schemas.
        depth: requests that these bytes are inside of.
        may_be_cut: take what promises more than there is for cut, not for wrong, and read all that
            is there; show what follows a wrong checksum.
    """

    flags: frozenset[str] = frozenset()
    limit: int = DEFAULT_LIMIT
    topics: Mapping[bytes, str] = NO_TOPICS
    depth: int = 0
    may_be_cut: bool = False


AS_RULED: Final = How()

Explain = Callable[[bytes, How], Explanation]
"""Explains a request."""

_TOPIC_NAMES: Final = ("topic", "name", "topic_name")
_FURTHEST: Final = 3
"""Steps from records up to the structure that names their topic: records, index, partitions."""

_DEEPEST: Final = 2
"""Requests that are explained inside one another; a broker forwards one, a hostile client must not
count."""


class Around(NamedTuple):
    """Facts of a request or response about the records in it.

    Attributes:
        topics: the topics, by the paths of the structures that name them.
        starts: the paths of the structures whose records begin where a batch begins, though they
            are a part of a snapshot: the part at position 0.
        texts: short texts, which may say what bytes beside them hold.
        codec: what metrics are compressed by; None if nobody knows it.
        last: the path of the last field: where bytes may be cut, this one is.
    """

    topics: Mapping[FieldPath, str]
    starts: frozenset[FieldPath]
    texts: Texts
    codec: str | None = None
    last: FieldPath = ()


def inside(span: Span, around: Around, how: How, explain_request: Explain) -> list[Line]:
    """Return lines about the content of a span; none if its bytes do not fit the layout.

    Args:
        span: the bytes.
        around: what the request or response says of records (`around`).
        how: leniencies and limits.
        explain_request: explains a request that was forwarded.
    """
    match span.field.holds:
        case "records":
            return _records(span, around, how)
        case "request":
            return _request(span, how, explain_request)
        case "response":
            return []
        case "telemetry":
            return _telemetry(span, around, how)
        case _:
            spans = data_spans(span, around.texts, how.flags)
            return lines_of(spans, None, None, span.raw, span.end, span.start) if spans else []


def _records(span: Span, around: Around, how: How) -> list[Line]:
    read = salvage if how.may_be_cut else explain
    dump = read(span.raw, flags=how.flags, limit=how.limit, topic=_topic(span.path, around.topics))
    if span.path[-1] == "unaligned_records" and span.path[:-1] not in around.starts and not _is_aligned(dump):
        return []  # a part of a snapshot, which may begin anywhere
    return _move_lines(dump, span)


def _is_aligned(dump: Explanation) -> bool:
    """Tell whether bytes begin where a batch does.

    So they do if a batch was sound, or is whole but for its checksum.
    """
    fault = dump.fault
    return fault is None or bool(fault.entry) or fault.stage is Stage.CHECKSUM


def around(spans: list[Span], how: How) -> Around:
    """Return what a request or response says of the records in it."""
    starts = {span.path[:-1] for span in spans if span.path[-1] == "position" and span.value == 0}
    codec = next((span.value for span in spans if span.path[-1] == "compression_type"), -1)
    last = spans[-1].path if spans else ()
    return Around(_topics(spans, how), frozenset(starts), texts_of(spans), dict(enumerate(NAMES)).get(codec), last)


def _telemetry(span: Span, around: Around, how: How) -> list[Line]:
    """Return lines of metrics; none of none, which a broker does not look at."""
    if around.codec is None or not span.raw:
        return []
    is_cut = how.may_be_cut and span.path == around.last
    explained = explain_telemetry(around.codec, span.value, flags=how.flags, limit=how.limit, is_cut=is_cut)
    return _move_lines(explained, span)


def _topics(spans: list[Span], how: How) -> dict[FieldPath, str]:
    topics = {}
    for span in spans:
        if span.path[-1] in _TOPIC_NAMES and isinstance(span.value, bytes):
            topics[span.path[:-1]] = span.value.decode(errors="replace")
        elif span.path[-1] == "topic_id":
            topics[span.path[:-1]] = how.topics.get(span.value, "")
    return topics


def _topic(path: FieldPath, topics: Mapping[FieldPath, str]) -> str:
    """Return the topic whose partition has records at `path`; nothing if it is not known."""
    around = (path[: len(path) - up] for up in range(1, _FURTHEST + 1))
    return next((topics[place] for place in around if place in topics), "")


def _request(span: Span, how: How, explain_request: Explain) -> list[Line]:
    if how.depth >= _DEEPEST:
        return []
    request = explain_request(span.raw, how._replace(depth=how.depth + 1))
    return [] if request.fault is not None else _move_lines(request, span)


def _move_lines(explanation: Explanation, span: Span) -> list[Line]:
    """Return lines as seen from what their bytes lie in."""
    return [_line(line, span) for line in explanation.lines]


def _line(line: Line, span: Span) -> Line:
    entry = "" if line.entry is None else f"[{line.entry}]"
    path = path_text(span.path) + entry + (f".{line.path}" if line.path else "")
    fault = line.fault
    if fault is not None:
        where = span.path if fault.entry is None else (*span.path, fault.entry)
        fault = fault.within(*where, offset=span.start)
    return line._replace(
        entry=None, path=path, start=line.start if line.payload else line.start + span.start, fault=fault
    )
