"""What `log verify` shows fits on a screen: counts by rule, the worst first, the first of each."""

from pathlib import Path

from kafka_format.log.verification import Breach
from kafka_tools.logs.verdict_summary import VerdictSummary


def summary(*breaches: tuple[str, str]) -> VerdictSummary:
    found = VerdictSummary()
    for number, (rule, file) in enumerate(breaches):
        found.add(Breach(rule, Path(file), "is wrong", number, number))
    return found


def test_nothing_is_said_once() -> None:
    assert (list(summary().table()), list(summary().examples()), summary().ending()) == ([], [], "no rule is broken")


def test_one_breach_needs_no_table() -> None:
    found = summary(("log.segment.tail", "a"))
    assert list(found.table()) == []
    assert [said[0] for said in found.examples()] == ["a, byte 0, offset 0: is wrong"]
    assert found.ending() == "1 broken rule"


def test_rules_are_counted_those_about_records_first() -> None:
    found = summary(
        *[("log.time-index.last", f"{number}.timeindex") for number in range(1200)], ("v2.crc", "a"), ("v2.crc", "a")
    )
    assert list(found.table()) == [
        "rule                 broken  files",
        "v2.crc                    2      1",
        "log.time-index.last   1,200  1,200",
    ]
    assert [said[1] for said in found.examples()] == [
        "  the first of 2 in 1 file",
        "  the first of 1,200 in 1,200 files",
    ]
    assert found.ending() == "1,202 broken rules; --all lists each"


def test_many_rules_fit_on_two_screens_of_24_lines_and_80_columns() -> None:
    found = summary(*[(f"log.rule-{number}.of-many", f"{number}") for number in range(60)])
    lines = [*found.table(), *(line for said in found.examples() for line in said)]
    assert len(lines) < 48
    assert "48 other rules: 48" in lines
