"""Reduce one finding, or the findings of a run.

One finding of each kind (target, outcome, symptom) in a run is reduced: the smallest that was kept.
If the target does not fail on it again, the next ones are tried. Targets take turns, each begins
with its most frequent kind, until the time is over.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import chain, zip_longest
from pathlib import Path
from time import monotonic
from typing import Final

from kafka_format import sampler
from kafka_tools.errors import UsageError
from kafka_tools.spark.progress import Watcher

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.reduction import tree
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.search import Budget
from kafka_conformance.scale.ask import judge
from kafka_conformance.scale.ask.checker import end_with_parent
from kafka_conformance.scale.plan import MESSAGES
from kafka_conformance.scale.reduce import message_search, text
from kafka_conformance.scale.reduce.search import CALLS, Smallest, Start, failure_kind, reduce_batch, unreduced
from kafka_conformance.scale.results import reductions, run_folder
from kafka_conformance.scale.results.causes import groups
from kafka_conformance.scale.results.reductions import (
    Effort,
    Failure,
    GeneratedBatch,
    Kind,
    Minimal,
    Reduced,
    Reductions,
)
from kafka_conformance.scale.results.summary import Symptom, TargetSummary

SECONDS_EACH: Final = 20.0
"""Most time for one finding, or its share of all time if that is more. Only targets that crash or
hang need it."""

HANG_SECONDS: Final = 2.0
"""Time limit for a candidate if the target hung on the batch, unless its own limit is less."""

TRIED: Final = 3
"""Batches of a kind that are tried until the target fails again: some decoders fail by what their
memory holds."""

PARTS: Final = 50
"""Most parts that are listed; a reduced batch has a few."""

_COLUMNS: Final = ("target", "index", "outcome", "symptom", "size")


def reduce_run(
    folder: Path,
    targets: Sequence[TargetSummary],
    commands: Mapping[str, Command],
    limits: Limits,
    seconds: float,
    watcher: Watcher,
) -> Reductions:
    """Reduce findings of the run in a folder, and write `reduced.json` there.

    Findings that an earlier command has finished are kept.

    Args:
        folder: of the run.
        targets: the summaries of its targets, with the kinds of findings.
        commands: starts each target.
        limits: time and memory for a question.
        seconds: time to spend; 0 reduces nothing.
        watcher: its `stage` and `detail` are called with what is being reduced, and how far it is.
    """
    kinds = _in_turn(targets)
    if not kinds:
        return Reductions()
    finished = _finished_findings(folder, kinds)
    todo = [batches for batches in _batches(folder, kinds) if batches[0].kind not in finished]
    reduced, problems = _reduce_all(todo, commands, limits, seconds, watcher)
    every = tuple(finding for group in groups([*finished.values(), *reduced]) for _, finding in group.findings)
    result = Reductions(every, len(kinds) - len(every) - len(problems), tuple(problems))
    if every:
        result.write(folder)
    return result


def reduce(
    batch: GeneratedBatch, asker: Asker, seconds: float, progress: Callable[[str], None] = lambda _: None
) -> Reduced:
    """Make a finding small.

    Takes the time that it is given, and at most one question more, with the start of the target;
    two questions more, each as long as the limit, if the target hangs.

    Args:
        batch: the generated batch that the target failed on.
        asker: the target; it may serve several findings.
        seconds: time to spend.
        progress: is called with words on how far it is.

    Raises:
        TargetLostError: the target does not start.
    """
    if batch.profile in MESSAGES:
        return message_search.reduce(batch, asker, seconds, progress)
    began, calls = monotonic(), asker.calls
    block = sampler.single(batch.seed, batch.index, batch.profile)
    twin = sampler.twin(batch.seed, batch.index, batch.profile)
    start = Start(judge.judged_batch(block), twin, block.fault_of(0))
    size = len(start.asked.data)

    def tell(left: int) -> None:
        progress(f"{asker.calls - calls:,} questions, {left:,} of {size:,} bytes left, {monotonic() - began:.0f} s")

    result = asker.ask(start.asked)
    smallest = unreduced(start, result)
    if result.outcome.is_finding:
        with _hasty(asker, result):
            budget = Budget(seconds - (monotonic() - began), asker.calls + CALLS)
            smallest = reduce_batch(asker, start, result, budget, tell)
    if result.outcome is Outcome.HUNG:
        again = asker.ask(smallest.asked)  # with its own limit
        is_steady = again.outcome is Outcome.HUNG
        smallest = replace(smallest, result=again) if is_steady else unreduced(start, result)
    is_finished = smallest.is_finished or not result.outcome.is_finding
    effort = Effort(asker.calls - calls, round(monotonic() - began, 3), is_finished)
    return Reduced(
        replace(batch, size=size), _failure(smallest, asker.hello), _minimal(smallest), smallest.cause, effort
    )


@contextmanager
def _hasty(asker: Asker, result: Result) -> Iterator[None]:
    """Give a target that hung less time for candidates."""
    limit = asker.seconds
    if result.outcome is Outcome.HUNG:
        asker.seconds = min(limit, HANG_SECONDS)
    try:
        yield
    finally:
        asker.seconds = limit


def _failure(smallest: Smallest, hello: Hello) -> Failure:
    result = smallest.result
    return Failure(
        library=hello.name,
        version=hello.version,
        outcome=str(result.outcome),
        symptom=failure_kind(result)[1],
        path=result.path,
        expected=result.expected if result.path else text.expectation(smallest.asked),
        got=result.got if result.path else text.what_came(result),
        detail=result.detail,
    )


def _minimal(smallest: Smallest) -> Minimal:
    asked, parts = smallest.asked, tree.parts(smallest.tree)
    return Minimal(
        format=asked.format,
        codec=" ".join(asked.codecs),
        size=len(asked.data),
        hex=asked.data.hex(),
        fault=smallest.fault.name,
        twin=smallest.twin.hex(),
        redone=smallest.is_redone,
        parts=tuple(part.text for part in parts[:PARTS]),
        part_count=len(parts),
    )


def _reduce_all(
    todo: Sequence[Sequence[GeneratedBatch]],
    commands: Mapping[str, Command],
    limits: Limits,
    seconds: float,
    watcher: Watcher,
) -> tuple[list[Reduced], list[str]]:
    """Reduce one kind after another while there is time; return them, and why others were not.

    With any time at all, the first one is begun, however slow the machine is.
    """
    began, reduced, problems = monotonic(), list[Reduced](), list[str]()
    each = max(SECONDS_EACH, seconds / max(len(todo), 1))
    with ExitStack() as stack:
        askers = {
            name: stack.enter_context(Asker(name, end_with_parent(command), limits))
            for name, command in commands.items()
        }
        for number, batches in enumerate(todo, 1):
            left = seconds - (monotonic() - began)
            if left <= 0 and (number > 1 or seconds <= 0):
                break
            first = batches[0]
            watcher.stage(f"reducing {number} of {len(todo)}: {first.target} {Outcome(first.outcome).words}")
            try:
                reduced.append(_reduce_first(batches, askers[first.target], min(left, each), watcher))
            except TargetLostError as lost:
                problems.append(f"batch {first.index} of {first.target} was not reduced: the target {lost.detail}")
            except KeyboardInterrupt:
                break
    return reduced, problems


def _reduce_first(batches: Sequence[GeneratedBatch], asker: Asker, seconds: float, watcher: Watcher) -> Reduced:
    """Reduce the first batch that the target fails on again; without any, return the very first."""
    began, tried = monotonic(), list[Reduced]()
    for batch in batches:
        tried.append(reduce(batch, asker, seconds - (monotonic() - began), watcher.detail))
        if tried[-1].is_finding:
            return tried[-1]
    return tried[0]


def _finished_findings(folder: Path, kinds: Mapping[Kind, Symptom]) -> dict[Kind, Reduced]:
    """Return the findings that an earlier command has finished, with the counts of today."""
    try:
        kept = {each.batch.kind: each for each in reductions.read(folder) if each.effort.finished}
    except UsageError:
        return {}
    return {
        kind: replace(each, batch=replace(each.batch, batches=kinds[kind].batches))
        for kind, each in kept.items()
        if kind in kinds
    }


def _in_turn(targets: Iterable[TargetSummary]) -> dict[Kind, Symptom]:
    """The kinds of findings; the targets take turns."""
    kinds = [[((each.target, str(kind.outcome), kind.symptom), kind) for kind in each.symptoms] for each in targets]
    return dict(kind for kind in chain.from_iterable(zip_longest(*kinds)) if kind is not None)


def _batches(folder: Path, kinds: Mapping[Kind, Symptom]) -> Iterator[list[GeneratedBatch]]:
    """Yield the smallest kept findings of each kind; the first one counted if none was kept."""
    settings = run_folder.settings(folder)
    smallest: dict[Kind, list[tuple[int, int]]] = {}
    for row in run_folder.findings(folder, _COLUMNS):
        kept = smallest.setdefault((row["target"], row["outcome"], row["symptom"]), [])
        kept.append((row["size"], row["index"]))
        kept.sort()
        del kept[TRIED:]
    for kind, symptom in kinds.items():
        indices = [index for _, index in smallest.get(kind, [(0, symptom.first)])]
        target, outcome, text = kind
        yield [
            GeneratedBatch(target, settings.seed, index, settings.profile, outcome, text, symptom.batches)
            for index in indices
        ]
