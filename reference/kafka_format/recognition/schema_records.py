"""Bytes as a key or a value of a record of one of Kafka's own topics."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Final

from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.errors import FormatError
from kafka_format.explain.plausible import plausible
from kafka_format.explain.shapes import Shapes
from kafka_format.explain.topic_records import explain_layout
from kafka_format.protocol.records import FRAMED, Front, layout_front, value_front
from kafka_format.recognition.model import Candidate, Kind
from kafka_format.spec.layout import find, specification

_LARGEST: Final = 1 << 20
_SMALLEST: Final = 4
_FRAMES: Final = tuple(frame for _, frame in FRAMED.values())
_CONTENT: Final = "layouts/protocol/content/"
"""What Kafka's programs write into topics of any name: too plain to be known by its bytes."""

_MOST_SIGNS: Final = 12
"""What texts, ids and times add at most; each adds 2."""

_NUMBER: Final = 2
"""Bytes of a number or a version in front."""

_HIGHEST: Final = 32
"""Versions that the second byte may say; no schema has as many."""


def candidates(data: bytes) -> Iterator[Candidate]:
    """Yield what bytes are as content that tells its own version, the three likeliest ones."""
    if not _SMALLEST <= len(data) <= _LARGEST or data[0] > 1 or data[1] > _HIGHEST * 8:
        return
    found = [one for name in _names(data) for one in _read(name, data)]
    yield from sorted(found, key=lambda one: -one.score)[:3]


def _names(data: bytes) -> Iterator[str]:
    """Yield the layouts that bytes can be of: by what is in front, and then by their shape."""
    yield from _shapes(int.from_bytes(data[:_NUMBER], "big")).fitting(data, _NUMBER)
    for topic in FRAMED:
        with suppress(FormatError):
            yield value_front(topic, data).layout


@cache
def _shapes(number: int) -> Shapes[str]:
    """Return the shapes behind a number in front: that of a record, or a version."""
    return Shapes(
        (name, (find(name, 0 if _is_key(name) else number),))
        for name, layout in specification().versioned.items()
        if layout.behind and layout.behind not in _FRAMES and not layout.file.startswith(_CONTENT)
        if number in ((layout.number,) if _is_key(name) else layout.versions)
    )


def _is_key(name: str) -> bool:
    return specification().versioned[name].behind == "record_number"


def _read(name: str, data: bytes) -> Iterator[Candidate]:
    with suppress(FormatError):
        front = layout_front(name, data)
        explained = explain_layout(name, data)
        if explained.fault is not None:
            return
        blocks = sum(line.value.endswith(" bytes") for line in explained.lines)
        is_framed = front.front in _FRAMES
        odd, texts, signs = plausible(_spans(data, front))
        plain = 44 if is_framed and len(data) > 2 * _SMALLEST else 46 if signs > 0 else 22
        score = (58 if is_framed else 46 + min(_MOST_SIGNS, 2 * signs)) if texts > 0 else plain
        score -= (0 if is_framed else 10 * max(0, blocks - texts)) + (20 if 0 < odd >= signs or texts < 0 else 0)
        evidence = (f"it reads to its last byte as {name}, version {front.version}",)
        against = () if signs else ("it has no text, id or time that could bear it out",)
        title = f"a {_part(name)} of Kafka's own topics: {name}, version {front.version}"
        yield Candidate(Kind.SCHEMA_RECORD, title, score, evidence, against, name=name, version=front.version)


def _spans(data: bytes, front: Front) -> list[Span]:
    reader = SpanReader(data)
    reader.read(find(front.layout, front.version), front.start, len(data))
    return reader.spans


def _part(name: str) -> str:
    return "key" if name.endswith("_key") else "value"
