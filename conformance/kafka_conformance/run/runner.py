"""Vectors put to targets: what a run does, from the first hello to the frozen `Run`.

Targets run one after another, or a few at a time, each in a thread of its own; the work is in the
child processes. Results are handed to a callback as they come, for progress, and collected for the
`Run`. An interrupt (Ctrl-C) ends the children in good order and leaves a `Run` of everything that
is known by then, marked as interrupted.

A target that cannot be started is part of the run as well, with its problem in words and no
results.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from time import monotonic

from kafka_tools.system.interruption import interruptible

from kafka_conformance.child.launch import Limits
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.broker.causes import diagnose_appends
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.bout import Bout
from kafka_conformance.run.comparison import Side, causes_of, compare
from kafka_conformance.run.header import Footer, header, now
from kafka_conformance.run.known_failures import KnownFailures
from kafka_conformance.run.reduction import add_reduced
from kafka_conformance.run.run import Run
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors.vector import Vector


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run.

    Attributes:
        limits: time and memory a target may take.
        jobs: targets at a time.
        directions: what to ask of targets that can do both.
        known: findings that are expected.
        earlier: an earlier run that this one is compared with.
        whole: True if the vectors are all that there are, in every direction, so that what covers
            none of them is told.
        reduce: seconds for each target, to make small what no signature explains; 0 for not.
        command: the command line, for the header.
    """

    limits: Limits = field(default_factory=Limits)
    jobs: int = 1
    directions: frozenset[Direction] = frozenset(Direction)
    known: KnownFailures = field(default_factory=KnownFailures)
    earlier: Side | None = None
    whole: bool = False
    reduce: float = 0.0
    command: str = ""


Progress = Callable[[Result], None]


def run(
    contestants: Sequence[Contestant],
    vectors: Sequence[Vector],
    options: RunOptions | None = None,
    on_result: Progress = lambda _: None,
) -> Run:
    """Put the vectors to every contestant and return a `Run`; never raises for a target's fault.

    `on_result` is called for every result as it comes, from several threads if several targets run
    at a time.
    """
    chosen = options or RunOptions()
    head, began = header(chosen.command, vectors), monotonic()
    bouts = [
        Bout(contestant, vectors, chosen.limits, chosen.directions, chosen.known.mark, on_result)
        for contestant in contestants
    ]
    with interruptible():
        interrupted = _run_all(bouts, chosen.jobs)
    put = [result for bout in bouts for result in bout.results(vectors)]
    fields = {bout.target.name: bout.target.hello.fields for bout in bouts if bout.target.hello}
    for contestant in contestants:
        if contestant.place is not None:
            fields.pop(contestant.name, None)
    results, diagnoses = _diagnose(put, vectors, fields, chosen.known)
    if chosen.reduce and not interrupted:
        diagnoses = _reduce(contestants, diagnoses, vectors, chosen)
    ended = {bout.target.name for bout in bouts if bout.target.standing.has_ended}
    run = Run(
        header=head,
        targets=tuple(bout.target for bout in bouts),
        vectors=tuple(vectors),
        results=results,
        footer=Footer(now(), monotonic() - began, interrupted),
        known_problems=chosen.known.problems(
            (result for result in results if result.target in ended), whole=chosen.whole
        ),
        diagnoses=diagnoses,
    )
    if chosen.earlier is None:
        return run
    this = Side(head.started, head.suite_version, run.targets, run.results, causes_of(diagnoses))
    return replace(run, comparison=compare(chosen.earlier, this, whole=chosen.whole))


def _diagnose(
    results: Sequence[Result], vectors: Sequence[Vector], fields: Mapping[str, Sequence[str]], known: KnownFailures
) -> tuple[tuple[Result, ...], dict[str, Diagnosis]]:
    """Return the results and their diagnosis, with known failures marked by their cause.

    Args:
        results: what came of all targets.
        vectors: what was put to them.
        fields: what each decoder and consumer declares; brokers have none.
        known: findings that are expected.
    """
    by_id = {vector.id: vector for vector in vectors}
    by_target: dict[str, list[Result]] = {}
    for result in results:
        by_target.setdefault(result.target, []).append(result)
    diagnoses = {}
    for name, mine in by_target.items():
        if name in fields:
            diagnosis = diagnose(name, mine, by_id, fields=fields[name])
        else:
            diagnosis = diagnose_appends(mine, by_id)
        by_target[name] = marked = known.mark_causes(mine, diagnosis)
        diagnoses[name] = diagnosis.with_results(marked)
    return tuple(result for mine in by_target.values() for result in mine), diagnoses


def _reduce(
    contestants: Iterable[Contestant],
    diagnoses: Mapping[str, Diagnosis],
    vectors: Iterable[Vector],
    options: RunOptions,
) -> dict[str, Diagnosis]:
    """Return the same, with the smallest bytes for what no signature explains."""
    by_id = {vector.id: vector for vector in vectors}
    commands = {contestant.name: contestant.command for contestant in contestants if contestant.command is not None}

    def reduce(name: str, diagnosis: Diagnosis) -> Diagnosis:
        if name not in commands:  # a broker, which is no adapter to ask
            return diagnosis
        return add_reduced(diagnosis, name, commands[name], options.limits, by_id, options.reduce)

    with ThreadPoolExecutor(max_workers=max(1, options.jobs)) as pool:
        return dict(zip(diagnoses, pool.map(reduce, diagnoses, diagnoses.values()), strict=True))


def _run_all(bouts: Sequence[Bout], jobs: int) -> bool:
    """Run every bout; True if the user interrupted."""
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        pending = [pool.submit(bout.run) for bout in bouts]
        try:
            for future in pending:
                future.result()
        except KeyboardInterrupt:
            for bout in bouts:
                bout.stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            return True
    return False
