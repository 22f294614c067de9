"""The bytes of a vector, field by field, with the places marked that a finding is about.

`kafka_format.explain.lines` tells which bytes are which field and where they are wrong;
`reports.origins` tells where a field of the answer comes from. Here both become rows for a terminal
or a page.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.explain.contents import explain_content
from kafka_format.explain.inside import How
from kafka_format.explain.lines import Explanation, Line, explain, explain_v07
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.explain.topic_records import explain_layout
from kafka_format.primitives.counts import byte_count
from kafka_tools.text import plural

from kafka_conformance.reports.origins import WrongField, lines_of
from kafka_conformance.vectors.contents import headers_of
from kafka_conformance.vectors.vector import Subject, Vector


class Mark(StrEnum):
    """Why a row is marked."""

    NONE = ""
    FAULT = "fault"
    DIFFERS = "differs"


class MarkedRow(NamedTuple):
    """A line of a dump with its mark; see `kafka_format.explain.lines.Line`."""

    line: Line
    mark: Mark = Mark.NONE
    note: str = ""

    def hex(self, most: int) -> str:
        """The bytes as hex, at most so many, with a note of how many more there are."""
        left_out = len(self.line.raw) - most
        return self.line.raw[:most].hex(" ") + (f" +{byte_count(left_out)}" if left_out > 0 else "")


def dump(vector: Vector, places: Iterable[WrongField] = ()) -> list[MarkedRow]:
    """Annotate a vector's bytes: where a strict decoder refuses them, where given fields come from.

    Bytes that only a lenient decoder reads are shown as such a decoder reads them, to the end.
    """
    strict = _explain(vector, frozenset())
    lines = _explain(vector, frozenset({vector.flag})).lines if vector.flag else strict.lines
    if vector.flag and strict.fault is not None:
        lines = list(_mark_fault(lines, strict.fault))
    differing: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for place in places:
        for index in lines_of(vector, lines, place):
            differing[index][place.path] = None
    comes = [", ".join(differing[index]) for index in range(len(lines))]
    return [_row(line, *_remark(comes, index)) for index, line in enumerate(lines)]


def _remark(comes: Sequence[str], index: int) -> tuple[bool, str]:
    """Tell whether a field of the answer comes from a line, and say so at the first of several."""
    first = comes[index] and (index == 0 or comes[index - 1] != comes[index])
    return bool(comes[index]), f"{comes[index]} comes from here" if first else ""


def _explain(vector: Vector, flags: frozenset[str]) -> Explanation:
    if vector.subject is Subject.MESSAGE:
        if vector.document["api"] is None:
            return explain_layout(vector.document["layout"], vector.data, flags=flags)
        explain_one = explain_request if vector.format == "request" else explain_response
        api, version = (vector.document[name] for name in ("api", "version"))
        return explain_one(vector.data, api, version, how=How(flags)).explanation
    if vector.subject is Subject.CONTENT:
        return explain_content(vector.document["content"], vector.data, headers_of(vector.document), flags)
    return (explain_v07 if vector.format == "v07" else explain)(vector.data, flags=flags)


def excerpt(rows: Sequence[MarkedRow], most: int) -> Iterator[MarkedRow | str]:
    """Yield at most so many rows: the marked ones with their surroundings, or the first ones.

    Between them come headings: where an entry starts, if there are several, where its decompressed
    payload starts, and how many rows were left out.
    """
    kept = _rows_to_show(rows, most)
    several = len({row.line.entry for row in rows}) > 1
    left_out = 0
    place: tuple[int | None, bool] = (None, False)
    for index, row in enumerate(rows):
        if index not in kept:
            left_out += 1
            continue
        if left_out:
            yield _left_out(left_out)
        left_out = 0
        if several and row.line.entry not in {None, place[0]}:
            yield f"entry {row.line.entry}"
        if row.line.payload and place != (row.line.entry, True):
            yield "in the decompressed payload, counted from its start:"
        place = row.line.entry, row.line.payload
        yield row
    if left_out:
        yield _left_out(left_out)


def _left_out(count: int) -> str:
    return f"... {plural(count, 'field')} left out"


def _rows_to_show(rows: Sequence[MarkedRow], most: int) -> set[int]:
    """Return the indexes of the rows to show: around each mark alike, as far as there is room."""
    marks = [index for index, row in enumerate(rows) if row.mark][:most] or [0]
    kept = set(marks[:most])
    for reach in range(1, len(rows)):
        wider = {near for mark in marks for near in range(mark - reach, mark + reach + 1) if 0 <= near < len(rows)}
        if len(wider) > most:
            break
        kept = wider
    return kept


def _mark_fault(lines: Iterable[Line], fault: FormatError) -> Iterator[Line]:
    """Mark the first line that the fault is in."""
    place = fault.entry, fault.payload
    open_fault: FormatError | None = fault
    for line in lines:
        here = line.start <= fault.offset < line.start + max(1, len(line.raw))
        if open_fault is not None and here and place == (line.entry, line.payload):
            yield line._replace(fault=fault)
            open_fault = None
        else:
            yield line


def _row(line: Line, differs: bool, comes: str) -> MarkedRow:  # noqa: FBT001 - `_remark` has both
    """Return a line's row with its remarks: the fault, and fields of the answer that it gives."""
    if line.fault is not None:
        fault = f"byte {line.fault.offset}: {line.fault.detail} [{line.fault.rule}]"
        return MarkedRow(line, Mark.FAULT, "; ".join(filter(None, (fault, comes))))
    return MarkedRow(line, Mark.DIFFERS if differs else Mark.NONE, comes)
