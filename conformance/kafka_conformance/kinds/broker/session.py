"""Vectors put to a broker that may refuse them, hang up on them, hang, or die of them.

Each vector goes out in a request of its own for each version of Produce that carries its format,
many on the way at a time; then what was appended is fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic, sleep
from typing import Any, Final, TypeVar

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Loss
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.kinds.broker import abilities, produce_requests, requests
from kafka_conformance.kinds.broker.broker_link import RestartedError
from kafka_conformance.kinds.broker.connection import Call, error_name
from kafka_conformance.kinds.broker.partitions import Partition, Partitions
from kafka_conformance.kinds.broker.probe import kept_size
from kafka_conformance.kinds.broker.produce_requests import ProduceRequest
from kafka_conformance.kinds.broker.questions import Question
from kafka_conformance.kinds.broker.replies import Append, AppendReaction
from kafka_conformance.kinds.broker.visit import BrokerVisit
from kafka_conformance.targets.broker_launch import RunningBroker

WAVE: Final = 200
"""Vectors that are sent before what came of them is fetched."""

_SLACK: Final = 4096
"""Bytes that a fetch may have beside the vector: converted entries are larger than they were."""

_AGAIN: Final = {
    "UNKNOWN_TOPIC_OR_PARTITION",
    "LEADER_NOT_AVAILABLE",
    "NOT_LEADER_OR_FOLLOWER",
    "REQUEST_TIMED_OUT",
    "REPLICA_NOT_AVAILABLE",
    "UNKNOWN_TOPIC_ID",
}
"""Errors that tell of the moment, and not of the bytes. A broker that has just made a topic says so
for a while."""

_ATTEMPTS: Final = 20
_WAIT_SECONDS: Final = 0.1


_Thing = TypeVar("_Thing")


class _DiedError(Exception):
    """The broker died of a question, in one version of Produce."""

    def __init__(self, question: int, version: int, loss: Loss) -> None:
        """Keep of which, and how."""
        super().__init__(loss.detail)
        self.question, self.version, self.loss = question, version, loss


class BrokerSession(BrokerVisit):
    """A broker that vectors are put to."""

    def __init__(self, place: RunningBroker, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Connect, and ask which versions the broker has; the errors are those of a visit."""
        super().__init__(place, limits, stopped)
        if not self._knows_versions:
            self.notes.append("it does not answer ApiVersions, which came with 0.10 (KIP-35)")
        self._partitions = Partitions(self._topics)
        self._abilities = abilities.Abilities(self._link, self._versions, self._partitions)
        self._restarts = 0

    def ask(self, questions: Sequence[Question]) -> Iterator[AppendReaction]:
        """Put the questions and yield a reaction to each.

        Raises:
            GaveUpError: the broker was lost too often in a row, or is gone for good.
            StoppedError: the run was interrupted.
        """
        for first in range(0, len(questions), WAVE):
            wave = range(first, min(first + WAVE, len(questions)))
            began = monotonic()
            gaps = {index: gap for index in wave if (gap := self._abilities.gap(questions[index]))}
            appends = self._append(questions, [index for index in wave if index not in gaps])
            share = (monotonic() - began) / len(wave)
            for index in wave:
                yield produce_requests.reaction(index, appends.get(index, ()), share, gaps.get(index, ""))

    def ask_afresh(self, questions: Sequence[Question]) -> Iterator[AppendReaction]:
        """Put each question alone, over a new connection, and yield a reaction to each.

        Raises:
            GaveUpError: the broker is gone for good.
            StoppedError: the run was interrupted.
        """
        for index in range(len(questions)):
            self._link.renew()
            (reaction,) = self.ask(questions[index : index + 1])
            yield replace(reaction, question=index)

    def _slot(self, question: Question) -> Partition:
        try:
            if question.has_producer:
                return self._partitions.reserve(self._link.ask, question.settings)
            return self._partitions.shared(self._link.ask, question.settings)
        except TargetLostError as lost:
            raise GaveUpError(f"it {lost.detail}") from None

    def _append(self, questions: Sequence[Question], chosen: Sequence[int]) -> dict[int, tuple[Append, ...]]:
        """Send questions, and fetch what became of them; without those that a broker died of."""
        appends: dict[int, tuple[Append, ...]] = {}
        left = list(chosen)
        while left:
            try:
                return appends | self._append_all(questions, left)
            except _DiedError as death:
                left.remove(death.question)
                appends[death.question] = self._ask_alone(questions, death)
                self._begin_again(questions, left)
        return appends

    def _ask_alone(self, questions: Sequence[Question], death: _DiedError) -> tuple[Append, ...]:
        """Put a question alone on whose request the broker died: others were on the way, too."""
        self._begin_again(questions, [death.question])
        try:
            return self._append_all(questions, [death.question])[death.question]
        except _DiedError as again:
            return (Append(again.version, loss=again.loss),)

    def _begin_again(self, questions: Sequence[Question], left: Sequence[int]) -> None:
        """Make topics on a broker that was started anew, for the questions that are left."""
        if self._restarts == self._link.restarts:
            return
        self._restarts = self._link.restarts
        self._partitions.forget()
        self._abilities.forget_topics()
        for settings in {questions[index].settings for index in left}:
            self._abilities.magic(settings)

    def _append_all(self, questions: Sequence[Question], chosen: Sequence[int]) -> dict[int, tuple[Append, ...]]:
        sent = [put for index in chosen for put in self._puts(index, questions[index])]
        answers = self._ask_all(sent, sent, lambda put: produce_requests.produce(questions, put))
        appends = [
            produce_requests.read_append(put, self._kept_magic(questions[put.question]), answer)
            for put, answer in zip(sent, answers, strict=True)
        ]
        self._say_again(questions, sent, appends)
        self._fetch(questions, sent, appends)
        by_index: dict[int, tuple[Append, ...]] = {}
        for put, append in zip(sent, appends, strict=True):
            by_index[put.question] = (*by_index.get(put.question, ()), append)
        self._free(questions, sent, by_index)
        return by_index

    def _ask_all(
        self, things: Sequence[_Thing], sent: Sequence[ProduceRequest], call: Callable[[_Thing], Call]
    ) -> list[Any]:
        """Send a request for each thing, which is about a put each."""
        try:
            return self._link.ask_all(things, call)
        except RestartedError as restarted:
            put = sent[restarted.at]
            raise _DiedError(put.question, put.version, restarted.loss) from None

    def _puts(self, index: int, question: Question) -> Iterator[ProduceRequest]:
        partition = self._slot(question)
        every = self._versions.carrying(question.form)
        chosen = [number for number in every if self._abilities.takes("produce", number, question)]
        for count, version in enumerate(chosen[-1:] if question.vector.is_large else chosen):
            yield ProduceRequest(index, version, partition, is_repeated=question.has_producer and count > 0)

    def _kept_magic(self, question: Question) -> int:
        magic = self._abilities.magic(question.settings)
        assert isinstance(magic, int)  # noqa: S101 - `ask` has looked for gaps
        return magic

    def _say_again(self, questions: Sequence[Question], sent: Sequence[ProduceRequest], appends: list[Append]) -> None:
        """Send those again that the broker refused because of the moment."""
        for _ in range(_ATTEMPTS):
            chosen = [index for index, append in enumerate(appends) if error_name(append.error) in _AGAIN]
            if not chosen:
                return
            sleep(_WAIT_SECONDS)
            again = [sent[index] for index in chosen]
            answers = self._ask_all(again, again, lambda put: produce_requests.produce(questions, put))
            for index, answer in zip(chosen, answers, strict=True):
                put = sent[index]
                appends[index] = produce_requests.read_append(put, self._kept_magic(questions[put.question]), answer)

    def _fetch(self, questions: Sequence[Question], sent: Sequence[ProduceRequest], appends: list[Append]) -> None:
        """Fetch what was appended, with every version of Fetch for every vector.

        Versions for which a broker converts come last, when it is known how long the entries are:
        it is not to convert those of others that stand behind.
        """
        kept = [index for index, append in enumerate(appends) if append.is_kept]
        shared = {index: self._fetches(questions[sent[index].question], sent[index]) for index in kept}
        straight = [
            (index, number) for index in kept for number in shared[index] if number == shared[index][0] or number > 3
        ]
        self._fetch_all(questions, sent, appends, straight)
        is_straight, pairs = {*straight}, [(index, number) for index in kept for number in shared[index]]
        self._fetch_all(questions, sent, appends, [pair for pair in pairs if pair not in is_straight])

    def _fetch_all(
        self,
        questions: Sequence[Question],
        sent: Sequence[ProduceRequest],
        appends: list[Append],
        wanted: Sequence[tuple[int, int]],
    ) -> None:
        def call(pair: tuple[int, int]) -> Call:
            index, version = pair
            partition, append, data = sent[index].partition, appends[index], questions[sent[index].question].data
            most = kept_size(append.fetches[0].data, append.base_offset, data) if append.fetches else len(data) + _SLACK
            return requests.fetch(
                version, partition.topic.name, partition.topic.id, {partition.number: append.base_offset}, most
            )

        answers = self._ask_all(wanted, [sent[index] for index, _ in wanted], call)
        for (index, version), answer in zip(wanted, answers, strict=True):
            served = produce_requests.read_fetch(version, appends[index].base_offset, answer)
            appends[index] = replace(appends[index], fetches=(*appends[index].fetches, served))

    def _fetches(self, question: Question, sent: ProduceRequest) -> list[int]:
        """Share out the versions of Fetch among those of Produce; each has the newest first."""
        numbers = self._versions.fetching(sent.partition.topic.id)
        every = [number for number in numbers if self._abilities.takes("fetch", number, question)]
        carrying = self._versions.carrying(question.form)
        place = carrying.index(sent.version)
        mine = every[place :: len(carrying)]
        return [every[-1], *(number for number in mine if number != every[-1])]

    def _free(
        self, questions: Sequence[Question], sent: Sequence[ProduceRequest], appends: dict[int, tuple[Append, ...]]
    ) -> None:
        """Give back partitions in which nothing was appended."""
        for put in sent:
            mine = appends[put.question]
            if (
                questions[put.question].has_producer
                and put.version == mine[0].version
                and all(append.error and append.loss is None for append in mine)
            ):
                self._partitions.give_back(put.partition)
