"""Counts that add up, from rows that know of every batch; and what a person gets to see of them."""

import io
import json
from collections.abc import Iterable
from dataclasses import replace

import pytest
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale import display, summary
from kafka_conformance.scale.counts import Counts
from kafka_conformance.scale.page import page
from kafka_conformance.scale.plan import Settings
from kafka_conformance.scale.rows import Done, Tally
from kafka_conformance.scale.summary import Summary, Timing
from rich.console import Console

HELLO = Hello("toy", "1", "Python", ("v2",), ("none",), ("offset",), checks_crc=True)
SETTINGS = Settings(("t",), 100, 7, "mixed", 50)
PASSED = Tally("v2", "none", "passed", "", 40, -1)
WRONG = Tally("v2", "gzip", "wrong-answer", "records[*].key", 3, 17)
REFUSED = Tally("v1", "gzip", "refused-valid", "[bold]Error[/bold] \x1b[2J", 7, 60)
UNDECLARED = Tally("v0", "none", "unsupported", "", 10, 2)
ACCEPTED = Tally("v2", "none", "accepted-invalid", "refused, because of r.b", 4, 9, "v2/b", "r.b")
HARMED = Tally("v2", "none", "passed", "", 30, -1, "v2/a", "r.a")
RIGHT = Tally("v2", "lz4", "passed", "", 6, -1, "v2/c", "r.b")
SKIPPED = Tally("v2", "none", "skipped", "", 7, 12, "v2/c", "r.b")
NOT_ASKED = Tally("v2", "none", "unsupported", "", 5, 3, "v2/crc", "r.crc")

TIMING = Timing(2, 3.0, 4.0, 100, 7.0, 1.0, 7.2, 5 << 20, 6 << 20, 7 << 20)


def done(chunk: int, tally: Iterable[Tally], **fields: object) -> Done:
    plain: dict[str, object] = {"problem": "", "notes": (), "cpu_seconds": 2.0, "memory": 1 << 20}
    rest = {"compared": 0, "findings": 0, "kept": 0, "seconds": 1.0, "generation_seconds": 0.5, "host": "h", "pid": 1}
    return Done(target="t", chunk=chunk, start=50 * chunk, count=50, tally=tuple(tally), **{**rest, **plain, **fields})


def summed(*rows: Done, gaps: tuple[str, ...] = (), interrupted: bool = False) -> Summary:
    counts = Counts(SETTINGS)
    for row in rows:
        counts.add(row)
    return Summary(SETTINGS, (counts.of_target("t", HELLO),), gaps, interrupted, TIMING)


def shown(result: Summary) -> str:
    screen = io.StringIO()
    display.show(result, Console(file=screen, width=100), "out")
    return screen.getvalue()


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (summed(done(0, [PASSED, UNDECLARED])), 0),
        (summed(done(0, [PASSED, WRONG])), 1),
        (summed(done(0, [PASSED, WRONG]), gaps=("chunk 1",)), 2),
        (summed(done(0, [PASSED, WRONG]), interrupted=True), 2),
        (summed(done(0, [PASSED, UNDECLARED]), gaps=("chunk 1",)), 2),
        (summed(done(0, [PASSED, UNDECLARED]), interrupted=True), 2),
        (summed(done(0, [PASSED], problem="given up")), 2),
        (summed(done(0, [PASSED, WRONG], problem="given up")), 1),
    ],
)
def test_exit_status(result: Summary, status: int) -> None:
    assert result.status == status


def test_document_is_json_with_every_count() -> None:
    document = json.loads(json.dumps(summary.document(summed(done(0, [PASSED, WRONG]), gaps=("chunk 1",)))))
    assert (document["complete"], document["gaps"], document["settings"]["seed"]) == (False, ["chunk 1"], 7)
    [target] = document["targets"]
    assert target["outcomes"] == {"passed": 40, "wrong-answer": 3}
    assert {"format": "v2", "codec": "gzip", "outcome": "wrong-answer", "batches": 3} in target["cells"]
    assert target["symptoms"][0]["first"] == 17
    assert document["timing"]["rate"] == 25.0
    # At 25 a second, and at 72 ms of processor time each.
    assert document["timing"]["billion_hours"] == pytest.approx(11111.111)
    assert document["timing"]["billion_cpu_hours"] == pytest.approx(20000)


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
    [target] = summary.document(result)["targets"]
    assert {"rule": "r.b", "fault": "v2/b", "outcome": "accepted-invalid", "batches": 4} in target["rules"]
    assert sum(cell["batches"] for cell in target["rules"]) == 45
    text = " ".join(page(result).split())
    assert '<th>r.b</th><td>v2/b</td><td class="number failed">0 of 4</td>' in text.replace("> <", "><")
    assert '<th>r.crc</th><td>v2/crc</td><td class="number empty">' in text.replace("> <", "><")


def test_skipped_batches_are_shown_and_count_as_neither_passed_nor_compared() -> None:
    died = Tally("v2", "none", "hung", "no reply", 5, 11, "v2/c", "r.b")
    skipped, alone = (replace(SKIPPED, codec=codec, rule=rule) for codec, rule in (("none", "r.b"), ("gzip", "r.d")))
    result = summed(done(0, [HARMED, died, skipped]), done(1, [PASSED, alone]))
    [one] = result.targets
    assert (one.compared, one.findings, one.given_up, one.skipped) == (75, 5, 11, {"v2/c": 14})
    text = shown(result)
    lines = {" ".join(line.split()) for line in text.splitlines()}
    assert {"was skipped 14", "r.b 0/5", "r.d skipped", "v2 gzip skipped", "v2 none 70/75"} <= lines
    assert "t: 14 batches were skipped, because others with their fault killed it: v2/c (14)" in text
    shown_page = " ".join(page(result).split())
    assert "14 batches were skipped, because others with their fault killed it: v2/c" in shown_page
    assert '<td class="number failed">0 of 5</td>' in shown_page
    [target] = summary.document(result)["targets"]
    assert {"rule": "r.d", "fault": "v2/c", "outcome": "skipped", "batches": 7} in target["rules"]


@pytest.mark.parametrize("terminal", [True, False])
def test_rules_are_told_apart_on_any_screen(*, terminal: bool) -> None:
    """Folded on a narrow terminal, in one line elsewhere; never cut."""
    rules = [f"legacy.wrapper.inner.offsets.{end}" for end in ("absolute", "relative")]
    tallies = [replace(HARMED, rule=rule, fault=f"v2/{rule}") for rule in rules]
    screen = io.StringIO()
    console = Console(file=screen, width=30, force_terminal=terminal, no_color=True)
    display.show(summed(done(0, [PASSED, *tallies])), console, "out")
    text = screen.getvalue()
    cells = "".join(line.split(" ")[0] for line in text.splitlines())
    assert all(rule in (cells if terminal else text) for rule in rules)
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


def test_progress_elsewhere_than_on_a_terminal_is_a_line_a_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rate counts what this command did, in the time since the job began; time is left at that rate."""
    screen, clock = io.StringIO(), [100.0]
    monkeypatch.setattr(display, "monotonic", lambda: clock[0])
    with display.watching(Console(file=screen, width=100)) as live:
        live.stage("starting Spark")
        live.began(10_000, 2000)
        clock[0] += 2
        live.advanced(500, 0)
        live.advanced(500, 3)
        live.advanced(1, 0)
        clock[0] += 3998
        live.advanced(6999, 0)
    assert screen.getvalue().splitlines() == [
        "starting Spark ...",
        "checking 10,000 batches, 2,000 of them done before",
        "2,500 of 10,000, 250/s, 0:30 left",
        "3,000 of 10,000, 500/s, 0:14 left, 3 findings",
        "10,000 of 10,000, 2/s, 0:00 left, 3 findings",
    ]


def test_progress_on_a_terminal_is_a_bar_that_goes_away() -> None:
    screen = io.StringIO()
    with display.watching(Console(file=screen, width=120, force_terminal=True)) as live:
        live.began(10, 0)
        live.advanced(5, 1)
    assert "5 of 10" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[2K")


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


def test_page_shows_what_the_screen_shows_and_nothing_of_a_target_as_markup() -> None:
    text = page(summed(done(0, [PASSED, WRONG, REFUSED, UNDECLARED], notes=("<script>",)), gaps=("chunk 1: missing",)))
    for told in ("40 of 40", "0 of 3", "0 of 7", "records[*].key", "chunk 1: missing", "20,000.0 hours"):
        assert told in text
    assert "&lt;script&gt;" in text
    assert "<script" not in text
    assert "\x1b" not in text


def test_page_of_a_run_that_had_nothing_left_to_do_has_no_costs() -> None:
    assert "Nothing was left to do." in page(replace(summed(done(0, [PASSED])), timing=Timing()))
