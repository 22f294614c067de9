"""Requests to decode and their replies, for thousands of batches at a time.

The layouts `decode_request`, `block_reply` and `block_result` describe the same bytes, and the
tests hold the two against each other. To encode a request batch by batch takes 10 µs a batch, as
long as a fast decoder needs for all of it; to encode its columns takes 0.1 to 0.4 µs.
"""

import struct
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from kafka_format import structure
from kafka_format.columnar.arrays import RowGroups
from kafka_format.columnar.byte_moves import octets
from kafka_format.columnar.plans import ITEM, plan
from kafka_format.sampler.contents import Contents
from kafka_format.sampler.encoder import Columns, Items, encode
from kafka_format.spec.layout.fixed import head_packer, packer
from kafka_format.spec.layout.loader import find

from kafka_conformance.errors import ProtocolError
from kafka_conformance.protocol.frames import FrameKind, frame
from kafka_conformance.protocol.messages import InputKind, Reply, Status

if TYPE_CHECKING:
    from kafka_conformance.scale.batches import Block

RAISED = 4
"""Status of a result that only a decoder in isolation sends: it raised an exception that is no
refusal."""

CHILD_ENDED = ord("X")
"""Kind of the frame that tells of the end of a child."""


class ChildEnded(NamedTuple):
    """The end of a child: its exit status, negative for a signal, and the input that it had."""

    status: int
    input: int


@cache
def _reply() -> struct.Struct:
    """Return a struct of the fields of `block_reply` in front of the results."""
    return packer(find("block_reply"))


@cache
def _result() -> struct.Struct:
    """Return a struct of the fields of `block_result`, up to the length of its content."""
    return head_packer(find("block_result"))


def result_head() -> int:
    """Return how many bytes of a result come before its content."""
    return _result().size


def decode_request(block_id: int, kind: InputKind, block: "Block", numbers: Sequence[int]) -> bytes:
    """Encode the frame, length and all, that asks for batches of a block to be decoded."""
    places = np.asarray(numbers, np.int64)
    starts = block.bounds[places]
    inputs = Contents(octets(block.data), starts, block.bounds[places + 1] - starts)
    columns: Columns = {
        "block_id": np.array([block_id]),
        "input_kind": np.array([kind]),
        "inputs": Items(RowGroups(np.array([len(numbers)])), {ITEM: inputs}),
    }
    return frame(encode(plan("decode_request"), 1, columns).data)


def read_reply(body: bytes) -> tuple[int, int, int]:
    """Return the head of a reply to a decode request: block id, number of results, their start.

    Raises:
        ProtocolError: it is no such reply.
    """
    reply = _reply()
    if len(body) < reply.size or body[0] != FrameKind.DECODE:
        raise ProtocolError(f"sent {body[:16]!r} instead of the reply to a block")
    _, block_id, count = reply.unpack_from(body)
    return block_id, count, reply.size


def read_child_ended(body: bytes) -> ChildEnded:
    """Read that the child of a decoder in isolation has ended."""
    ended = structure("child_ended").decode(body)
    return ChildEnded(ended.status, ended.input)


def read_result(results: bytes, at: int, place: int) -> tuple[Reply, int]:
    """Read one of several results: the reply, and where the next result begins.

    Args:
        results: all of them.
        at: where this one begins.
        place: its place among them, for error texts.

    Raises:
        ProtocolError: no result stands there.
    """
    head = _result()
    try:
        status, length = head.unpack_from(results, at)
    except struct.error:
        raise ProtocolError(f"sent a reply that ends before result {place}") from None
    start = at + head.size
    if status not in {*Status, RAISED}:
        raise ProtocolError(f"sent status {status} for input {place} of a block; it must be 0, 1, 2 or 3")
    if not 0 <= length <= len(results) - start:
        raise ProtocolError(f"sent a reply that cannot be read: result {place} claims {length} bytes")
    return Reply(status, results[start : start + length]), start + length
