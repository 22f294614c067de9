"""When a target that is lost again and again is asked nothing more, and how long it is waited for.

A target that hangs is waited for, so a run over thousands of vectors could take hours. A sound one
hangs at a few of them at most, and answers between; so it is held against its own answers: who
never answered is given up after a few losses, at questions that are unlike one another; who answers
most of the time is asked to the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import gcd
from typing import Final

from kafka_conformance.errors import GaveUpError

FEW: Final = 4
"""Losses after which a target is left alone that has not answered anything."""

GIVE_UP: Final = 40
"""Losses without one reply between them after which a target is left alone: it is broken, not
surprised by a vector."""

HANGS_IN_A_ROW: Final = 10
"""The same for hangs, which take longer, at questions from different places."""

HANGS: Final = 20
"""Hangs in all after which a target is left alone that hung at more than one of `SHARE`."""

SHARE: Final = 8

MOST_HANGS: Final = 100
"""Hangs in all after which a target is left alone however often it answers."""

WAITS: Final = MOST_HANGS // 3
"""Hangs in all after which a target that answers most of the time is waited for less."""

JUMP: Final = 3
"""Hangs in a row after which other questions come first, and are waited for less long."""

LEAST: Final = 0.25
"""Share of its limit that a question is waited for at least."""

SHORTEST: Final = 2.0
"""Seconds that it is waited for at least, unless its limit is shorter yet."""


class Losses:
    """Counts the losses of a target, and its replies.

    Attributes:
        hangs_in_a_row: how often it hung since it answered last.
    """

    def __init__(self, unit: str, most: int = GIVE_UP, waits: int = WAITS) -> None:
        """Begin with none.

        Args:
            unit: what the target has to bring to an end, such as `reply`.
            most: losses in a row after which it is left alone, that has answered before.
            waits: hangs after which it is waited for less, that answers most of the time.
        """
        self._unit: Final = unit
        self._most: Final = most
        self._waits: Final = waits
        self._in_a_row = self._hangs = self._answers = self._bad_ends = 0
        self.hangs_in_a_row = 0
        self._again = 1.0

    @property
    def has_answered(self) -> bool:
        """True once the target brought anything to an end."""
        return self._answers > 0

    @property
    def is_at_a_bad_place(self) -> bool:
        """True if it hung a few times in a row, so that questions of another sort are due."""
        return self.hangs_in_a_row >= JUMP

    def answered(self, count: int = 1) -> None:
        """Count things that the target brought to an end."""
        self._answers += count
        self._in_a_row = self.hangs_in_a_row = 0

    def add(self, *, is_hang: bool = False) -> None:
        """Count a loss; `is_hang` of one that was waited for, at one question."""
        self._in_a_row += 1
        self._hangs += is_hang
        self.hangs_in_a_row += is_hang

    def forgive(self) -> None:
        """Take losses for found out, so that they do not count for those in a row."""
        self._in_a_row = 0

    def check(self) -> None:
        """Look whether the target is to be asked any more.

        Raises:
            GaveUpError: it was lost too often.
        """
        most = self._most if self.has_answered else min(FEW, self._most)
        if self._in_a_row >= most:
            raise GaveUpError(f"given up after {self._in_a_row} losses without a single {self._unit}")
        if self.hangs_in_a_row >= HANGS_IN_A_ROW:
            raise GaveUpError(f"given up after it hung {self.hangs_in_a_row} times in a row")
        if self._hangs >= (HANGS if self._hangs_often else MOST_HANGS):
            raise GaveUpError(f"given up after it hung at {self._hangs} of {self._hangs + self._answers} questions")

    def limit(self, seconds: float) -> float:
        """Return how long a question is waited for whose limit is so many seconds.

        It is less where a target is known to hang: what it did not do in the whole time, it does
        not do in a part of it.
        """
        if not self.has_answered:
            share = max(LEAST, 0.5**self._in_a_row)
        else:
            enough = JUMP if self._hangs_often else self._waits
            share = LEAST if self.is_at_a_bad_place or self._hangs >= enough else 1.0
        return min(seconds, max(SHORTEST, seconds * min(share, self._again)))

    @contextmanager
    def second_look(self) -> Iterator[None]:
        """Wait for half as long in a block, in which questions are put once more."""
        self._again = 0.5
        try:
            yield
        finally:
            self._again = 1.0

    def ended_badly(self) -> None:
        """Count that the target hung when it was told to end, which is no question's fault."""
        self._bad_ends += 1

    def limit_of_end(self, seconds: float) -> float:
        """Return how long its end is waited for, which may take so many seconds."""
        return seconds if self._bad_ends < JUMP else min(seconds, SHORTEST)

    @property
    def _hangs_often(self) -> bool:
        return self._hangs * SHARE > self._hangs + self._answers


def from_all_places(questions: Sequence[int]) -> list[int]:
    """Return a few questions that are far from one another, to ask first who has answered none."""
    return [questions[place] for place in scattered(len(questions))[: FEW - 1]]


def scattered(count: int) -> list[int]:
    """Return the numbers below a count in an order in which neighbours are far from one another.

    Questions that are alike stand together; in this order, no few of one sort come in a row.
    """
    step = next(size for size in range(max(1, round(count * 0.38)), count + 2) if gcd(size, count) == 1)
    return [(step // 2 + number * step) % count for number in range(count)]
