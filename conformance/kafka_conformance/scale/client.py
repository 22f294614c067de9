"""An adapter client for large blocks: a reply that is as expected is never taken apart."""

from collections.abc import Callable, Sequence

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.protocol.frames import Kind
from kafka_conformance.protocol.messages import BlockReply, InputKind, Reply
from kafka_conformance.scale import frames


class BlockClient(AdapterClient):
    """An adapter that has said hello. Two blocks may be outstanding, so that it works on one while we make another."""

    def __init__(self, command: Command, limits: Limits) -> None:
        """Start the adapter and exchange hellos.

        Raises:
            TargetLostError: it cannot be started, or its hello is late, missing or wrong.
        """
        super().__init__(command, limits)
        self._early: dict[int, Sequence[Reply]] = {}

    def put_block(self, inputs: Sequence[bytes], input_kind: InputKind) -> int:
        """Put a block of inputs to decode; return its id."""
        block_id = self._next_id(Kind.DECODE, len(inputs))
        self._process.send(frames.decode_request(block_id, input_kind, inputs))
        if len(self._asked) == 1:
            self.flush()
        return block_id

    def take_block(self, block_id: int, is_right: Callable[[bytes], bool]) -> Sequence[Reply] | None:
        """Wait for the reply to a block; None if its body is right, else the word on each input.

        Raises:
            TargetLostError: no reply in time, or the adapter died, or the reply does not fit what was asked.
        """

        def parse(body: bytes) -> BlockReply | None:
            return None if is_right(body) else self._check(body)

        while block_id not in self._early:
            reply = self._speak(self._limits.seconds, parse)
            if reply is None:
                del self._asked[block_id]
                return None
            del self._asked[reply.block_id]
            self._early[reply.block_id] = reply.replies
        return self._early.pop(block_id)

    def flush(self) -> None:
        """Hand over what is queued, so that the adapter has work while nobody waits for it."""
        self._process.flush(self._limits.seconds)
