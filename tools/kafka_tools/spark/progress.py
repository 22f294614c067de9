"""The progress of a run, for people: what happens now, how fast, and how long it will take."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn


class Watcher(Protocol):
    """Receives the progress of a run."""

    def stage(self, text: str) -> None:
        """A new stage begins."""

    def detail(self, text: str) -> None:
        """How far the stage has come."""

    def began(self, batches: int, done: int) -> None:
        """The job starts, with the number of batches, and of those that an earlier command did."""

    def advance(self, batches: int, findings: int) -> None:
        """More batches are done, with so many findings."""


class Live:
    """A `Watcher` that shows a bar on a terminal; elsewhere a line a stage and a line a tenth."""

    def __init__(self, console: Console, progress: Progress, counted: str) -> None:
        """Use `watching` instead."""
        self._counted = counted
        self._console = console
        self._progress = progress
        self._bar = progress.add_task("", total=None, counts="", pace="")
        self._batches = self._before = self._done = self._findings = self._tenths = 0
        self._began = monotonic()
        self._stage = ""

    def stage(self, text: str) -> None:
        """Show the new stage."""
        self._progress.update(self._bar, description=f"{text} ...")
        self._say(f"{text} ...")
        self._stage = text

    def detail(self, text: str) -> None:
        """Show how far the stage has come, on a terminal only.

        Elsewhere it is no news.
        """
        stage = f"{self._stage}: " if self._stage else ""
        self._progress.update(self._bar, description=stage + text, counts="", pace="")

    def began(self, batches: int, done: int) -> None:
        """Start the bar; what an earlier command did does not count into the rate."""
        self._batches, self._before, self._done, self._began = batches, done, done, monotonic()
        resumed = f", {done:,} of them done before" if done else ""
        self._say(f"checking {batches:,} {self._counted}{resumed}")
        self._progress.update(self._bar, total=batches, description="checking")
        self._show()

    def advance(self, batches: int, findings: int) -> None:
        """Move the bar."""
        self._done += batches
        self._findings += findings
        self._show()
        if self._done * 10 // self._batches > self._tenths:
            self._tenths = self._done * 10 // self._batches
            self._say(f"{self._done:,} of {self._batches:,}, {self._pace()}")

    def _show(self) -> None:
        counts = f"{self._done:,} of {self._batches:,}"
        self._progress.update(self._bar, completed=self._done, counts=counts, pace=self._pace())

    def _pace(self) -> str:
        """The rate since the job began, the time that is left at that rate, and what was found."""
        rate = (self._done - self._before) / max(monotonic() - self._began, 0.001)
        left = f"{rate:,.0f}/s, {_clock((self._batches - self._done) / rate)} left" if rate else ""
        return left + (f", {self._findings:,} findings" if self._findings else "")

    def _say(self, text: str) -> None:
        if not self._console.is_terminal:
            self._console.print(text, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def watching(console: Console, counted: str = "batches") -> Iterator[Live]:
    """Yield a watcher that shows progress on a console; `counted` names what is counted."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[counts]}"),
        TextColumn("{task.fields[pace]}"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Live(console, progress, counted)


def _clock(seconds: float) -> str:
    """A time span as `1:02:03`, or `2:03`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
