import pytest
from kafka_tools.text import one_line, plural, printable


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
    assert printable(text) == expected


def test_long_text_is_cut_and_says_so() -> None:
    assert printable("x" * 1_005, 5) == "xxxxx... (1,000 more characters)"
    assert printable("xxxxx", 5) == "xxxxx"


def test_cutting_comes_first() -> None:
    assert len(printable("\x00" * 1_000_000)) < 50_000


def test_one_line_is_one_line() -> None:
    assert one_line("  a\n\n b\r\nc ") == r"a b\r c"


def test_plural_is_for_all_numbers_but_one() -> None:
    assert [plural(number, "record") for number in (0, 1, 2)] == ["0 records", "1 record", "2 records"]
