"""A target behind the adapter protocol, asked in large blocks.

Two blocks may be outstanding, so that the target decodes one while the next one is generated. When
the target is lost in one, its batches are put again until the one that kills it is found; then the
large blocks go on.
"""

from collections.abc import Sequence
from typing import NamedTuple

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import ProtocolError, TargetLostError
from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Status
from kafka_conformance.scale.ask import block_frames
from kafka_conformance.scale.ask.fatal_faults import FatalFaults
from kafka_conformance.scale.ask.portion import Portion
from kafka_conformance.scale.ask.search import KillerSearch


class _Client(AdapterClient):
    """An adapter that has said hello, and compares the reply to a block as it comes."""

    def __init__(self, command: Command, limits: Limits) -> None:
        super().__init__(command, limits)
        self._put_to: dict[int, tuple[Portion, Sequence[int]]] = {}

    def put_block(self, portion: Portion, numbers: Sequence[int]) -> int:
        """Put batches of a portion; return the id of their block."""
        block_id = self._next_id(FrameKind.DECODE, len(numbers))
        self._put_to[block_id] = portion, numbers
        self._process.send(block_frames.decode_request(block_id, portion.kind, portion.batches.block, numbers))
        if len(self._put_to) == 1:
            self.flush()
        return block_id

    def take_block(self, block_id: int) -> None:
        """Wait for the reply to a block, and add what is not proven right to its portion.

        Raises:
            TargetLostError: no reply in time, or the adapter died, or the reply does not fit what
                was asked.
        """
        while block_id in self._put_to:
            self._speak(self._limits.seconds, self._compare)

    def flush(self) -> None:
        """Hand over what is queued, so that the adapter has work while nobody waits for it."""
        self._process.flush(self._limits.seconds)

    def _compare(self, body: bytes) -> None:
        block_id, count, start = block_frames.read_reply(body)
        if block_id not in self._put_to:
            raise ProtocolError(f"answered block {block_id}, which was not asked or was already answered")
        portion, numbers = self._put_to[block_id]
        if count != len(numbers):
            raise ProtocolError(f"gave {count} results for the {len(numbers)} inputs of block {block_id}")
        replies = portion.expected.differing(numbers, body, start)
        if not self.hello.partial and any(reply.status == Status.PARTIAL for reply in replies.values()):
            raise ProtocolError(f"sent status 3 in the reply to block {block_id}; the hello must declare `partial`")
        portion.replies.update(replies)
        del self._put_to[block_id]


class _Put(NamedTuple):
    """To whom a portion was put, in which block, and which batches of it."""

    client: _Client
    block_id: int
    numbers: Sequence[int]


class PipedTarget:
    """A target that is started again when it is lost. Always `close` it.

    Attributes:
        problem: why it was given up; empty while it lives.
    """

    def __init__(self, command: Command, limits: Limits, fatal_faults: FatalFaults, patience: float) -> None:
        """Start it.

        Raises:
            TargetLostError: it does not come up.
        """
        self.problem = ""
        self._command = command
        self._limits = limits
        self._fatal_faults = fatal_faults
        self._client = self._start()
        self._search = KillerSearch(self._start, fatal_faults, patience)
        self._put: dict[Portion, _Put] = {}

    @property
    def hello(self) -> Hello:
        """Its hello."""
        return self._client.hello

    @property
    def notes(self) -> list[str]:
        """Other events, in words."""
        return self._search.notes

    def send(self, portion: Portion) -> None:
        """Send the batches of a portion, except for those that are skipped."""
        self._ask(portion, portion.numbers)

    def await_results(self, portion: Portion) -> None:
        """Wait for the results of a portion, and add them to it."""
        put = self._put.pop(portion, None)
        if put is not None and not self.problem and put.client is not self._client:  # which was lost on other batches
            self._ask(portion, put.numbers)
            put = self._put.pop(portion, None)
        if put is None:
            return
        if not self.problem:
            self._receive(portion, put)
        if self.problem:
            portion.give_up(put.numbers)

    def close(self) -> None:
        """End it. How it behaves at the end of its input is for `smoke` to say."""
        self._client.close()

    def _start(self) -> _Client:
        self._client = _Client(self._command, self._limits)
        return self._client

    def _ask(self, portion: Portion, numbers: Sequence[int]) -> None:
        left = self._fatal_faults.leave_out(portion.batches, numbers, portion.skipped)
        if left:
            self._put[portion] = _Put(self._client, self._client.put_block(portion, left), left)

    def _receive(self, portion: Portion, put: _Put) -> None:
        try:
            put.client.take_block(put.block_id)
        except TargetLostError as lost:
            self.problem = self._search.run(portion, put.numbers, lost)
        if self._put and not self.problem:
            self._client.flush()
