import io
import re
import shlex
from dataclasses import replace

import pytest
from kafka_conformance.reports import summary
from kafka_conformance.reports.summary import Tally
from kafka_conformance.reports.terminal import cell, print_report
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Standing, Target
from rich.console import Console

from tests.kafka_conformance.reports import runs

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def printed(run: Run, width: int = 100, *, terminal: bool = False, rules: bool = False) -> str:
    file = io.StringIO()
    colours = "standard" if terminal else None
    print_report(run, Console(file=file, width=width, force_terminal=terminal, color_system=colours), rules=rules)
    return file.getvalue()


def test_every_rule_has_a_row_if_rules_are_asked_for() -> None:
    assert "v2.offset " not in printed(runs.RUN)
    text = printed(runs.RUN, rules=True)
    for rule, row in summary.by_rule(runs.RUN).items():
        assert re.search(rf"^{re.escape(rule)} .*{cell(row['careless'])}", text, re.MULTILINE), rule


def test_cells_tell_gaps_and_known_failures_without_colour() -> None:
    assert cell(Tally(passed=2, findings=1)) == "2/3"
    assert cell(Tally(passed=2, known=1)) == "2/3*"
    assert cell(Tally(gaps=3)) == "gap"
    assert cell(Tally()) == "-"


def test_causes_are_a_line_each_and_whole_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kafka_conformance.reports.terminal.CAUSES_A_GROUP", {"met": 1, "damage": 1, "crafted": 1})
    lines = printed(runs.diagnosed(), width=40).splitlines()
    bugs = "2 bugs that users meet, 1 only with crafted bytes, 5 findings that no cause explains"
    assert f"careless (careless-kafka 0.0.1, Rust): {bugs}" in lines
    assert "      1  adds nothing to the base timestamp" in lines
    said = "gave a wrong answer: records[1].timestamp: expected 1700000000007, got 7"
    assert f"         v2/plain/two-records: {said}; like o/r#1" in lines
    assert "         and 1 more, all in the report (--report DIR)" in lines
    assert "  no cause explains 5 findings" in lines


def test_targets_come_by_what_users_meet() -> None:
    rows = [line.split() for line in printed(runs.diagnosed()).splitlines() if line.endswith("%")]
    assert rows == [["sound", *"00000", "100.0", "%"], ["careless", *"20105", "0.0", "%"]]


def test_bytes_of_a_disagreement_are_shown_and_marked() -> None:
    text = printed(runs.RUN)
    (line,) = [line for line in text.splitlines() if line.startswith(">") and "timestamp_delta" in line]
    assert re.fullmatch(r">\s+81  0e\s+records\[1\]\.timestamp_delta\s+7", line)
    assert "Again: kafka-conformance run careless --vectors v2/plain/two-records" in text


def test_without_a_terminal_there_are_no_escapes_and_no_frames() -> None:
    text = printed(runs.RUN)
    assert "\x1b" not in text
    assert not set("─│┃━╭") & set(text)


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_lines_fit_the_terminal(width: int) -> None:
    lines = ESCAPE.sub("", printed(runs.RUN, width, terminal=True)).splitlines()
    again = [line for line in lines if line.startswith("Again: ")]
    assert max(len(line) for line in lines if line not in again) <= width
    assert len(again) == 1
    assert all(line.endswith(shlex.quote(runs.RUN.findings[0].vector)) for line in again)  # to be copied whole


def test_targets_that_do_not_fit_beside_one_another_come_in_turn() -> None:
    names = [f"target-number-{number}" for number in range(12)]
    targets = tuple(replace(runs.SOUND, name=name) for name in names)
    results = tuple(replace(result, target=name) for name in names for result in runs.SOUND_RESULTS)
    text = printed(replace(runs.RUN, targets=targets, results=results), width=80, rules=True)
    headers = [line.split()[1:] for line in text.splitlines() if line.startswith("rule ")]
    assert len(headers) > 1
    assert [name for header in headers for name in header] == names


@pytest.mark.parametrize("terminal", [True, False])
def test_hostile_texts_do_not_steer_the_terminal(terminal: bool) -> None:
    text = ESCAPE.sub("", printed(runs.hostile(), terminal=terminal))
    assert all(character.isprintable() or character == "\n" for character in text)
    assert "[bold]" in text.replace("\n", "")


def test_output_that_cannot_say_more_than_ascii() -> None:
    raw = io.BytesIO()
    target = replace(runs.MISSING, name="größer", problem="it said 数")
    console = Console(file=io.TextIOWrapper(raw, encoding="ascii", write_through=True), width=60)
    print_report(replace(runs.RUN, targets=(*runs.RUN.targets, target)), console)
    assert rb"gr\xf6\xdfer: did not come up" in raw.getvalue()


def test_problems_notes_and_unused_lines_are_told() -> None:
    text = printed(runs.RUN)
    assert "missing: did not come up\n  it exited with status 3" in text
    assert "it crashed once" in text
    assert "Known failure that is not true: known.yaml: failures[0]: stale: v2/old/one" in text


def test_what_was_not_asked_is_told_with_the_reason() -> None:
    text = printed(runs.not_asked(), 200)
    assert "2 questions not asked, for it hung or died too often:" in text
    assert f"2 {runs.HUNG_THREE_TIMES}" in text
    assert re.search(r"^was not asked +0 +2", printed(runs.not_asked(), 200, rules=True), re.MULTILINE)
    assert "questions not asked" not in printed(runs.RUN)


def test_what_changed_is_told() -> None:
    text = printed(runs.RUN, width=200)
    for line in (
        "Since the run of 2025-12-01T03:04:05+00:00 (suite 0.0.9): 1 broke, 2 new, 1 fixed.",
        "sound was 1.2.2 and is 1.2.3.",
        "Not compared, only in the earlier run: retired.",
        "Broke: right before, wrong now: 1",
        "  careless v2/gzip/two-records: passed before, hung now",
        "New: not asked before: 1",
        "1 case that came or went and that nobody gets wrong are not listed.",
        "  sound v2/empty/nothing (encode): flaky before, passed now",
    ):
        assert line in text.splitlines(), line


def test_last_line_is_what_came_of_it() -> None:
    assert printed(runs.RUN).splitlines()[-1] == summary.closing(runs.RUN)


def test_interrupted_run_says_so() -> None:
    assert "Interrupted" in printed(replace(runs.RUN, footer=replace(runs.RUN.footer, interrupted=True)))


def test_run_without_targets_or_results_is_printed() -> None:
    nobody = replace(runs.RUN, targets=(), results=(), vectors=())
    assert printed(nobody).splitlines()[-1] == "0 vectors, 0 targets, 60.0 s: no findings."
    silent = replace(runs.RUN, targets=(Target("silent", None, Standing.STOPPED),), results=())
    assert "silent: stopped" in printed(silent)
