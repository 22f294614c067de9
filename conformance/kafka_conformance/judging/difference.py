"""The first difference of two answers, field by field over what the target declares.

A target that does not declare `control` never sees control records in what is expected of it: its
library hides them by design.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from kafka_format.records import Header, Record
from kafka_tools.text import plural

from kafka_conformance.protocol.hello import FIELDS

_SHOWN_BYTES = 24

MISSING = "missing"
"""What was got where a value has no such field."""


class Difference(NamedTuple):
    """The first difference of two answers, or of what a client did and had to do.

    Attributes:
        path: where: `records[0].key`, `steps[1].next.offset`.
        expected: what it had to be, in short form.
        got: what it is.
        why: the rule, in words, where the path does not say it.
        request: of a producer, the number of the request, whose place in a run time decides; the
            path is within it.
        is_behind: True if a client did not get there; what it did not get, it has not lost.
    """

    path: str
    expected: str
    got: str
    why: str = ""
    request: int | None = None
    is_behind: bool = False


def visible(records: Sequence[Record], fields: Iterable[str]) -> list[Record]:
    """Leave out control records unless `control` is among the declared fields."""
    return list(records) if "control" in fields else [record for record in records if not record.control]


def first_difference(expected: Sequence[Record], got: Sequence[Record], fields: Iterable[str]) -> Difference | None:
    """Compare two answers over the declared fields; None if they agree.

    Records are compared in order before their number is, because the first record that differs says
    more than a count.
    """
    declared = [field for field in FIELDS if field in set(fields)]
    for index, (left, right) in enumerate(zip(expected, got, strict=False)):
        for field in declared if left != right else ():
            if getattr(left, field) != getattr(right, field):
                return _difference(f"records[{index}].{field}", getattr(left, field), getattr(right, field))
    if len(expected) != len(got):
        return Difference("records", plural(len(expected), "record"), plural(len(got), "record"))
    return None


def _difference(path: str, expected: Any, got: Any) -> Difference:  # noqa: ANN401 - any field's value
    if isinstance(expected, bytes) and isinstance(got, bytes):
        start = _first_unequal(expected, got)
        return Difference(path, _window(expected, start), _window(got, start))
    if isinstance(expected, tuple) and isinstance(got, tuple):
        return _header_difference(path, expected, got)
    return Difference(path, _text(expected), _text(got))


def _header_difference(path: str, expected: tuple[Header, ...], got: tuple[Header, ...]) -> Difference:
    for index, (left, right) in enumerate(zip(expected, got, strict=False)):
        for field in Header._fields:
            if getattr(left, field) != getattr(right, field):
                return _difference(f"{path}[{index}].{field}", getattr(left, field), getattr(right, field))
    return Difference(path, plural(len(expected), "header"), plural(len(got), "header"))


def _first_unequal(left: bytes, right: bytes) -> int:
    pairs: Iterator[tuple[int, tuple[int, int]]] = enumerate(zip(left, right, strict=False))
    return next((index for index, (value, other) in pairs if value != other), min(len(left), len(right)))


def _window(data: bytes, start: int) -> str:
    """Return the bytes around a place, short enough for a table; long values begin alike."""
    if len(data) <= _SHOWN_BYTES:
        return _text(data)
    first = max(0, start - 4)
    return f"{data[first : first + _SHOWN_BYTES].hex()} (from byte {first} of {len(data)})"


def _text(value: Any) -> str:  # noqa: ANN401 - any field's value
    if value is None:
        return "null"
    if isinstance(value, bytes):
        if len(value) > _SHOWN_BYTES:
            return _window(value, 0)
        return value.hex() or "empty"
    return str(value)
