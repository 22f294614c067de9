"""Vectors put to targets: what a run does, from the first hello to the frozen `Run`.

Targets run one after another, or a few at a time, each in a thread of its own; the work is in the
child processes. Results are handed to a callback as they come, for progress, and collected for the
`Run`. An interrupt (Ctrl-C) ends the children in good order and leaves a `Run` of everything that
is known by then, marked as interrupted.

A target that cannot be started is part of the run as well, with its problem in words and no
results.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import TypeVar

from kafka_conformance.brokers import questions
from kafka_conformance.brokers.session import BrokerSession
from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Reaction, Session
from kafka_conformance.consumers import views
from kafka_conformance.consumers.driver import Driver
from kafka_conformance.consumers.session import ConsumerSession
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.errors import GaveUpError, StoppedError, TargetLostError
from kafka_conformance.judging import encode_questions, judge
from kafka_conformance.judging.appends import judge_appends
from kafka_conformance.judging.delivery import judge_delivery
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.runs import retry
from kafka_conformance.runs.comparison import Side, causes_of, compare
from kafka_conformance.runs.header import Footer, header, now
from kafka_conformance.runs.known_failures import KnownFailures
from kafka_conformance.runs.reduction import with_reduced
from kafka_conformance.runs.run import Run
from kafka_conformance.runs.target import Standing, Target
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors.golden import Vector


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
_Question = TypeVar("_Question")
_Case = TypeVar("_Case")


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
    bouts = [_Bout(contestant, vectors, chosen, on_result) for contestant in contestants]
    interrupted = _run_all(bouts, chosen.jobs)
    put = [result for bout in bouts for result in bout.results(vectors)]
    fields = {bout.target.name: bout.target.hello.fields for bout in bouts if bout.target.hello}
    results, diagnoses = _diagnosed(put, vectors, fields, chosen.known)
    if chosen.reduce and not interrupted:
        diagnoses = _reduced(contestants, diagnoses, vectors, chosen)
    ended = {bout.target.name for bout in bouts if bout.target.standing.has_ended}
    run = Run(
        header=head,
        targets=tuple(bout.target for bout in bouts),
        vectors=tuple(vectors),
        results=results,
        footer=Footer(now(), monotonic() - began, interrupted),
        known_problems=chosen.known.problems((one for one in results if one.target in ended), whole=chosen.whole),
        diagnoses=diagnoses,
    )
    if chosen.earlier is None:
        return run
    this = Side(head.started, head.suite_version, run.targets, run.results, causes_of(diagnoses))
    return replace(run, comparison=compare(chosen.earlier, this, whole=chosen.whole))


def _diagnosed(
    results: Sequence[Result], vectors: Sequence[Vector], fields: Mapping[str, Sequence[str]], known: KnownFailures
) -> tuple[tuple[Result, ...], dict[str, Diagnosis]]:
    """Return the results and their diagnosis, with known failures marked by their cause."""
    by_id = {vector.id: vector for vector in vectors}
    by_target: dict[str, list[Result]] = {}
    for result in results:
        by_target.setdefault(result.target, []).append(result)
    diagnoses = {}
    for name, mine in by_target.items():
        diagnosis = diagnose(name, mine, by_id, fields=fields[name])
        by_target[name] = marked = known.mark_causes(mine, diagnosis)
        diagnoses[name] = diagnosis.with_results(marked)
    return tuple(result for mine in by_target.values() for result in mine), diagnoses


def _reduced(
    contestants: Iterable[Contestant],
    diagnoses: Mapping[str, Diagnosis],
    vectors: Iterable[Vector],
    options: RunOptions,
) -> dict[str, Diagnosis]:
    """Return the same, with the smallest bytes for what no signature explains."""
    by_id = {vector.id: vector for vector in vectors}
    commands = {one.name: one.command for one in contestants if one.command is not None}

    def one(name: str, found: Diagnosis) -> Diagnosis:
        if name not in commands:  # a broker, which is no adapter to ask
            return found
        return with_reduced(found, name, commands[name], options.limits, by_id, options.reduce)

    with ThreadPoolExecutor(max_workers=max(1, options.jobs)) as pool:
        return dict(zip(diagnoses, pool.map(one, diagnoses, diagnoses.values()), strict=True))


def _run_all(bouts: Sequence["_Bout"], jobs: int) -> bool:
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


class _Bout:
    """One target against all vectors."""

    def __init__(
        self, contestant: Contestant, vectors: Sequence[Vector], options: RunOptions, on_result: Progress
    ) -> None:
        self.stop = threading.Event()
        standing = Standing.STOPPED if contestant.is_ready else Standing.NOT_READY
        self.target = Target(contestant.name, None, standing, contestant.problem, contestant.issues)
        self._command, self._place = contestant.command, contestant.place
        self._is_consumer = contestant.is_consumer
        self._vectors = vectors
        self._options = options
        self._on_result = on_result
        self._results: dict[tuple[str, Direction], Result] = {}

    def results(self, vectors: Iterable[Vector]) -> Iterator[Result]:
        """The results in the order of the vectors, decoding before encoding."""
        keys = ((vector.id, direction) for direction in Direction for vector in vectors)
        return (self._results[key] for key in keys if key in self._results)

    def run(self) -> None:
        """Start the target, put the vectors, end it. Whatever goes wrong is told of the target."""
        if self._command is None and self._place is None:
            return
        try:
            session = self._begun()
        except TargetLostError as lost:
            self.target = replace(self.target, standing=Standing.DID_NOT_COME_UP, problem=f"it {lost.detail}")
        except StoppedError:
            return
        else:
            self.target = replace(self.target, hello=session.hello)
            self._put_all(session)

    def _begun(self) -> "Session | ConsumerSession | BrokerSession":
        if self._place is not None:
            return BrokerSession(self._place, self._options.limits, self.stop.is_set)
        return ConsumerSession(self._start_driver) if self._is_consumer else Session(self._start)

    def _start(self) -> AdapterClient:
        assert self._command is not None  # noqa: S101 - `run` has looked
        return AdapterClient(self._command, self._options.limits, self.stop.is_set)

    def _start_driver(self) -> Driver:
        assert self._command is not None  # noqa: S101 - `run` has looked
        return Driver(self._command, self._options.limits, self.stop.is_set)

    def _put_all(self, session: Session | ConsumerSession | BrokerSession) -> None:
        asked = self._options.directions & set(session.hello.directions)
        try:
            if isinstance(session, BrokerSession):
                self._append(session)
            elif isinstance(session, ConsumerSession):
                self._deliver(session)
            else:
                self._ask(session, asked)
            standing = Standing.UNSTEADY if session.unsteady else Standing.RAN
            self.target = replace(self.target, standing=standing, problem=session.unsteady)
        except GaveUpError as error:
            self.target = replace(self.target, standing=Standing.GIVEN_UP, problem=str(error))
        except StoppedError:
            pass
        finally:
            session.close()
            self.target = replace(self.target, notes=tuple(session.notes))

    def _ask(self, session: Session, asked: AbstractSet[Direction]) -> None:
        if Direction.DECODE in asked:
            self._decode(session)
        if Direction.ENCODE in asked:
            self._encode(session)

    def _append(self, session: BrokerSession) -> None:
        found = (questions.question(vector) for vector in self._vectors if vector.family != views.FAMILY)
        putable = [question for question in found if question is not None]
        self._put(session, putable, putable, judge_appends)

    def _deliver(self, session: ConsumerSession) -> None:
        name, hello, putable = self.target.name, session.hello, []
        for vector in self._vectors:
            if vector.family == questions.FAMILY:
                continue
            view = views.view(vector)
            if reason := judge.gap(vector, hello) or ("" if view else "no consumer fetches from its first offset"):
                self._keep(Result(vector.id, name, Outcome.UNSUPPORTED, detail=reason))
            elif view is not None:
                putable.append(view)
        self._put(session, putable, putable, judge_delivery)

    def _decode(self, session: Session) -> None:
        name, hello, putable = self.target.name, session.hello, []
        for vector in self._vectors:
            if vector.family in {views.FAMILY, questions.FAMILY}:
                continue
            if reason := judge.gap(vector, hello):
                self._keep(Result(vector.id, name, Outcome.UNSUPPORTED, detail=reason))
            else:
                putable.append(vector)
        self._put(session, putable, [judge.decode_question(vector) for vector in putable], judge.judge_decode)

    def _encode(self, session: Session) -> None:
        hello = session.hello
        putable = [vector for vector in encode_questions.encodable(self._vectors) if not judge.gap(vector, hello)]
        self._put(session, putable, [encode_questions.question(vector) for vector in putable], judge.judge_encode)

    def _put(
        self,
        session: retry.Askable[_Question],
        vectors: Sequence[_Case],
        questions: Sequence[_Question],
        judged: Callable[[_Case, Hello, str, Reaction], Result],
    ) -> None:
        """Put the questions; whatever looks like a finding is put once more before it is one."""
        name, hello = self.target.name, self.target.hello
        assert hello is not None  # noqa: S101 - it has come up
        firsts: dict[int, Reaction] = {}
        suspects: dict[int, Result] = {}
        try:
            for word in session.ask(questions):
                result = judged(vectors[word.question], hello, name, word)
                if result.is_finding and not word.is_certain:
                    firsts[word.question], suspects[word.question] = word, result
                else:
                    self._keep(result)
            for word in retry.ask_again(session, questions, firsts):
                again = judged(vectors[word.question], hello, name, word)
                self._keep(retry.settle(suspects.pop(word.question), again))
        finally:
            for result in suspects.values():
                self._keep(result)

    def _keep(self, result: Result) -> None:
        marked = self._options.known.mark(result)
        self._results[result.vector, result.direction] = marked
        self._on_result(marked)
