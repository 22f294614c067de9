"""Vectors put to targets: what a run does, from the first hello to the frozen `Run`.

Targets run one after another, or a few at a time, each in a thread of its own; the work is in the
child processes. Results are handed to a callback as they come, for progress, and collected for the
`Run`. An interrupt (Ctrl-C) ends the children in good order and leaves a `Run` of everything that
is known by then, marked as interrupted.

A target that cannot be started is part of the run as well, with its problem in words and no
results.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from time import monotonic

from kafka_tools.system.interruption import interruptible

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.diagnosis.cause import Diagnosis, merge
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.kind import Diagnose
from kafka_conformance.kinds.table import ABOUT
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.comparison import Side, causes_of, compare
from kafka_conformance.run.header import Footer, header, now
from kafka_conformance.run.known_failures import KnownFailures
from kafka_conformance.run.questions import kinds_for, unasked_of
from kafka_conformance.run.run import Run
from kafka_conformance.run.target_run import KindResults, RunEvents, TargetRun, in_order
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.vectors.vector import Vector

Reduce = Callable[[Diagnosis, str, Command, Limits, Mapping[str, Vector]], Diagnosis]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run.

    Attributes:
        limits: time and memory a target may take.
        jobs: targets at a time.
        directions: what to ask of targets that can do both.
        about: what to ask about, of `kinds.table.ABOUT`.
        known: findings that are expected.
        earlier: an earlier run that this one is compared with.
        whole: True if the vectors are all that there are, in every direction, so that what covers
            nobody listens.
        reduce: makes small what no signature explains in a diagnosis, given the name of the target,
            what starts it, its limits, and the vectors by id; None for not.
        command: the command line, for the header.
    """

    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    directions: frozenset[Direction] = frozenset(Direction)
    about: tuple[str, ...] = ABOUT
    known: KnownFailures = field(default_factory=KnownFailures)
    earlier: Side | None = None
    whole: bool = False
    reduce: Reduce | None = None
    command: str = ""


def run(
    candidates: Sequence[Candidate],
    vectors: Sequence[Vector],
    options: RunOptions | None = None,
    events: RunEvents | None = None,
) -> Run:
    """Put the vectors to every candidate and return a `Run`; never raises for a target's fault.

    Args:
        candidates: the targets.
        vectors: what the questions are about; each target is asked about those of its kinds.
        options: how to run.
        events: called for what happens, from several threads if several targets run at a time.
    """
    chosen = options or RunOptions()
    head, began = header(chosen.command, vectors), monotonic()
    runs = [
        TargetRun(
            candidate,
            kinds_for(candidate, chosen.about),
            vectors,
            chosen.limits,
            chosen.directions,
            chosen.known.mark,
            events or RunEvents(),
        )
        for candidate in candidates
    ]
    with interruptible():
        interrupted = _run_all(runs, chosen.jobs)
    by_id = {vector.id: vector for vector in vectors}
    reduce = None if interrupted else chosen.reduce
    with ThreadPoolExecutor(max_workers=max(1, chosen.jobs)) as pool:
        diagnosed = list(pool.map(lambda each: _diagnose(each, by_id, chosen, reduce, asks=not interrupted), runs))
    results = tuple(result for marked, _ in diagnosed for result in marked)
    diagnoses = {each.target.name: diagnosis for each, (_, diagnosis) in zip(runs, diagnosed, strict=True) if each.came}
    ended = {each.target.name for each in runs if each.target.standing.has_ended}
    kept = [result for result in results if result.target in ended]
    count = unasked_of(candidates, kept)
    done = Run(
        header=head,
        targets=tuple(each.target for each in runs),
        vectors=tuple(vectors),
        results=results,
        footer=Footer(now(), monotonic() - began, interrupted),
        known_problems=chosen.known.problems(kept, whole=chosen.whole, count=count),
        known_half_asked=() if chosen.whole else chosen.known.half_asked(kept, count),
        diagnoses=diagnoses,
    )
    if chosen.earlier is None:
        return done
    this = Side(head.started, head.suite_version, done.targets, done.results, causes_of(diagnoses))
    return replace(done, comparison=compare(chosen.earlier, this, whole=chosen.whole))


def _diagnose(
    run: TargetRun, vectors: Mapping[str, Vector], options: RunOptions, reduce: Reduce | None, *, asks: bool
) -> tuple[list[Result], Diagnosis]:
    """Return a target's results and what they come from, with known failures marked by their cause.

    Kinds that are diagnosed by the same function are diagnosed together: a bug may show in both.
    """
    hello, name = run.target.hello, run.target.name
    may_ask = asks and run.target.standing.has_ended
    together: dict[Diagnose, list[KindResults]] = {}
    for came in run.came:
        together.setdefault(came.kind.diagnose, []).append(came)
    found = []
    for diagnose, group in together.items():
        assert hello is not None  # noqa: S101 - there are results
        put = [result for came in group for result in came.results.values()]
        diagnosis = diagnose(name, in_order(put, run.vectors), vectors, hello)
        for ask_further in {came.kind.ask_further for came in group if may_ask and came.kind.ask_further}:
            diagnosis = ask_further(diagnosis, run.candidate, options.limits, vectors, hello)
        if reduce is not None and run.command and may_ask and all(came.kind.is_reducible for came in group):
            diagnosis = reduce(diagnosis, name, run.command, options.limits, vectors)
        found.append(diagnosis)
    merged = merge(found)
    marked = options.known.mark_causes(list(run.results()), merged)
    return marked, merged.with_results(marked)


def _run_all(runs: Sequence[TargetRun], jobs: int) -> bool:
    """Run every target; True if the user interrupted."""
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        pending = [pool.submit(each.run) for each in runs]
        try:
            for future in pending:
                future.result()
        except KeyboardInterrupt:
            for each in runs:
                each.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            return True
    return False
