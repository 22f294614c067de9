from pathlib import Path

import pytest
from kafka_conformance import known
from kafka_conformance.errors import UsageError
from kafka_conformance.outcomes import Outcome, Result


def test_file_is_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text(
        "# a remark\n\naiokafka*  mixed/*  refused-valid  # magic of the first batch\nx y *\n", encoding="utf-8"
    )
    first, second = known.load(file).failures
    assert (first.target, first.vector, first.outcome) == ("aiokafka*", "mixed/*", "refused-valid")
    assert (first.reason, second.reason) == ("magic of the first batch", "known")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("aiokafka mixed/*", r"known\.txt:2: expected `TARGET VECTOR OUTCOME  # why`"),
        ("aiokafka mixed/* refused-valid because", r"known\.txt:2: expected"),
        ("aiokafka mixed/* exploded", r"known\.txt:2: 'exploded' is no outcome\. Outcomes: passed, wrong-answer"),
    ],
)
def test_bad_line_is_named(tmp_path: Path, line: str, words: str) -> None:
    file = tmp_path / "known.txt"
    file.write_text(f"# remark\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        known.load(file)


def test_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        known.load(tmp_path / "none.txt")


@pytest.mark.parametrize(
    ("outcome", "marked"),
    [(Outcome.REFUSED_VALID, True), (Outcome.CRASHED, False), (Outcome.PASSED, False), (Outcome.UNSUPPORTED, False)],
)
def test_only_the_foreseen_kind_of_finding_is_marked(tmp_path: Path, outcome: Outcome, *, marked: bool) -> None:
    file = tmp_path / "known.txt"
    file.write_text("t v refused-* # why\n", encoding="utf-8")
    result = known.load(file).mark(Result("v", "t", outcome))
    assert result.known == ("why" if marked else "")
