"""A bout: one target against all vectors, from its hello to its end.

Whatever goes wrong is told of the target. What looks like a finding is put once more before it is
one.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.deaths import DeathLimits
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Reaction, Session
from kafka_conformance.errors import GaveUpError, StoppedError, TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.broker.session import BrokerSession
from kafka_conformance.kinds.consumer.driver import Driver
from kafka_conformance.kinds.consumer.session import ConsumerSession
from kafka_conformance.kinds.conversation.session import ConversationSession
from kafka_conformance.kinds.producer.driver import ProducerDriver
from kafka_conformance.kinds.producer.session import ProducerSession
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run import plans, retry
from kafka_conformance.run.plans import AnySession, QuestionPlan
from kafka_conformance.run.target import Standing, Target
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import conversations
from kafka_conformance.vectors.vector import Vector

DEATHS: Final = DeathLimits(hangs_in_a_row=5, hangs=20, deaths=sys.maxsize)
"""How often a decoder may hang on one kind of vectors. One that crashes is asked all of them: that
costs a restart each, and no waiting."""


class Bout:
    """One target against all vectors.

    Attributes:
        stop: is set to end it.
        target: the target, and how it stood.
    """

    def __init__(
        self,
        contestant: Contestant,
        vectors: Sequence[Vector],
        limits: Limits,
        directions: frozenset[Direction],
        mark: Callable[[Result], Result],
        on_result: Callable[[Result], None],
    ) -> None:
        """Prepare a bout.

        Args:
            contestant: the target.
            vectors: what is put to it.
            limits: time and memory that it may take.
            directions: what is asked of targets that can do both.
            mark: marks a result that is a known failure.
            on_result: is told of each result as it comes.
        """
        self.stop = threading.Event()
        standing = Standing.STOPPED if contestant.is_ready else Standing.NOT_READY
        self.target = Target(contestant.name, None, standing, contestant.problem, contestant.issues)
        self._command, self._place = contestant.command, contestant.place
        self._is_consumer = contestant.kind is TargetKind.CONSUMER
        self._is_producer = contestant.kind is TargetKind.PRODUCER
        self._vectors = vectors
        self._limits, self._directions = limits, directions
        self._mark, self._on_result = mark, on_result
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
            session = self._begin()
        except TargetLostError as lost:
            self.target = replace(self.target, standing=Standing.DID_NOT_COME_UP, problem=f"it {lost.detail}")
        except StoppedError:
            return
        else:
            self.target = replace(self.target, hello=session.hello)
            self._put_all(session)
        if self._is_consumer and self.target.standing.has_ended and self._has_conversations:
            self._talk()

    def _talk(self) -> None:
        """Put the conversations, with a client for each; notes join those that there are."""
        before = self.target
        self.target = replace(before, standing=Standing.STOPPED)  # if the run ends among them
        try:
            self._put_all(ConversationSession(self._start_driver))
        except TargetLostError as lost:
            self.target = replace(before, standing=Standing.DID_NOT_COME_UP, problem=f"it {lost.detail}")
        self.target = replace(self.target, notes=tuple(dict.fromkeys((*before.notes, *self.target.notes))))
        if before.standing is Standing.UNSTEADY and self.target.standing is Standing.RAN:
            self.target = replace(self.target, standing=before.standing, problem=before.problem)

    @property
    def _has_conversations(self) -> bool:
        return any(vector.family == conversations.FAMILY for vector in self._vectors)

    def _begin(self) -> AnySession:
        if self._place is not None:
            return BrokerSession(self._place, self._limits, self.stop.is_set)
        if self._is_producer:
            return ProducerSession(self._start_producer)
        return ConsumerSession(self._start_driver) if self._is_consumer else Session(self._start, DEATHS)

    def _start(self) -> AdapterClient:
        assert self._command is not None  # noqa: S101 - `run` has looked
        return AdapterClient(self._command, self._limits, self.stop.is_set)

    def _start_driver(self) -> Driver:
        assert self._command is not None  # noqa: S101 - `run` has looked
        return Driver(self._command, self._limits, self.stop.is_set)

    def _start_producer(self) -> ProducerDriver:
        assert self._command is not None  # noqa: S101 - `run` has looked
        return ProducerDriver(self._command, self._limits, self.stop.is_set)

    def _put_all(self, session: AnySession) -> None:
        try:
            for plan in plans.of(session, self._vectors, self._directions):
                for vector, reason in plan.gaps:
                    self._keep(Result(vector, self.target.name, Outcome.UNSUPPORTED, detail=reason))
                self._put(session, plan)
            standing = Standing.UNSTEADY if session.unsteady else Standing.RAN
            self.target = replace(self.target, standing=standing, problem=session.unsteady)
        except GaveUpError as error:
            self.target = replace(self.target, standing=Standing.GIVEN_UP, problem=str(error))
        except StoppedError:
            pass
        finally:
            session.close()
            self.target = replace(self.target, notes=tuple(session.notes))

    def _put(self, session: retry.Askable[Any], plan: QuestionPlan) -> None:
        """Put the questions; whatever looks like a finding is put once more before it is one."""
        name, hello = self.target.name, self.target.hello
        assert hello is not None  # noqa: S101 - it has come up
        firsts: dict[int, Reaction] = {}
        suspects: dict[int, Result] = {}
        disputes: dict[int, tuple[Result, Result]] = {}
        try:
            if isinstance(session, Session):
                words = session.ask(plan.questions, plan.kinds)
            else:
                words = session.ask(plan.questions)
            for word in words:
                result = plan.judge(plan.cases[word.question], hello, name, word)
                if result.is_finding and not word.is_certain:
                    firsts[word.question], suspects[word.question] = word, result
                else:
                    self._keep(result)
            for word in retry.ask_again(session, plan.questions, firsts):
                again = plan.judge(plan.cases[word.question], hello, name, word)
                first = suspects.pop(word.question)
                settled = retry.settle(first, again)
                if self._is_consumer and settled.outcome is Outcome.FLAKY and len(disputes) < retry.DISPUTES:
                    disputes[word.question] = first, again
                else:
                    self._keep(settled)
            asked = list(disputes)
            for word in session.ask_afresh([plan.questions[index] for index in asked]):
                index = asked[word.question]
                third = plan.judge(plan.cases[index], hello, name, word)
                self._keep(retry.settle_dispute(*disputes.pop(index), third))
        finally:
            for result in suspects.values():
                self._keep(result)
            for first, again in disputes.values():
                self._keep(retry.settle(first, again))

    def _keep(self, result: Result) -> None:
        marked = self._mark(result)
        self._results[result.vector, result.direction] = marked
        self._on_result(marked)
