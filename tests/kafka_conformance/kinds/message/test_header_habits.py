"""Headers taken for those of another version: readers that do so, put to the vectors."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from kafka_conformance.child.session import Reaction
from kafka_conformance.diagnosis.cause import Cause
from kafka_conformance.judging.difference import MISSING
from kafka_conformance.kinds.message import judge as messages
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.questions import MessageQuestion, in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors import protocol as vectors_of
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format import protocol
from kafka_format.codec.checks import surplus_of
from kafka_format.errors import EncodeError, FormatError
from kafka_format.protocol.json_form import EXACT
from kafka_format.spec.layout import find

HeaderOf = Callable[[MessageQuestion], int]
FAMILIES = ["heartbeat", "api_versions", "init_producer_id", "controlled_shutdown"]
ALL = [one for one in in_versions(vectors_of.load(families=FAMILIES)) if one.vector.verdict is not Verdict.INVALID]


def usual(question: MessageQuestion) -> int:
    return protocol.header_version(question.vector.api or 0, question.number, question.kind)


def without_tags_in_responses(question: MessageQuestion) -> int:
    return 0 if question.kind == "response" else usual(question)


def without_tags_in_requests(question: MessageQuestion) -> int:
    return min(usual(question), 1)


def flexible_api_versions(question: MessageQuestion) -> int:
    is_it = question.vector.api == 18 and question.kind == "response"
    return int(question.number >= 3) if is_it else usual(question)


def always_with_client_id(question: MessageQuestion) -> int:
    return max(usual(question), 1) if question.kind == "request" else usual(question)


def reply(question: MessageQuestion, header_of: HeaderOf, form: str, *, strict: bool = True) -> Reply:
    """What the reference says if it takes headers so.

    It minds bytes behind the body if it is strict.
    """
    data, flags = question.input.message, frozenset({question.vector.flag} - {""})
    try:
        _, size = protocol.schema(f"{question.kind}_header", header_of(question)).read(data, flags=flags)
        body, end = question.body().read(data[size:], flags=flags)
        if strict and end != len(data) - size and surplus_of(question.body().layout, data[size + end :]) is None:
            return Reply(Status.REFUSED, b"bytes are left")
        if form == "bytes":
            return Reply(Status.ANSWER, data[:size] + question.body().encode(body))
    except (FormatError, EncodeError) as error:
        return Reply(Status.REFUSED, str(error).encode())
    layout = find(f"{protocol.api_name(question.vector.api or 0)}_{question.kind}", question.number)
    return Reply(Status.ANSWER, json.dumps({"body": EXACT.write(layout, body)}).encode())


def causes(header_of: HeaderOf, form: str, *, strict: bool) -> tuple[Cause, ...]:
    replies = [reply(one, header_of, form, strict=strict) for one in ALL]
    results = [messages.judge(one, "toy", form, Reaction(0, said, 0.0)) for one, said in zip(ALL, replies, strict=True)]
    about: dict[str, Vector] = {vector.id: vector for vector in message_vectors(iter(ALL))}
    return diagnose_messages(results, about, form).causes


@pytest.mark.parametrize(("form", "strict"), [("json", True), ("json", False), ("bytes", True)])
@pytest.mark.parametrize(
    ("header_of", "expected"),
    [
        (without_tags_in_responses, "message/response-header-without-tags"),
        (without_tags_in_requests, "message/request-header-without-tags"),
        (flexible_api_versions, "message/api-versions-header-with-tags"),
        (always_with_client_id, "message/controlled-shutdown-header-with-client-id"),
    ],
)
def test_a_header_of_another_version_is_one_cause(
    header_of: HeaderOf, expected: str, form: str, *, strict: bool
) -> None:
    found = causes(header_of, form, strict=strict)
    assert found[0].id == expected
    explained = len(found[0].findings)
    assert explained >= 0.9 * sum(len(cause.findings) for cause in found)
    assert found[0].is_named


@pytest.mark.parametrize("form", ["json", "bytes"])
def test_who_has_headers_right_has_no_such_cause(form: str) -> None:
    assert causes(usual, form, strict=True) == ()


def test_who_refuses_all_that_is_flexible_may_do_so_for_other_reasons() -> None:
    results = []
    for question in ALL:
        said = reply(question, usual, "json")
        if usual(question) == 1 + (question.kind == "request"):
            said = Reply(Status.REFUSED, b"not supported")
        results.append(messages.judge(question, "toy", "json", Reaction(0, said, 0.0)))
    about = {vector.id: vector for vector in message_vectors(iter(ALL))}
    found = diagnose_messages(results, about, "json").causes
    assert not [cause.id for cause in found if "header" in cause.id]


def test_wrong_answers_of_another_kind_are_no_wrong_header() -> None:
    """kafka-ts 1.5.0 gives ApiVersions' response without its tagged fields."""
    results = []
    for question in ALL:
        said = messages.judge(question, "toy", "json", Reaction(0, reply(question, usual, "json"), 0.0))
        if flexible_api_versions(question) != usual(question):
            said = replace(said, outcome=Outcome.WRONG_ANSWER, path="supportedFeatures", got=MISSING)
        results.append(said)
    about = {vector.id: vector for vector in message_vectors(iter(ALL))}
    found = diagnose_messages(results, about, "json").causes
    assert found
    assert not [cause.id for cause in found if "header" in cause.id]
