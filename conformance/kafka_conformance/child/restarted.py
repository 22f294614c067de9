"""A program that is started again after it was lost, so long as it does something now and then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from kafka_conformance.child.session import GIVE_UP
from kafka_conformance.errors import GaveUpError, TargetLostError


class Restartable(Protocol):
    """What can be ended, and tells what it did wrong in its last moments."""

    def close(self) -> list[str]:
        """End it; return what it did wrong, in words."""


_Restartable = TypeVar("_Restartable", bound=Restartable)


class Restarted(Generic[_Restartable]):
    """A program that may be lost.

    Attributes:
        program: the one that runs now.
    """

    def __init__(self, start: Callable[[], _Restartable], unit: str) -> None:
        """Start the program.

        Args:
            start: starts it.
            unit: what it is to bring to an end, such as `order`.

        Raises:
            TargetLostError: it does not come up.
        """
        self._start: Final = start
        self._unit: Final = unit
        self._starts = 0
        self.program = start()

    def forget_starts(self) -> None:
        """Count its starts anew, since it brought something to an end."""
        self._starts = 0

    def restart(self) -> None:
        """End the program, and start another.

        Raises:
            GaveUpError: it was started too often in a row, or does not come up again.
        """
        self._starts += 1
        if self._starts > GIVE_UP:
            raise GaveUpError(f"given up after {GIVE_UP} starts without a single {self._unit}")
        self.program.close()
        try:
            self.program = self._start()
        except TargetLostError as lost:
            raise GaveUpError(f"it did not come up again: it {lost.detail}") from None

    def complaints(self, name: str) -> list[str]:
        """End the program; return what it did wrong in its last moments, in words."""
        return [f"the {name} {complaint}" for complaint in self.program.close()]
