"""Generated requests and responses, for the profiles `requests` and `responses`."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from kafka_format import protocol
from kafka_format.sampler import exchanges
from kafka_format.sampler.exchanges import Exchange

from kafka_conformance.kinds.message.generated import PROFILES, question
from kafka_conformance.kinds.message.questions import MessageQuestion
from kafka_conformance.protocol.messages import MessageInput
from kafka_conformance.scale.batches import Sort

KINDS: Final = ("request", "response")
"""The kinds of messages, by their numbers in the adapter protocol."""


class Messages:
    """Consecutive requests or responses of a run.

    Their values are decoded when someone asks for them.

    Attributes:
        start: index of the first one.
        profile: `requests` or `responses`.
        seed: of the run.
    """

    def __init__(self, start: int, profile: str, seed: int, drawn: Sequence[Exchange]) -> None:
        """Take what the sampler drew."""
        self.start = start
        self.profile = profile
        self.seed = seed
        self._drawn = drawn

    def __len__(self) -> int:
        """The number of messages."""
        return len(self._drawn)

    @property
    def size(self) -> int:
        """The bytes of all of them."""
        return sum(len(message.data) for message in self._drawn)

    @cached_property
    def sorts(self) -> Counter[Sort]:
        """The number of messages of each sort."""
        return Counter(map(self.sort, range(len(self))))

    def sort(self, number: int) -> Sort:
        """The sort of one: `request` or `response` for the format, and the API for the codec."""
        return Sort(self._drawn[number].kind, protocol.api_name(self._drawn[number].api), "", "")

    def input(self, number: int) -> bytes:
        """The bytes of one: header and body."""
        return self._drawn[number].data

    def message(self, number: int) -> MessageInput:
        """Return the question about one."""
        message = self._drawn[number]
        return MessageInput(KINDS.index(message.kind), message.api, message.version, message.data)

    def question(self, number: int) -> MessageQuestion:
        """One as a vector, with its value."""
        return question(self.profile, self.seed, self._drawn[number])


def generate(seed: int, start: int, count: int, profile: str) -> Messages:
    """Draw requests or responses `start` to `start + count - 1` of a seed."""
    return Messages(start, profile, seed, tuple(exchanges.draw(PROFILES[profile], seed=seed, start=start, count=count)))
