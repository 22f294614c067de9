"""Readers of starts that name one fault, where another may come first."""

from __future__ import annotations

from collections.abc import Sequence

from kafka_format.log.start import endings
from kafka_format.log.start.endings import Endings
from kafka_format.log.start.outcome import Fault, Stopped

from kafka_generator.mutants.mutant import START, family
from kafka_generator.mutants.patch import Patch

mutant = family(START, "chance")


@mutant("chance/first-alone")
def first_alone(patch: Patch) -> None:
    """Names the first of several faults alone."""
    patch.replace(endings.one_of, lambda faults: faults[0])


@mutant("chance/last-directory")
def last_directory(patch: Patch) -> None:
    """Waits for the directories in the opposite order."""

    def check(self: Endings) -> None:
        found: Sequence[Fault] = [
            fault
            for directory in self._directories[::-1]
            for each in self._found
            for place, fault in each.places
            if each.is_sure and place == directory
        ]
        if found:
            raise Stopped(found[0])

    patch.replace(Endings.check, check)
