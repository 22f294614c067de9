"""`log-judge`: readers of log directories put to the vectors, and what they do wrong."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.kinds.log_reader import hello, reference_reader
from kafka_conformance.kinds.log_reader.hello import AnswerPart
from kafka_conformance.kinds.log_reader.judge import judge
from kafka_conformance.kinds.log_reader.questions import Ask, LogQuestion, questions
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets.folders import LOG_READER

from tests.command_line import Main

PLAIN = "directory/sound/plain"

READER = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["ask"] == "hello":
        print('{"name": "mine", "version": "1", "language": "any", "parts": ["records"]}', flush=True)
        continue
    %s
"""


def program(body: str, folder: Path) -> str:
    path = folder / "reader.py"
    path.write_text(READER % body, encoding="utf-8")
    return f"cmd:{sys.executable} {path}"


@pytest.fixture(scope="module")
def asked() -> dict[str, LogQuestion]:
    return {question.id: question for question in questions()}


def test_the_reference_is_a_reader_without_findings(main: Main, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    status, out, _ = main("log-judge", "reference", "--vectors", "sound", "--report", str(report))
    assert (status, out.splitlines()[-1]) == (0, "no findings")
    document = json.loads(report.read_text(encoding="utf-8"))
    assert {result["outcome"] for result in document["results"]} == {"passed"}
    assert len(document["results"]) > 50


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("print('{\"records\": []}', flush=True)", "gave a wrong answer; records: 0 rows, and Kafka 30"),
        ('print(\'{"error": "no"}\', flush=True)', "refused what is valid; no"),
        ("print('no JSON', flush=True)", "answered with a line that is not JSON: no JSON"),
        ("print('[]', flush=True)", "answered with JSON that is not an object"),
        ("print('{}', flush=True)", "gave an answer without records"),
        ("os._exit(3)", "status 3"),
    ],
)
def test_what_is_wrong_is_told(body: str, outcome: str, main: Main, tmp_path: Path) -> None:
    status, out, _ = main("log-judge", program(body, tmp_path), "--vectors", PLAIN)
    assert status == 1
    assert f"{PLAIN} open" in out
    assert outcome in out


def test_a_reader_that_hangs_is_ended(main: Main, tmp_path: Path) -> None:
    status, out, _ = main("log-judge", program("time.sleep(60)", tmp_path), "--vectors", PLAIN, "--seconds", "0.5")
    assert status == 1
    assert "no reply" in out or "did not" in out or "hung" in out


def test_a_reader_that_says_no_hello_is_wrong_usage(main: Main) -> None:
    status, _, err = main("log-judge", "cmd:cat")
    assert status == 2
    assert "said a hello that is wrong" in err


def test_the_template_runs_and_declares_nothing_that_it_lacks(main: Main) -> None:
    _, printed, _ = main("log-judge", "--template")
    assert printed == LOG_READER.read_text(encoding="utf-8")
    status, out, _ = main("log-judge", f"cmd:{sys.executable} {LOG_READER}", "--vectors", "sound/plain")
    assert (status, out.splitlines()[-1]) == (0, "no findings")
    assert "passed" in out


@pytest.mark.parametrize("arguments", [(), ("reference", "--template"), ("nobody",), ("reference", "--vectors", "?")])
def test_wrong_usage(arguments: tuple[str, ...], main: Main) -> None:
    assert main("log-judge", *arguments)[0] == 2


def test_a_decoder_is_no_reader(main: Main) -> None:
    status, _, err = main("run", "krabka-log")
    assert status == 2
    assert "log-judge krabka-log" in err


def result(question: LogQuestion, answer: Any, *parts: AnswerPart) -> tuple[Outcome, bool]:
    judgement = judge(question, answer, parts or tuple(AnswerPart))
    return judgement.outcome, judgement.is_finding


def test_of_damaged_files_another_answer_is_no_finding(asked: dict[str, LogQuestion]) -> None:
    damaged = asked["directory/segment/payload-bit-0 open"]
    assert result(damaged, {"records": []}, AnswerPart.RECORDS) == (Outcome.WRONG_ANSWER, False)
    assert result(damaged, {"error": "a checksum"}, AnswerPart.RECORDS) == (Outcome.PASSED, False)


def test_what_kafka_does_not_open_is_not_opened(asked: dict[str, LogQuestion]) -> None:
    refused = asked["directory/segment/zeros-behind-18 open"]
    assert not refused.expected
    assert result(refused, {"error": "zeros"}) == (Outcome.PASSED, False)
    assert result(refused, {"records": []}, AnswerPart.RECORDS) == (Outcome.ACCEPTED_INVALID, False)


def test_a_leader_epoch_may_be_left_out(asked: dict[str, LogQuestion]) -> None:
    question = asked[f"{PLAIN} open"]
    rows = [row[:3] for row in question.expected["times"]]
    assert result(question, {"times": rows}, AnswerPart.TIMES) == (Outcome.PASSED, False)
    assert result(question, {"times": [*rows[:-2], [1, 2, 3], rows[-1]]}, AnswerPart.TIMES) == (
        Outcome.WRONG_ANSWER,
        True,
    )


def test_every_kind_of_question_is_asked(asked: dict[str, LogQuestion]) -> None:
    assert {question.ask for question in asked.values()} == set(Ask)


def test_the_hello_of_the_reference_declares_every_part() -> None:
    assert hello.parse(reference_reader.answer({"ask": "hello"})).parts == tuple(AnswerPart)
