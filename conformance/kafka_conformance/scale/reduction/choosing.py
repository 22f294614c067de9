"""Which findings of a run are reduced, and the file that keeps what came of them.

One finding of each kind: target, outcome and symptom. Of those that were kept it is the smallest, because it has the
shortest way to go. The most frequent kind of every target comes first, then the next of every target, until the time is
over; the file says how many kinds are left.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from itertools import chain, zip_longest
from pathlib import Path
from time import monotonic

from kafka_conformance.errors import UsageError
from kafka_conformance.launch import Command, Limits, TargetLost
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import files, store
from kafka_conformance.scale.reduction.asking import Asker
from kafka_conformance.scale.reduction.reducing import Batch, Reduced, Reductions, reduce
from kafka_conformance.scale.summary import Symptom, TargetSummary

KIND = "kafka-format-conformance reduced findings"
FILE = "reduced.json"

SECONDS_EACH = 20.0
"""Most time for one finding. Only targets that crash or hang need more than a few seconds."""

_COLUMNS = ("target", "seed", "index", "profile", "outcome", "symptom", "size")
"""Of the rows of findings: all but what is long."""

_Key = tuple[str, str, str]
"""Target, outcome and symptom."""


def of_run(
    folder: Path,
    targets: Sequence[TargetSummary],
    commands: Mapping[str, Command],
    limits: Limits,
    seconds: float,
    stage: Callable[[str], None],
) -> Reductions:
    """Reduce findings of the run in a folder for so many seconds, and write them down there.

    Args:
        folder: of the run.
        targets: the summaries of its targets, with the kinds of findings.
        commands: starts each target.
        limits: time and memory that a target may take.
        seconds: time to spend; 0 leaves all as they are.
        stage: is told what is being reduced.
    """
    ordered = _in_turn(targets)
    if not ordered or not seconds:
        return Reductions(left=len(ordered))
    smallest = _smallest(folder)
    began, reduced, problems = monotonic(), [], []
    due = [(key, smallest[key]) for key in ordered if key in smallest]
    with ExitStack() as stack:
        askers = {name: stack.enter_context(Asker(name, command, limits)) for name, command in commands.items()}
        for number, (key, batch) in enumerate(due, 1):
            left = seconds - (monotonic() - began)
            if left <= 0:
                break
            stage(f"reducing {number} of {len(due)}: {key[0]} {Outcome(key[1]).words}")
            try:
                reduced.append(reduce(batch, askers[batch.target], min(left, SECONDS_EACH)))
            except TargetLost as lost:
                problems.append(f"batch {batch.index} of {batch.target} was not reduced: the target {lost.detail}")
            except KeyboardInterrupt:
                break
    result = Reductions(tuple(reduced), len(ordered) - len(reduced) - len(problems), tuple(problems))
    files.write_json(folder / FILE, {"kind": KIND, **asdict(result)})
    return result


def read(folder: Path) -> tuple[Reduced, ...]:
    """Return the findings of a run that were reduced, in the order of their numbers.

    Raises:
        UsageError: there are none, or the file is broken.
    """
    file = folder / FILE
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["kind"] == KIND:
            return tuple(Reduced(**{**one, "telling": tuple(one["telling"])}) for one in document["reduced"])
    except (OSError, ValueError, TypeError, KeyError):
        pass
    raise UsageError(f"{file} holds no reduced findings.", "Name the directory of a run with --out, or use --reduce.")


def _in_turn(targets: Iterable[TargetSummary]) -> list[_Key]:
    """The kinds of findings, those of the targets by turns."""
    kinds = [[_key(one.target, kind) for kind in one.symptoms] for one in targets]
    return [key for key in chain.from_iterable(zip_longest(*kinds)) if key is not None]


def _key(target: str, kind: Symptom) -> _Key:
    return target, str(kind.outcome), kind.symptom


def _smallest(folder: Path) -> dict[_Key, Batch]:
    """The smallest finding that was kept of each kind."""
    found: dict[_Key, tuple[int, int, Batch]] = {}
    for row in store.findings(folder, _COLUMNS):
        key = row["target"], row["outcome"], row["symptom"]
        batch = Batch(row["target"], row["seed"], row["index"], row["profile"])
        candidate = row["size"], row["index"], batch
        found[key] = min(found.get(key, candidate), candidate, key=lambda one: one[:2])
    return {key: batch for key, (_, _, batch) in found.items()}
