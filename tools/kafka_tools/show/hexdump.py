"""The annotated hex dump as rows of text: what `explain` prints and reports show.

A row is 16 bytes at most, fewer on a narrow terminal (`screen`). A field that is longer goes on in
further rows without a name; past 64 bytes the rest is left out, unless the dump is asked for in
full. Offsets are decimal, as in error messages; those inside a decompressed payload are marked with
`p`, because they count from its start. The row with the fault carries the error and the sentence of
its rule.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kafka_format.errors import FormatError
from kafka_format.explain.lines import Explanation, Line
from kafka_format.spec.rules import rules

WIDTH = 16
_LONGEST = 4 * WIDTH


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the dump.

    Attributes:
        place: offset of the first byte; `p` before it counts in the decompressed payload.
        octets: up to 16 bytes in hex, two digits each.
        path: the field; empty where a field goes on.
        value: what the bytes say.
        fault: what is wrong with the bytes, with the rule; empty if nothing is.
        entry: index of the entry; None outside of any.
    """

    place: str
    octets: str
    path: str
    value: str
    fault: str = ""
    entry: int | None = None


def rows(explanation: Explanation, *, full: bool = False, width: int = WIDTH) -> list[Row]:
    """Turn an explanation into rows of `width` bytes.

    Every byte is in one, or counted in one that leaves bytes out.
    """
    return [row for line in explanation.lines for row in _rows(line, full=full, width=width)]


def fault_text(fault: FormatError) -> str:
    """Return a text about a fault, with the sentence of its rule."""
    rule = rules().get(fault.rule)
    return f"{fault}" + (f"\n{rule.id}: {rule.sentence}" if rule else "")


def text_lines(dump_rows: Iterable[Row]) -> Iterator[str]:
    """Give the rows as lines of text in columns, a heading before each entry."""
    kept = list(dump_rows)
    places = max((len(row.place) for row in kept), default=0)
    paths = max((len(row.path) for row in kept), default=0)
    entry = None
    for row in kept:
        if row.entry is not None and row.entry != entry:
            entry = row.entry
            yield f"entry {entry}"
        yield f"{row.place:>{places}}  {row.octets:<{3 * WIDTH - 1}}  {row.path:<{paths}}  {row.value}".rstrip()
        yield from (f"{'':>{places}}  ^ {text}" for text in row.fault.splitlines())


def _rows(line: Line, *, full: bool, width: int) -> Iterator[Row]:
    mark = "p" if line.payload else ""
    value = f"{line.value} (doubted: the checksum is wrong)" if line.is_doubted else line.value
    fault = fault_text(line.fault) if line.fault else ""
    shown = line.raw if full or len(line.raw) <= _LONGEST else line.raw[:_LONGEST]
    yield Row(f"{mark}{line.start}", shown[:width].hex(" "), line.path, value, fault, line.entry)
    for start in range(width, len(shown), width):
        yield Row(f"{mark}{line.start + start}", shown[start : start + width].hex(" "), "", "", entry=line.entry)
    if len(shown) < len(line.raw):
        left = len(line.raw) - len(shown)
        yield Row(
            f"{mark}{line.start + len(shown)}",
            f"... {left} more byte{'' if left == 1 else 's'}",
            "",
            "",
            entry=line.entry,
        )
