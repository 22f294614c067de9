"""What a start does not tell, though files are broken: in lines."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kafka_format.log.leftovers import LeftoverAction
from kafka_format.log.start import Hints
from kafka_format.log.verification import Breach

from kafka_tools.logs.effects import effect
from kafka_tools.text import first_few, plural

_REMOVED: Final = frozenset({LeftoverAction.REMOVED, LeftoverAction.DROPPED, LeftoverAction.ORPHAN})
_STOPPING: Final = (
    "log.checkpoint.version",
    "log.checkpoint.count",
    "log.checkpoint.row",
    "log.epochs.not-negative",
    "log.name.number",
    "log.name.partition",
    "log.partition-metadata.lines",
    "log.partition-metadata.version",
    "log.partition-metadata.topic-id",
    "log.transaction-index.version",
)
"""Rules whose breach mostly keeps a node from starting."""


def lies(hints: Iterable[tuple[Path, Hints]], shown: int | None) -> Iterator[str]:
    """Yield lines about markers of a clean stop that do not tell the truth."""
    said = [
        [f"  THE MARKER LIES: {breach.path.relative_to(directory)}: {breach.detail}"]
        for directory, found in hints
        for breach in found.lies
    ]
    yield from first_few(said, shown, "file")
    if said:
        yield "  To do: remove the marker, so that the broker recovers; `log start` says then what that costs"


def behind_fault(directory: Path, hints: Hints, shown: int | None) -> Iterator[str]:
    """Yield the files that most likely keep the node from starting when the fault is mended."""
    paths = dict.fromkeys(breach.path for breach in hints.others if breach.rule.startswith(_STOPPING))
    said = ([f"THEN LOOK AT: {path.relative_to(directory)}, which keeps a node from starting, too"] for path in paths)
    yield from first_few(said, shown, "file")


def lines(directory: Path, hints: Hints, shown: int | None) -> Iterator[str]:
    """Yield lines about the hints of a data directory: `shown` of a kind; all if it is None."""
    yield from _unnoticed(directory, hints, shown)
    yield from _misplaced(directory, hints, shown)
    yield from first_few(_orphans(directory, hints), shown, "file")
    unread = ([f"NOT READ HERE: {path}: {why}"] for path, why in hints.unreadable)
    yield from first_few(unread, shown, "file")
    swapped = (each for each in hints.leftovers if each.action is LeftoverAction.SWAPPED)
    yield from first_few(([f"{each.path.relative_to(directory)}: {each.action}"] for each in swapped), shown, "file")
    removed = sum(each.action in _REMOVED for each in hints.leftovers)
    if removed:
        yield f"{plural(removed, 'leftover')} removed, see `log leftovers`"
    if hints.others:
        files = plural(len({breach.path for breach in hints.others}), "file")
        count = plural(len(hints.others), "more broken rule")
        yield f"{count} in {files} that a start does not mind, see `log verify`"


def _orphans(directory: Path, hints: Hints) -> Iterator[list[str]]:
    for breach in hints.orphans:
        said = f"NO SEGMENT: {breach.path.relative_to(directory)}: {breach.detail}"
        yield [said, f"  To do: {_advice(breach)}"]


def _unnoticed(directory: Path, hints: Hints, shown: int | None) -> Iterator[str]:
    """Yield lines about broken batches, a line a file: a start neither reads nor cuts them."""
    by_file: dict[Path, list[Breach]] = {}
    for breach in hints.unnoticed:
        by_file.setdefault(breach.path, []).append(breach)
    yield from first_few(([_stays_broken(directory, each)] for each in by_file.values()), shown, "file")
    if by_file:
        yield "  a start does not read these: consumers and followers get an error there, and go no further"
        yield "  To do: `log rescue` copies what is sound; or remove the folder if other replicas are whole"


def _stays_broken(directory: Path, breaches: list[Breach]) -> str:
    first = breaches[0]
    at = f"byte {first.position}" if first.offset is None else f"byte {first.position}, offset {first.offset}"
    more = f", and {plural(len(breaches) - 1, 'more broken rule')}" if len(breaches) > 1 else ""
    return f"STAYS BROKEN: {first.path.relative_to(directory)}, {at}: {first.detail} [{first.rule}]{more}"


def _misplaced(directory: Path, hints: Hints, shown: int | None) -> Iterator[str]:
    """Yield lines about records that no lookup finds: the first broken rule of each file."""
    by_file: dict[Path, Breach] = {}
    for breach in hints.misplaced:
        by_file.setdefault(breach.path, breach)
    said = (
        [f"NOT FOUND BY CONSUMERS: {path.relative_to(directory)}: {first.detail} [{first.rule}]"]
        for path, first in by_file.items()
    )
    yield from first_few(said, shown, "file")
    if by_file:
        yield "  a start says nothing of it: consumers pass over these records, and no error tells them"
    for each in dict.fromkeys(_advice(breach) for breach in by_file.values()):
        yield f"  To do: {each}"


def _advice(breach: Breach) -> str:
    known = effect(breach.rule, breach.path.name)
    return known.advice if known else "Move it away."
