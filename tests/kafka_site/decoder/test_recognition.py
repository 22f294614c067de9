"""What bytes are, as the page says it: in the words of the command line, from the same table."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from kafka_conformance.vectors import protocol
from kafka_format.explain.inside import How
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.explain.salvage import salvage, salvage_v07
from kafka_format.recognition import recognise
from kafka_tools.commands.recognised import said_of

from tests import shipped
from tests.kafka_site.decoder.scripts import ask
from tests.sampling import Share

CASES = yaml.safe_load((Path(__file__).parents[2] / "recognised.yaml").read_text(encoding="utf-8"))
CUT = How(may_be_cut=True)
ZSTD = bytes.fromhex("28b52ffd")
"""Marks frames of which the page's library gives nothing unless they are whole."""


@pytest.fixture(scope="module")
def answers(folder: Path) -> dict[str, dict[str, Any]]:
    questions = [{"hex": case["hex"], "recognised": True} for case in CASES.values()]
    return dict(zip(CASES, ask(folder, questions), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_bytes_are_named_in_the_words_of_the_command_line(name: str, answers: dict[str, dict[str, Any]]) -> None:
    case, answer = CASES[name], answers[name]
    assert answer.get("title", "").startswith(case["title"])
    assert bool(answer.get("title")) == bool(case["title"])
    if case["title"] and "0.7" not in name:
        found = recognise(bytes.fromhex(case["hex"]))
        assert answer["title"] == found.candidates[0].title
        if found.candidates[0].is_guess and found.candidates[0].kind != "records":
            said, due = (text.partition(" It can also be ")[0] for text in (answer["said"], said_of(found)))
            assert said == due


def test_frames_that_are_cut_have_the_lines_of_the_reference(some: Share, folder: Path) -> None:
    questions, expected = [], []
    for number, vector in enumerate(some(protocol.load(families=["wild"]), 12, of="vectors")):
        if vector.kind not in ("framed_request", "framed_response"):
            continue
        start = 4 * (number % 2)
        frame = (len(vector.data).to_bytes(4, "big") if start else b"") + vector.data
        data = frame[: start + 1 + number * 7919 % (len(frame) - start)]
        kind = vector.kind.removeprefix("framed_")
        question = {"hex": data.hex(), "kind": kind, "start": start, "mayBeCut": True, "lines": True, "as": "cut"}
        if kind == "response":
            question |= {"api": vector.api, "version": vector.versions[-1]}
            expected.append(explain_response(data, vector.api, vector.versions[-1], how=CUT, start=start))
        else:
            expected.append(explain_request(data, how=CUT, start=start))
        questions.append(question)
    for answer, due in zip(ask(folder, questions), expected, strict=True):
        assert answer["missing"] == due.missing
        assert [line[1:4] for line in answer["lines"]] == [
            [line.path, line.start, line.raw.hex()] for line in due.lines
        ]
        assert [line[4].lower() for line in answer["lines"]] == [line.value.lower() for line in due.lines]


def test_records_that_are_cut_or_doubted_have_the_lines_of_the_reference(some: Share, folder: Path) -> None:
    vectors = [
        one
        for one in shipped.vectors().values()
        if one.verdict == "valid" and 20 < len(one.data) < 3000 and ZSTD not in one.data
    ]
    questions, expected = [], []
    for number, vector in enumerate(some(vectors, 25, of="vectors")):
        is_old = "v07" in vector.formats
        data = vector.data[: 18 + number * 7919 % (len(vector.data) - 18)]
        if number % 3 == 0 and not is_old:
            data = vector.data[:-1] + bytes((vector.data[-1] ^ 1,))  # a wrong checksum
        questions.append({"hex": data.hex(), "kind": "v07" if is_old else "records", "lines": True, "as": "page"})
        expected.append((salvage_v07 if is_old else salvage)(data))
    for question, answer, due in zip(questions, ask(folder, questions), expected, strict=True):
        lines = [line[1:4] for line in answer["lines"]]
        assert lines == [[line.path, line.start, line.raw.hex()] for line in due.lines], question["hex"]
        assert answer["missing"] == due.missing
        assert answer["doubted"] == [line.is_doubted for line in due.lines]
