"""The bytes of a vector, field by field, with the places marked that a finding is about.

`kafka_format.explain` tells which bytes are which field and where they are wrong. A wrong answer names a field of the
answer instead (`records[2].timestamp`); this module finds the bytes that it comes from, which may be several: a
timestamp is the batch's base and the record's delta.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from kafka_format.explain import Line, explain

from kafka_conformance.vectors import Vector


class Mark(StrEnum):
    """Why a row is marked."""

    NONE = ""
    FAULT = "fault"
    DIFFERS = "differs"


class Row(NamedTuple):
    """Some bytes and what they are; see `kafka_format.explain.Line`."""

    line: Line
    mark: Mark = Mark.NONE
    note: str = ""

    def hex(self, most: int) -> str:
        """The bytes as hex, at most so many, with a note of how many more there are."""
        left_out = len(self.line.raw) - most
        return self.line.raw[:most].hex(" ") + (f" +{left_out} bytes" if left_out > 0 else "")


class Place(NamedTuple):
    """A field of the answer that a target got wrong, and the fields that the target declares."""

    path: str
    fields: Sequence[str]


class Excerpt(NamedTuple):
    """Rows that stand together, and how many were left out before them."""

    left_out: int
    rows: Sequence[Row]


def dump(vector: Vector, places: Iterable[Place] = ()) -> list[Row]:
    """Annotate the bytes of a vector: where a strict decoder refuses them, and where the given places come from."""
    lines = explain(vector.data).lines
    differing: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for place in places:
        for index in _lines_of(vector, lines, place):
            differing[index][place.path] = None
    return [_row(line, ", ".join(differing[index])) for index, line in enumerate(lines)]


def excerpts(rows: Sequence[Row], most: int) -> list[Excerpt]:
    """Return at most so many rows: the marked ones with as much around them as fits, or the first ones.

    The last excerpt is empty where rows were left out at the end.
    """
    kept = _kept(rows, most)
    found: list[Excerpt] = []
    position = 0
    while position < len(rows):
        start = next((index for index in range(position, len(rows)) if index in kept), len(rows))
        end = next((index for index in range(start, len(rows)) if index not in kept), len(rows))
        found.append(Excerpt(start - position, rows[start:end]))
        position = end
    return found


def _kept(rows: Sequence[Row], most: int) -> set[int]:
    """Return the indexes of the rows to show: around each mark alike, as far as there is room."""
    marks = [index for index, row in enumerate(rows) if row.mark][:most] or [0]
    kept = set(marks[:most])
    for reach in range(1, len(rows)):
        wider = {near for mark in marks for near in range(mark - reach, mark + reach + 1) if 0 <= near < len(rows)}
        if len(wider) > most:
            break
        kept = wider
    return kept


def _row(line: Line, differing: str) -> Row:
    if line.fault is not None:
        return Row(line, Mark.FAULT, f"{line.fault.detail} [{line.fault.rule}]")
    return Row(line, Mark.DIFFERS, f"{differing} comes from here") if differing else Row(line)


_PLACE = re.compile(r"records\[(\d+)\]\.(.+)")
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


def _lines_of(vector: Vector, lines: Sequence[Line], place: Place) -> Iterator[int]:
    """Yield the indexes of the lines that a field of the answer comes from."""
    found = _PLACE.fullmatch(place.path)
    if found is None:
        return
    records = list(_records(lines))
    index = _index_in_answer(vector, int(found[1]), place.fields)
    if not index < len(records):
        return
    entry, prefix = records[index]
    field = found[2]
    outer = _OF_ENTRY.get(field, frozenset())
    if vector.answer and field == "timestamp" and vector.answer[index]["timestamp_type"] == "log_append_time":
        outer = frozenset({"attributes", "max_timestamp", "message.attributes", "message.timestamp"})
    inner = _OF_RECORD.get(field, frozenset({field}))
    for number, line in enumerate(lines):
        if line.entry == entry and (_is_of(line.path, "", outer) or _is_of(line.path, prefix, inner)):
            yield number


def _index_in_answer(vector: Vector, index: int, fields: Sequence[str]) -> int:
    """Turn an index among the records that a target shows into one among all: many hide control records."""
    answer = vector.answer or ()
    seen = [number for number, record in enumerate(answer) if "control" in fields or not record["control"]]
    return seen[index] if index < len(seen) else len(answer)


def _records(lines: Sequence[Line]) -> Iterator[tuple[int | None, str]]:
    """Yield entry and path prefix of every record: those inside a batch or wrapper, else the message itself."""
    inside: dict[int | None, dict[str, None]] = {}
    for line in lines:
        prefixes = inside.setdefault(line.entry, {})
        if found := _RECORD.match(line.path):
            prefixes[found[0]] = None
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
