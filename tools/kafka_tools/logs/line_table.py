"""Many lines of text at once, as bytes: a template, filled with a column for each of its fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from kafka_format.columnar.arrays import Ints, Octets, bounds
from kafka_format.columnar.byte_moves import SPILL, copy, octets

from kafka_tools.logs.line_parts import Part, PlacedContents, numbers, texts

_FIELD: Final = re.compile("%[ds]")

Column = npt.NDArray[Any] | Sequence[str] | str | Part
"""The values of a field, a line each; a text where all lines have that."""


class LineTable:
    """Lines of the same parts, with line breaks.

    Attributes:
        lengths: bytes of each.
    """

    def __init__(self, template: str, count: int, columns: Sequence[Column]) -> None:
        """Take a template, with `%d` or `%s` for each column, and the columns of so many lines."""
        self._parts = list(_parts(f"{template}\n", columns))
        self.lengths: Ints = np.zeros(count, np.int64)
        for part in self._parts:
            self.lengths += part.lengths

    def write(self, out: Octets, starts: Ints, data: bytes) -> None:
        """Write the lines.

        Args:
            out: the text that they are lines of. What is within `SPILL` bytes behind a line may be
                overwritten, if the lines have contents.
            starts: where each begins, rising.
            data: the buffer of the contents.
        """
        places, copied = [starts], list[PlacedContents]()
        for part in self._parts:
            copied += part.contents(places[-1])
            places.append(places[-1] + part.lengths)
        if copied and starts.size:
            _copy(out, copied, data)
        for part, at in zip(self._parts, places, strict=False):
            part.write(out, at)


def _copy(out: Octets, copied: Sequence[PlacedContents], data: bytes) -> None:
    """Copy contents in the order of their places: each overwrites something behind it."""
    places = np.concatenate([each.at for each in copied])
    starts, lengths = (np.concatenate(columns) for columns in zip(*(each.slices for each in copied), strict=True))
    if len(copied) > 1:
        order = np.argsort(places, kind="stable")
        places, starts, lengths = places[order], starts[order], lengths[order]
    copy(out, places, octets(data), starts, lengths)


def _parts(template: str, columns: Sequence[Column]) -> Iterator[Part]:
    """Yield the parts; what is the same in all lines is of the text around it."""
    text, *following = _FIELD.split(template)
    for after, column in zip(following, columns, strict=True):
        known = _constant(column)
        if isinstance(known, str):
            text += known + after
        else:
            yield from (Part(text), known)
            text = after
    yield Part(text)


def _constant(column: Column) -> str | Part:
    """Return the text that a column has in all lines, of which there is one; else what it makes."""
    if isinstance(column, str | Part):
        return column
    if isinstance(column, np.ndarray):
        return str(column[0]) if (column == column[0]).all() else numbers(column.astype(np.int64, copy=False))
    return column[0] if all(each == column[0] for each in column) else texts(column)


class Placed(NamedTuple):
    """The lines of a table, and which ones of a text they are."""

    table: LineTable
    at: Ints


def joined(placed: Sequence[Placed], data: bytes = b"", others: Mapping[int, str] = MappingProxyType({})) -> memoryview:
    """Return a text, without its last line break.

    Args:
        placed: tables that have its lines; those of the first alone may have contents.
        data: the buffer of the contents.
        others: lines that are in no table, by their number.
    """
    lengths = np.empty(sum(each.at.size for each in placed) + len(others), np.int64)
    for table, at in placed:
        lengths[at] = table.lengths
    lines = {number: f"{line}\n".encode() for number, line in others.items()}
    for number, line in lines.items():
        lengths[number] = len(line)
    starts = bounds(lengths)
    out = np.empty(int(starts[-1]) + SPILL, np.uint8)
    for table, at in placed:
        table.write(out, starts[at], data)
    text = out.data
    for number, line in lines.items():
        text[starts[number] : starts[number] + len(line)] = line
    return text[: starts[-1] - 1]
