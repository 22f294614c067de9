"""All values that came otherwise say what a target does to a type of value."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from kafka_conformance.child.session import Reaction
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.value_causes import exchanged_fields, other_values, shown_values
from kafka_conformance.kinds.message.value_changes import values_of
from kafka_conformance.kinds.message.value_conditions import shown_conditions
from kafka_conformance.kinds.message.vectors import MessageVector, message_vectors
from kafka_conformance.kinds.message.wrong_answers import Manner, Probe, probe
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.vector import Verdict

JSON = Manner("json", refuses_trailing=True)
NEWEST = {"metadata": 13, "heartbeat": 4, "list_groups": 5, "fetch": 17}


@pytest.fixture(scope="module")
def asked() -> list[MessageVector]:
    vectors = message_vectors(in_versions(protocol.load(families=list(NEWEST))))
    newest = {name.replace("_", "-"): version for name, version in NEWEST.items()}
    return [
        vector
        for vector in vectors
        if isinstance(vector, MessageVector)
        and vector.verdict is Verdict.VALID
        and int(vector.formats[0]) == newest[vector.family]
    ]


def answered(asked: list[MessageVector], change: Callable[[Any, str], Any]) -> list[Probe]:
    """Return what comes of answers in which each value was changed, by the name of its field."""
    return [probe(vector, one(vector, change)) for vector in asked]


def one(vector: MessageVector, change: Callable[[Any, str], Any]) -> Result:
    try:
        body = walked(vector.message.value(), change, "")
    except BrokenPipeError:
        return judge(vector.message, "toy", "json", Reaction(0, Reply(Status.REFUSED, b"no"), 0.0))
    content = json.dumps({"header": {}, "body": body}).encode()
    return judge(vector.message, "toy", "json", Reaction(0, Reply(Status.ANSWER, content), 0.0))


def walked(value: Any, change: Callable[[Any, str], Any], name: str) -> Any:
    if isinstance(value, dict):
        return change({key: walked(inner, change, key) for key, inner in value.items()}, name)
    if isinstance(value, list):
        return change([walked(item, change, name) for item in value], name)
    return change(value, name)


def test_bytes_that_are_no_message_tell_nothing(asked: list[MessageVector]) -> None:
    wrong = Result(asked[0].id, "toy", Outcome.WRONG_ANSWER, content=b"\xff" * 9)
    for manner in (JSON, Manner("bytes", refuses_trailing=True)):
        assert values_of(probe(asked[0], wrong), manner) is None
        assert list(shown_values([probe(asked[0], wrong)], manner)) == []


def test_who_gets_all_right_shows_nothing(asked: list[MessageVector]) -> None:
    probes = answered(asked, lambda value, _: value)
    assert not any(each.fails for each in probes)
    assert [*shown_values(probes, JSON), *other_values(probes, JSON), *exchanged_fields(probes, JSON)] == []
    assert list(shown_conditions(probes)) == []


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda value, name: value + 9 if name == "throttleTimeMs" else value, "moved-by-9/`throttle_time_ms`"),
        (lambda value, name: 0 if name == "throttleTimeMs" else value, "always-0/`throttle_time_ms`"),
        (lambda value, name: f"{{{value}" if name == "host" else value, "values/text-with-prefix/`host`"),
        (
            lambda value, _: value[:50] if isinstance(value, list) else value,
            "values/array-only-first-50-items",
        ),
        (
            lambda value, _: (
                value | {"partitionIndex": value["errorCode"]}
                if isinstance(value, dict) and {"isrNodes", "errorCode"} <= value.keys()
                else value
            ),
            "copy-of-errorCode",
        ),
    ],
)
def test_what_is_done_to_values_is_found_by_what_came(
    asked: list[MessageVector], change: Callable[[Any, str], Any], cause: str
) -> None:
    (found, *others) = shown_values(answered(asked, change), JSON)
    assert cause in found.id
    assert not others


def test_fields_that_have_each_others_values_are_a_pair(asked: list[MessageVector]) -> None:
    def change(value: Any, _: str) -> Any:
        is_broker = isinstance(value, dict) and {"nodeId", "port", "rack"} <= value.keys()
        return value | {"nodeId": value["port"], "port": value["nodeId"]} if is_broker else value

    found = [each.id for each in exchanged_fields(answered(asked, change), JSON)]
    assert any("exchanged-with-port" in name and "node_id" in name for name in found)


def test_a_way_that_nobody_knows_is_told_with_what_came(asked: list[MessageVector]) -> None:
    def change(value: Any, name: str) -> Any:
        return f"{len(value)}!{value[::-1]}" if name == "groupId" and isinstance(value, str) and value else value

    probes = answered(asked, change)
    assert list(shown_values(probes, JSON)) == []
    (found,) = other_values(probes, JSON)
    assert found.id.startswith("values/text-otherwise")
    assert " for " in found.does


@pytest.mark.parametrize(
    ("is_refused", "cause"),
    [
        (lambda value, _: isinstance(value, list) and len(value) > 10, "values/array-refused-beyond-"),
        (lambda value, name: name == "topicId" and str(value).strip("0") != "", "values/id-not-zero-refused"),
    ],
)
def test_a_condition_parts_what_is_refused_from_what_is_read(
    asked: list[MessageVector], is_refused: Callable[[Any, str], bool], cause: str
) -> None:
    def change(value: Any, name: str) -> Any:
        if is_refused(value, name):
            raise BrokenPipeError
        return value

    (found,) = shown_conditions(answered(asked, change))
    assert found.id.startswith(cause)


def test_all_responses_have_a_header_in_common(asked: list[MessageVector]) -> None:
    probes = [
        probe(
            vector, Result(vector.id, "toy", Outcome.REFUSED_VALID if vector.format == "response" else Outcome.PASSED)
        )
        for vector in asked
    ]
    (found,) = shown_conditions(probes)
    assert found.id == "values/header-of-responses-refused"
