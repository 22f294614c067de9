"""Scenarios put to a broker that may hang up, hang or die, each over a connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic, sleep
from typing import Final

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Loss
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.kinds.broker import abilities
from kafka_conformance.kinds.broker.broker_link import BrokerLink
from kafka_conformance.kinds.broker.connection import error_name
from kafka_conformance.kinds.broker.own_topics import OwnTopics
from kafka_conformance.kinds.scenario import calls
from kafka_conformance.kinds.scenario.judge import ScenarioReaction
from kafka_conformance.kinds.scenario.questions import ScenarioQuestion
from kafka_conformance.kinds.scenario.walk import Broker, gap, walk
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.targets.broker_launch import RunningBroker

_CREATE_TOPICS: Final = "create_topics"
_DELETE_GROUPS: Final = "delete_groups"
_NO_NODES: Final = "INVALID_REPLICATION_FACTOR"
_GONE: Final = {"NONE", "GROUP_ID_NOT_FOUND"}
_WAIT_SECONDS: Final = 0.1

_DONE: Final = Reply(Status.ANSWER, b"")


class ScenarioSession:
    """A broker that scenarios are put to.

    Attributes:
        hello: what it declares by the versions that it has.
        notes: what happened besides the answers, in words.
    """

    def __init__(self, place: RunningBroker, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Connect, and ask which versions the broker has.

        Raises:
            TargetLostError: nobody is there, or it answers nonsense.
            StoppedError: the run was interrupted.
        """
        self._place, self._limits = place, limits
        self._link = BrokerLink(place, limits, stopped)
        self.notes = self._link.notes
        self._versions, _ = self._link.versions()
        self.hello = abilities.hello(place, self._versions)
        self._topics = OwnTopics(place.address, self._versions, limits.start_seconds, place.run)
        self._groups: list[str] = []
        self._wait_for_nodes()

    @property
    def unsteady(self) -> str:
        """How it was lost on a request that it stood when it came again; empty if it never was."""
        return self._link.unsteady

    def ask(self, questions: Sequence[ScenarioQuestion]) -> Iterator[ScenarioReaction]:
        """Put the scenarios, and yield a reaction to each.

        Raises:
            GaveUpError: the broker was lost too often in a row, or is gone for good.
            StoppedError: the run was interrupted.
        """
        for index, question in enumerate(questions):
            if missing := gap(question.scenario, self._versions):
                yield ScenarioReaction(index, Reply(Status.UNSUPPORTED, missing.encode()), 0.0)
                continue
            began = monotonic()
            try:
                answers = tuple(walk(question.scenario, question.end, self._broker()))
            except TargetLostError as lost:
                self._link.renew()
                yield ScenarioReaction(index, Loss(lost.outcome, lost.detail), monotonic() - began)
                continue
            self._link.forget_losses()
            yield ScenarioReaction(index, _DONE, monotonic() - began, answers=answers)

    def ask_afresh(self, questions: Sequence[ScenarioQuestion]) -> Iterator[ScenarioReaction]:
        """Put each scenario over a new connection, and yield a reaction to each.

        Raises:
            GaveUpError: the broker is gone for good.
            StoppedError: the run was interrupted.
        """
        for index, question in enumerate(questions):
            self._link.renew()
            (reaction,) = self.ask([question])
            yield replace(reaction, question=index)

    def close(self) -> None:
        """Delete what was made, hang up, and end a broker that the suite started."""
        if not self._place.is_ours:
            self._delete()
        self._link.close()
        self._place.stop()

    def _broker(self) -> Broker:
        ask, seconds = self._link.ask_once, self._limits.seconds
        return Broker(ask, self._place.address, self._versions, self._topics, self._groups, seconds)

    def _wait_for_nodes(self) -> None:
        """Wait until a topic could be made: a broker that has just started may know no node."""
        version, until = self._versions.newest(_CREATE_TOPICS) or 0, monotonic() + self._limits.start_seconds
        topic = {"name": f"{self._topics.prefix}0", "numPartitions": 1, "replicationFactor": 1}
        request = calls.call(_CREATE_TOPICS, version, {"topics": [topic], "validateOnly": True, "timeoutMs": 5000})
        while version and monotonic() < until:
            (row,) = self._link.ask(request).topics
            if error_name(row.error_code) != _NO_NODES:
                return
            sleep(_WAIT_SECONDS)

    def _delete(self) -> None:
        """Delete topics and groups, and note what stays."""
        left = [words for words in (self._left(self._delete_topics), self._left(self._delete_groups)) if words]
        if left:
            names = ", ".join(self._topics.names)
            self.notes.append(f"{names or 'groups'} of this run stay on the broker, delete them: {'; '.join(left)}")

    def _left(self, delete: Callable[[], str]) -> str:
        try:
            return delete()
        except (TargetLostError, GaveUpError) as lost:
            return f"it {lost}"

    def _delete_topics(self) -> str:
        return self._topics.delete(self._link.ask)

    def _delete_groups(self) -> str:
        version = self._versions.newest(_DELETE_GROUPS)
        if version is None or not self._groups:
            return ""
        rows = self._link.ask(calls.call(_DELETE_GROUPS, version, {"groupsNames": self._groups})).results
        return ", ".join(sorted({error_name(row.error_code) for row in rows} - _GONE))
