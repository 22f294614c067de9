"""Reads the headers of many batches, a column a field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Flags, Ints
from kafka_format.columnar.byte_moves import octets, window
from kafka_format.log_columns.pieces import Piece
from kafka_format.records.entries import OVERHEAD
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import fixed_fields, integers, order_mark

BATCH: Final = "record_batch"

BLOCK: Final = 8192
"""Batches whose headers are looked at together."""


@cache
def row_type(name: str) -> np.dtype[np.void]:
    """Return the fixed fields of a layout as a type of numpy."""
    layout = find(name)
    fields = zip(fixed_fields(layout), integers(layout), strict=True)
    return np.dtype([(field.name, order_mark(layout.endian) + kind.code) for field, kind in fields])


def flag(heads: npt.NDArray[np.void], name: str) -> Flags:
    """Tell of each batch whether an attribute is set, such as `is_control`."""
    flags: Flags = (heads["attributes"] & _masks()[name]) != 0
    return flags


@cache
def _masks() -> dict[str, int]:
    return {bits.name: bits.in_place for bits in find(BATCH).field("attributes").bits}


def join_heads(heads: list[npt.NDArray[np.void]]) -> npt.NDArray[np.void]:
    """Put rows of headers one after the other.

    As plain bytes: numpy else copies them field by field.
    """
    row = row_type(BATCH)
    plain = np.dtype((np.void, row.itemsize))
    return np.concatenate([np.empty(0, plain), *(each.view(plain) for each in heads)]).view(row)


class HeaderBlock(NamedTuple):
    """The headers of many batches, one after the other.

    Attributes:
        position: where each begins in the file.
        heads: the header of each, a row.
        control: all bytes of the control batches, by their number in the block.
        end: the byte after the last batch.
        doubt: what keeps the next batch from being read; empty for nothing.
    """

    position: Ints
    heads: npt.NDArray[np.void]
    control: dict[int, bytes]
    end: int
    doubt: str


class _Gathered:
    """The headers of pieces until they are enough for a block."""

    def __init__(self) -> None:
        self.count = 0
        self._positions = list[Ints]()
        self._heads = list[npt.NDArray[np.void]]()
        self._control = dict[int, bytes]()
        self._end = 0

    def add(self, piece: Piece) -> None:
        """Take the headers of a piece, whose bytes are overwritten soon."""
        row, starts = row_type(BATCH), piece.starts
        self._end = piece.position + piece.size
        if not starts.size:
            return
        heads = window(octets(piece.data), row.itemsize)[starts].view(row)
        for at in flag(heads, "is_control").nonzero()[0].tolist():
            start = int(starts[at])
            end = start + OVERHEAD + int(heads["batch_length"][at])
            self._control[self.count + at] = bytes(piece.data[start:end])
        self._positions.append(starts + piece.position)
        self._heads.append(heads)
        self.count += starts.size

    def block(self, doubt: str = "") -> HeaderBlock:
        """Return the block."""
        position = np.concatenate([np.empty(0, np.int64), *self._positions])
        return HeaderBlock(position, join_heads(self._heads), self._control, self._end, doubt)


def blocks(pieces: Iterable[Piece], most: int = BLOCK) -> Iterator[HeaderBlock]:
    """Yield the headers of pieces in blocks of about `most` batches.

    Arrays must be long to be worth it.
    """
    gathered = _Gathered()
    for piece in pieces:
        gathered.add(piece)
        if gathered.count >= most or piece.doubt:
            yield gathered.block(piece.doubt)
            gathered = _Gathered()
    if gathered.count:
        yield gathered.block()


class Headers(NamedTuple):
    """Columns of the batches of a block.

    Attributes:
        position: where each begins in the file.
        base_offset: its first offset; `last_offset` is the last one.
        highest_before: the largest offset of all batches before it.
        max_timestamp: its largest timestamp.
        leader_epoch: its leader epoch; `epoch_before` is the largest one before it.
    """

    position: Ints
    base_offset: Ints
    last_offset: Ints
    highest_before: Ints
    max_timestamp: Ints
    leader_epoch: Ints
    epoch_before: Ints


def headers(block: HeaderBlock, highest: int, epoch: int) -> Headers:
    """Return the columns of a block.

    Args:
        block: the block.
        highest: the largest offset of all batches before it; -1 for none.
        epoch: the largest leader epoch before it; -1 for none.
    """
    base, epochs = _wide(block.heads["base_offset"]), _wide(block.heads["partition_leader_epoch"])
    last = base + block.heads["last_offset_delta"]
    return Headers(
        block.position,
        base,
        last,
        _before(last, highest),
        _wide(block.heads["max_timestamp"]),
        epochs,
        _before(epochs, epoch),
    )


def _wide(column: npt.NDArray[np.integer[Any]]) -> Ints:
    return column.astype(np.int64)


def _before(values: Ints, first: int) -> Ints:
    """Return the largest value before each."""
    return np.maximum.accumulate(np.concatenate(([first], values[:-1])))
