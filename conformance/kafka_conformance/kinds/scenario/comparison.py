"""What two answers differ in: rows in any order, and only the fields that both versions have."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from kafka_conformance.judging.difference import MISSING, Difference
from kafka_conformance.kinds.broker.connection import error_name

_IDENTITY: Final = (
    "name",
    "topic",
    "topicName",
    "groupId",
    "key",
    "resourceType",
    "resourceName",
    "partitionIndex",
    "partition",
    "index",
    "apiKey",
    "transactionalId",
    "memberId",
    "record",
)
"""Fields that say what a row is about: rows of two answers belong together by them."""

_ERROR: Final = "errorcode"

_EMPTY: Final[tuple[Any, ...]] = (-1, "-1", "", None, [])


def masked(value: Any, mask: Collection[str]) -> Any:
    """Return an answer without the fields that are not compared."""
    if isinstance(value, dict):
        return {key: masked(item, mask) for key, item in value.items() if key not in mask}
    return [masked(item, mask) for item in value] if isinstance(value, list) else value


def has(answer: Any, wanted: Any) -> bool:
    """Tell whether an answer has the fields that are wanted, and rows in the same places.

    An empty list wants no rows.
    """
    if isinstance(wanted, dict):
        return isinstance(answer, dict) and all(key in answer and has(answer[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return isinstance(answer, list) and _has_rows(answer, wanted)
    return bool(answer == wanted)


def _has_rows(answer: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return len(answer) >= len(wanted) and all(map(has, answer, wanted)) if wanted else not answer


def errors(value: Any) -> Iterator[int]:
    """Yield the error codes of an answer, wherever they stand."""
    if isinstance(value, dict):
        yield from (item for key, item in value.items() if is_error(key) and isinstance(item, int))
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from errors(item)


def shared(expected: Any, got: Any) -> int:
    """Count the fields, at any depth, that both answers have: what a comparison can rest on."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return sum(1 + shared(expected[key], got[key]) for key in expected.keys() & got.keys())
    if isinstance(expected, list) and isinstance(got, list) and expected and got:
        return shared(expected[0], got[0])
    return 0


def difference(expected: Any, got: Any, path: str) -> Difference | None:
    """Return the first difference of two masked answers; None if there is none."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        # Whether it went well comes before what came of it.
        order = sorted((key for key in _said(expected) if key in got), key=lambda key: not is_error(key))
        found = (difference(expected[key], got[key], f"{path}.{key}") for key in order)
        return next(filter(None, found), None)
    if isinstance(expected, list) and isinstance(got, list):
        return _rows(expected, got, path)
    if expected == got:
        return None
    return Difference(path, _text(path, expected), _text(path, got))


def _said(expected: Mapping[str, Any]) -> Iterator[str]:
    """Yield the fields that count: beside an error, what Kafka leaves empty may be anything."""
    has_failed = any(is_error(key) and value for key, value in expected.items())
    yield from (key for key, value in expected.items() if not has_failed or is_error(key) or value not in _EMPTY)


def _rows(expected: Sequence[Any], got: Sequence[Any], path: str) -> Difference | None:
    if not all(isinstance(row, Mapping) for row in (*expected, *got)):
        return None if expected == got else Difference(path, _text(path, expected), _text(path, got))
    left = [*got]
    pairs = [(row, _taken(row, left)) for row in sorted(expected, key=lambda row: row not in got)]
    for row, same in pairs:
        place = f"{path}[{_named(row)}]"
        if same is None:
            return Difference(place, "a row", MISSING)
        if (found := difference(row, same, place)) is not None:
            return found
    return Difference(f"{path}[{_named(left[0])}]", "no such row", "a row") if left else None


def _taken(row: Mapping[str, Any], left: list[Any]) -> Any:
    """Take the row out of those that are left that is about the same; None if none is."""
    alike = next((other for other in left if difference(row, other, "") is None), None)
    same = alike or next((other for other in left if _is_about(row, other)), None)
    if same is not None:
        left.remove(same)
    return same


def _is_about(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(row[key] == other[key] for key in _IDENTITY if key in row and key in other)


def _named(row: Mapping[str, Any]) -> str:
    return next((str(row[key]) for key in _IDENTITY if row.get(key) not in (None, "")), "")


def is_error(path: str) -> bool:
    """Tell whether a field is an error code: `errorCode`, `partitionErrorCode`."""
    return path.lower().endswith(_ERROR)


def _text(path: str, value: Any) -> str:
    if is_error(path) and isinstance(value, int):
        return error_name(value)
    return value if isinstance(value, str) and value else json.dumps(value)
