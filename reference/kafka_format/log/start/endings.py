"""Which fault ends a start, where several may: Kafka ends with the one that it comes to first.

LogManager.loadLogs has threads for each directory load its logs, and waits for them in the order of
log.dirs, in each directory in the order of its listing, which files do not tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from kafka_format.log.start.outcome import Fault, Stopped


class _Ending(NamedTuple):
    """A fault, by the directory in which it comes: in one of them if there are several."""

    places: tuple[tuple[Path, Fault], ...]
    is_sure: bool


class Endings:
    """Faults of the logs of a node that end the process."""

    def __init__(self, directories: Sequence[Path]) -> None:
        """Take the directories in the order in which they are waited for."""
        self._directories = directories
        self._found = list[_Ending]()

    def add(self, *places: tuple[Path, Fault]) -> None:
        """Add a fault of a directory; of several, it comes in one of them."""
        self._found.append(_Ending(places, is_sure=True))

    def add_perhaps(self, directory: Path, fault: Fault) -> None:
        """Add a fault that comes by chance."""
        self._found.append(_Ending(((directory, fault),), is_sure=False))

    def check(self) -> None:
        """End the process if a fault is sure.

        Raises:
            Stopped: one is.
        """
        found = list[Fault]()
        for count in range(1, len(self._directories) + 1):
            waited = self._directories[:count]
            found += [fault for each in self._found for place, fault in each.places if place == waited[-1]]
            if any(each.is_sure and all(place in waited for place, _ in each.places) for each in self._found):
                raise Stopped(one_of(found))

    @property
    def perhaps(self) -> Iterator[Fault]:
        """The faults that come by chance."""
        return (fault for each in self._found if not each.is_sure for _, fault in each.places)


def one_of(faults: Sequence[Fault]) -> Fault:
    """Return the first of some faults, which names the others: which of them comes is chance."""
    others = dict.fromkeys(each for each in faults[1:] if each != faults[0])
    return faults[0]._replace(others=tuple(others))
