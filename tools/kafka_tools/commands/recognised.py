"""Bytes of which nobody said what they are, explained as what they are recognised as."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from kafka_format.explain.inside import How
from kafka_format.explain.lines import Explanation, Line
from kafka_format.explain.requests import SIZE, ExplainedFrame, explain_request, explain_response, split
from kafka_format.explain.salvage import salvage, salvage_v07
from kafka_format.explain.topic_records import explain_layout
from kafka_format.recognition import Candidate, Kind, Recognition, recognise
from kafka_format.recognition.files import OFFSETS

from kafka_tools.commands.options import ReadingOptions
from kafka_tools.logs import annotation
from kafka_tools.text import plural

_MOST_OTHERS = 3
"""Further candidates that are named."""

_LARGE: Final = 16 << 20
"""Bytes of a segment from which it is read part by part."""

_LOOKED_AT: Final = 1 << 20
"""Bytes at the start of a large file that tell what it is."""

_OWN_KINDS = (Kind.RECORDS, Kind.RECORDS_07)
"""What `explain` and `decode` are asked for most: it is not said where it is sure."""


class Read(NamedTuple):
    """Bytes explained as what they are: in frames, or in one piece.

    Attributes:
        frames: requests and responses; none for anything else.
        explanation: anything else.
        is_whole: True if it is Kafka's, and nothing of it is missing.
    """

    frames: tuple[ExplainedFrame, ...]
    explanation: Explanation
    is_whole: bool


def known_as(data: bytes, name: str = "") -> Recognition:
    """Return what bytes are, and say on standard error where that is a guess, or not known."""
    found = recognise(data, name)
    if found.best is None:
        if data:
            click.echo(f"Not recognised: {found.why}.", err=True)
        return found
    if found.best.is_guess or found.best.kind not in _OWN_KINDS:
        click.echo(said_of(found), err=True)
    return found


def is_large_segment(path: Path) -> bool:
    """Tell whether a file has entries, and is too large to be read at once."""
    if not path.is_file() or (size := path.stat().st_size) <= _LARGE or not os.access(path, os.R_OK):
        return False
    with path.open("rb") as source:
        start = source.read(_LOOKED_AT)
        found = recognise(start, path.name)
        if found.best is not None and 0 < found.best.missing <= size - len(start):
            found = recognise(start + source.read(found.best.missing), path.name)
    if found.best is None or found.best.kind is not Kind.RECORDS or found.best.start or found.best.missing:
        return False
    if found.best.is_guess:
        click.echo(said_of(found), err=True)
    return True


def said_of(found: Recognition) -> str:
    """Return sentences about what was recognised."""
    best, *others = found.candidates
    guess = " (a guess)" if best.is_guess else ""
    against = f" But {'; '.join(best.against)}." if best.against else ""
    also = "; ".join(one.title for one in others[:_MOST_OTHERS])
    place = f" from byte {best.start} on" if best.start else ""
    text = f"It is read{place} as {best.title}{guess}: {'; '.join(best.evidence)}.{against}"
    return f"{text} It can also be {also}." if also and best.is_guess else text


def read_as(data: bytes, best: Candidate | None, name: str, reading: ReadingOptions) -> Read:
    """Explain bytes as what they were recognised as; without that, as bytes."""
    if best is None or best.kind is Kind.OTHER:
        return _whole(_bytes(data, "not recognised" if best is None else best.title), is_whole=False)
    if best.kind is Kind.TEXT and best.content is not None:
        inner = recognise(best.content).best
        return read_as(best.content, inner, "", reading)
    if best.kind in (Kind.REQUEST, Kind.RESPONSE):
        first, *others = frames_of(data[best.start :], best, reading)
        placed = _behind(data, best.start, first.explanation)
        frames = (first._replace(lines=placed.lines, fault=placed.fault), *others)
        return Read(frames, Explanation([], None), not any(frame.missing for frame in frames))
    explanation = _explanation(data[best.start :], best, name, reading)
    is_kafka = best.kind is not Kind.FRAMES
    return _whole(_behind(data, best.start, explanation), is_whole=is_kafka and not explanation.missing)


def frames_of(data: bytes, best: Candidate, reading: ReadingOptions) -> Iterator[ExplainedFrame]:
    """Yield the requests or responses that bytes were recognised as."""
    how = How(**reading.arguments("flags", "limit"), may_be_cut=True)
    for index, frame in enumerate(split(data) if best.framed else (data,)):
        start = min(SIZE, len(frame)) if best.framed else 0
        if best.kind is Kind.REQUEST:
            yield explain_request(frame, how=how, start=start)
        elif index or (best.framed and not best.missing):
            yield explain_response(frame, how=how, start=start)
        else:
            yield explain_response(frame, best.api, best.version, how=how, start=start)


def _explanation(data: bytes, best: Candidate, name: str, reading: ReadingOptions) -> Explanation:
    match best.kind:
        case Kind.RECORDS:
            return salvage(data, **reading.arguments(*reading._fields))
        case Kind.RECORDS_07:
            return salvage_v07(data, **reading.arguments("flags", "limit", "max_records"))
        case Kind.SCHEMA_RECORD:
            return explain_layout(best.name, data, **reading.arguments("flags"))
        case Kind.FRAMES:
            return Explanation(list(_payloads(data)), None)
        case _:
            file = best.name if best.name != OFFSETS or not name else name
            return annotation.annotate_data(data, annotation.name_like(file))


def _whole(explanation: Explanation, *, is_whole: bool) -> Read:
    return Read((), explanation, is_whole)


def _bytes(data: bytes, text: str) -> Explanation:
    return Explanation([Line(None, "", 0, data, text)] if data else [], None)


def _behind(data: bytes, start: int, explanation: Explanation) -> Explanation:
    """Return an explanation of what begins at a byte as one of all bytes."""
    if not start:
        return explanation
    moved = [line if line.payload else line._replace(start=line.start + start) for line in explanation.lines]
    fault: Any = explanation.fault and explanation.fault.within(offset=start)
    return explanation._replace(lines=[Line(None, "", 0, data[:start], "what is in front"), *moved], fault=fault)


def _payloads(data: bytes) -> Iterator[Line]:
    position = 0
    for index, frame in enumerate(split(data)):
        yield Line(index, "size", position, frame[:SIZE], str(len(frame) - SIZE))
        yield Line(index, "", position + SIZE, frame[SIZE:], plural(len(frame) - SIZE, "byte"))
        position += len(frame)
