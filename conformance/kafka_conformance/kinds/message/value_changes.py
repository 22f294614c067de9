"""All values that an answer has otherwise, each with the type and the place that it is of.

The first difference of an answer says where it goes wrong; all of them say what a target does to
values of a type. Bytes that were written again are read with the right layout.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from kafka_format.codec.interpreter import Reader
from kafka_format.codec.members import default_of, inner, members
from kafka_format.errors import FormatError
from kafka_format.protocol.json_form import EXACT, UNKNOWN
from kafka_format.spec.layout import Layout
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Optional,
    TagSection,
    Type,
)

from kafka_conformance.kinds.message.judge import HEADER, front_value, plain_name, shows_unknown, with_untold
from kafka_conformance.kinds.message.wrong_answers import (
    Manner,
    Probe,
    header_of,
    is_request_or_response,
    layout_of,
    right_value,
)
from kafka_conformance.outcomes import Outcome

UNKNOWN_TAGS: Final = "unknown-tags"
KNOWN_TAG: Final = "known-tag"
"""The sort of a tagged field, beside that of its value, that has not its default."""

STRUCTURE: Final = "structure"
THERE: Final = "there"
"""In place of a structure that may be null, and is not."""

_LENIENT: Final = frozenset({"tags-in-any-order", "invalid-utf8-is-replaced"})
"""How bytes are read that a target wrote: what it made of the values is to be seen."""

_RECORDS: Final = "records"
_AS_TEXT: Final = 8
"""Bytes of the integers that are text in JSON."""


class Value(NamedTuple):
    """A value of a message, and what a target gives for it.

    Attributes:
        sort: what it is: `int32`, `uint16`, `text`, `bytes`, `id`, `bool`, `float`, `array`,
            `structure`, `unknown-tags`.
        place: the fields that it is in, and its own, joined by points.
        right: the right value, as exact JSON.
        got: what came.
        owner: the right values of the structure that it is in.
        is_nullable: whether null may stand for it.
        is_default: whether it is of a tagged field that has its default, and so may not be there.
    """

    sort: str
    place: str
    right: Any
    got: Any
    owner: Mapping[str, Any]
    is_nullable: bool = False
    is_default: bool = False

    @property
    def is_changed(self) -> bool:
        """True if what came is not what is right."""
        return bool(self.right != self.got)


def values_of(asked: Probe, target: Manner) -> list[Value] | None:
    """Return the values of a message beside those that came; None if they cannot be paired."""
    layout = layout_of(asked)
    try:
        right = right_value(layout, asked)
        got, head = _given(asked, layout, target) if asked.fails else (right, None)
        hides = target.form == "json" and not shows_unknown(got)
        front = list(header_values(asked, head))  # may be made by other code, so a right one tells nothing
        is_wrong = any(value.is_changed for value in front)
        return [*_pairs(layout, right, got, "", hides=hides), *(front if is_wrong else ())]
    except (FormatError, ValueError, KeyError, TypeError, RecursionError):
        return None


def header_values(asked: Probe, got: Mapping[str, Any] | None) -> Iterator[Value]:
    """Yield the values of a header; none if nothing else came, or there is none.

    Raises:
        FormatError: the header breaks a rule.
    """
    if got is None or not is_request_or_response(asked.vector):
        return
    layout = header_of(asked)
    right = front_value(layout, asked.vector.data, asked.flags)
    yield from _pairs(layout, right, with_untold(right, got), HEADER, hides=not shows_unknown(got))


def read_header(asked: Probe, data: bytes) -> tuple[Mapping[str, Any], int]:
    """Return the header in front of what a target wrote, as exact JSON, and where it ends.

    Raises:
        FormatError: no header of the right layout is there.
    """
    layout = header_of(asked)
    values, end = Reader(data, flags=_LENIENT, make=lambda _, given: given).read(layout, 0, len(data))
    return EXACT.write(layout, values), end


def right_values(asked: Probe) -> list[Value]:
    """Return all values of a message as they are right; none if they cannot be read."""
    layout = layout_of(asked)
    try:
        right = right_value(layout, asked)
    except FormatError:
        return []
    return list(_pairs(layout, right, right, "", hides=False))


def _given(asked: Probe, layout: Layout, target: Manner) -> tuple[Mapping[str, Any], Mapping[str, Any] | None]:
    """Return the body that came, and the header if it is told and another."""
    content = asked.result.content
    if asked.result.outcome is not Outcome.WRONG_ANSWER or not content:
        msg = "no answer is kept"
        raise ValueError(msg)
    if target.form == "json":
        document = json.loads(content)
        header = document.get(HEADER)
        return document["body"], header if isinstance(header, Mapping) else None
    front = asked.vector.data[: asked.body]
    header, begin = (None, len(front)) if content.startswith(front) else read_header(asked, content)
    reader = Reader(content, flags=_LENIENT, make=lambda _, given: given)
    values, end = reader.read(layout, begin, len(content))
    if end != len(content):
        msg = "more was written than the message"
        raise ValueError(msg)
    return EXACT.write(layout, values), header


def _pairs(
    layout: Layout, right: Mapping[str, Any], got: Mapping[str, Any], path: str, *, hides: bool
) -> Iterator[Value]:
    """Yield the values of a structure.

    `hides` says that tagged fields that nobody knows are not shown at all.
    """
    given = {plain_name(name): value for name, value in got.items()}
    for field in members(layout):
        place = f"{path}.{field.name}".lstrip(".")
        if isinstance(field.type, TagSection):
            unknown = right.get(UNKNOWN, [])
            shown = unknown if hides else given.get(plain_name(UNKNOWN), [])
            yield Value(UNKNOWN_TAGS, place, unknown, shown, right)
            continue
        names = [name for each in (field.kafka, *field.formerly) if (name := plain_name(each)) in given]
        if not names and field.kafka == _RECORDS:
            continue
        due = right[field.kafka]
        values = _of(field, field.type, due, given[names[0]] if names else None, place, right, hides)
        if field.tag is None:
            yield from values
        elif due == EXACT.write_field(field.type, default_of(field, lambda _, values: values)):
            yield from (value._replace(is_default=True) for value in values if value.is_changed)
        else:
            yield Value(KNOWN_TAG, place, due, due, right)
            yield from values


def _of(
    field: Field,
    kind: Type,
    right: Any,
    got: Any,
    place: str,
    owner: Mapping[str, Any],
    hides: bool,  # noqa: FBT001
) -> Iterator[Value]:
    nested, nullable = inner(kind), _may_be_null(kind)
    if got is None and not nullable and right in ("", []):
        got = right  # some languages have one word for both
    whole = Value(sort_of(kind), place, right, _as(right, got), owner, nullable)
    if right is None or got is None:
        yield whole
    elif isinstance(kind, Counted):
        yield from _items(field, kind, whole, hides)
    elif nested is not None:
        if nullable:
            yield Value(STRUCTURE, place, THERE, THERE, owner)
        yield from _pairs(nested, right, got, place, hides=hides)
    else:
        yield whole


def _items(field: Field, kind: Counted, whole: Value, hides: bool) -> Iterator[Value]:  # noqa: FBT001 - as above
    """Yield the items of an array whose number is right and that are in order, or the array."""
    right, got = whole.right, whole.got
    if not isinstance(got, list):
        yield whole
        return
    named = [_named(kind.item, element) for element in got]
    if len(right) != len(got) or (right != named and sorted(map(repr, right)) == sorted(map(repr, named))):
        yield whole._replace(got=named)
        return
    yield whole._replace(got=right)
    for element, other in zip(right, got, strict=True):
        yield from _of(field, kind.item, element, other, whole.place, whole.owner, hides)


def _named(kind: Type, got: Any) -> Any:
    """Return a value with the names of fields, and the form of numbers, that right ones have."""
    nested = inner(kind)
    if isinstance(kind, Counted) and isinstance(got, list):
        return [_named(kind.item, element) for element in got]
    if nested is None or not isinstance(got, Mapping):
        is_text = isinstance(kind, Integer) and kind.size == _AS_TEXT and isinstance(got, int)
        return str(got) if is_text else got
    given = {plain_name(name): value for name, value in got.items()}
    shown: dict[str, Any] = {}
    for field in members(nested):
        if isinstance(field.type, TagSection):
            unknown = given.get(plain_name(UNKNOWN))
            shown |= {UNKNOWN: unknown} if unknown else {}
        elif plain_name(field.kafka) in given:
            shown[field.kafka] = _named(field.type, given[plain_name(field.kafka)])
    return shown


def _as(right: Any, got: Any) -> Any:
    """Return a number as text, or a text of digits as a number, if the right one is so."""
    is_number = isinstance(right, str) and isinstance(got, int) and not isinstance(got, bool)
    if is_number:
        return str(got)
    if isinstance(right, int) and not isinstance(right, bool) and isinstance(got, str) and got.lstrip("-").isdigit():
        return int(got)
    return got


def _may_be_null(kind: Type) -> bool:
    if isinstance(kind, Counted):
        return kind.nullable
    return isinstance(kind, Optional) or (isinstance(kind, Form) and kind.null is not None)


def sort_of(kind: Type) -> str:  # noqa: PLR0911 - a line a type
    """Return the word for a type."""
    match kind:
        case Integer(size=size):
            return f"{'int' if kind.lowest < 0 else 'uint'}{8 * size}"
        case Form(content="text"):
            return "text"
        case Form():
            return "bytes"
        case Fixed():
            return "id"
        case Boolean():
            return "bool"
        case Float():
            return "float"
        case Counted():
            return "array"
        case _:
            return STRUCTURE
