"""How often a target may die of questions of one kind, before the others of the kind are not asked.

To start a target again takes longer than to put a thousand questions to it, and one that hangs is
waited for, too: a decoder that hangs on every message without topics would hold a run for hours.
What is not asked has an outcome of its own, with the reason: the target declared no such gap.
"""

from collections import Counter
from typing import Final, NamedTuple

from kafka_conformance.child.losses import WAITS
from kafka_conformance.outcomes import Outcome

_DEATHS: Final = frozenset({Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY})
HANG: Final = 2
"""A hang counts as so many deaths: it is waited for."""


class QuestionGroup(NamedTuple):
    """What questions of one kind have in common, in words.

    Attributes:
        message: a message and its version: `fetch_response 0`.
        near: the same fault in them: `fetch_response 0 where ...`.
        wide: the same fault, wherever it is.
    """

    message: str
    near: str
    wide: str


class DeathLimits(NamedTuple):
    """How often a target may die of questions of one kind.

    Attributes:
        hangs_in_a_row: so often it may hang, near, without an answer of the kind in between.
        hangs: so often it may hang, near.
        deaths: so often it may die, wide; a hang counts twice.
        waits: so many hangs, of any kind, are waited for in full. On a busy machine a hang of five
            seconds takes twenty.
    """

    hangs_in_a_row: int = 3
    hangs: int = 6
    deaths: int = 20
    waits: int = WAITS


LIMITS: Final = DeathLimits()
"""Those of targets whose questions may take long, such as data directories."""

MESSAGES: Final = DeathLimits(waits=5)
"""Those of requests and responses: hardly one has more than 16 KiB, read in a millisecond."""


class Deaths:
    """The deaths of a target, counted by the kind of the question."""

    def __init__(self, limits: DeathLimits) -> None:
        """Begin with none."""
        self._limits = limits
        self._deaths: Counter[str] = Counter()
        self._hangs: Counter[str] = Counter()
        self._hangs_in_a_row: Counter[str] = Counter()
        self._read: set[str] = set()

    def reason(self, group: QuestionGroup) -> str:
        """Return why no question of a kind is asked any more; empty if they are.

        A target that has not said anything about a message, or that it does not support it, is
        asked: what it does not read is its own gap, and takes no time.
        """
        if group.message not in self._read:
            return ""
        if self._hangs_in_a_row[group.near] >= self._limits.hangs_in_a_row:
            return f"not asked: it hung {self._limits.hangs_in_a_row} times in a row at {group.near}"
        if self._hangs[group.near] >= self._limits.hangs:
            return f"not asked: it hung {self._limits.hangs} times at {group.near}"
        if self._deaths[group.wide] >= self._limits.deaths:
            return f"not asked: it hung, crashed or took too much memory too often at {group.wide}"
        return ""

    def add(self, group: QuestionGroup, outcome: Outcome | None) -> None:
        """Count what came of a question that was asked.

        Args:
            group: its group.
            outcome: how the target was lost; `UNSUPPORTED` if it said so; None if it answered.
        """
        if outcome is not Outcome.UNSUPPORTED:
            self._read.add(group.message)
        is_hang = outcome is Outcome.HUNG
        self._deaths[group.wide] += HANG if is_hang else outcome in _DEATHS
        self._hangs[group.near] += is_hang
        self._hangs_in_a_row[group.near] = self._hangs_in_a_row[group.near] + 1 if is_hang else 0
