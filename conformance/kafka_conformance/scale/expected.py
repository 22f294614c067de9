"""What a target that is right replies to a block, held against what came.

Usually all of a block is right, so the first look is one comparison of memory. Only when that fails is the reply
taken apart, and what differs (or cannot be told apart from what differs) is named for `judge` to judge.
"""

from collections.abc import Sequence

import numpy as np

from kafka_conformance.judging.difference import visible
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.scale import frames
from kafka_conformance.scale.mask import Mask, Octets, Places, control_batches, find_records, octets

MUST_REFUSE = 1
"""The verdict of a batch that must be refused."""


class Expected:
    """The reply that is due for one block."""

    def __init__(self, block_id: int, contents: Sequence[bytes], hello: Hello, verdicts: bytes = b"") -> None:
        """Prepare it.

        Args:
            block_id: which block.
            contents: the whole answers, of which the target may declare only a part.
            hello: what it declares.
            verdicts: for each 0 if the answer is due, 1 if it must be refused, 2 for either; all 0 if it is empty.
        """
        self._verdicts = verdicts if any(verdicts) else b""
        self._block_id = block_id
        self._mask = Mask(hello.fields)
        self._contents = contents if "control" in hello.fields else _without_control(contents)
        self._body = frames.answers_reply(block_id, self._contents)
        if not self._mask.nothing:
            self._starts = frames.answer_starts(self._contents)
            self._places: Places = find_records(self._body, self._starts)
            self._blanked: Octets = self._mask.blank(octets(self._body), self._places)

    def equals(self, body: bytes) -> bool:
        """True if the body of a reply is right in all that is declared. False proves nothing."""
        if self._verdicts:
            return False
        if body == self._body:
            return True
        if self._mask.nothing or not self._mask.in_place or len(body) != len(self._body):
            return False
        return bool(np.array_equal(self._mask.blank(octets(body), self._places), self._blanked))

    def differing(self, replies: Sequence[Reply]) -> list[int]:
        """Numbers of the inputs whose reply is not proven right."""
        wrong = self._other_answers(replies)
        if not self._verdicts:
            return wrong
        refused = {number for number, reply in enumerate(replies) if reply.status in {Status.REFUSED, Status.PARTIAL}}
        accepted = {
            number for number, verdict in enumerate(self._verdicts) if verdict == MUST_REFUSE and number not in refused
        }
        may_refuse = {number for number in refused if self._verdicts[number]}
        return sorted(accepted | set(wrong) - may_refuse)

    def _other_answers(self, replies: Sequence[Reply]) -> list[int]:
        """Numbers of the inputs whose reply is not proven to be the answer."""
        pairs = list(zip(replies, self._contents, strict=True))
        if self._mask.nothing or not self._mask.in_place:
            return [number for number, (reply, due) in enumerate(pairs) if reply != (Status.ANSWER, due)]
        alike = [reply.status == Status.ANSWER and len(reply.content) == len(due) for reply, due in pairs]
        mended = [reply.content if same else due for same, (reply, due) in zip(alike, pairs, strict=True)]
        got = self._mask.blank(octets(frames.answers_reply(self._block_id, mended)), self._places)
        wrong = np.searchsorted(self._starts, np.flatnonzero(got != self._blanked), side="right") - 1
        return sorted({*map(int, wrong), *(number for number, same in enumerate(alike) if not same)})


def _without_control(contents: Sequence[bytes]) -> list[bytes]:
    """The answers as a target sees them that hides control records."""
    body = frames.answers_reply(0, contents)
    seen = list(contents)
    for number in control_batches(body, find_records(body, frames.answer_starts(contents))):
        records = answers.from_bytes(contents[number])
        seen[number] = answers.to_bytes(visible(records, ()))
    return seen
