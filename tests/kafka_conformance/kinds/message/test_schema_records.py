"""Records of Kafka's own topics, and answers to ApiVersions in version 0, as questions."""

import json
from typing import Any

import pytest
from kafka_conformance.child.session import Reaction
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.questions import MessageQuestion, in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello, Messages
from kafka_conformance.protocol.messages import MessageInput, MessageKind, Reply, Status
from kafka_conformance.serving import reference
from kafka_conformance.vectors import protocol
from kafka_format import structure

FAMILIES = ("topic_records", "group_records", "transactions", "metadata_records", "frames")
GROUP_KEY = bytes.fromhex("0002 0007") + b"group-1"
"""GroupMetadataKey, number 2: an int16 number, and the group as a string."""


@pytest.fixture(scope="module")
def questions() -> dict[str, MessageQuestion]:
    return {question.id: question for question in in_versions(protocol.load(families=FAMILIES))}


def hello(**apis: Any) -> Hello:
    return Hello("toy", "1", "C", (), (), (), checks_crc=False, directions=(), apis=Messages(**apis))


def record(asked: MessageInput) -> Any:
    return structure("schema_record").decode(asked.message)


def test_malformed_records_are_refused_by_the_reference() -> None:
    for content in (b"", b"\0\0", structure("schema_record").encode({"topic": b"__consumer_offsets", "key": b"\0"})):
        asked = MessageInput(MessageKind.RECORD, 2, 0, content)
        assert reference.answer(asked).status == Status.REFUSED


@pytest.mark.parametrize("topic", [b"orders", b"__cluster_metadata", b"\xff"])
def test_a_record_that_has_no_schema_is_not_supported(topic: bytes) -> None:
    asked = MessageInput(MessageKind.RECORD, 2, 0, structure("schema_record").encode({"topic": topic, "key": b"\0\2"}))
    assert reference.answer(asked).status == Status.UNSUPPORTED


def test_a_key_is_asked_alone(questions: dict[str, MessageQuestion]) -> None:
    question = questions["topic_records/group-metadata-key/0/whole"]
    asked = record(question.input)
    assert (question.input.message_kind, question.input.api) == (2, 2)
    assert (asked.topic, asked.key, asked.value) == (b"__consumer_offsets", GROUP_KEY, None)


def test_a_value_is_asked_with_a_key_that_says_what_it_is(questions: dict[str, MessageQuestion]) -> None:
    question = questions["group-metadata-value/3/typical"]
    asked = record(question.input)
    assert asked.key[:2] == b"\0\2"
    assert asked.value == b"\0\3" + question.vector.data


def test_a_value_of_the_metadata_log_says_itself_what_it_is(questions: dict[str, MessageQuestion]) -> None:
    """Version 1 of the frame, number and version as varints (AbstractApiMessageSerde)."""
    question = questions["partition-record/1/typical"]
    asked = record(question.input)
    assert (asked.topic, asked.key) == (b"__cluster_metadata", None)
    assert asked.value == b"\1\3\1" + question.vector.data


def test_what_is_not_declared_is_a_gap(questions: dict[str, MessageQuestion]) -> None:
    key = questions["topic_records/group-metadata-key/0/whole"]
    assert "__consumer_offsets" in key.gap(hello(form="json"))
    assert "__consumer_offsets" in key.gap(hello(form="json", records=["__transaction_state"]))
    assert key.gap(hello(form="json", records=["__consumer_offsets"])) == ""
    fallback = questions["frames/api-versions-response/4/fallback/list"]
    assert "ApiVersions" in fallback.gap(hello(form="json"))
    assert fallback.gap(hello(form="json", fallback=True)) == ""


def reply(question: MessageQuestion, status: int, content: bytes, form: str) -> Outcome:
    return judge(question, "toy", form, Reaction(0, Reply(status, content), 0.0)).outcome


def test_outcomes_of_records(questions: dict[str, MessageQuestion]) -> None:
    key = questions["topic_records/group-metadata-key/0/whole"]
    assert reply(key, Status.ANSWER, GROUP_KEY, "bytes") is Outcome.PASSED
    assert reply(key, Status.ANSWER, GROUP_KEY[:-1] + b"2", "bytes") is Outcome.WRONG_ANSWER
    assert reply(key, Status.ANSWER, b'{"body": {"group": "group-1"}}', "json") is Outcome.PASSED
    assert reply(key, Status.ANSWER, b'{"body": {"group": "group-2"}}', "json") is Outcome.WRONG_ANSWER
    assert reply(key, Status.REFUSED, b"", "json") is Outcome.REFUSED_VALID
    cut = questions["topic_records/topic-record/0/cut-1"]
    assert reply(cut, Status.ANSWER, b"{}", "json") is Outcome.ACCEPTED_INVALID


def test_an_answer_in_version_0_is_held_against_version_0(questions: dict[str, MessageQuestion]) -> None:
    question = questions["frames/api-versions-response/4/fallback/list"]
    body = {"errorCode": 35, "apiKeys": [{"apiKey": 18, "minVersion": 0, "maxVersion": 2}]}
    assert (question.input.version, question.body_version) == (4, 0)
    assert reply(question, Status.ANSWER, json.dumps({"body": body}).encode(), "json") is Outcome.PASSED
    assert reply(question, Status.ANSWER, b'{"body": {"errorCode": 0, "apiKeys": []}}', "json") is Outcome.WRONG_ANSWER
    assert reply(question, Status.ANSWER, question.message, "bytes") is Outcome.PASSED


def test_a_target_that_gets_one_record_wrong_has_one_cause(questions: dict[str, MessageQuestion]) -> None:
    """Its values of group metadata have no leader."""
    asked = [one for one in questions.values() if one.vector.layout == "group_metadata_value"]
    results = []
    for question in asked:
        content = reference.answer(question.input)
        document = json.loads(content.content) if content.status == Status.ANSWER else {}
        document.get("body", {}).pop("leader", None)
        given = Reply(content.status, json.dumps(document).encode() if document else content.content)
        results.append(judge(question, "toy", "json", Reaction(0, given, 0.0)))
    vectors = {vector.id: vector for vector in message_vectors(asked)}
    causes = diagnose_messages(results, vectors, "json").causes
    assert [cause.id for cause in causes] == ["message/not-told/leader"]
