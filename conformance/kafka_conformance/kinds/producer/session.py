"""Orders put to a producer, those for one broker together, each with a topic of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Final

from kafka_tools.server import BrokerSettings, Topic, Topics, running
from kafka_tools.server.interference import NO_MEDDLING, Interference
from kafka_tools.server.settings import Range, ranges
from kafka_tools.server.state import BrokerState, Call

from kafka_conformance.child.losses import Losses, scattered
from kafka_conformance.child.restarted import Restarted
from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.producer.driver import ProducerDriver
from kafka_conformance.kinds.producer.questions import Order
from kafka_conformance.kinds.producer.sending import Sending, SentRequest
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status

_UNANSWERED: Final = 5.0
_MOMENT: Final = 0.05


@dataclass(frozen=True, slots=True)
class OrderReaction(Reaction):
    """What came of an order.

    Attributes:
        sending: what the producer sent; nothing if it was lost.
    """

    sending: Sending = field(default_factory=Sending)


class ProducerSession:
    """A producer that is started again when it dies.

    Attributes:
        notes: what happened besides, in words.
        unsteady: always empty; what it is lost on is put once more, alone.
    """

    def __init__(self, start: Callable[[], ProducerDriver]) -> None:
        """Start the bridge.

        Raises:
            TargetLostError: it does not come up.
        """
        self._losses = Losses("order")
        self._driver = Restarted(start, self._losses)
        self._is_lost = False
        self.notes: list[str] = []
        self.unsteady = ""

    @property
    def hello(self) -> Hello:
        """What the target declares."""
        return self._driver.program.hello

    def ask(self, questions: Sequence[Order]) -> Iterator[OrderReaction]:
        """Have the producer write orders, those for one broker together; yield what came of each.

        Raises:
            GaveUpError: the target does not come up again.
            StoppedError: the run was interrupted.
        """
        for group in _groups(questions):
            while group:
                self._losses.check()
                for sent in self._write(questions, self._next(group)):
                    group.remove(sent.question)
                    yield sent

    def ask_afresh(self, questions: Sequence[Order]) -> Iterator[OrderReaction]:
        """Have each order written by a process that has seen no other, and yield what came of it.

        Raises:
            GaveUpError: the target does not come up again.
            StoppedError: the run was interrupted.
        """
        for index in range(len(questions)):
            with self._losses.second_look():
                reactions = list(self._write(questions, [index]))
            yield from reactions

    def _next(self, group: Sequence[int]) -> Sequence[int]:
        """Return orders in the order in which they are put: after losses, others come first."""
        is_lost_here = self._losses.is_at_a_bad_place or (self._is_lost and not self._losses.has_answered)
        return [group[place] for place in scattered(len(group))] if is_lost_here else tuple(group)

    def close(self) -> None:
        """End the target; its last complaints join the notes."""
        self.notes += self._driver.complaints("bridge")

    def _write(self, questions: Sequence[Order], group: Sequence[int]) -> Iterator[OrderReaction]:
        """Have orders written until the producer is lost; each has a topic of its own."""
        if self._is_lost:
            self._driver.renew()
            self._is_lost = False
        self._driver.program.losses = self._losses
        asked = [questions[index] for index in group]
        requests: list[SentRequest] = []

        def note(call: Call) -> Interference:
            requests.append(SentRequest(call.api, call.version, call.body))
            return NO_MEDDLING

        settings = BrokerSettings(versions=_versions(asked[0]), creates_topics=True)
        with running(Topics(Topic(order.topic) for order in asked), settings) as broker:
            broker.state.meddler = note
            began, lines = monotonic(), self._driver.program.write(broker.address, asked, lambda: len(requests))
            told = 0
            for index, order in zip(group, asked, strict=True):
                try:
                    failures = next(lines)
                except TargetLostError as lost:
                    self._is_lost = True
                    self._losses.add(is_hang=lost.outcome is Outcome.HUNG)
                    yield OrderReaction(index, Loss(lost.outcome, lost.detail), monotonic() - began)
                    return
                _await_records(broker.state, order)
                sending = _sending(broker.state, order, requests, failures)
                sending.nameless = _nameless(requests[told:])
                told = len(requests)
                self._losses.answered()
                yield OrderReaction(index, _reply(sending), monotonic() - began, sending=sending)
                began = monotonic()


def _reply(sending: Sending) -> Reply:
    if sending.failures:
        return Reply(Status.REFUSED, sending.failures[0].encode())
    return Reply(Status.ANSWER, sending.data)


def _groups(orders: Sequence[Order]) -> list[list[int]]:
    """Return the numbers of orders, together those that one broker can serve."""
    by_setting: dict[object, list[int]] = {}
    for index, order in enumerate(orders):
        by_setting.setdefault((order.vector.format, tuple(order.versions.items())), []).append(index)
    return list(by_setting.values())


def _versions(order: Order) -> Mapping[str, Range]:
    return ranges(order.vector.format, order.versions)


def _await_records(state: BrokerState, order: Order) -> None:
    """Wait for what a producer sent that waits for no answer, while there is hope."""
    given_up = monotonic() + _UNANSWERED
    while (
        order.acks == 0
        and monotonic() < given_up
        and all(request.topic != order.topic for request in state.produced_records)
    ):
        sleep(_MOMENT)


def _sending(state: BrokerState, order: Order, requests: Iterable[SentRequest], failures: list[str]) -> Sending:
    """Return what was sent for an order: what names its topic, which is also its transaction."""
    mine = [request for request in list(requests) if _is_about(request, order.topic)]
    produced = [request for request in list(state.produced_records) if request.topic == order.topic]
    faults = [f"{fault.what}: {fault.detail}" for fault in state.notes.faults]
    state.notes.faults.clear()
    return Sending(mine, produced, failures, faults, state.producers.ids)


def _nameless(requests: Iterable[SentRequest]) -> frozenset[str]:
    """Return the APIs of requests that could name a transaction and do not."""
    return frozenset(request.api for request in requests if getattr(request.body, "transactional_id", "") is None)


def _is_about(request: SentRequest, topic: str) -> bool:
    """Tell whether a request is about a topic, or about a transaction of its name."""
    names = ("transactional_id", "v3_and_below_transactional_id")
    if topic in {getattr(request.body, name, None) for name in names}:
        return True
    if request.api != "produce":
        return False
    ids = {getattr(topic, "name", None) or bytes(topic.topic_id) for topic in request.body.topic_data}
    return bool(ids & {topic, Topic(topic).topic_id})
