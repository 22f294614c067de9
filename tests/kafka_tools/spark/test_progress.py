"""What a person sees while a run lasts."""

import io

import pytest
from kafka_tools.spark import progress
from rich.console import Console


def test_progress_elsewhere_than_on_a_terminal_is_a_line_a_tenth(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rate counts what this command did, in the time since the job began; time is left at that
    rate."""
    screen, clock = io.StringIO(), [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])
    with progress.watching(Console(file=screen, width=100)) as live:
        live.stage("starting Spark")
        live.began(10_000, 2000)
        clock[0] += 2
        live.advance(500, 0)
        live.advance(500, 3)
        live.advance(1, 0)
        clock[0] += 3998
        live.advance(6999, 0)
    assert screen.getvalue().splitlines() == [
        "starting Spark ...",
        "checking 10,000 batches, 2,000 of them done before",
        "2,500 of 10,000, 250/s, 0:30 left",
        "3,000 of 10,000, 500/s, 0:14 left, 3 findings",
        "10,000 of 10,000, 2/s, 0:00 left, 3 findings",
    ]


def test_progress_on_a_terminal_is_a_bar_that_goes_away() -> None:
    screen = io.StringIO()
    with progress.watching(Console(file=screen, width=120, force_terminal=True)) as live:
        live.began(10, 0)
        live.advance(5, 1)
    assert "5 of 10" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[2K")
