"""The annotated hex dump as rows of text: what `explain` prints and reports show.

A row is 16 bytes at most. A field that is longer goes on in further rows without a name; past four
rows the middle is left out, unless the dump is asked for in full. Offsets are decimal, as in error
messages; those inside a decompressed payload are marked with `p`, because they count from its
start. The row with the fault carries the error and the sentence of its rule.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kafka_format.errors import FormatError
from kafka_format.explain.lines import Explanation, Line
from kafka_format.spec.rules import rules
from rich.console import Console
from rich.table import Table
from rich.text import Text

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


def rows(explanation: Explanation, *, full: bool = False) -> list[Row]:
    """Turn an explanation into rows.

    Every byte is in one, or counted in one that leaves bytes out.
    """
    return [row for line in explanation.lines for row in _rows(line, full=full)]


def fault_text(fault: FormatError) -> str:
    """Return a text about a fault, with the sentence of its rule."""
    rule = rules().get(fault.rule)
    return f"{fault}" + (f"\n{rule.id}: {rule.sentence}" if rule else "")


def plain(dump_rows: Iterable[Row]) -> Iterator[str]:
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


def print_rows(dump: Sequence[Row], console: Console) -> None:
    """Print the rows: as a table in colours on a terminal, else as the lines of `plain`."""
    if console.is_terminal:
        console.print(_table(dump))
    else:
        console.file.writelines(f"{line}\n" for line in plain(dump))


def _table(dump: Iterable[Row]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("byte", justify="right", style="dim")
    table.add_column("bytes", no_wrap=True)
    table.add_column("field", style="cyan", overflow="fold")
    table.add_column("value", overflow="fold")
    for row in dump:
        style = "bold red" if row.fault else ""
        value = Text("\n".join(filter(None, [row.value, row.fault])))
        table.add_row(row.place, Text(row.octets), Text(row.path), value, style=style)
    return table


def _rows(line: Line, *, full: bool) -> Iterator[Row]:
    mark = "p" if line.payload else ""
    fault = fault_text(line.fault) if line.fault else ""
    shown = line.raw if full or len(line.raw) <= _LONGEST else line.raw[:_LONGEST]
    yield Row(f"{mark}{line.start}", shown[:WIDTH].hex(" "), line.path, line.value, fault, line.entry)
    for start in range(WIDTH, len(shown), WIDTH):
        yield Row(f"{mark}{line.start + start}", shown[start : start + WIDTH].hex(" "), "", "", entry=line.entry)
    if len(shown) < len(line.raw):
        left = len(line.raw) - len(shown)
        yield Row(f"{mark}{line.start + len(shown)}", f"... {left} more bytes", "", "", entry=line.entry)
