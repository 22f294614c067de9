"""Starts a program again after it was lost, so long as it answers something now and then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from kafka_conformance.errors import GaveUpError, TargetLostError

GIVE_UP: Final = 40
"""Losses without one reply between them after which a target is left alone: it is broken, not
surprised by a vector."""


class LossesInARow:
    """Counts how often a target was lost since its last reply."""

    def __init__(self, unit: str, most: int = GIVE_UP) -> None:
        """Begin with none; `unit` names what the target has to bring to an end, such as `reply`."""
        self._unit: Final = unit
        self._most: Final = most
        self._count = 0

    def add(self) -> None:
        """Count one more.

        Raises:
            GaveUpError: these are too many.
        """
        self._count += 1
        if self._count > self._most:
            raise GaveUpError(f"given up after {self._most} losses without a single {self._unit}")

    def clear(self) -> None:
        """Begin anew, since the target brought something to an end."""
        self._count = 0


class Restartable(Protocol):
    """A program that can be ended, and says what it did wrong in its last moments."""

    def close(self) -> list[str]:
        """End it; return what it did wrong, in words."""


_Restartable = TypeVar("_Restartable", bound=Restartable)


class Restarted(Generic[_Restartable]):
    """A program that may be lost.

    Attributes:
        program: the one that runs now.
    """

    def __init__(self, start: Callable[[], _Restartable], unit: str, most: int = GIVE_UP) -> None:
        """Start the program.

        Args:
            start: starts it.
            unit: what it is to bring to an end, such as `order`.
            most: losses without one of these between them, after which it is given up.

        Raises:
            TargetLostError: it does not come up.
        """
        self._start: Final = start
        self._losses: Final = LossesInARow(unit, most)
        self.program = start()

    def forget_losses(self) -> None:
        """Count its losses anew, since it brought something to an end."""
        self._losses.clear()

    def restart(self) -> None:
        """End the program, and start another.

        Raises:
            GaveUpError: it was lost too often in a row, or does not come up again.
        """
        self._losses.add()
        self.program.close()
        try:
            self.program = self._start()
        except TargetLostError as lost:
            raise GaveUpError(f"it did not come up again: it {lost.detail}") from None

    def complaints(self, name: str) -> list[str]:
        """End the program; return what it did wrong in its last moments, in words."""
        return [f"the {name} {complaint}" for complaint in self.program.close()]
