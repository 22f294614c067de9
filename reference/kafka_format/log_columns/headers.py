"""What the headers of many batches say, a column a field."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Flags, Ints
from kafka_format.columnar.byte_moves import octets, window
from kafka_format.log_columns.pieces import Piece
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import fixed_fields, integers, order_mark

BATCH: Final = "record_batch"


@cache
def row_type(name: str) -> np.dtype[np.void]:
    """Return the fixed fields of a layout as a type of numpy."""
    layout = find(name)
    fields = zip(fixed_fields(layout), integers(layout), strict=True)
    return np.dtype([(field.name, order_mark(layout.endian) + kind.code) for field, kind in fields])


def heads_of(piece: Piece) -> npt.NDArray[np.void]:
    """Return a copy of the headers of a piece's batches, a row each."""
    row = row_type(BATCH)
    if not piece.starts.size:
        return np.empty(0, row)
    return window(octets(piece.data), row.itemsize)[piece.starts].view(row)


def flag(heads: npt.NDArray[np.void], name: str) -> Flags:
    """Tell of each batch whether an attribute is set, such as `is_control`."""
    bits = next(bits for bits in find(BATCH).field("attributes").bits if bits.name == name)
    found: Flags = (heads["attributes"] & bits.in_place) != 0
    return found


class Headers(NamedTuple):
    """Columns of the batches of a piece.

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


def headers(piece: Piece, heads: npt.NDArray[np.void], highest: int, epoch: int) -> Headers:
    """Return the columns of a piece.

    Args:
        piece: the piece.
        heads: its headers.
        highest: the largest offset of all batches before it; -1 for none.
        epoch: the largest leader epoch before it; -1 for none.
    """
    base, epochs = _wide(heads["base_offset"]), _wide(heads["partition_leader_epoch"])
    last = base + heads["last_offset_delta"]
    return Headers(
        piece.position + piece.starts,
        base,
        last,
        _before(last, highest),
        _wide(heads["max_timestamp"]),
        epochs,
        _before(epochs, epoch),
    )


def _wide(column: npt.NDArray[np.integer[Any]]) -> Ints:
    return column.astype(np.int64)


def _before(values: Ints, first: int) -> Ints:
    """Return the largest value before each."""
    return np.maximum.accumulate(np.concatenate(([first], values[:-1])))
