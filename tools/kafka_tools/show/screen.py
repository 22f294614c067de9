"""An annotated dump on a terminal: in columns that fit its width, as a tree where paths are long.

The column of bytes gives way first, down to four a row. No value is cut: what does not fit goes on
in further rows, at a blank; a name that is longer than its column breaks behind a dot or `_`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from kafka_format.explain.lines import Explanation
from rich.console import Console
from rich.text import Text

from kafka_tools.show import hexdump
from kafka_tools.show.hexdump import WIDTH, Row
from kafka_tools.show.tree import as_tree

_BYTES_A_ROW: Final = (WIDTH, 8, 4)
_LEAST_VALUE: Final = 20
"""Letters that the column of values has at least; the longest text of a value is 60."""

_MOST_WORD: Final = 40
"""Letters of a word in a value for which the column of bytes gives way; names are no longer."""

_GAP: Final = 2


def print_explanation(explanation: Explanation, console: Console, *, full: bool = False, tree: bool = False) -> None:
    """Print an explanation: on a terminal in colours and columns that fit, else plain.

    Args:
        explanation: what to print.
        console: where to.
        full: show every byte of long values.
        tree: show fields as a tree, also where their paths would fit.
    """
    if not console.is_terminal:
        rows = hexdump.rows(explanation, full=full)
        console.file.writelines(f"{line}\n" for line in hexdump.text_lines(as_tree(rows) if tree else rows))
        return
    for line in _lines(explanation, console.width, full=full, tree=tree):
        line.rstrip()
        console.print(line, highlight=False, no_wrap=True, overflow="ignore", crop=False, soft_wrap=True)


def width_of(console: Console) -> int | None:
    """Return the letters in a row of a terminal; None of what is none."""
    return console.width if console.is_terminal else None


def _lines(explanation: Explanation, width: int, *, full: bool, tree: bool) -> Iterator[Text]:
    rows, octets = _layout(explanation, width, full=full, tree=tree)
    places, paths = _longest(rows, "place"), min(_longest(rows, "path"), max(16, width // 2))
    left = places + _GAP + (3 * octets - 1) + _GAP + paths + _GAP
    entry = None
    for row in rows:
        if row.entry is not None and row.entry != entry:
            entry = row.entry
            yield Text(f"entry {entry}", "bold")
        names = _wrap(row.path, paths)
        values = _wrap(row.value, max(width - left, _LEAST_VALUE))
        style = "bold red" if row.fault else ""
        for index in range(max(len(names), len(values), 1)):
            yield Text.assemble(
                (f"{row.place if not index else '':>{places}}  ", "dim"),
                (f"{row.octets if not index else '':<{3 * octets - 1}}  ", style),
                (f"{names[index] if index < len(names) else '':<{paths}}  ", style or "cyan"),
                (values[index] if index < len(values) else "", style),
            )
        for text in row.fault.splitlines():
            for part in _wrap(text, max(width - places - 4, _LEAST_VALUE)):
                yield Text(f"{'':>{places}}  ^ {part}", style)


def _layout(explanation: Explanation, width: int, *, full: bool, tree: bool) -> tuple[Sequence[Row], int]:
    """Return the rows, and how many bytes one has: as many as fit beside fields and values."""
    word = max((len(word) for line in explanation.lines for word in line.value.split()), default=0)
    for is_tree in (tree, True):
        for octets in _BYTES_A_ROW:
            rows: Sequence[Row] = hexdump.rows(explanation, full=full, width=octets)
            rows = as_tree(rows) if is_tree else rows
            needed = _longest(rows, "place") + 3 * octets - 1 + _longest(rows, "path") + 3 * _GAP
            if needed + max(min(_longest(rows, "value"), _LEAST_VALUE), min(word, _MOST_WORD)) <= width:
                return rows, octets
    return rows, octets


def _longest(rows: Sequence[Row], column: str) -> int:
    return max((len(getattr(row, column)) for row in rows), default=0)


def _wrap(text: str, width: int) -> list[str]:
    """Return a text in rows, broken at blanks; a word that is too long behind its dots and `_`."""
    if len(text) <= width:
        return [text] if text else []
    indent = len(text) - len(text.lstrip())
    if " " not in text.strip():
        parts = _broken(text.strip(), max(width - indent - 2, 1))
        return [" " * (indent + 2 * bool(at)) + part for at, part in enumerate(parts)]
    inner = min(indent, width // 2)
    words = [part for word in text.split() for part in _broken(word, width - inner)]
    return textwrap.wrap(" " * indent + " ".join(words), width, subsequent_indent=" " * inner, break_on_hyphens=False)


def _broken(word: str, width: int) -> list[str]:
    """Return a word in parts that fit, broken behind dots and `_`, and anywhere if it has none."""
    if len(word) <= width:
        return [word]
    parts = [""]
    for piece in re.findall(r"[^._]*[._]?", word):
        if len(parts[-1]) + len(piece) > width and parts[-1]:
            parts.append("")
        parts[-1] += piece
    return [part[at : at + width] for part in parts for at in range(0, len(part), width)]
