"""Where in the bytes a field of the answer comes from.

A wrong answer names a field as a consumer sees it (`records[2].timestamp`). Its bytes may be in
several fields: a timestamp is the base of the batch and the delta of the record, a timestamp type
is a bit in the attributes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kafka_format.explain.lines import Line

from kafka_conformance.vectors.vector import Vector


class WrongField(NamedTuple):
    """A field of the answer that a target got wrong, and the fields that the target declares."""

    path: str
    fields: Sequence[str]


_PATH = re.compile(r"records\[([0-9]{1,9})\]\.(.+)")
_RECORD = re.compile(r"(?:records|message\.value)\[\d+\]\.")

_OF_ENTRY: Mapping[str, frozenset[str]] = {
    "offset": frozenset({"offset", "base_offset"}),
    "timestamp": frozenset({"base_timestamp"}),
    "timestamp_type": frozenset({"attributes", "message.attributes"}),
    "producer_id": frozenset({"producer_id"}),
    "producer_epoch": frozenset({"producer_epoch"}),
    "sequence": frozenset({"base_sequence"}),
    "transactional": frozenset({"attributes"}),
    "control": frozenset({"attributes"}),
    "codec": frozenset({"attributes", "message.attributes"}),
}
"""Fields of an entry that a field of the answer comes from."""

_OF_RECORD: Mapping[str, frozenset[str]] = {
    "offset": frozenset({"offset", "offset_delta"}),
    "timestamp": frozenset({"message.timestamp", "timestamp_delta"}),
    "key": frozenset({"key", "message.key"}),
    "value": frozenset({"value", "message.value"}),
    "headers": frozenset({"header_count", "headers"}),
    "sequence": frozenset({"offset_delta"}),
}
"""The same, for fields of a record or of an inner message."""


def split_path(path: str) -> tuple[int, str] | None:
    """Return index and field of a path: 2 and `timestamp` for `records[2].timestamp`, or None."""
    match = _PATH.fullmatch(path)
    return (int(match[1]), match[2]) if match else None


def lines_of(vector: Vector, lines: Sequence[Line], place: WrongField) -> Iterator[int]:
    """Yield the indexes of the lines that a field comes from; none if there is no such field."""
    place_in_record = split_path(place.path)
    if place_in_record is None:
        return
    shown, field = place_in_record
    records = list(_records(lines))
    index = _index_in_answer(vector, shown, place.fields)
    if not index < len(records):
        return
    entry, prefix = records[index]
    outer = _OF_ENTRY.get(field, frozenset())
    if vector.answer and field == "timestamp" and vector.answer[index]["timestamp_type"] == "log_append_time":
        outer = frozenset({"attributes", "max_timestamp", "message.attributes", "message.timestamp"})
    inner = _OF_RECORD.get(field, frozenset({field}))
    for number, line in enumerate(lines):
        if line.entry == entry and (_is_of(line.path, "", outer) or _is_of(line.path, prefix, inner)):
            yield number


def _index_in_answer(vector: Vector, index: int, fields: Sequence[str]) -> int:
    """Return an index among all records from one among those that a target shows.

    Many hide control records.
    """
    answer = vector.answer or ()
    seen = [number for number, record in enumerate(answer) if "control" in fields or not record["control"]]
    return seen[index] if index < len(seen) else len(answer)


def _records(lines: Sequence[Line]) -> Iterator[tuple[int | None, str]]:
    """Yield entry and path prefix of every record: of the item in a batch, or of the message."""
    inside: dict[int | None, dict[str, None]] = {}
    for line in lines:
        prefixes = inside.setdefault(line.entry, {})
        if match := _RECORD.match(line.path):
            prefixes[match[0]] = None
        elif line.path == "message.attributes":
            prefixes[""] = None
    for entry, prefixes in inside.items():
        named = [prefix for prefix in prefixes if prefix]
        yield from ((entry, prefix) for prefix in named or prefixes)


def _is_of(path: str, prefix: str, names: frozenset[str]) -> bool:
    if not path.startswith(prefix):
        return False
    rest = path[len(prefix) :]
    return any(rest == name or rest.startswith((name + ".", name + "[")) for name in names)
