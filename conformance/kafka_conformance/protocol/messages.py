"""Adapter protocol 1: the messages, and nothing about who sends them.

A frame is a length and that many bytes; the first byte is the kind. All of it is laid out in
spec/adapter, and this module only puts values in and takes them out. Requests carry blocks of
inputs, so that a pipe's latency is paid once a block.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import kafka_format
from kafka_format.errors import FormatError

from kafka_conformance.errors import ProtocolError
from kafka_conformance.protocol.frames import FrameKind, letter

if TYPE_CHECKING:  # these classes are compiled when they are imported
    from kafka_format.values import AnswerRecord, PartialAnswer


_SHOWN: Final = 60
"""Bytes of an answer that cannot be read which are shown."""


class InputKind(IntEnum):
    """What the inputs of a decode block are."""

    RECORDS = 0
    MESSAGE_SET_07 = 1


class Status(IntEnum):
    """What a target says of one input."""

    ANSWER = 0
    REFUSED = 1
    UNSUPPORTED = 2
    PARTIAL = 3


class Reply(NamedTuple):
    """What a target says of one input: the answer's bytes, a text in UTF-8, or both."""

    status: int
    content: bytes

    @property
    def text(self) -> str:
        """The error text of a refusal, or of a partial answer."""
        return (self._parts().error if self.status == Status.PARTIAL else self.content).decode("utf-8", "replace")

    @property
    def records(self) -> Sequence[AnswerRecord]:
        """The records of an answer, whole or partial, as the layout `answer_record` has them.

        Raises:
            FormatError: the content is none.
        """
        if self.status == Status.PARTIAL:
            return self._parts().records
        return kafka_format.structure("answer").decode(self.content).records

    def document(self, parts: Iterable[str] = ()) -> dict[str, Any]:
        """Return an answer that is an object of JSON; `parts` are those that it must have.

        Raises:
            ProtocolError: it is none, or lacks a part.
        """
        try:
            document = json.loads(self.content)
        except (ValueError, RecursionError):
            shown = self.content[:_SHOWN].decode("utf-8", "backslashreplace")
            raise ProtocolError(f"gave an answer that is not JSON: {shown}") from None
        if not isinstance(document, dict):
            raise ProtocolError("gave an answer that is not an object of JSON")
        if missing := [part for part in parts if part not in document]:
            raise ProtocolError(f"gave an answer without {' and '.join(missing)}, which its hello declares")
        return document

    def _parts(self) -> PartialAnswer:
        return kafka_format.structure("partial_answer").decode(self.content)


class EncodeInput(NamedTuple):
    """One answer to encode: magic 0 to 2, codec 0 to 4, and the answer in its canonical bytes."""

    magic: int
    codec: int
    answer: bytes


class DecodeRequest(NamedTuple):
    """A block of inputs to decode."""

    block_id: int
    input_kind: int
    inputs: Sequence[bytes]


class EncodeRequest(NamedTuple):
    """A block of answers to encode."""

    block_id: int
    inputs: Sequence[EncodeInput]


class AssignInput(NamedTuple):
    """A producer's entries, and the topic to append to: spec/adapter/oracle/assign_input.yaml."""

    first_offset: int
    magic: int
    codec: int
    timestamp_type: int
    now: int
    leader_epoch: int
    entries: bytes


class ConvertInput(NamedTuple):
    """Entries for a client that reads no magic above this one, fetched at `first_offset`."""

    magic: int
    first_offset: int
    entries: bytes


class DeliverInput(NamedTuple):
    """A fetch response: fetch offset, isolation level, aborted transactions, entries.

    A transaction is a pair of producer id and first offset; the isolation level is 0 or 1.
    """

    fetch_offset: int
    isolation: int
    aborted: Sequence[tuple[int, int]]
    entries: bytes


class MessageKind(IntEnum):
    """What a message is, as an input of a block says it."""

    REQUEST = 0
    RESPONSE = 1
    RECORD = 2


class MessageInput(NamedTuple):
    """A message to read: what it is, its API or number, its version, its bytes."""

    message_kind: int
    api: int
    version: int
    message: bytes


class JsonInput(NamedTuple):
    """A question as JSON: about a folder or a file of a log, or about a key or a value."""

    question: bytes


Input = AssignInput | ConvertInput | DeliverInput | MessageInput | JsonInput


class InputRequest(NamedTuple):
    """A block of inputs; `kind` says whether to assign, convert, deliver, or read them."""

    kind: FrameKind
    block_id: int
    inputs: Sequence[Input]


Request = DecodeRequest | EncodeRequest | InputRequest

_INPUTS: dict[FrameKind, tuple[str, Callable[..., Input]]] = {
    FrameKind.ASSIGN: ("assign_request", AssignInput),
    FrameKind.CONVERT: ("convert_request", ConvertInput),
    FrameKind.MESSAGE: ("message_request", MessageInput),
    FrameKind.JSON: ("json_request", JsonInput),
    FrameKind.DELIVER: ("deliver_request", lambda offset, isolation, _, *rest: DeliverInput(offset, isolation, *rest)),
}
"""Layout of the request, and what makes an input of the values that it was read as."""


@dataclass(frozen=True, slots=True)
class BlockReply:
    """What came back for one block."""

    kind: FrameKind
    block_id: int
    replies: tuple[Reply, ...]


def partial_reply(answer: bytes, error: bytes) -> Reply:
    """Make the reply to an input whose records came up to an error."""
    return Reply(Status.PARTIAL, answer + error)


def request(asked: Request) -> bytes:
    """Make the body of a request."""
    if isinstance(asked, DecodeRequest):
        return kafka_format.structure("decode_request").encode(asked._asdict())
    if isinstance(asked, InputRequest):
        return _input_request(asked)
    inputs = [item._asdict() for item in asked.inputs]
    return kafka_format.structure("encode_request").encode({"block_id": asked.block_id, "inputs": inputs})


def _input_request(asked: InputRequest) -> bytes:
    if asked.kind is FrameKind.JSON:
        questions = [item.question for item in asked.inputs if isinstance(item, JsonInput)]
        return kafka_format.structure("json_request").encode({"block_id": asked.block_id, "inputs": questions})
    inputs = [item._asdict() for item in asked.inputs]
    for delivery in inputs:
        if "aborted" in delivery:
            delivery["aborted"] = [
                {"producer_id": producer, "first_offset": offset} for producer, offset in delivery["aborted"]
            ]
    layout, _ = _INPUTS[asked.kind]
    return kafka_format.structure(layout).encode({"block_id": asked.block_id, "inputs": inputs})


def block_reply(reply: BlockReply) -> bytes:
    """Make the body of the reply to a block."""
    results = [item._asdict() for item in reply.replies]
    fields = {"kind": reply.kind, "block_id": reply.block_id, "results": results}
    return kafka_format.structure("block_reply").encode(fields)


def parse_request(body: bytes) -> Request:
    """Read a request.

    Raises:
        ProtocolError: it is none, or is cut short.
    """
    try:
        if body and body[0] in _INPUTS:
            return _parse_inputs(FrameKind(body[0]), body)
        if body[:1] == b"E":
            encode = kafka_format.structure("encode_request").decode(body)
            return EncodeRequest(encode.block_id, [EncodeInput(*item) for item in encode.inputs])
        wire = kafka_format.structure("decode_request").decode(body)
    except FormatError as error:
        raise ProtocolError(f"sent a request that cannot be read: {error}") from None
    return DecodeRequest(wire.block_id, wire.input_kind, wire.inputs)


def _parse_inputs(kind: FrameKind, body: bytes) -> InputRequest:
    layout, make = _INPUTS[kind]
    wire = kafka_format.structure(layout).decode(body)
    if kind is FrameKind.JSON:
        return InputRequest(kind, wire.block_id, [JsonInput(item) for item in wire.inputs])
    return InputRequest(kind, wire.block_id, [make(*item) for item in wire.inputs])


def parse_block_reply(body: bytes) -> BlockReply:
    """Read the reply to a block.

    Raises:
        ProtocolError: it is no such reply; the text says which of its fields is wrong.
    """
    if body[0] not in set(FrameKind) - {FrameKind.HELLO}:
        raise ProtocolError(f"sent a frame of kind {letter(body[0])} instead of the reply to a block (D, E, M or F)")
    try:
        wire = kafka_format.structure("block_reply").decode(body)
    except FormatError as error:
        raise ProtocolError(f"sent a reply that cannot be read: {error}") from None
    replies = tuple(Reply(item.status, item.content) for item in wire.results)
    for index, reply in enumerate(replies):
        if reply.status not in set(Status):
            raise ProtocolError(
                f"sent status {reply.status} for input {index} of block {wire.block_id}; it must be 0, 1, 2 or 3"
            )
    return BlockReply(FrameKind(wire.kind), wire.block_id, replies)
