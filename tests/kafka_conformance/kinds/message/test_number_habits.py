"""Values that are wrong in one simple way: each is named by the way, and by its field if it is
one."""

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.number_habits import shown_numbers
from kafka_conformance.outcomes import Outcome


def told(*values: tuple[str, str, str]) -> list[tuple[str, int]]:
    """What is said of answers, each a field, the right value and the wrong one, and of how many."""
    results = [
        Result(str(place), "toy", Outcome.WRONG_ANSWER, path=field, expected=right, got=got)
        for place, (field, right, got) in enumerate(values)
    ]
    names = {result.vector: result.path for result in results}
    return [(shown.does, len(shown.vectors)) for shown in shown_numbers(results, names)]


@pytest.mark.parametrize(
    ("right", "got", "does"),
    [
        (
            '"9223372036854775807"',
            '"9223372036854775808"',
            "keeps `x` as floating-point numbers, which lose bits past 2^53",
        ),
        ('"1730888729354"', '"16909066"', "keeps the low 32 bits of `x`"),
        ("300", "44", "keeps the low 8 bits of `x`"),
        ("-1", "65535", "reads `x` without their sign, in 16 bits"),
        (f'"{"0a" * 8}{"0b" * 8}"', f'"{"0b" * 8}{"0a" * 8}"', "exchanges the halves of `x`"),
        (f'"{"00" * 15}ff"', f'"ff{"00" * 15}"', "reads `x` with their bytes the other way round"),
    ],
)
def test_one_value_says_the_way(right: str, got: str, does: str) -> None:
    assert told(("x", right, got)) == [(does, 1)]


def test_several_fields_are_not_named() -> None:
    assert told(("x", "300", "44"), ("y", "301", "45")) == [("keeps the low 8 bits of numbers", 2)]


@pytest.mark.parametrize(
    ("right", "got"),
    [
        ("-32768", "0"),
        ("", ""),
        ("null", "-1"),
        ("true", "1"),
        ("5", "6"),
        ('"name"', '"eman"'),
        ('"zz' + "0" * 30 + '"', '"' + "0" * 30 + 'zz"'),
        ("12", "the end"),
        ("[" * 100_000, "1"),
        ('"' + "9" * 5000 + '"', "1"),
    ],
)
def test_what_says_no_way(right: str, got: str) -> None:
    assert told(("x", right, got)) == []


def test_zeros_say_it_together_with_others() -> None:
    assert told(("x", "-32768", "0"), ("x", "32767", "-1")) == [("keeps the low 8 bits of `x`", 2)]
