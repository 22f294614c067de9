"""Batches of a block that are put to a target together, and what came of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kafka_conformance.child.session import Loss
from kafka_conformance.protocol.messages import InputKind, Reply
from kafka_conformance.scale.ask.comparison import Expected
from kafka_conformance.scale.batches import Batches


@dataclass(slots=True, eq=False)
class Portion:
    """Batches of one kind of input.

    Attributes:
        batches: the block.
        kind: what they are.
        numbers: which batches of the block, in order.
        expected: what is due for them.
        replies: what the target said or did, by the number of the batch. Those that are proven
            right are left out.
        skipped: batches that were not put, because others like them have killed the target.
        not_put: batches that were given up together with the target.
    """

    batches: Batches
    kind: InputKind
    numbers: Sequence[int]
    expected: Expected
    replies: dict[int, Reply | Loss] = field(default_factory=dict)
    skipped: set[int] = field(default_factory=set)
    not_put: set[int] = field(default_factory=set)

    def give_up(self, numbers: Iterable[int]) -> None:
        """Mark the batches without a result as given up."""
        self.not_put.update(set(numbers) - self.replies.keys() - self.skipped)
