"""Readers of log directories: the vectors put to them, and what they do wrong."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.child.session import Reaction
from kafka_conformance.kinds.log_reader.judge import judge
from kafka_conformance.kinds.log_reader.questions import LogQuestion, log_questions
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.logs import AnswerPart, Ask
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.targets.folders import TEMPLATES

from tests.command_line import Main

TEMPLATE = TEMPLATES["python"]["log-reader"]

PLAIN = "directory/sound/plain"


def program(body: str, folder: Path) -> str:
    """Return a reader made of the template, whose way to open a log is other code."""
    text = TEMPLATE.read_text(encoding="utf-8").replace(
        '"logs": ["records", "offsets", "times", "segments", "epochs", "breaks", "values"]', '"logs": ["records"]'
    )
    before, rest = text.split("def open_log(")
    head, after = rest.split('    raise NotImplementedError("call your reader here")', 1)
    path = folder / "reader.py"
    path.write_text(f"import time\n{before}def open_log({head}    {body}{after}", encoding="utf-8")
    return f"cmd:{sys.executable} {path}"


def test_the_reference_is_a_reader_without_findings(main: Main, tmp_path: Path) -> None:
    status, out, _ = main("run", "reference", "--vectors", "directory/sound/*", "--report", str(tmp_path))
    assert (status, "no findings" in out) == (0, True)
    document = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert document["summary"][0]["outcomes"]["passed"] > 50


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ('return {"records": []}', "records: expected 30 rows, got 0 rows"),
        ('raise ValueError("no")', "refused what is valid: ValueError: no"),
        ("return []", "gave an answer that is not an object of JSON"),
        ("return {}", "gave an answer without records"),
        ("os._exit(3)", "status 3"),
    ],
)
def test_what_is_wrong_is_told(body: str, outcome: str, main: Main, tmp_path: Path) -> None:
    status, out, _ = main("run", program(body, tmp_path), "--vectors", f"{PLAIN}@open")
    assert status == 1
    assert f"{PLAIN}@open" in out
    assert outcome in out


def test_a_reader_that_hangs_is_ended(main: Main, tmp_path: Path) -> None:
    asked = ("--vectors", f"{PLAIN}@open", "--seconds", "0.5")
    status, out, _ = main("run", program("time.sleep(60)", tmp_path), *asked)
    assert (status, "hung" in out) == (1, True)


def test_the_template_runs_and_declares_nothing_that_it_lacks(main: Main) -> None:
    status, _, err = main("run", f"cmd:{sys.executable} {TEMPLATE}", "--vectors", f"{PLAIN}@*")
    assert (status, "supports nothing" in err) == (2, True)


def test_a_decoder_is_no_reader(main: Main) -> None:
    status, _, err = main("run", "python:json:loads", "--about", "logs")
    assert (status, "it does not read log directories" in err) == (2, True)


@pytest.fixture(scope="module")
def asked() -> dict[str, LogQuestion]:
    return dict(log_questions())


def result(question: LogQuestion, reply: Any, *parts: AnswerPart) -> Outcome:
    """Judge an answer; a text is a refusal."""
    content = Reply(Status.REFUSED, reply.encode()) if isinstance(reply, str) else answer(reply)
    hello = Hello("it", "0", "any", ("v2",), (), (), checks_crc=True, logs=parts or tuple(AnswerPart))
    return judge(question, hello, "it", Reaction(0, content, 0.0)).outcome


def answer(document: Any) -> Reply:
    return Reply(Status.ANSWER, json.dumps(document).encode())


def test_of_damaged_files_another_answer_is_no_finding(asked: dict[str, LogQuestion]) -> None:
    damaged = asked["directory/segment/payload-bit-0@open"]
    assert result(damaged, {"records": []}, AnswerPart.RECORDS) is Outcome.OTHERWISE
    assert not Outcome.OTHERWISE.is_finding
    assert result(damaged, "a checksum", AnswerPart.RECORDS) is Outcome.PASSED
    assert result(damaged, [], AnswerPart.RECORDS) is Outcome.BROKEN_PROTOCOL


def test_what_kafka_does_not_open_is_not_opened(asked: dict[str, LogQuestion]) -> None:
    refused = asked["directory/segment/zeros-behind-18@open"]
    assert not refused.expected
    assert result(refused, "zeros") is Outcome.PASSED
    assert result(refused, {"records": []}, AnswerPart.RECORDS) is Outcome.OTHERWISE


def test_a_leader_epoch_may_be_left_out(asked: dict[str, LogQuestion]) -> None:
    question = asked[f"{PLAIN}@open"]
    rows = [row[:3] for row in question.expected["times"]]
    assert result(question, {"times": rows}, AnswerPart.TIMES) is Outcome.PASSED
    other = [*rows[:-2], [1, 2, 3], rows[-1]]
    assert result(question, {"times": other}, AnswerPart.TIMES) is Outcome.WRONG_ANSWER
    assert result(question, {"times": [*rows, [9]]}, AnswerPart.TIMES) is Outcome.WRONG_ANSWER
    assert result(question, {"times": 3}, AnswerPart.TIMES) is Outcome.WRONG_ANSWER


def test_every_kind_of_question_is_asked(asked: dict[str, LogQuestion]) -> None:
    assert {question.ask for question in asked.values()} == set(Ask)
