"""Null and empty taken for one another, in whatever message: by what a target gives for them.

A library that keeps a string without telling null from empty writes one for the other everywhere.
That is one bug, and not one a message. Each habit answers every vector that a target gets wrong, as
the target does; it explains those where the answers differ from the right one at the same place and
by the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, Literal, NamedTuple

from kafka_format.codec.interpreter import Reader, writer
from kafka_format.codec.members import inner, members
from kafka_format.errors import EncodeError, FormatError
from kafka_format.spec.layout import Layout
from kafka_format.spec.layout.model import Counted, Form, Type

from kafka_conformance.kinds.message.message_groups import field_name
from kafka_conformance.kinds.message.wrong_answers import (
    Manner,
    Probe,
    answer_difference,
    header_of,
    is_request_or_response,
    layout_of,
)
from kafka_conformance.outcomes import Outcome

SEVERAL: Final = 3
"""A habit shows in so many messages; what goes wrong in fewer may be the bug of a layout."""

_LOOKED_AT: Final = 200
"""So many vectors that passed are looked at."""

_WRONG: Final = 0.2
"""What a habit may have wrong of what passed, if it is believed."""

_Direction = Literal["", "null for empty", "empty for null"]
"""What is given in place of what."""

_DIRECTIONS: Final[tuple[_Direction, ...]] = ("", "null for empty", "empty for null")


class NullHabit(NamedTuple):
    """What a library gives for strings, bytes and arrays that may be null.

    Attributes:
        string: for strings: nothing else, null for empty ones, or empty ones for null.
        octets: the same for bytes.
        array: for arrays.
    """

    string: _Direction
    octets: _Direction
    array: _Direction

    @property
    def id(self) -> str:
        """Name of the cause: `message/null-for-empty-string`."""
        parts = [f"{how}-{what}".replace(" ", "-") for what, how in self._changes()]
        return f"message/{'-and-'.join(parts)}"

    @property
    def does(self) -> str:
        """What such a library does, as a sentence without its subject."""
        parts = []
        for how in _DIRECTIONS[1:]:
            what = [name for name, direction in self._changes() if direction == how]
            if what and how == "null for empty":
                parts.append(f"gives null where {_words(what)} that may be null is empty")
            elif what:
                parts.append(f"gives {_words(what, 'empty ')} where there is null")
        return ", and ".join(parts)

    def _changes(self) -> list[tuple[str, _Direction]]:
        pairs = (("string", self.string), ("bytes", self.octets), ("array", self.array))
        return [(what, how) for what, how in pairs if how]

    def change(self, kind: Form | Counted, value: object) -> object:
        """Return what is given for a value that may be null."""
        is_string = isinstance(kind, Form) and kind.content == "text"
        how = self.array if isinstance(kind, Counted) else self.string if is_string else self.octets
        if how == "null for empty":
            return value or None
        if how == "empty for null" and value is None:
            return [] if isinstance(kind, Counted) else "" if is_string else b""
        return value


_ARTICLES: Final = {"string": "a string", "bytes": "bytes", "array": "an array"}


def _words(names: list[str], empty: str = "") -> str:
    """Return names as a phrase: `a string or an array`."""
    return " or ".join(
        f"an {empty}{name}" if empty and name != "bytes" else f"{empty}{_ARTICLES[name]}" for name in names
    )


HABITS: Final = tuple(
    sorted(
        (NullHabit(*how) for how in product(_DIRECTIONS, repeat=3) if any(how)),
        key=lambda habit: habit.count(""),
        reverse=True,
    )
)
"""All habits, those that say least first."""


class Shown(NamedTuple):
    """A habit, and the ids of the vectors that it explains."""

    habit: NullHabit
    vectors: frozenset[str]


def shown_habits(
    asked: Iterable[Probe], target: Manner, fewest: int = SEVERAL, passed: Sequence[Probe] = ()
) -> Iterator[Shown]:
    """Yield the habits that a target shows in several messages, each with what no other explains.

    Args:
        asked: what the target got wrong; of refused messages no habit tells.
        target: how it answers.
        fewest: so many messages show a habit.
        passed: what the target got right: if only one field is wrong, and a habit has this wrong,
            too, it is none.
    """
    read = [message for probe in asked if (message := _read(probe)) is not None]
    shown = {
        habit: {message.probe.vector.id: message.probe for message in read if _explains(habit, message, target)}
        for habit in HABITS
    }
    while shown:
        best = max(shown, key=lambda habit: len(shown[habit]))  # the first of equals, which says least
        explained = shown.pop(best)
        if len({(probe.vector.family, probe.vector.format) for probe in explained.values()}) < fewest:
            return
        fields = {field_name(probe.result) for probe in explained.values()}
        if len(fields) == 1 and _is_contradicted(best, passed, len(explained)):
            continue
        yield Shown(best, frozenset(explained))
        shown = {
            habit: {name: probe for name, probe in others.items() if name not in explained}
            for habit, others in shown.items()
        }


def _is_contradicted(habit: NullHabit, passed: Sequence[Probe], explained: int) -> bool:
    """Tell whether a target gets right what it would not, with a habit."""
    looked_at = passed[:: max(1, len(passed) // _LOOKED_AT)]
    read = (_values(each) for each in looked_at)
    right = sum(_changed(layout, values, habit) != values for layout, values in filter(None, read))
    return right > _WRONG * min(explained, len(looked_at))


class _Read(NamedTuple):
    """A message that the target answered wrongly, and its right values."""

    probe: Probe
    layout: Layout
    values: dict[str, Any]


def _read(asked: Probe) -> _Read | None:
    """Return the message with its values; None if it was not answered wrongly, or has none."""
    found = _values(asked) if asked.result.outcome is Outcome.WRONG_ANSWER else None
    return None if found is None else _Read(asked, *found)


def _values(asked: Probe) -> tuple[Layout, dict[str, Any]] | None:
    layout = layout_of(asked)
    try:
        return layout, Reader(asked.data, flags=asked.flags, make=_make).read(layout, 0, len(asked.data))[0]
    except FormatError:
        return None


def _explains(habit: NullHabit, message: _Read, target: Manner) -> bool:
    """Tell whether a habit gives the very answer of a target, as far as that is kept."""
    asked = message.probe
    changed = _changed(message.layout, message.values, habit)
    try:
        head = _head(asked, habit) if target.form == "bytes" and is_request_or_response(asked.vector) else None
        if changed == message.values and head is None:
            return False
        said = answer_difference(asked, message.layout, changed, target, head)
    except (FormatError, EncodeError):
        return False
    return said == (asked.result.path, asked.result.got)


def _head(asked: Probe, habit: NullHabit) -> bytes | None:
    """Return the header as it is written with a habit; None if it is as it should be."""
    header, front = header_of(asked), asked.vector.data[: asked.body]
    values, end = Reader(front, make=_make).read(header, 0, len(front))
    head = writer.encode(header, _changed(header, values, habit))
    return head if end == len(front) and head != front else None


def _make(_: Layout, values: dict[str, Any]) -> dict[str, Any]:
    return values


def _changed(layout: Layout, values: Mapping[str, Any], habit: NullHabit) -> dict[str, Any]:
    """Return the values as a library gives them that has the habit."""
    changed = dict(values)
    for field in members(layout):
        changed[field.name] = _value(field.type, changed[field.name], habit)
    return changed


def _value(kind: Type, value: object, habit: NullHabit) -> object:
    nested = inner(kind)
    if isinstance(value, list):
        assert isinstance(kind, Counted)  # noqa: S101 - no other type has items
        value = [_value(kind.item, element, habit) for element in value]
    elif nested is not None and isinstance(value, Mapping):
        return _changed(nested, value, habit)
    if (isinstance(kind, Form) and kind.null is not None) or (isinstance(kind, Counted) and kind.nullable):
        return habit.change(kind, value)
    return value
