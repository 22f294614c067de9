"""A message as a decoder with a wrong layout reads it, and how that differs from the right one.

It answers as the target does that it stands for: it writes the bytes again, or gives the value, or
says that it takes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from kafka_format import protocol, structure
from kafka_format.codec import compiler
from kafka_format.codec.interpreter import Reader, writer
from kafka_format.errors import EncodeError, FormatError
from kafka_format.protocol.json_form import EXACT, UNKNOWN
from kafka_format.spec.layout import Layout, find, specification

from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message import judge as messages
from kafka_conformance.kinds.message.fitted_values import fitted
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Vector

_SURPLUS: Final = "surplus"
_TRAILING: Final = "trailing"
"""Vectors whose special is that bytes follow, which some targets refuse and others overlook."""

ABOUT_UNKNOWN: Final = ("unknown-tags", "unknown-tags-alone")
"""Vectors whose special is that they have tagged fields which nobody knows."""

_Value = bytes | dict[str, Any] | None
"""What a wrong decoder makes of a body: the bytes that it writes again, or the value; None if it
refuses."""


REFUSED: Final = ("", "refused")
"""In place of where an answer differs, and what it is there."""


class Manner(NamedTuple):
    """How a target answers.

    Attributes:
        form: what it gives: `json`, `bytes` or `verdict`.
        refuses_trailing: whether it refuses a body that more bytes follow.
        is_told: False if nothing tells whether it does.
        writes_only: whether what it has wrong is wrong in what it writes alone.
    """

    form: str
    refuses_trailing: bool
    is_told: bool = True
    writes_only: bool = False

    def ways(self) -> Sequence[Manner]:
        """Return how it may answer: both ways, if nothing tells."""
        return (self,) if self.is_told else (self, self._replace(refuses_trailing=True))


class Probe(NamedTuple):
    """A vector that was put to a target, and what came of it.

    Attributes:
        vector: the vector.
        result: what came of it.
        version: the version that was asked.
        body: where the body begins, behind the header.
    """

    vector: Vector
    result: Result
    version: int
    body: int

    @property
    def fails(self) -> bool:
        """True if the target gets it wrong."""
        return self.result.is_finding

    @property
    def data(self) -> bytes:
        """The body."""
        return self.vector.data[self.body :]

    @property
    def flags(self) -> frozenset[str]:
        """The leniency that it takes to read it."""
        return frozenset({self.vector.flag} - {""})


def manner(form: str, results: Iterable[Result], vectors: Mapping[str, Vector]) -> Manner:
    """Return how a target answers, by what came of the vectors that more bytes follow."""
    about = [
        result
        for result in results
        if special(vectors[result.vector]) == _TRAILING and result.outcome is Outcome.PASSED
    ]
    return Manner(form, sum(bool(result.detail) for result in about) * 2 > len(about), bool(about))


def special(vector: Vector) -> str:
    """Return the last word of an id, which says what is special: `unknown-tags`.

    Bytes that clients leave behind a body are one thing, whatever they are.
    """
    word = vector.id.partition("@")[0].rpartition("/")[2]
    return _SURPLUS if word.startswith(f"{_SURPLUS}-") else word


def probe(vector: Vector, result: Result) -> Probe:
    """Return a vector with what came of it."""
    version = int(vector.formats[0])
    try:
        size = _front_size(vector, version)
    except FormatError:
        size = len(vector.data)
    return Probe(vector, result, version, size)


def _front_size(vector: Vector, version: int) -> int:
    """Return how many bytes stand in front of a body; raises FormatError if that cannot be read."""
    flags = frozenset({vector.flag} - {""})
    if not is_request_or_response(vector):
        front = structure(specification().versioned[_layout_name(vector)].behind)
        return front.read(vector.data, 0, len(vector.data), flags=flags)[1]
    kind: Literal["request", "response"] = "request" if vector.format == "request" else "response"
    header = compiler.version(f"{kind}_header", protocol.header_version(api_of(vector), version, kind))
    return header.read(vector.data, flags=flags)[1]


def is_request_or_response(vector: Vector) -> bool:
    """Tell whether a message has a header, and not a record's number, in front."""
    return vector.format in {"request", "response"}


def _layout_name(vector: Vector) -> str:
    return f"{vector.family.replace('-', '_')}_{vector.format}"


def api_of(vector: Vector) -> int:
    """Return the number of the API that a vector is about."""
    number: int = (vector.document or {})["api"]
    return number


def fails(asked: Probe, wrong: Layout, right: Layout, target: Manner) -> bool:
    """Tell whether a target that has a layout wrong gets a vector wrong."""
    return difference(asked, wrong, right, target) is not None


def is_read(asked: Probe, wrong: Layout, target: Manner) -> bool:
    """Tell whether a target that has a layout wrong reads a vector at all."""
    return _answer(asked, wrong, target) is not None


def difference(asked: Probe, wrong: Layout, right: Layout, target: Manner) -> tuple[str, str] | None:
    """Return where a wrong decoder's answer differs and what it is there; None if it is right."""
    given = _answer(asked, wrong, target)
    if given is None:
        return REFUSED
    if isinstance(given, bytes):
        return _of_bytes(asked, given)
    unlike = messages.difference(right, _value(*_name(right), asked.data, asked.flags), given, "")
    return None if unlike is None else (unlike.path, unlike.got)


def moved_difference(asked: Probe, body: int, target: Manner) -> tuple[str, str] | None:
    """Return how the answer differs of who takes a body to begin elsewhere; None if it is right.

    Args:
        asked: what was asked, and is not invalid.
        body: where the body is taken to begin.
        target: how it answers.
    """
    layout = layout_of(asked)
    given = _answer(asked._replace(body=body), layout, target)
    if given is None:
        return REFUSED
    if isinstance(given, bytes):
        return _of_bytes(asked, (asked.vector.data[:body] + given)[asked.body :])
    difference = messages.difference(layout, _value(*_name(layout), asked.data, asked.flags), given, "")
    return None if difference is None else (difference.path, difference.got)


def layout_of(asked: Probe) -> Layout:
    """Return the right layout of what was asked."""
    return find(_layout_name(asked.vector), asked.version)


def header_of(asked: Probe) -> Layout:
    """Return the right layout of the header in front of a request or response."""
    kind: Literal["request", "response"] = "request" if asked.vector.format == "request" else "response"
    return find(f"{kind}_header", protocol.header_version(api_of(asked.vector), asked.version, kind))


def answer_difference(
    asked: Probe, layout: Layout, values: Mapping[str, Any], target: Manner, head: bytes | None = None
) -> tuple[str, str] | None:
    """Return where an answer with these values differs, and what it is there; None if it is right.

    `head` is what is written in front of the body; the header as it was read, if none is given.

    Raises:
        EncodeError: the values cannot be written.
    """
    if target.form == "bytes":
        body = writer.encode(layout, values)
        if head is None:
            return _of_bytes(asked, body)
        place = messages.difference_of_bytes(asked.vector.data, head + body)
        return None if head + body == asked.vector.data else (place.path, place.got)
    given: dict[str, Any] = json.loads(json.dumps(EXACT.write(layout, values)), object_hook=leave_out_unknown)
    unlike = messages.difference(layout, _value(*_name(layout), asked.data, asked.flags), given, "")
    return None if unlike is None else (unlike.path, unlike.got)


def _of_bytes(asked: Probe, given: bytes) -> tuple[str, str] | None:
    if given == asked.data:
        return None
    unlike = messages.difference_of_bytes(asked.vector.data, asked.vector.data[: asked.body] + given)
    return unlike.path, unlike.got


def _answer(asked: Probe, wrong: Layout, target: Manner) -> _Value:
    layout = layout_of(asked) if target.writes_only else wrong
    try:
        values, position = Reader(asked.data, flags=asked.flags, make=_make).read(layout, 0, len(asked.data))
        if position != len(asked.data) and target.refuses_trailing:
            return None
        if target.form == "bytes":
            return writer.encode(wrong, fitted(wrong, values) if target.writes_only else values)
        value: dict[str, Any] = json.loads(json.dumps(EXACT.write(wrong, values)), object_hook=leave_out_unknown)
    except (FormatError, EncodeError, TypeError, ValueError, AttributeError):
        return None
    return value


def leave_out_unknown(value: dict[str, Any]) -> dict[str, Any]:
    """Leave out tagged fields that the wrong layout does not know; libraries give none of them."""
    return {name: member for name, member in value.items() if name != UNKNOWN}


def _make(_layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
    return values


def right_value(layout: Layout, asked: Probe) -> dict[str, Any]:
    """Return what the right decoder reads of a body."""
    return _value(*_name(layout), asked.data, asked.flags)


def _name(layout: Layout) -> tuple[str, int]:
    """Return the name and the version that a layout is found by."""
    number = layout.version or 0
    return layout.name.removesuffix(f"_v{number}"), number


@cache
def _value(name: str, number: int, body: bytes, flags: frozenset[str]) -> dict[str, Any]:
    """Return what the right decoder reads. It is cached for the hundreds of mutants to compare."""
    layout = find(name, number)
    values, _ = Reader(body, flags=flags, make=_make).read(layout, 0, len(body))
    return EXACT.write(layout, values)
