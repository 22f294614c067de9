"""Which findings of a run are reduced, and the file that keeps what came of them.

One finding of each kind: target, outcome and symptom. Of those that were kept it is the smallest, because it has the
shortest way to go; the next ones are tried where the target is right about it this time. The most frequent kind of
every target comes first, then the next of every target, until the time is over; the file says how many kinds are left.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from itertools import chain, zip_longest
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import TargetLostError, UsageError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import files, store
from kafka_conformance.scale.reduction.asking import Asker
from kafka_conformance.scale.reduction.grouping import grouped
from kafka_conformance.scale.reduction.reduced import Batch, Reduced, Reductions
from kafka_conformance.scale.reduction.reducing import reduce
from kafka_conformance.scale.summary import Symptom, TargetSummary

KIND = "kafka-format-conformance reduced findings"
FILE = "reduced.json"

SECONDS_EACH = 20.0
"""Most time for one finding, or its share of all time if that is more. Only who crashes or hangs needs it."""

TRIED = 3
"""Batches of a kind that are tried until the target fails on one again: some decoders fail by what memory holds."""

_COLUMNS = ("target", "index", "outcome", "symptom", "size")
"""Of the rows of findings: what tells the smallest of a kind."""

_Key = tuple[str, str, str]
"""Target, outcome and symptom."""


class Watcher(Protocol):
    """Is told how reducing goes."""

    def stage(self, text: str) -> None:
        """What happens now."""

    def detail(self, text: str) -> None:
        """How far that is."""


def of_run(
    folder: Path,
    targets: Sequence[TargetSummary],
    commands: Mapping[str, Command],
    limits: Limits,
    seconds: float,
    watcher: Watcher,
) -> Reductions:
    """Reduce findings of the run in a folder for so many seconds, and write them down there.

    What an earlier command has brought to its end is kept.

    Args:
        folder: of the run.
        targets: the summaries of its targets, with the kinds of findings.
        commands: starts each target.
        limits: time and memory that a target may take.
        seconds: time to spend; 0 leaves all as they are.
        watcher: is told what is being reduced, and how far it is.
    """
    kinds = _in_turn(targets)
    if not kinds:
        return Reductions()
    ended = _ended(folder, kinds)
    todo = [batches for batches in _batches(folder, kinds) if _key(batches[0]) not in ended]
    found, problems = _reduced(todo, commands, limits, seconds, watcher)
    every = grouped([*ended.values(), *found])
    result = Reductions(every, len(kinds) - len(every) - len(problems), tuple(problems))
    if every:
        files.write_json(folder / FILE, {"kind": KIND, **asdict(result)})
    return result


def _reduced(
    todo: Sequence[Sequence[Batch]], commands: Mapping[str, Command], limits: Limits, seconds: float, watcher: Watcher
) -> tuple[list[Reduced], list[str]]:
    """Reduce one after the other while there is time; those that could be, and why others could not."""
    began, found, problems = monotonic(), list[Reduced](), list[str]()
    each = max(SECONDS_EACH, seconds / max(len(todo), 1))
    with ExitStack() as stack:
        askers = {name: stack.enter_context(Asker(name, command, limits)) for name, command in commands.items()}
        for number, batches in enumerate(todo, 1):
            left = seconds - (monotonic() - began)
            if left <= 0:
                break
            first = batches[0]
            watcher.stage(f"reducing {number} of {len(todo)}: {first.target} {Outcome(first.outcome).words}")
            try:
                found.append(_first_that_fails(batches, askers[first.target], min(left, each), watcher))
            except TargetLostError as lost:
                problems.append(f"batch {first.index} of {first.target} was not reduced: the target {lost.detail}")
            except KeyboardInterrupt:
                break
    return found, problems


def _first_that_fails(batches: Sequence[Batch], asker: Asker, seconds: float, watcher: Watcher) -> Reduced:
    """Reduce the first of some batches of a kind that the target fails on again; else what came of the first."""
    began, tried = monotonic(), list[Reduced]()
    for batch in batches:
        tried.append(reduce(batch, asker, seconds - (monotonic() - began), watcher.detail))
        if tried[-1].is_finding:
            return tried[-1]
    return tried[0]


def read(folder: Path) -> tuple[Reduced, ...]:
    """Return the findings of a run that were reduced, in the order of their numbers.

    Raises:
        UsageError: there are none, or the file is broken.
    """
    file = folder / FILE
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["kind"] == KIND:
            return tuple(_from_json(one) for one in document["reduced"])
    except (OSError, ValueError, TypeError, KeyError):
        pass
    raise UsageError(f"{file} holds no reduced findings.", "Name the directory of a run with --out, or use --reduce.")


def _from_json(document: dict[str, Any]) -> Reduced:
    Outcome(document["outcome"]), bytes.fromhex(document["hex"])
    return Reduced(**{**document, "telling": tuple(document["telling"]), "cause": tuple(document["cause"])})


def _ended(folder: Path, kinds: Mapping[_Key, Symptom]) -> dict[_Key, Reduced]:
    """What an earlier command has reduced as far as it goes, with the counts of today."""
    try:
        kept = {(one.target, one.found, one.symptom): one for one in read(folder) if one.finished}
    except UsageError:
        return {}
    return {key: replace(one, batches=kinds[key].batches) for key, one in kept.items() if key in kinds}


def _in_turn(targets: Iterable[TargetSummary]) -> dict[_Key, Symptom]:
    """The kinds of findings, those of the targets by turns."""
    kinds = [[((one.target, str(kind.outcome), kind.symptom), kind) for kind in one.symptoms] for one in targets]
    return dict(kind for kind in chain.from_iterable(zip_longest(*kinds)) if kind is not None)


def _key(batch: Batch) -> _Key:
    return batch.target, batch.outcome, batch.symptom


def _batches(folder: Path, kinds: Mapping[_Key, Symptom]) -> Iterator[list[Batch]]:
    """The smallest findings of each kind that were kept; the first that was counted, where none was kept."""
    settings = store.settings(folder)
    smallest: dict[_Key, list[tuple[int, int]]] = {}
    for row in store.findings(folder, _COLUMNS):
        kept = smallest.setdefault((row["target"], row["outcome"], row["symptom"]), [])
        kept.append((row["size"], row["index"]))
        kept.sort()
        del kept[TRIED:]
    for (target, outcome, symptom), kind in kinds.items():
        indices = [index for _, index in smallest.get((target, outcome, symptom), [(0, kind.first)])]
        yield [
            Batch(target, settings.seed, index, settings.profile, outcome, symptom, kind.batches) for index in indices
        ]
