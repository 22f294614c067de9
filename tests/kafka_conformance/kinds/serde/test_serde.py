"""Readers of keys and values: the vectors put to them, and what they do wrong."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.kinds.serde import questions
from kafka_conformance.kinds.serde.judge import judge, same
from kafka_conformance.kinds.serde.questions import SerdeQuestion
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.targets.folders import TEMPLATES
from kafka_conformance.vectors.loader import Filters
from kafka_format.content.serdes import KINDS, PARTS
from kafka_format.spec import data

from tests.command_line import Main

TEMPLATE = TEMPLATES["python"]["serde"]

ID = "content/confluent/id"


def program(body: str, folder: Path) -> str:
    """Return a reader made of the template, with other code for its way to read."""
    text = TEMPLATE.read_text(encoding="utf-8")
    path = folder / "reader.py"
    path.write_text(text.replace('raise NotImplementedError("call your reader here")', body), encoding="utf-8")
    return f"cmd:{sys.executable} {path}"


def test_the_reference_reads_every_vector(main: Main, tmp_path: Path) -> None:
    status, out, _ = main("run", "reference", "--about", "contents", "--report", str(tmp_path))
    assert (status, "no findings" in out) == (0, True)
    document = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert document["summary"][0]["outcomes"]["passed"] > 250


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ('return {"schema_id": 43, "payload": "0278"}', "schema_id: expected 42, got 43"),
        ('raise ValueError("no")', "refused what is valid: ValueError: no"),
        ("return []", "gave an answer that is not an object of JSON"),
        ('return {"payload": "0278"}', "gave an answer without schema_id"),
        ("os._exit(3)", "status 3"),
    ],
)
def test_what_is_wrong_is_told(body: str, outcome: str, main: Main, tmp_path: Path) -> None:
    status, out, _ = main("run", program(body, tmp_path), "--vectors", ID)
    assert (status, outcome in out) == (1, True)


def test_a_reader_that_takes_anything_is_told_so(main: Main, tmp_path: Path) -> None:
    body = 'return {"schema_id": 1, "payload": ""}'
    status, out, _ = main("run", program(body, tmp_path), "--vectors", "content/confluent/three-bytes")
    assert (status, "accepts confluent that breaks content.schema-id" in out) == (1, True)


def test_the_template_declares_nothing_that_it_lacks(main: Main) -> None:
    status, _, err = main("run", f"cmd:{sys.executable} {TEMPLATE}", "--vectors", ID)
    assert (status, "supports nothing" in err) == (2, True)


def test_the_schema_of_hellos_knows_every_kind_and_part() -> None:
    serdes = json.loads((data.path("spec") / "schema" / "hello.schema.json").read_text(encoding="utf-8"))["properties"][
        "serdes"
    ]
    assert serdes["propertyNames"]["enum"] == list(KINDS)
    assert serdes["additionalProperties"]["items"]["enum"] == list(PARTS)


@pytest.fixture(scope="module")
def asked() -> dict[str, SerdeQuestion]:
    return {question.vector.id: question for question in questions.questions(questions.load(Filters()))}


def outcome(question: SerdeQuestion, reply: Any, *parts: str) -> Outcome:
    """Judge an answer; a text is a refusal."""
    refused = isinstance(reply, str)
    content = Reply(
        Status.REFUSED if refused else Status.ANSWER, reply.encode() if refused else json.dumps(reply).encode()
    )
    return judge(question, hello(question, parts), "it", Reaction(0, content, 0.0)).outcome


def hello(question: SerdeQuestion, parts: tuple[str, ...]) -> Hello:
    return Hello(
        "it", "0", "any", (), (), (), checks_crc=True, serdes={question.content: parts or ("schema_id", "payload")}
    )


def test_of_a_lenient_vector_any_of_its_answers_is_right_and_a_refusal(asked: dict[str, SerdeQuestion]) -> None:
    question = asked["content/confluent/id-minus-one"]
    for number in (-1, 0xFFFFFFFF):
        assert outcome(question, {"schema_id": number, "payload": "0278"}) is Outcome.PASSED
    assert outcome(question, {"schema_id": 255, "payload": "0278"}) is Outcome.WRONG_ANSWER
    assert outcome(question, "negative") is Outcome.PASSED


def test_a_crash_is_no_refusal(asked: dict[str, SerdeQuestion]) -> None:
    question = asked["content/confluent/three-bytes"]
    lost = Reaction(0, Loss(Outcome.CRASHED, "panicked"), 0.0)
    assert judge(question, hello(question, ()), "it", lost).outcome is Outcome.CRASHED
    assert outcome(question, "too short") is Outcome.PASSED


def test_who_gives_no_payload_is_not_asked_what_only_that_shows(asked: dict[str, SerdeQuestion]) -> None:
    question = asked["content/confluent/payload-begins-with-zero"]
    assert questions.gap(question, hello(question, ("schema_id", "value")))
    assert not questions.gap(question, hello(question, ("schema_id", "payload")))
    assert questions.gap(asked["content/long/one"], hello(question, ()))


@pytest.mark.parametrize(
    ("given", "right", "agree"),
    [
        (1, 1.0, True),
        (0.0, -0.0, False),
        ("1", 1, False),
        (True, 1, False),
        ([1, None], [1, None], True),
        ([1], [1, 2], False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        (1 << 2000, 1.0, False),
        ("NaN", "NaN", True),
    ],
)
def test_values_agree_by_what_they_are(given: object, right: object, agree: bool) -> None:
    assert same(given, right) is agree
