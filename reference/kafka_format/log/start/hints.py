"""What a start does not tell: broken batches that stay, markers that lie, leftovers.

These are broken rules of the files (`log.verification`), without those that the start tells itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kafka_format.log.leftovers import Leftover, in_directory
from kafka_format.log.recovery import STOPPERS
from kafka_format.log.start.outcome import Start, StartFate
from kafka_format.log.verification import Breach, verify_partition
from kafka_format.log.verification.directory import partition_folders, verify_marks, verify_own_files

BROKEN_BATCH: Final = ("v2.", "legacy.", "entry.")
"""How rules of batches begin: whoever reads such a batch gets an error."""

MISPLACED: Final = ("log.segment.base", "log.segment.join", "log.segment.gap", "log.segment.rising")
"""Rules that are broken if records are where no lookup goes, or in no segment."""

_TAIL: Final = "log.segment.tail"
_LIES: Final = ("log.clean-shutdown.truth", _TAIL)
_TOLD: Final = ("log.partition-metadata.known", "log.checkpoint.partition", "log.offsets.order", "log.contents.")
"""What the start tells by itself: strays, partitions without a folder, ends, and contents."""


@dataclass(slots=True)
class Hints:
    """What a start does not tell of a data directory.

    Attributes:
        lies: why the marker of a clean stop does not tell the truth.
        unnoticed: broken batches that stay where they are, since nothing reads them.
        misplaced: records that no lookup finds, since a segment is gone or has another's name.
        orphans: indexes whose segment is not there.
        others: further broken rules.
        leftovers: files and folders that stayed behind.
        unreadable: files and folders that could not be read here.
    """

    lies: list[Breach] = field(default_factory=list)
    unnoticed: list[Breach] = field(default_factory=list)
    misplaced: list[Breach] = field(default_factory=list)
    orphans: list[Breach] = field(default_factory=list)
    others: list[Breach] = field(default_factory=list)
    leftovers: list[Leftover] = field(default_factory=list)
    unreadable: list[tuple[Path, str]] = field(default_factory=list)

    @property
    def is_harmless(self) -> bool:
        """Whether all that is there will be found, as far as the files tell."""
        return not (self.lies or self.unnoticed or self.misplaced or self.orphans or self.unreadable)


def collect(directory: Path, start: Start) -> Hints:
    """Verify a data directory, and return what its start does not tell."""
    hints, told = Hints(), _told(start)
    for breach in _breaches(directory, hints):
        if breach.path in told and breach.rule.startswith((*BROKEN_BATCH, *MISPLACED, _TAIL)):
            continue
        if start.fault is not None and breach.path == start.fault.path:
            continue
        if not breach.rule.startswith(_TOLD):
            _place(hints, start, breach).append(breach)
    hints.leftovers += in_directory(directory)
    return hints


def _breaches(directory: Path, hints: Hints) -> Iterator[Breach]:
    checks = [(check, folder) for folder in partition_folders(directory) for check in (verify_partition, verify_marks)]
    for check, at in (*checks, (verify_own_files, directory)):
        try:
            yield from check(at)
        except OSError as error:
            hints.unreadable.append((Path(error.filename or at), error.strerror or str(error)))


def _told(start: Start) -> set[Path]:
    """Return the segments that the start cuts, removes, or fails on."""
    recoveries = [each.recovery for each in start.partitions]
    recoveries += [start.metadata.recovery] if start.metadata is not None else []
    return {
        each.segment.path
        for recovery in recoveries
        if recovery is not None
        for each in recovery.segments
        if each.lost_bytes or each.fate in STOPPERS
    }


def _place(hints: Hints, start: Start, breach: Breach) -> list[Breach]:
    is_going = any(
        each.fate is StartFate.DELETED and breach.path.is_relative_to(each.path) for each in start.partitions
    )
    if is_going:
        return hints.others
    if breach.rule in _LIES and start.is_clean:
        return hints.lies
    if breach.rule.startswith(BROKEN_BATCH):
        return hints.unnoticed
    if breach.rule in MISPLACED:
        return hints.misplaced
    return hints.orphans if breach.is_lost else hints.others
