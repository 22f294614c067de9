import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports.safe_text import label, one_line, rerun, sentence, shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("nul \x00", r"nul \x00"),
        ("half \ud800", r"half \ud800"),
        ("turned \u202e", r"turned \u202e"),
        ("bell \x07, tab \t, return \r", r"bell \x07, tab \t, return \r"),
        ("forbidden in XML \ufffe", r"forbidden in XML \ufffe"),
        ("Größe 数 ✓", "Größe 数 ✓"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_what_cannot_be_printed_is_escaped(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_long_text_is_cut_and_says_so() -> None:
    assert shown("x" * 1_005, 5) == "xxxxx... (1,000 more characters)"
    assert shown("xxxxx", 5) == "xxxxx"


def test_cutting_comes_first() -> None:
    assert len(shown("\x00" * 1_000_000)) < 50_000


def test_one_line_is_one_line() -> None:
    assert one_line("  a\n\n b\r\nc ") == r"a b\r c"


def result(**fields: object) -> Result:
    return Result(**{"vector": "v2/a/b", "target": "t", "outcome": Outcome.CRASHED, **fields})


def test_sentence_of_a_wrong_answer_names_the_field() -> None:
    wrong = result(outcome=Outcome.WRONG_ANSWER, path="records[0].key", expected="null", got="empty", detail="long")
    assert sentence(wrong) == "gave a wrong answer: records[0].key: expected null, got empty"


def test_sentence_of_a_crash_tells_how() -> None:
    assert sentence(result(detail="was killed by SIGSEGV")) == "crashed: was killed by SIGSEGV"
    assert sentence(result()) == "crashed"


def test_rerun_survives_a_shell() -> None:
    asked = result(target="cmd:./decode 'x'; rm", vector="v2/a b")
    assert rerun(asked) == """kafka-conformance run 'cmd:./decode '"'"'x'"'"'; rm' --vectors 'v2/a b'"""


def test_label_names_the_direction_unless_it_is_decoding() -> None:
    assert label(result()) == "v2/a/b"
    assert label(result(direction=Direction.ENCODE)) == "v2/a/b (encode)"
