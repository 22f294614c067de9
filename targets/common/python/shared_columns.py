"""What a library gave, in columns: packed as shared_answers.py has what is due, so that both compare as memory."""

import struct
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any

from shared_answers import COLUMNS, CONTENTS, NUMBERS

_SIZES: Mapping[str, tuple[str, str]] = {
    "headers": ("header count", "records"),
    "key": ("key length", "records"),
    "value": ("value length", "records"),
    "header key": ("header key length", "headers"),
    "header value": ("header value length", "headers"),
}
"""The column that tells how much of a level there is for each of another one, and that other one."""


class Columns:
    """Columns of batches that were decoded, one after another.

    Attributes:
        named: the columns.
        ends: how many records there are up to and with each batch; 0 before them.
    """

    def __init__(self, named: Mapping[str, bytes], ends: list[int]) -> None:
        self.named = named
        self.ends = ends
        self._bounds: dict[str, Sequence[int]] = {"batches": range(len(ends)), "records": ends}

    def part(self, first: int, last: int) -> tuple[list[int], Mapping[str, bytes]]:
        """Cut out the batches `first` to `last - 1`: ends, which count from the first of them, and columns."""
        if last - first == len(self.ends) - 1:
            return self.ends, self.named
        columns = {}
        for name, data in self.named.items():
            level, width = COLUMNS[name]
            bounds = self._bounds_of(level)
            columns[name] = data[width * bounds[first] : width * bounds[last]]
        return [end - self.ends[first] for end in self.ends[first : last + 1]], columns

    def _bounds_of(self, level: str) -> Sequence[int]:
        """Where what belongs to each batch begins, and where the last of it ends."""
        if level not in self._bounds:
            sizes, owner = _SIZES[level]
            upto = [0, *accumulate([max(0, size) for size in array("q", self.named[sizes])])]
            self._bounds[level] = [upto[bound] for bound in self._bounds_of(owner)]
        return self._bounds[level]


def of_records(values: Mapping[str, Sequence[Any]], ends: list[int]) -> Columns:
    """Pack the fields of records, each in a sequence; raises whatever comes of values that are none of a record."""
    return Columns(numbers(values) | contents(values), ends)


def numbers(values: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
    """Pack the fields that are numbers."""
    return {field: packed(values[field]) for field in NUMBERS if field in values}


def packed(column: Sequence[int]) -> bytes:
    """Pack integers; whatever else there is raises, as does what does not fit into 64 bits."""
    return _words(len(column)).pack(*column)


@lru_cache(4096)
def _words(count: int) -> struct.Struct:
    # The module's own cache holds a hundred formats, and forgets all of them with the next one.
    return struct.Struct(f"{count}q")


def contents(values: Mapping[str, Sequence[Any]]) -> dict[str, bytes]:
    """Pack the fields that are no numbers."""
    named: dict[str, bytes] = {}
    for field in ("key", "value"):
        if field in values:
            named |= zip(CONTENTS[field], (_lengths(values[field]), _joined(values[field])), strict=True)
    if "headers" in values:
        named |= zip(CONTENTS["headers"], _headers(values["headers"]), strict=True)
    return named


def _headers(column: Sequence[Any]) -> Iterable[bytes]:
    counts, pairs = packed(list(map(len, column))), list(chain.from_iterable(filter(None, column)))
    keys, values = zip(*pairs, strict=True) if pairs else ((), ())
    if keys and type(keys[0]) is str:
        lengths = [len(key) if key.isascii() else len(key.encode()) for key in keys]
        return counts, packed(lengths), _lengths(values), "".join(keys).encode(), _joined(values)
    return counts, packed(list(map(len, keys))), _lengths(values), b"".join(keys), _joined(values)


def _lengths(column: Sequence[Any]) -> bytes:
    return packed([-1 if content is None else len(content) for content in column])


def _joined(column: Sequence[Any]) -> bytes:
    # Not `filter(None, column)`: it would hide what is empty and of another type.
    return b"".join([content for content in column if content is not None])
