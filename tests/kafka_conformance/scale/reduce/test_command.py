"""`--reduce` and `--index`, and the generator's program that makes a vector of what they found."""

import json
import shutil
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from kafka_format.spec import data
from kafka_generator import files, promote

from tests.kafka_conformance.scale.reduce.runs import write_run

HERE = Path(__file__).parent
FORGIVING = "python:faulty:forgiving"
Main = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _in_this_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a finding of every verdict, not reduced yet."""
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(HERE)
        out = tmp_path_factory.mktemp("hostile") / "out"
        write_run(out, FORGIVING, "hostile", 60)
    return out


@pytest.fixture
def out(hostile: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(hostile, tmp_path / "out"))


def reduced(folder: Path) -> list[dict[str, Any]]:
    document: list[dict[str, Any]] = json.loads((folder / "reduced.json").read_text())["reduced"]
    return document


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """The vectors of two families, and their cases."""
    shipped, folder = data.path("vectors"), tmp_path / "vectors"
    (folder / "cases").mkdir(parents=True)
    for name in ("cases/payloads.json", "cases/record-batch.yaml", "record-batch.jsonl"):
        shutil.copy(shipped / name, folder / name)
    return folder


def test_reduced_findings_are_shown_and_become_vectors(
    main: Main, out: Path, vectors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, screen, err = main("--reduce", "--out", str(out))
    assert status == 1
    assert f"reducing 1 of 3: {FORGIVING} " in err
    check_screen(screen)
    check_summary(out, screen)
    for number, one in enumerate(reduced(out), 1):
        assert promote.main([str(number), "--out", str(out), "--vectors", str(vectors)]) == 0
        check_promoted(capsys.readouterr().out, one, vectors)
    assert promote.main(["4", "--out", str(out), "--vectors", str(vectors)]) == 2
    assert "has 3 reduced findings" in capsys.readouterr().err


def check_screen(screen: str) -> None:
    for line in (
        "accepted what must be refused: a key or a value is longer than its message",
        "cause: a key or a value is longer than its message (v0/content-beyond); without it the target is right",
        "expected: refused, because of length.within",
        "got: no records",
        "rule: length.within: The content of a field ends within its structure.",
        "gave a wrong answer: records is 0 records, not 1 record",
        "cause: bytes follow the value (v0/message-trailing); without it the target is right",
        "expected: refused, because of legacy.message.fills-its-size; or, with message-trailing-bytes, 1 record",
        "refused what is valid: ValueError: log append time",
        "cause: message.attributes.timestamp_type = log_append_time; without it the target is right",
        "8 (codec=none, timestamp_type=log_append_time)  <- cause",
    ):
        assert line in screen


def check_summary(out: Path, screen: str) -> None:
    summary = json.loads((out / "summary.json").read_text())
    assert summary["not_reduced"] == 0
    assert [cause["findings"] for cause in summary["causes"]] == [[1], [2], [3]]
    assert summary["reduced"] == reduced(out)
    page = unescape((out / "summary.html").read_text())
    told = [line.strip() for line in screen.splitlines() if line.startswith(("  cause: ", "  expected: ", "  rule: "))]
    assert len(told) == 9
    assert [line for line in told if line not in page] == []


def check_promoted(said: str, one: dict[str, Any], vectors: Path) -> None:
    line = json.loads((vectors / "cases" / "promoted.jsonl").read_text().splitlines()[-1])
    verdict = {"accepted-invalid": "invalid", "wrong-answer": "lenient", "refused-valid": "valid"}[
        one["failure"]["outcome"]
    ]
    assert said.startswith(f"{line['id']} stands at the end of ")
    assert ("A PERSON MUST CONFIRM THE RULES" in said) == (verdict == "valid")
    made, _ = files.make(vectors, may_add=False, construct=False)
    by_id = {known.case.id: known for known in made}
    new = by_id[line["id"]]
    assert (new.case.verdict, new.data.hex()) == (verdict, one["minimal"]["hex"])
    if new.judgement.fault is not None:
        assert by_id[new.case.twin].data.hex() == one["minimal"]["twin"]


def test_reduce_with_no_time_says_what_is_known_and_how_to_go_on(main: Main, out: Path) -> None:
    _, screen, _ = main("--reduce", "--reduce-seconds", "0.001", "--out", str(out))
    [cut] = reduced(out)
    minimal = cut["minimal"]
    assert (cut["effort"]["finished"], cut["cause"]["parts"], minimal["size"]) == (False, [], cut["batch"]["size"])
    [line] = [line for line in screen.splitlines() if "what matters: " in line]
    assert line.startswith("  what matters: time ran out; it may be that ")
    assert f"({minimal['fault']}), done to a batch with {minimal['parts'][0]}, " in line
    assert (
        "time ran out for 1 of these findings before nothing was left to try; 2 kinds of findings were not " in screen
    )
    assert f"to go on: kafka-conformance scale --reduce --reduce-seconds 600 --out {out}" in screen
    page = unescape((out / "summary.html").read_text())
    assert "2 kinds of findings were not reduced at all, for lack of time." in page


def test_index_puts_one_batch_and_tells_why_it_fails(main: Main) -> None:
    asked = ("--seed", "7", "--profile", "hostile", "--index", "3")
    status, screen, _ = main(FORGIVING, *asked)
    assert status == 1
    lines = screen.splitlines()
    assert lines[0] == f"{FORGIVING} accepted what must be refused: a key or a value is longer than its message"
    assert lines[1].startswith("batch 3 of seed 7, profile hostile: ")
    assert lines[2].startswith("cause: a key or a value is longer than its message (")
    assert lines[-1].startswith("kafka-format explain --hex 0000000000000000")
    status, screen, _ = main("reference", *asked)
    assert (status, screen) == (0, "reference, batch 3 of seed 7, profile hostile: passed\n")
