"""Scenarios put to a broker that may hang up, hang or die, each over a connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic, sleep
from typing import Any, Final

from kafka_format.errors import EncodeError

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Loss
from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.broker.connection import Call, error_name
from kafka_conformance.kinds.broker.visit import BrokerVisit
from kafka_conformance.kinds.scenario import calls
from kafka_conformance.kinds.scenario.judge import ScenarioReaction
from kafka_conformance.kinds.scenario.questions import ScenarioQuestion
from kafka_conformance.kinds.scenario.steps import StepAnswer
from kafka_conformance.kinds.scenario.walk import Broker, SetUpOtherwiseError, gap, walk
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.targets.broker_launch import RunningBroker

_CREATE_TOPICS: Final = "create_topics"
_DELETE_GROUPS: Final = "delete_groups"
_NO_NODES: Final = "INVALID_REPLICATION_FACTOR"
_GONE: Final = {"NONE", "GROUP_ID_NOT_FOUND"}
_WAIT_SECONDS: Final = 0.1

_DONE: Final = Reply(Status.ANSWER, b"")


class ScenarioSession(BrokerVisit):
    """A broker that scenarios are put to."""

    def __init__(self, place: RunningBroker, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Connect, and ask which versions the broker has; the errors are those of a visit."""
        super().__init__(place, limits, stopped)
        self._groups: list[str] = []
        self._unmet: list[str] = []
        self._wait_for_nodes()

    def made(self) -> list[str]:
        """Return the names of the topics and groups that were made and not deleted."""
        return [*super().made(), *self._groups]

    def delete(self, ask: Callable[[Call], Any]) -> str:
        """Delete topics and groups; return why something stays.

        Raises:
            TargetLostError: the broker is lost.
        """
        return "; ".join(filter(None, (super().delete(ask), self._delete_groups(ask))))

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
            answers: list[StepAnswer] = []
            try:
                answers.extend(walk(question.scenario, question.end, self._broker()))
            except EncodeError:
                pass  # an answer lacks what the next request says: the judge sees where they end
            except SetUpOtherwiseError as unfit:
                yield ScenarioReaction(index, Reply(Status.UNSUPPORTED, str(unfit).encode()), monotonic() - began)
                continue
            except TargetLostError as lost:
                self._link.renew()
                yield ScenarioReaction(index, Loss(lost.outcome, lost.detail), monotonic() - began)
                continue
            self._link.forget_losses()
            yield ScenarioReaction(index, _DONE, monotonic() - began, answers=tuple(answers))

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

    def _broker(self) -> Broker:
        ask, seconds = self._link.ask_once, self._limits.seconds
        return Broker(ask, self._place.address, self._versions, self._topics, self._groups, seconds, self._unmet)

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

    def _delete_groups(self, ask: Callable[[Call], Any]) -> str:
        version = self._versions.newest(_DELETE_GROUPS)
        if version is None or not self._groups:
            return ""
        rows = ask(calls.call(_DELETE_GROUPS, version, {"groupsNames": self._groups})).results
        left = {row.group_id: name for row in rows if (name := error_name(row.error_code)) not in _GONE}
        self._groups = list(left)
        return ", ".join(sorted(set(left.values())))
