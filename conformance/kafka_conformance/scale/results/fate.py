"""The fate of a generated batch: it is put and has an outcome, or it is skipped."""

from enum import StrEnum
from typing import Final

from kafka_conformance.outcomes import Outcome


class NotPut(StrEnum):
    """Why a target was not tested on a batch. The value is the name in files."""

    SKIPPED = "skipped"

    @property
    def words(self) -> str:
        """The reason as text."""
        return "was skipped"

    @property
    def is_finding(self) -> bool:
        """False: nothing is known of it."""
        return False

    @property
    def was_asked(self) -> bool:
        """False: nobody asked."""
        return False


Fate = Outcome | NotPut

FATES: Final[tuple[Fate, ...]] = (*Outcome, *NotPut)
"""All that there are, in the order in which they are shown."""


def fate(name: str) -> Fate:
    """Return the outcome, or the reason why there is none, of that name.

    Raises:
        ValueError: there is none.
    """
    return NotPut(name) if name in set(NotPut) else Outcome(name)
