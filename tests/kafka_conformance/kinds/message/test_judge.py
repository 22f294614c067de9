"""What a target says of a request or response, held against its vector."""

import json
from dataclasses import replace
from typing import Any

import pytest
from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.kinds.message.judge import difference, judge
from kafka_conformance.kinds.message.questions import MessageQuestion, can_be_put
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_format.codec.compiler import version

HEADER = bytes.fromhex("000c0004 00000007 0008 636c69656e742d31 00")
"""Heartbeat 4, correlation id 7, client id `client-1`, no tagged fields."""


@pytest.fixture(scope="module")
def vectors() -> dict[str, ProtocolVector]:
    return {vector.id: vector for vector in protocol.load(families=["heartbeat", "frames"])}


def outcome(vector: ProtocolVector, status: int, content: bytes, form: str = "bytes") -> Outcome:
    question = MessageQuestion(vector, vector.versions[0])
    return judge(question, "toy", form, Reaction(0, Reply(status, content), 0.0)).outcome


def test_a_body_is_put_behind_its_header(vectors: dict[str, ProtocolVector]) -> None:
    vector = vectors["heartbeat-request/4/typical"]
    asked = MessageQuestion(vector, 4).input
    assert (asked.message_kind, asked.api, asked.version) == (0, 12, 4)
    assert asked.message == HEADER + vector.data


def test_a_framed_vector_is_put_as_it_is(vectors: dict[str, ProtocolVector]) -> None:
    vector = vectors["frames/heartbeat-response/4/whole"]
    asked = MessageQuestion(vector, 4).input
    assert (asked.message_kind, asked.message) == (1, vector.data)


@pytest.mark.parametrize(
    ("name", "status", "expected"),
    [
        ("heartbeat-request/4/typical", Status.REFUSED, Outcome.REFUSED_VALID),
        ("heartbeat-request/4/typical", Status.UNSUPPORTED, Outcome.UNSUPPORTED),
        ("heartbeat-request/4/group-id/length/null", Status.REFUSED, Outcome.PASSED),
        ("heartbeat-request/4/group-id/length/null", Status.ANSWER, Outcome.ACCEPTED_INVALID),
        ("heartbeat-request/4/trailing", Status.REFUSED, Outcome.PASSED),
    ],
)
def test_outcomes(name: str, status: int, expected: Outcome, vectors: dict[str, ProtocolVector]) -> None:
    assert outcome(vectors[name], status, b"") is expected


def test_bytes_written_again(vectors: dict[str, ProtocolVector]) -> None:
    vector = vectors["heartbeat-request/4/typical"]
    assert outcome(vector, 0, HEADER + vector.data) is Outcome.PASSED
    assert outcome(vector, 0, HEADER + vector.data[:-1] + b"\1") is Outcome.WRONG_ANSWER
    trailing = vectors["heartbeat-request/4/trailing"]
    assert outcome(trailing, 0, HEADER + trailing.data[:-1]) is Outcome.PASSED
    assert outcome(trailing, 0, HEADER + trailing.data) is Outcome.WRONG_ANSWER


def test_bytes_written_as_they_were_read(vectors: dict[str, ProtocolVector]) -> None:
    """A string that is no UTF-8 may stay what it was, where Kafka has U+FFFD in its place."""
    vector = vectors["heartbeat-request/4/group-id/not-utf8"]
    assert outcome(vector, 0, HEADER + vector.data) is Outcome.PASSED


def test_unknown_tagged_fields_need_not_be_written(vectors: dict[str, ProtocolVector]) -> None:
    vector = vectors["heartbeat-request/4/unknown-tags"]
    kept = vector.data[: vector.data.index(bytes.fromhex("02e807"))]
    assert outcome(vector, 0, HEADER + vector.data) is Outcome.PASSED
    assert outcome(vector, 0, HEADER + kept + b"\0") is Outcome.PASSED
    assert outcome(vector, 0, HEADER + kept + bytes.fromhex("01e80700")) is Outcome.WRONG_ANSWER


def test_null_is_empty_where_null_cannot_be(vectors: dict[str, ProtocolVector]) -> None:
    """Go has one word for both: a nil slice."""
    vector = vectors["heartbeat-request/4/smallest"]
    body = {**(vector.value or {}), "groupId": None}
    assert outcome(vector, 0, json.dumps({"body": body}).encode(), "json") is Outcome.PASSED
    body = {**body, "groupInstanceId": ""}
    assert outcome(vector, 0, json.dumps({"body": body}).encode(), "json") is Outcome.WRONG_ANSWER


def test_json_in_other_spellings(vectors: dict[str, ProtocolVector]) -> None:
    vector = vectors["heartbeat-request/4/typical"]
    body = {name.upper(): value for name, value in (vector.value or {}).items()}
    assert outcome(vector, 0, json.dumps({"body": body}).encode(), "json") is Outcome.PASSED
    assert outcome(vector, 0, json.dumps({"body": body | {"GROUPID": "x"}}).encode(), "json") is Outcome.WRONG_ANSWER
    assert outcome(vector, 0, b"{}", "json") is Outcome.WRONG_ANSWER
    assert outcome(vector, 0, b"[", "json") is Outcome.WRONG_ANSWER


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"apiKeys": []}, "apiKeys"),
        ({"apiKeys": [{"apiKey": 1, "minVersion": 0, "maxVersion": 3}]}, "apiKeys[0].maxVersion"),
        ({"errorCode": None}, "errorCode"),
        ({"finalizedFeaturesEpoch": 7}, "finalizedFeaturesEpoch"),
        ({"_unknownTaggedFields": [{"tag": 9, "content": ""}]}, "_unknownTaggedFields"),
    ],
)
def test_the_first_difference(change: dict[str, Any], path: str) -> None:
    layout = version("api_versions_response", 3).layout
    expected = {
        "errorCode": 0, "apiKeys": [{"apiKey": 1, "minVersion": 0, "maxVersion": 2}], "throttleTimeMs": 0,
        "supportedFeatures": [], "finalizedFeaturesEpoch": "-1", "finalizedFeatures": [], "zkMigrationReady": False,
    }  # fmt: skip
    short = {name: expected[name] for name in ("errorCode", "apiKeys", "throttleTimeMs")}
    assert difference(layout, expected, short, "") is None
    unlike = difference(layout, expected, short | change, "")
    assert unlike is not None
    assert unlike.path == path


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"logStartOffset": 0}, "responses[0].partitions[0].logStartOffset"),
        ({"log_start_offset": "-1", "errorCode": 0}, ""),
        ({"logStartOffset": None}, ""),
        ({"logStartOfset": 0}, ""),
    ],
)
def test_a_field_that_a_version_lacks_has_its_default(change: dict[str, Any], path: str) -> None:
    """LogStartOffset is there since version 5, and -1 where it is not (FetchResponse.json)."""
    layout = version("fetch_response", 4).layout
    partition = {"partitionIndex": 0, "errorCode": 0, "highWatermark": "7", "lastStableOffset": "7"}
    partition |= {"abortedTransactions": None, "records": None}
    expected = {"throttleTimeMs": 0, "responses": [{"topic": "t", "partitions": [partition]}]}
    shown = {"throttleTimeMs": 0, "responses": [{"topic": "t", "partitions": [partition | change]}]}
    unlike = difference(layout, expected, shown, "")
    assert (unlike.path if unlike else "") == path


def test_unknown_tagged_fields_are_shown_everywhere_or_nowhere() -> None:
    """Who keeps those at the end of a message, and drops those of its items, loses some."""
    (vector,) = (each for each in protocol.load(families=["fetch"]) if each.id == "fetch-request/17/unknown-tags")
    whole = vector.value or {}
    nowhere = without_unknown(whole)
    outside = {**nowhere, "_unknownTaggedFields": whole["_unknownTaggedFields"]}
    for body, expected in ((whole, Outcome.PASSED), (nowhere, Outcome.PASSED), (outside, Outcome.WRONG_ANSWER)):
        assert outcome(vector, 0, json.dumps({"body": body}).encode(), "json") is expected


def without_unknown(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_unknown(member) for name, member in value.items() if name != "_unknownTaggedFields"}
    return [without_unknown(item) for item in value] if isinstance(value, list) else value


def test_records_may_be_left_out_and_nothing_else() -> None:
    """A library may have read them on."""
    layout = version("fetch_response", 4).layout
    partition = {
        "partitionIndex": 0, "errorCode": 0, "highWatermark": "1", "lastStableOffset": "1", "abortedTransactions": None,
        "records": "00",
    }  # fmt: skip
    expected = {"throttleTimeMs": 0, "responses": [{"topic": "a", "partitions": [partition]}]}
    for name in partition:
        given = {field: value for field, value in partition.items() if field != name}
        unlike = difference(layout, expected, expected | {"responses": [{"topic": "a", "partitions": [given]}]}, "")
        assert (unlike is None) == (name == "records")


def test_a_target_that_is_lost(vectors: dict[str, ProtocolVector]) -> None:
    question = MessageQuestion(vectors["heartbeat-request/4/typical"], 4)
    word = Reaction(0, Loss(Outcome.CRASHED, "died"), 0.0)
    assert judge(question, "toy", "bytes", word).outcome is Outcome.CRASHED


def test_what_is_not_put(vectors: dict[str, ProtocolVector]) -> None:
    assert not can_be_put(vectors["frames/metadata-request/12/unknown/api/highest"])
    assert can_be_put(vectors["frames/heartbeat-response/4/whole"])


def test_the_names_of_earlier_releases() -> None:
    layout = version("streams_group_heartbeat_response", 0).layout
    field = next(field for field in layout.fields if field.formerly)
    given = {"acceptable_recovery_lag": 5}
    expected = {field.kafka: 5 for field in layout.fields}
    unlike = difference(replace(layout, fields=(field,)), expected, given, "")
    assert unlike is None
