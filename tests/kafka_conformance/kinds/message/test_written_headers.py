"""Headers that are written or told wrong, in front of bodies that are right: one cause each."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from kafka_conformance.child.session import Reaction
from kafka_conformance.kinds.message import judge as messages
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.questions import MessageQuestion, in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors import protocol as vectors_of
from kafka_conformance.vectors.vector import Verdict
from kafka_format.primitives.varints import COMPACT_LENGTH, write_varint

ALL = [
    one
    for one in in_versions(vectors_of.load(families=["heartbeat", "init_producer_id", "metadata", "frames"]))
    if one.vector.verdict is Verdict.VALID and one.kind != "record"
]
Change = Callable[[MessageQuestion, bytes], bytes]


def front(question: MessageQuestion) -> tuple[bytes, bytes]:
    """Return the header and the body of a message."""
    size = question.header.read(question.message)[1]
    return question.message[:size], question.message[size:]


def client(head: bytes) -> tuple[bytes, bytes, bytes]:
    """Return what stands in front of a client id, the id, and what stands behind it."""
    size = max(int.from_bytes(head[8:10], "big", signed=True), 0)
    return head[:8], head[10 : 10 + size], head[10 + size :]


def diagnosed(form: str, reply: Callable[[MessageQuestion], bytes]) -> list[str]:
    results = [messages.judge(one, "it", form, Reaction(0, Reply(Status.ANSWER, reply(one)), 0.0)) for one in ALL]
    assert any(result.is_finding for result in results)
    about = {vector.id: vector for vector in message_vectors(iter(ALL))}
    return [cause.does for cause in diagnose_messages(results, about, form).causes]


def written(change: Change, kind: str) -> list[str]:
    def reply(question: MessageQuestion) -> bytes:
        head, body = front(question)
        return (change(question, head) if question.kind == kind else head) + body

    return diagnosed("bytes", reply)


def in_number(change: Callable[[int], int]) -> Change:
    """Return what changes the correlation id of a response."""
    return lambda _, head: (change(int.from_bytes(head[:4], "big")) & 0xFFFFFFFF).to_bytes(4, "big") + head[4:]


def compact(question: MessageQuestion, head: bytes) -> bytes:
    before, name, tags = client(head)
    size = -1 if head[8:10] == b"\xff\xff" else len(name)
    length = write_varint(size, COMPACT_LENGTH)
    return before + length + name + tags if question.header.layout.version == 2 else head


def wide(_: MessageQuestion, head: bytes) -> bytes:
    before, name, tags = client(head)
    size = -1 if head[8:10] == b"\xff\xff" else len(name)
    return before + size.to_bytes(4, "big", signed=True) + name + tags


@pytest.mark.parametrize(
    ("kind", "change", "does"),
    [
        ("response", in_number(lambda _: 0), "gives 0 for all `correlation_id` of the header of responses"),
        ("response", in_number(lambda number: number + 1), "adds 1 to `correlation_id` of the header of responses"),
        (
            "response",
            lambda one, head: head[:4] if one.header.layout.version else head,
            "writes no tagged fields in the header of flexible responses",
        ),
        (
            "response",
            lambda one, head: head if one.header.layout.version else head + b"\0",
            "writes tagged fields in the header of responses, in versions that are not flexible",
        ),
        ("response", lambda *_: b"", "writes no header in front of responses"),
        ("request", compact, "writes `client_id` as a compact string in the header of requests"),
        (
            "request",
            wide,
            "writes the length of `client_id` with four bytes in the header of requests",
        ),
    ],
)
def test_a_header_that_is_written_wrong_is_one_cause(kind: str, change: Change, does: str) -> None:
    causes = written(change, kind)
    assert [cause[: len(does)] for cause in causes] == [does], causes


def told(change: Callable[[dict[str, Any]], Any]) -> list[str]:
    """Return the causes for who tells headers so, beside right bodies."""

    def reply(question: MessageQuestion) -> bytes:
        header = messages.front_value(question.front_layout, question.message, frozenset())
        return json.dumps({"body": question.value(), "header": change(header)}).encode()

    return diagnosed("json", reply)


@pytest.mark.parametrize(
    ("change", "does"),
    [
        (lambda header: {**header, "correlationId": header["correlationId"] + 1}, "adds 1 to `correlation_id`"),
        (
            lambda header: (
                {**header, "clientId": (header.get("clientId") or "")[:4]} if "clientId" in header else header
            ),
            "cuts `client_id` of the header of requests off behind 4",
        ),
    ],
)
def test_a_header_that_is_told_wrong_is_one_cause(change: Callable[[dict[str, Any]], Any], does: str) -> None:
    assert told(change)[0].startswith(does)


@pytest.mark.parametrize("header", [None, [], 7, {}, {"correlation_id": 7}, {"what": "ever"}])
def test_a_header_need_not_be_told(header: object) -> None:
    question = next(one for one in ALL if one.vector.id.startswith("heartbeat-response/"))
    content = json.dumps({"body": question.value(), "header": header}).encode()
    result = messages.judge(question, "it", "json", Reaction(0, Reply(Status.ANSWER, content), 0.0))
    assert result.outcome is Outcome.PASSED
