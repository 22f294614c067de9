"""Goes through the steps of a scenario with one broker, over one connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from time import monotonic, sleep
from typing import Any, Final, NamedTuple

from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.broker.connection import Call, error_name
from kafka_conformance.kinds.broker.own_topics import OwnTopics
from kafka_conformance.kinds.broker.questions import Settings
from kafka_conformance.kinds.broker.versions import Versions
from kafka_conformance.kinds.scenario import calls
from kafka_conformance.kinds.scenario.comparison import errors, has
from kafka_conformance.kinds.scenario.steps import End, Scenario, Step, StepAnswer
from kafka_conformance.kinds.scenario.values import Values, at
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets.broker_address import Address

_PASSING: Final = {
    "COORDINATOR_LOAD_IN_PROGRESS",
    "COORDINATOR_NOT_AVAILABLE",
    "NOT_COORDINATOR",
    "LEADER_NOT_AVAILABLE",
    "NOT_LEADER_OR_FOLLOWER",
    "CONCURRENT_TRANSACTIONS",
}
"""Errors that tell of the moment: the step is repeated."""

_CREATE_TOPICS: Final = "create_topics"

_TRIES: Final = 50
"""Ids that are tried until one has its coordinator on the broker that is asked."""

_WAIT_SECONDS: Final = 0.05

_KNOWN_SECONDS: Final = 0.5
"""Time for what shows how a broker is set up, once one such thing was waited for in vain: it takes
us for a superuser, and rules that deny something take no effect, in whatever scenario."""

Ask = Callable[[Call], Any]
"""Sends a request, and returns the body of the response; raises a TargetLostError."""


class SetUpOtherwiseError(Exception):
    """The scenario is about brokers that are set up in another way."""


class Broker(NamedTuple):
    """The broker that is asked.

    Attributes:
        ask: sends a request.
        address: where it is.
        versions: what it has.
        topics: the topics that are made on it.
        groups: ids of the groups that may be made on it.
        seconds: time that it has until a step has the answer that is waited for.
        unmet: steps that were waited for in vain, and showed that it is set up otherwise.
    """

    ask: Ask
    address: Address
    versions: Versions
    topics: OwnTopics
    groups: list[str]
    seconds: float
    unmet: list[str]


def gap(scenario: Scenario, versions: Versions) -> str:
    """Return what a scenario needs and a broker does not have; empty if it has all."""
    for step in scenario.steps:
        if not _shared(step, versions):
            return f"has no version of {step.name} that can say it" if versions.of(step.api) else f"has no {step.name}"
    if scenario.topics and not versions.of(_CREATE_TOPICS):
        return "has no CreateTopics"
    return ""


def walk(scenario: Scenario, end: End, broker: Broker) -> Iterator[StepAnswer]:
    """Put the requests one after the other; yield what came of each, with placeholders.

    Args:
        scenario: the steps.
        end: which versions are asked.
        broker: the broker, which has all that the scenario needs.

    Raises:
        TargetLostError: it was lost on a step, or cannot make what comes before the first.
        SetUpOtherwiseError: the scenario is about brokers that are set up in another way.
        StoppedError: the run was interrupted.
    """
    values = Values()
    _prepare(scenario, values, broker)
    otherwise = ""
    for step in scenario.steps:
        if otherwise and not step.always:
            continue
        numbers = _shared(step, broker.versions)
        version = numbers[-1] if end is End.NEWEST else numbers[0]
        body = values.fill(step.body)
        for row in body["topics"] if step.api == _CREATE_TOPICS else ():
            broker.topics.note(row["name"])
        request = calls.call(step.api, version, body)._replace(says=step.says)
        seconds = _KNOWN_SECONDS if step.given and broker.unmet else broker.seconds
        answer = _repeated(request, values.fill(step.until), broker, min(seconds, broker.seconds))
        if not has(answer, step.given):
            otherwise = f"is set up otherwise, as its answer to {step.name} shows"
            broker.unmet.extend([step.name] if step.until else [])
        for placeholder, path in step.keep.items():
            values.keep(placeholder, path, answer)
        if not otherwise:
            yield StepAnswer(version, _own_rows(step, values.put_back(answer)))
    if otherwise:
        raise SetUpOtherwiseError(otherwise)


def _shared(step: Step, versions: Versions) -> list[int]:
    return [number for number in versions.of(step.api) if number in step.versions]


def _own_rows(step: Step, answer: dict[str, Any]) -> dict[str, Any]:
    """Leave out the rows that are about what others made; names of ours are placeholders by now."""
    for rows, path in step.only.items():
        answer = {**answer, rows: [row for row in answer[rows] if str(at(path, row)).startswith("$")]}
    return answer


def _repeated(request: Call, wanted: Mapping[str, Any], broker: Broker, seconds: float) -> dict[str, Any]:
    """Send a request until the answer is none of the moment, or the seconds are over."""
    until = monotonic() + seconds
    while True:
        answer = calls.answer(request, broker.ask(request))
        is_passing = any(error_name(code) in _PASSING for code in errors(answer))
        if (not is_passing and has(answer, wanted)) or monotonic() > until:
            return answer
        sleep(_WAIT_SECONDS)


def _prepare(scenario: Scenario, values: Values, broker: Broker) -> None:
    """Make topics, and find names that the broker is to coordinate."""
    for placeholder, partitions in scenario.topics.items():
        topic = broker.topics.make(broker.ask, Settings(), partitions)
        values.name(placeholder, topic.name)
        values.name(f"{placeholder}.id", topic.id.hex())
    for placeholder in scenario.names:
        values.name(placeholder, broker.topics.fresh_name())
    for placeholder in scenario.groups:
        name = _coordinated(broker, is_transaction=False)
        broker.groups.append(name)
        values.name(placeholder, name)
    for placeholder in scenario.transactions:
        values.name(placeholder, _coordinated(broker, is_transaction=True))


def _coordinated(broker: Broker, *, is_transaction: bool) -> str:
    """Return an id whose coordinator is the broker that is asked.

    Raises:
        TargetLostError: it says that others coordinate whatever it is asked about.
    """
    version = broker.versions.newest(calls.COORDINATOR)
    name = broker.topics.fresh_name()
    for _ in range(_TRIES if version is not None else 0):
        request = calls.find_coordinator(version or 0, name, is_transaction=is_transaction)
        answer = _repeated(request, {}, broker, broker.seconds)
        row = answer["coordinators"][0] if answer.get("coordinators") else answer
        if row["errorCode"]:
            raise TargetLostError(Outcome.BROKEN_PROTOCOL, f"finds no coordinator: {error_name(row['errorCode'])}")
        if (row["host"], row["port"]) == tuple(broker.address):
            return name
        name = broker.topics.fresh_name()
    if version is not None:
        raise TargetLostError(Outcome.BROKEN_PROTOCOL, f"names others than {broker.address} as every coordinator")
    return name
