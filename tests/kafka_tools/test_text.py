from itertools import chain

import pytest
from kafka_tools.text import first_few, fold, one_line, plural, printable, size_text


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


def test_a_line_is_folded_between_words_and_indented() -> None:
    line = "  To do: " + "word " * 20 + "log.offset-index.batch " + "x" * 90
    folded = fold(line, 60).split("\n")
    assert folded[0].startswith("  To do: word")
    assert all(part.startswith(" " * 6) for part in folded[1:])
    assert "".join(folded).replace(" ", "") == line.replace(" ", "")
    assert [part.strip() for part in folded if len(part) > 60] == ["x" * 90]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (2095, "2,095 bytes"),
        (132_608, "129.5 KiB"),
        (5 << 40, "5.0 TiB"),
        (1 << 60, "1,048,576.0 TiB"),
    ],
)
def test_sizes_are_written_as_people_do(number: int, expected: str) -> None:
    assert size_text(number) == expected


def test_plurals() -> None:
    assert [plural(1, "batch"), plural(1200, "batch"), plural(0, "record")] == [
        "1 batch",
        "1,200 batches",
        "0 records",
    ]


def test_of_many_things_the_first_are_shown_and_the_others_counted() -> None:
    things = [[f"thing {number}", "  more of it"] for number in range(4)]
    assert list(first_few(things, 2, "box")) == [*things[0], *things[1], "  and 2 more boxes; --all lists each"]
    assert list(first_few(things, 4, "box")) == list(first_few(things, None, "box")) == list(chain(*things))
