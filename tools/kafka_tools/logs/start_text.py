"""What a broker does at its start, in lines: the worst first."""

from collections.abc import Iterator
from pathlib import Path

from kafka_format.log.leftovers import LeftoverAction
from kafka_format.log.text import clean_shutdown, meta_properties
from kafka_format.log.verification import Breach

from kafka_tools.logs.effects import effect
from kafka_tools.logs.start import BROKEN_BATCH, StartPrediction
from kafka_tools.text import plural

_BY_NAME = {meta_properties.NAME: "log.meta-properties.keys"}
"""Rules whose advice fits where a file is missing."""


def lines(folder: Path, start: StartPrediction) -> Iterator[str]:
    """Yield lines about what a start would do, the worst first."""
    yield f"{folder.name}: what a broker would do at its start; nothing is changed"
    marker = f"{clean_shutdown.NAME} is there: segments are taken as they are, and not read"
    yield marker if start.is_clean else f"no {clean_shutdown.NAME}: segments above the recovery points are read"
    for breach in start.lies:
        yield f"  THE MARKER LIES: {breach.path.relative_to(folder)}: {breach.detail}"
    if start.lies:
        yield "  To do: remove the marker, so that the broker recovers; `log start` says then what that costs"
    for breach in start.stoppers:
        yield f"DOES NOT START, or takes the directory offline: {breach.path.relative_to(folder)}"
        yield f"  {breach.detail} [{breach.rule}]" if breach.rule else f"  {breach.detail}"
        yield f"  To do: {_advice(breach)}"
    for each in start.empty:
        yield f"BEGINS EMPTY: {each.path.relative_to(folder)}"
        yield f"  {each.why}"
        yield f"  To do: {each.advice}"
    for breach in start.unserved:
        yield f"NOT SERVED: {breach.path.parent.relative_to(folder)}: {breach.detail} [{breach.rule}]"
        yield "  the broker starts, and neither leads nor follows it; only state-change.log has an error"
        yield f"  To do: {_advice(breach)}"
    for said in start.recoveries.values():
        yield from said
    yield from _unnoticed(folder, start)
    yield from _misplaced(folder, start)
    yield from _leftovers(folder, start)
    if start.others:
        files = plural(len({breach.path for breach in start.others}), "file")
        count = plural(len(start.others), "more broken rule")
        yield f"{count} in {files} that a start does not mind, see `log verify`"
    lost = f"{plural(start.lost_bytes, 'byte')} lost" if start.lost_bytes else "nothing lost"
    empty = f", {plural(len(start.empty), 'partition')} empty at the start" if start.empty else ""
    hidden = plural(len({breach.path for breach in start.misplaced}), "place")
    unseen = f", {hidden} where consumers miss records" if start.misplaced else ""
    ending = "it does not start" if start.stoppers else f"{lost}{empty}{unseen}"
    yield f"{plural(start.read_bytes, 'byte')} to read, {ending}"


def _advice(breach: Breach) -> str:
    if breach.rule.startswith(BROKEN_BATCH):
        return f"Remove {clean_shutdown.NAME}, so that the broker cuts the log; `log start` says then what that costs."
    known = effect(breach.rule or _BY_NAME.get(breach.path.name, ""), breach.path.name)
    return known.advice if known else "Move it away."


def _unnoticed(folder: Path, start: StartPrediction) -> Iterator[str]:
    """Yield lines about broken batches, a line a file: a start neither reads nor cuts them."""
    by_file: dict[Path, list[Breach]] = {}
    for breach in start.unnoticed:
        by_file.setdefault(breach.path, []).append(breach)
    for path, breaches in by_file.items():
        first = breaches[0]
        at = f"byte {first.position}" if first.offset is None else f"byte {first.position}, offset {first.offset}"
        more = f", and {plural(len(breaches) - 1, 'more broken rule')}" if len(breaches) > 1 else ""
        yield f"STAYS BROKEN: {path.relative_to(folder)}, {at}: {first.detail} [{first.rule}]{more}"
    if by_file:
        yield "  a start does not read these: consumers and followers get an error there, and go no further"
        yield "  To do: `log rescue` copies what is sound; or remove the folder if other replicas are whole"


def _misplaced(folder: Path, start: StartPrediction) -> Iterator[str]:
    """Yield lines about records that no lookup finds: the first broken rule of each file."""
    by_file: dict[Path, Breach] = {}
    for breach in start.misplaced:
        by_file.setdefault(breach.path, breach)
    for path, first in by_file.items():
        yield f"NOT FOUND BY CONSUMERS: {path.relative_to(folder)}: {first.detail} [{first.rule}]"
    if by_file:
        yield "  a start says nothing of it: consumers pass over these records, and no error tells them"
    for advice in dict.fromkeys(_advice(breach) for breach in by_file.values()):
        yield f"  To do: {advice}"


def _leftovers(folder: Path, start: StartPrediction) -> Iterator[str]:
    for breach in start.orphans:
        yield f"NO SEGMENT: {breach.path.relative_to(folder)}: {breach.detail}"
        yield f"  To do: {_advice(breach)}"
    actions = {LeftoverAction.REMOVED, LeftoverAction.DROPPED, LeftoverAction.ORPHAN}
    for each in start.leftovers:
        if each.action is LeftoverAction.SWAPPED:
            yield f"{each.path.relative_to(folder)}: {each.action}"
    removed = sum(each.action in actions for each in start.leftovers)
    if removed:
        yield f"{plural(removed, 'leftover')} removed, see `log leftovers`"
