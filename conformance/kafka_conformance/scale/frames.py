"""Frames of thousands of batches, written in two joins.

The layouts in spec/adapter say the same and are what the tests hold these bytes against. Encoding them field
by field costs some 10 µs a batch, which is what a fast decoder takes for the whole of it; this costs 0.3.
"""

import struct
from collections.abc import Sequence
from itertools import accumulate

from kafka_conformance.protocol.frames import Kind
from kafka_conformance.protocol.messages import InputKind

_REQUEST = struct.Struct(">ibibi")
_REPLY = struct.Struct(">bii")
_LENGTH = 4
_RESULT = 5
"""Bytes before an answer in a reply: its status and length."""


def decode_request(block_id: int, input_kind: InputKind, inputs: Sequence[bytes]) -> bytes:
    """The frame, length and all, that asks for a block to be decoded."""
    lengths = list(map(len, inputs))
    body = _interleaved(_packed("i", lengths), _LENGTH, inputs)
    size = _REQUEST.size - _LENGTH + len(body)
    return _REQUEST.pack(size, Kind.DECODE, block_id, input_kind, len(inputs)) + body


def answers_reply(block_id: int, contents: Sequence[bytes]) -> bytes:
    """The body of the reply to a block if every input is answered."""
    heads = _packed("bi", [item for content in contents for item in (0, len(content))])
    return _REPLY.pack(Kind.DECODE, block_id, len(contents)) + _interleaved(heads, _RESULT, contents)


def answer_starts(contents: Sequence[bytes]) -> list[int]:
    """Where each answer starts in the body that `answers_reply` makes."""
    steps = (len(content) + _RESULT for content in contents[:-1])
    return list(accumulate(steps, initial=_REPLY.size + _RESULT)) if contents else []


def _packed(form: str, values: Sequence[int]) -> bytes:
    return struct.pack(f">{form * (len(values) // len(form))}", *values)


def _interleaved(heads: bytes, size: int, contents: Sequence[bytes]) -> bytes:
    parts = [b""] * (2 * len(contents))
    parts[0::2] = [heads[place : place + size] for place in range(0, len(heads), size)]
    parts[1::2] = contents
    return b"".join(parts)
