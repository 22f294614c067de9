"""Bytes as a key or a value of a record of one of Kafka's own topics."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.explain.topic_records import explain_layout
from kafka_format.protocol.records import FRAMED, layout_front
from kafka_format.recognition.model import Candidate, Kind
from kafka_format.spec.layout import specification

_LARGEST: Final = 1 << 20
_SMALLEST: Final = 4
_FRAMES: Final = tuple(frame for _, frame in FRAMED.values())
_CONTENT: Final = "layouts/protocol/content/"
"""What Kafka's programs write into topics of any name: too plain to be known by its bytes."""

_HIGHEST: Final = 32
"""Versions that the second byte may say; no schema has as many."""


def candidates(data: bytes) -> Iterator[Candidate]:
    """Yield what bytes are as content that tells its own version, the three likeliest ones."""
    if not _SMALLEST <= len(data) <= _LARGEST or data[0] > 1 or data[1] > _HIGHEST * 8:
        return
    found = [one for name in _names(int.from_bytes(data[:2], "big")) for one in _read(name, data)]
    yield from sorted(found, key=lambda one: -one.score)[:3]


@cache
def _names(number: int) -> tuple[str, ...]:
    """Return the layouts whose bytes may begin with a number: of a record, a version or a frame."""
    versioned = specification().versioned.items()
    layouts = {name: layout for name, layout in versioned if layout.behind and not layout.file.startswith(_CONTENT)}
    return tuple(
        name
        for name, layout in layouts.items()
        if layout.behind in _FRAMES or number in ((layout.number,) if _is_key(name) else layout.versions)
    )


def _is_key(name: str) -> bool:
    return specification().versioned[name].behind == "record_number"


def _read(name: str, data: bytes) -> Iterator[Candidate]:
    with suppress(FormatError):
        front = layout_front(name, data)
        explained = explain_layout(name, data)
        if explained.fault is not None:
            return
        texts = sum(line.value[:1] in "'\"" for line in explained.lines if line.value)
        blocks = sum(line.value.endswith(" bytes") for line in explained.lines)
        is_framed = front.front in _FRAMES
        score = (58 if is_framed else 48) if texts else (44 if is_framed and len(data) > 2 * _SMALLEST else 22)
        score -= 10 * blocks if not is_framed else 0
        evidence = (f"it reads to its last byte as {name}, version {front.version}",)
        against = () if texts else ("it has no text that could bear it out",)
        title = f"a {_part(name)} of Kafka's own topics: {name}, version {front.version}"
        yield Candidate(Kind.SCHEMA_RECORD, title, score, evidence, against, name=name, version=front.version)


def _part(name: str) -> str:
    return "key" if name.endswith("_key") else "value"
