"""What is due for a block, as shared_images.py of the Python adapters wants it in shared memory: bytes of `marshal`.

They are described here, and written for all batches at once by `kafka_format.sampler.writing`.
"""

from collections.abc import Collection
from struct import Struct
from typing import TYPE_CHECKING

import numpy as np
from kafka_format.columnar import byte_moves
from kafka_format.columnar.plans import RowStep, plan
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, TRANSACTIONAL_BIT
from kafka_format.sampler import writing
from kafka_format.sampler.writing import Constant, Each, Fixed, Marshalled, MarshalledPiece, Part, Piece, Written

from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.scale.columns import Integers, raw

if TYPE_CHECKING:
    from kafka_conformance.scale.batches import Block

STATE = ("producer_id", "producer_epoch", "base_sequence", "base_offset", "transactional", "control", "codec")
ROW = FIELDS[:6]
NEEDED = frozenset({*ROW, "control"})
"""The fields that a target must declare: what it gives for others cannot be foreseen."""

_TUPLE, _LIST, _INT, _TEXT, _FALSE, _TRUE = b"([iuFT"
_TAGGED = Struct("<Bi")
"""A tag of `marshal` with a number: how much follows."""

_WORD = 8


def sections(block: "Block", fields: Collection[str]) -> list[memoryview]:
    """Write a block of sound v2 batches; its parts belong one after the other.

    Args:
        block: batches and what is due for them.
        fields: those that the target declares; `NEEDED` are among them.
    """
    found = written(block, fields)
    inputs = _WORD * (1 + 2 * found.bounds.size)
    places = (inputs + block.bounds, inputs + len(block.data) + found.bounds)
    numbers = (np.array([found.bounds.size - 1]), *places)
    return [*map(raw, numbers), memoryview(block.data), found.data[: found.size].data]


def written(block: "Block", fields: Collection[str]) -> Written:
    """Write images: as many structures as there are batches."""
    due = block.columns
    far = {name: Marshalled(due.numbers[name]) for name in ("offset", "timestamp")}
    header = (
        *_head(_TUPLE, 2),
        *_head(_TEXT, due.header_key.lengths),
        Piece(due.header_key),
        MarshalledPiece(due.header_value),
    )
    record = (
        *_head(_TUPLE, len(ROW)),
        *(far["offset"], far["timestamp"], *_head(_INT, due.numbers["timestamp_type"])),
        *(MarshalledPiece(due.key), MarshalledPiece(due.value)),
        *_head(_LIST, due.headers.counts),
        Each(due.headers, header),
    )
    batch = (
        *(*_head(_LIST, 1), *_head(_TUPLE, 2), *_head(_TUPLE, len(STATE))),
        *_state(block, fields),
        *(*_head(_LIST, due.groups.counts), Each(due.groups, record)),
    )
    return writing.written(batch, due.groups.counts.size)


def _state(block: "Block", fields: Collection[str]) -> tuple[Part, ...]:
    """Read `STATE` off the headers, which stand where their layout says: no record tells it where there are none."""
    header = plan("record_batch").steps[0]
    assert isinstance(header, RowStep)  # noqa: S101 - all of its fields are integers of fixed size
    data = byte_moves.octets(block.data)
    rows = byte_moves.window(data, header.dtype.itemsize)[block.bounds[:-1]].view(header.dtype)
    bits = rows["attributes"]
    return (
        Marshalled(rows["producer_id"]),
        *(*_head(_INT, rows["producer_epoch"]), *_head(_INT, rows["base_sequence"])),
        Marshalled(rows["base_offset"]),
        *(Fixed("u1", np.where(bits & bit, _TRUE, _FALSE)) for bit in (TRANSACTIONAL_BIT, CONTROL_BIT)),
        *_head(_INT, bits & CODEC_MASK if "codec" in fields else np.zeros(bits.size, np.int64)),
    )


def _head(tag: int, count: int | Integers) -> tuple[Part, ...]:
    """Write an int32, or how many items follow."""
    if isinstance(count, int):
        return (Constant(_TAGGED.pack(tag, count)),)
    return Constant(bytes([tag])), Fixed("<i4", count)
