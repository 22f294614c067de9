"""Starts a program again after it was lost, so long as it answers something now and then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

from kafka_conformance.child.losses import Losses
from kafka_conformance.errors import GaveUpError, TargetLostError


class Restartable(Protocol):
    """A program that can be ended, and says what it did wrong in its last moments."""

    def close(self) -> list[str]:
        """End it; return what it did wrong, in words."""


_Restartable = TypeVar("_Restartable", bound=Restartable)


class Restarted(Generic[_Restartable]):
    """A program that may be lost.

    Attributes:
        program: the one that runs now.
        losses: how often it was lost, which whoever asks it counts.
    """

    def __init__(self, start: Callable[[], _Restartable], losses: Losses) -> None:
        """Start the program.

        Args:
            start: starts it.
            losses: those of the target, which may have several programs.

        Raises:
            TargetLostError: it does not come up.
        """
        self._start: Final = start
        self.losses: Final = losses
        self.program = start()

    def restart(self) -> None:
        """Start another program in place of one that was lost.

        Raises:
            GaveUpError: it was lost too often, or does not come up again.
        """
        self.losses.check()
        self.renew()

    def renew(self) -> None:
        """End the program, and start another, however often it was lost.

        Raises:
            GaveUpError: it does not come up again.
        """
        self.program.close()
        try:
            self.program = self._start()
        except TargetLostError as lost:
            raise GaveUpError(f"it did not come up again: it {lost.detail}") from None

    def complaints(self, name: str) -> list[str]:
        """End the program; return what it did wrong in its last moments, in words."""
        return [f"the {name} {complaint}" for complaint in self.program.close()]
