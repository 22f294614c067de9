"""What a person sees of a run on the terminal."""

import io
from dataclasses import replace

import pytest
from kafka_conformance.scale.report import terminal
from kafka_conformance.scale.report.page import page
from kafka_conformance.scale.results import summary_json
from kafka_conformance.scale.results.rows import TallyRow
from rich.console import Console

from tests.kafka_conformance.scale.summaries import (
    ACCEPTED,
    HARMED,
    NOT_ASKED,
    PASSED,
    REFUSED,
    RIGHT,
    SKIPPED,
    TIMING,
    UNDECLARED,
    WRONG,
    done,
    shown,
    summed,
)


def test_screen_has_counts_by_format_codec_and_outcome() -> None:
    lines = [" ".join(line.split()) for line in shown(summed(done(0, [PASSED, WRONG, UNDECLARED]))).splitlines()]
    assert {"format codec t", "v0 none gap", "v2 gzip 0/3", "v2 none 40/40"} <= set(lines)
    assert {"passed 40", "gave a wrong answer 3", "does not support it 10"} <= set(lines)
    assert "3 gave a wrong answer: records[*].key [v2; gzip; first index 17]" in lines
    assert lines[-1] == "t (toy 1, Python): 43 batches compared, 3 findings"


def test_batches_with_faults_are_counted_by_rule() -> None:
    result = summed(done(0, [PASSED, HARMED, ACCEPTED, RIGHT, NOT_ASKED]))
    lines = [" ".join(line.split()) for line in shown(result).splitlines()]
    assert {"rule t", "r.a 30/30", "r.b 6/10", "r.crc gap"} <= set(lines)
    assert "4 accepted what must be refused: refused, because of r.b [v2; none; first index 9; v2/b]" in lines
    [target] = summary_json.document(result)["targets"]
    assert {"rule": "r.b", "fault": "v2/b", "outcome": "accepted-invalid", "batches": 4} in target["rules"]
    assert sum(cell["batches"] for cell in target["rules"]) == 45
    text = " ".join(page(result).split())
    assert '<th>r.b</th><td>v2/b</td><td class="number failed">0 of 4</td>' in text.replace("> <", "><")
    assert '<th>r.crc</th><td>v2/crc</td><td class="number empty">' in text.replace("> <", "><")


def test_skipped_batches_are_shown_and_count_as_neither_passed_nor_compared() -> None:
    died = TallyRow("v2", "none", "hung", "no reply", 5, 11, "v2/c", "r.b")
    skipped, alone = (replace(SKIPPED, codec=codec, rule=rule) for codec, rule in (("none", "r.b"), ("gzip", "r.d")))
    result = summed(done(0, [HARMED, died, skipped]), done(1, [PASSED, alone]))
    [confirmation] = result.targets
    assert (confirmation.compared, confirmation.findings, confirmation.given_up, confirmation.skipped) == (
        75,
        5,
        11,
        {"v2/c": 14},
    )
    text = shown(result)
    lines = {" ".join(line.split()) for line in text.splitlines()}
    assert {"was skipped 14", "r.b 0/5", "r.d skipped", "v2 gzip skipped", "v2 none 70/75"} <= lines
    assert "t: 14 batches were skipped, because others with their fault killed it: v2/c (14)" in text
    shown_page = " ".join(page(result).split())
    assert "14 batches were skipped, because others with their fault killed it: v2/c" in shown_page
    assert '<td class="number failed">0 of 5</td>' in shown_page
    [target] = summary_json.document(result)["targets"]
    assert {"rule": "r.d", "fault": "v2/c", "outcome": "skipped", "batches": 7} in target["rules"]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_rules_are_told_apart_on_any_screen(*, is_terminal: bool) -> None:
    """Folded on a narrow terminal, in one line elsewhere; never cut."""
    rules = [f"legacy.wrapper.inner.offsets.{end}" for end in ("absolute", "relative")]
    tallies = [replace(HARMED, rule=rule, fault=f"v2/{rule}") for rule in rules]
    screen = io.StringIO()
    console = Console(file=screen, width=30, force_terminal=is_terminal, no_color=True)
    terminal.show(summed(done(0, [PASSED, *tallies])), console, "out")
    text = screen.getvalue()
    cells = "".join(line.split(" ")[0] for line in text.splitlines())
    assert all(rule in (cells if is_terminal else text) for rule in rules)
    assert "…" not in text


def test_without_faults_there_is_no_word_of_rules() -> None:
    assert "rule" not in shown(summed(done(0, [PASSED, WRONG])))
    assert 'id="rules"' not in page(summed(done(0, [PASSED, WRONG])))


def test_what_a_target_says_cannot_paint_the_screen() -> None:
    text = shown(summed(done(0, [REFUSED], notes=("\x1b[2J note [red]",), problem="\x1b]0; gone [/x]")))
    assert "\x1b" not in text
    assert "[bold]Error[/bold] \\x1b[2J" in text
    assert "\\x1b[2J note [red]" in text
    assert "43 batches were not put: \\x1b]0; gone [/x]" in text


def test_lost_chunks_are_loud_and_an_interruption_says_how_to_go_on() -> None:
    assert "BROKEN RUN: chunk 1 of t: missing" in shown(summed(done(0, [PASSED]), gaps=("chunk 1 of t: missing",)))
    text = shown(summed(done(0, [PASSED]), gaps=("chunk 1 of t: missing",), interrupted=True))
    assert "--resume goes on" in text
    assert "BROKEN" not in text


def test_cost_is_shown_with_what_a_billion_batches_would_take() -> None:
    text = shown(summed(done(0, [PASSED])))
    assert "7.2 s of processor time in workers and targets" in text
    assert "a worker 5 MiB, Spark 7 MiB, this command 6 MiB" in text
    told = "A billion such batches: 11,111.1 hours on these cores, 20,000.0 hours of processor time"
    assert f"{told} (at most: " in text
    long = replace(TIMING, cores=1, seconds=40.0, batches=1000, cpu_seconds=72.0)
    text = shown(replace(summed(done(0, [PASSED])), timing=long))
    assert f"{told}\n" in text
    assert "1,000 batches in 40.0 s, 25 a second on 1 core; Spark" in text
