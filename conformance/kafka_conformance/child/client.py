"""The asking side of the adapter protocol: one running adapter, its hello, and blocks of questions.

Blocks are pipelined: several may be outstanding, and their replies may come in any order. Every
reply is held against what was asked (kind, block, number of inputs), so an adapter that is out of
step is caught at once and not a thousand vectors later.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

from kafka_format.errors import FormatError

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.process import AdapterProcess
from kafka_conformance.errors import ProtocolError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import messages
from kafka_conformance.protocol.frames import FrameKind, frame
from kafka_conformance.protocol.hello import Hello, hello_request, parse_hello
from kafka_conformance.protocol.messages import (
    BlockReply,
    DecodeRequest,
    EncodeInput,
    EncodeRequest,
    Input,
    InputKind,
    InputRequest,
    Reply,
    Status,
)

_Parsed = TypeVar("_Parsed")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The facts that must match in the reply to a block."""

    kind: FrameKind
    inputs: int


class AdapterClient:
    """An adapter that has said hello. Use it as a context manager, or `close` it.

    Attributes:
        hello: what it declared.
    """

    def __init__(self, command: Command, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Start the adapter and exchange hellos.

        Raises:
            TargetLostError: it cannot be started, or its hello is late, missing or wrong.
        """
        self._limits = limits
        self._asked: dict[int, _Asked] = {}
        self._blocks = 0
        self._process = AdapterProcess(command, limits, stopped)
        self._process.send(frame(hello_request()))
        self.hello: Hello = self._speak(limits.start_seconds, parse_hello)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the adapter."""
        self.close()

    @property
    def seconds(self) -> float:
        """The time limit per vector, in seconds."""
        return self._limits.seconds

    def put_decode(self, inputs: Sequence[bytes], input_kind: InputKind = InputKind.RECORDS) -> int:
        """Put a block of inputs to decode; return its id."""
        block_id = self._next_id(FrameKind.DECODE, len(inputs))
        self._put(DecodeRequest(block_id, input_kind, inputs))
        return block_id

    def put_encode(self, inputs: Sequence[EncodeInput]) -> int:
        """Put a block of answers to encode; return its id."""
        block_id = self._next_id(FrameKind.ENCODE, len(inputs))
        self._put(EncodeRequest(block_id, inputs))
        return block_id

    def put_inputs(self, kind: FrameKind, inputs: Sequence[Input]) -> int:
        """Send a block to assign offsets to, convert, deliver, or read; return its id."""
        block_id = self._next_id(kind, len(inputs))
        self._put(InputRequest(kind, block_id, inputs))
        return block_id

    def receive(self, seconds: float | None = None) -> tuple[int, tuple[Reply, ...]]:
        """Wait for the reply to any outstanding block; return its id and a reply per input.

        `seconds` is the time since the last reply, by default the limit of a single vector.

        Raises:
            TargetLostError: no reply in time, or the adapter died, or the reply does not fit what
                was asked.
            StoppedError: the run was interrupted.
        """
        reply = self._speak(seconds or self._limits.seconds, self._check)
        del self._asked[reply.block_id]
        return reply.block_id, reply.replies

    def close(self) -> list[str]:
        """End the adapter; return what it did wrong in its last moments, in words."""
        return self._process.close()

    def _next_id(self, kind: FrameKind, inputs: int) -> int:
        self._blocks += 1
        self._asked[self._blocks] = _Asked(kind, inputs)
        return self._blocks

    def _put(self, asked: messages.Request) -> None:
        self._process.send(frame(messages.request(asked)))

    def _speak(self, seconds: float, parse: Callable[[bytes], _Parsed]) -> _Parsed:
        """Receive a frame and parse it.

        An adapter that sends nonsense is ended like one that crashes.
        """
        body = self._process.receive(seconds)
        try:
            return parse(body)
        except ProtocolError as error:
            raise self._process.end_as_lost(Outcome.BROKEN_PROTOCOL, str(error)) from None

    def _check(self, body: bytes) -> BlockReply:
        reply = messages.parse_block_reply(body)
        asked = self._asked.get(reply.block_id)
        if asked is None:
            raise ProtocolError(f"answered block {reply.block_id}, which was not asked or was already answered")
        if reply.kind != asked.kind:
            raise ProtocolError(
                f"answered block {reply.block_id} with kind {chr(reply.kind)}; the request was {chr(asked.kind)}"
            )
        if len(reply.replies) != asked.inputs:
            raise ProtocolError(
                f"gave {len(reply.replies)} results for the {asked.inputs} inputs of block {reply.block_id}"
            )
        if any(one.status == Status.PARTIAL for one in reply.replies):
            self._check_partial(reply)
        return reply

    def _check_partial(self, reply: BlockReply) -> None:
        """Check partial answers against the hello and their layout, before anybody reads them."""
        place = f"in the reply to block {reply.block_id}"
        if not self.hello.partial or reply.kind != FrameKind.DECODE:
            raise ProtocolError(f"sent status 3 {place}; it is for decoding, and the hello must declare `partial`")
        try:
            for one in reply.replies:
                one.text  # noqa: B018 - reading it is the check
        except FormatError as error:
            raise ProtocolError(f"sent a partial answer {place} that cannot be read: {error}") from None
