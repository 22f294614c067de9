"""An adapter client for large blocks: one at a time, and a reply that is as expected is never taken apart."""

from collections.abc import Callable, Sequence

from kafka_conformance.client import AdapterClient
from kafka_conformance.protocol import BlockReply, InputKind, Kind, Reply
from kafka_conformance.scale import frames


class BlockClient(AdapterClient):
    """An adapter that has said hello."""

    def put_block(self, inputs: Sequence[bytes], input_kind: InputKind) -> int:
        """Put a block of inputs to decode, while none is outstanding; return its id."""
        block_id = self._next_id(Kind.DECODE, len(inputs))
        self._process.send(frames.decode_request(block_id, input_kind, inputs))
        return block_id

    def take_block(self, is_right: Callable[[bytes], bool]) -> Sequence[Reply] | None:
        """Wait for the reply to the outstanding block; None if its body is right, else the word on each input.

        Raises:
            TargetLost: no reply in time, or the adapter died, or the reply does not fit what was asked.
        """

        def parse(body: bytes) -> BlockReply | None:
            return None if is_right(body) else self._check(body)

        reply = self._speak(self._limits.seconds, parse)
        self._asked.clear()
        return None if reply is None else reply.replies
