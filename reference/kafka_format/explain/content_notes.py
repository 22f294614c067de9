"""What keys and values are, noted behind them: schema ids, and what MirrorMaker writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kafka_format.codec.interpreter import Span
from kafka_format.content import Evidence, Reading, read_key, read_value
from kafka_format.content.readings import Header
from kafka_format.errors import FieldPath
from kafka_format.primitives.counts import byte_count

_READ: Final = {"key": read_key, "value": read_value}


def notes(spans: Iterable[Span], topic: str) -> Mapping[int, str]:
    """Return notes about keys and values, by the index of their spans.

    Args:
        spans: those of an entry.
        topic: the name of the topic, if that is known.
    """
    known = list(spans)
    headers = _headers(known)
    return dict(_notes(known, headers, topic))


def _notes(spans: list[Span], headers: Mapping[FieldPath, list[Header]], topic: str) -> Iterator[tuple[int, str]]:
    for index, span in enumerate(spans):
        read = _READ.get(str(span.path[-1]))
        if read is None or "headers" in span.path or not isinstance(span.value, bytes):
            continue
        reading = read(span.value, headers.get(span.path[:-1], ()), topic)
        if reading is not None:
            yield index, text(reading)


def _headers(spans: list[Span]) -> dict[FieldPath, list[Header]]:
    """Return the headers of each record, by its path."""
    found: dict[FieldPath, list[Header]] = {}
    for span in spans:
        if "headers" in span.path and span.path[-1] in _READ:
            owner = found.setdefault(span.path[: span.path.index("headers")], [])
            if span.path[-1] == "key":
                owner.append((span.value, None))
            elif owner:
                owner[-1] = (owner[-1][0], span.value)
    return found


def text(reading: Reading) -> str:
    """Return what is noted; a guess says that it is one."""
    fields = ", ".join(f"{name.replace('_', ' ')} {_shown(value)}" for name, value in reading.fields.items())
    behind = "" if reading.payload is None else f", {byte_count(len(reading.payload))}"
    said = {
        Evidence.HEADER: f"{reading.name}, by the header {reading.said_by}",
        Evidence.TOPIC: f"perhaps {reading.name}, by the name of the topic",
        Evidence.BYTES: f"perhaps {reading.name}, by the first bytes",
    }[reading.evidence]
    return f"{said}: {fields}{behind}"


def _shown(value: object) -> str:
    return ".".join(map(str, value)) if isinstance(value, list) else str(value)
