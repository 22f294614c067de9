"""Runs one target: starts it, asks what it declares, and ends it.

Failures of the target are recorded, not raised. A finding counts if it happens twice.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import GaveUpError, StoppedError, TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.kind import AnyKind, Kind, Q, R, Session
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.run import retry
from kafka_conformance.run.target import Standing, Target
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.vectors.vector import Vector

Case = tuple[str, Direction]
"""What a result is about: a vector, and a direction."""


@dataclass(frozen=True, slots=True)
class RunEvents:
    """Called for what happens during a run, from several threads.

    Attributes:
        on_due: takes the name of a target that has come up, and how many results it will have.
        on_result: takes each result as it comes.
    """

    on_due: Callable[[str, int], None] = lambda _name, _count: None
    on_result: Callable[[Result], None] = lambda _: None


@dataclass(slots=True)
class KindResults:
    """What came of one kind of questions.

    Attributes:
        kind: the kind.
        results: the results, by case.
    """

    kind: AnyKind
    results: dict[Case, Result] = field(default_factory=dict)


class TargetRun:
    """One target, and all that it is asked.

    Attributes:
        stop: is set to end it.
        candidate: what starts it.
        target: the target, and how it stood.
        came: what came of each kind that it was asked, in their order.
        vectors: what the questions are about.
    """

    def __init__(
        self,
        candidate: Candidate,
        kinds: Sequence[AnyKind],
        vectors: Sequence[Vector],
        limits: Limits,
        directions: frozenset[Direction],
        mark: Callable[[Result], Result],
        events: RunEvents,
    ) -> None:
        """Prepare a run.

        Args:
            candidate: the target.
            kinds: what it is asked, if it declares it.
            vectors: what the questions are about.
            limits: time and memory that it may take.
            directions: what is asked of targets that can read and write.
            mark: marks a result that is a known failure.
            events: called for what happens.
        """
        self.stop = threading.Event()
        standing = Standing.STOPPED if candidate.is_ready else Standing.NOT_READY
        self.target = Target(candidate.name, None, standing, candidate.problem, candidate.issues)
        self.came: list[KindResults] = []
        self.candidate, self._kinds, self.vectors = candidate, kinds, vectors
        self._limits, self._directions = limits, directions
        self._mark, self._events = mark, events
        self._due = 0

    def run(self) -> None:
        """Ask the target everything that it declares."""
        if not self.candidate.is_ready:
            return
        if not all(kind.applied(self._ask_kind) for kind in self._kinds):
            self._leave_out_rest()
        elif not self.came and self._asks_both_ways:
            undeclared = dict.fromkeys(kind.undeclared for kind in self._kinds)
            missing = ", and ".join(undeclared) or "it declares nothing that this run is about"
            advice = "docs/targets.md says what each target declares."
            self.target = Target(self.target.name, None, Standing.NOT_READY, missing, self.target.issues, advice=advice)
        self._settle()

    def _settle(self) -> None:
        """Take the results that change now that all has come."""
        vectors = {vector.id: vector for vector in self.vectors}
        for came in self.came:
            if came.kind.settle is not None:
                for result in came.kind.settle(list(came.results.values()), vectors):
                    came.results[result.vector, result.direction] = self._mark(result)

    @property
    def _asks_both_ways(self) -> bool:
        """False if only reading or only writing is asked for: a target may have the other."""
        return self._directions == frozenset(Direction)

    @property
    def command(self) -> Command | None:
        """What starts the target; None for a broker."""
        return self.candidate.command

    def results(self) -> list[Result]:
        """Return the results of all kinds, in the order of the vectors."""
        return in_order([result for came in self.came for result in came.results.values()], self.vectors)

    def _ask_kind(self, kind: Kind[Q, R]) -> bool:
        """Ask the questions of one kind; return False if the target is not to be asked any more."""
        questions = [each for each in kind.questions(self.vectors) if each.direction in self._directions]
        before, hello = self.target, self.target.hello
        if not questions or (hello is not None and not any(kind.is_due(each, hello) for each in questions)):
            return True
        if self.candidate.lost:
            return self._did_not_come_up(kind, self.candidate.lost)
        self.target = replace(before, standing=Standing.STOPPED)
        try:
            session = kind.open(self.candidate, self._limits, self.stop.is_set)
        except TargetLostError as lost:
            return self._did_not_come_up(kind, lost.detail)
        except StoppedError:
            return False
        self.target = replace(self.target, hello=hello or session.hello)
        asked = [each for each in questions if kind.is_due(each, session.hello)]
        if asked:
            self.came.append(KindResults(kind))
            self._due += len(asked)
            self._events.on_due(self.target.name, self._due)
        self._ask_all(kind, session, asked, before)
        return self.target.standing.has_ended

    def _did_not_come_up(self, kind: Kind[Q, R], detail: str) -> bool:
        """Note that there is no session, and why; return False."""
        advice, standing = kind.advice.format(target=repr(self.target.name)), Standing.DID_NOT_COME_UP
        self.target = replace(self.target, standing=standing, problem=f"it {detail}", advice=advice)
        return False

    def _ask_all(self, kind: Kind[Q, R], session: Session[Q, R], questions: Sequence[Q], before: Target) -> None:
        """Ask the questions, and end the session, whatever happens."""
        standing, problem = Standing.STOPPED, ""
        try:
            gaps = [(each, reason) for each in questions if (reason := kind.gap(each, session.hello))]
            for question, reason in gaps:
                outcome = Outcome.UNSUPPORTED
                self._keep(Result(question.vector.id, self.target.name, outcome, question.direction, detail=reason))
            left_out = {id(question) for question, _ in gaps}
            for direction in Direction:
                chosen = [each for each in questions if each.direction is direction and id(each) not in left_out]
                self._put(kind, session, chosen)
            standing, problem = (Standing.UNSTEADY, session.unsteady) if session.unsteady else (Standing.RAN, "")
        except GaveUpError as error:
            standing, problem = Standing.GIVEN_UP, str(error)
        except StoppedError:
            pass
        finally:
            session.close()
            notes = tuple(dict.fromkeys((*before.notes, *session.notes)))
            if standing is Standing.RAN and before.standing is Standing.UNSTEADY:
                standing, problem = before.standing, before.problem
            self.target = replace(self.target, standing=standing, problem=problem, notes=notes)

    def _leave_out_rest(self) -> None:
        """Note that what is left was not asked, if the target was lost for good."""
        if self.target.standing.is_broken and self.target.hello is not None:
            for kind in self._kinds:
                kind.applied(self._leave_out)

    def _leave_out(self, kind: Kind[Q, R]) -> None:
        """Note of each question of one kind without a result that it was not asked, and why."""
        hello = self.target.hello
        assert hello is not None  # noqa: S101 - it said hello
        came = next((each for each in self.came if each.kind is kind), KindResults(kind))
        for question in kind.questions(self.vectors):
            is_due = question.direction in self._directions and kind.is_due(question, hello)
            if is_due and (question.vector.id, question.direction) not in came.results:
                self._keep(self._unasked(kind, question, hello), came)
        if came.results and came not in self.came:
            self.came.append(came)

    def _unasked(self, kind: Kind[Q, R], question: Q, hello: Hello) -> Result:
        """Return the result of a question that was not put: what is a gap stays one."""
        gap, reason = kind.gap(question, hello), f"not asked: {self.target.problem}"
        outcome = Outcome.UNSUPPORTED if gap else Outcome.NOT_ASKED
        return Result(question.vector.id, self.target.name, outcome, question.direction, detail=gap or reason)

    def _put(self, kind: Kind[Q, R], session: Session[Q, R], questions: Sequence[Q]) -> None:
        """Put the questions; put what looks like a finding once more before it is one."""
        looks = retry.Looks(kind, self.target.name, session.hello, questions)
        try:
            for reaction in session.ask(questions) if questions else ():
                if (result := looks.first(reaction)) is not None:
                    self._keep(result)
            for reaction in retry.ask_again(session, questions, looks.firsts):
                if (result := looks.second(reaction)) is not None:
                    self._keep(result)
            asked = list(looks.disputes)
            for reaction in session.ask_afresh([questions[index] for index in asked]):
                self._keep(looks.third(asked[reaction.question], reaction))
        finally:
            for result in looks.rest():
                self._keep(result)

    def _keep(self, result: Result, came: KindResults | None = None) -> None:
        """Keep a result of the kind that is asked now, or of another one."""
        marked = self._mark(result)
        (came or self.came[-1]).results[result.vector, result.direction] = marked
        self._events.on_result(marked)


def in_order(results: Iterable[Result], vectors: Sequence[Vector]) -> list[Result]:
    """Return results in the order of the vectors, reading before writing."""
    places = {vector.id: number for number, vector in enumerate(vectors)}
    directions = list(Direction)
    return sorted(results, key=lambda result: (directions.index(result.direction), places[result.vector]))
