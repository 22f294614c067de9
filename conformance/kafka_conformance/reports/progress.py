"""Progress of a run on standard error: a bar for each target, or a line a minute in a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Lock
from time import monotonic
from typing import Final

from kafka_tools.text import plural
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from kafka_conformance.judging.result import Result
from kafka_conformance.run.target_run import RunEvents

_LINE_SECONDS: Final = 60.0
"""Seconds between two lines of a log. Most runs are over before the first one."""


@contextmanager
def progress_of(targets: Sequence[str]) -> Iterator[RunEvents]:
    """Show how far each target is during the block; yield what a run tells.

    A terminal gets bars. A file or a pipe, such as the log of a build, gets a line a minute.

    Args:
        targets: the names of the targets that are ready.
    """
    console = Console(stderr=True)
    totals = dict.fromkeys(targets, 0)
    with (_bars if console.is_terminal else _lines)(console, totals) as show:
        counts, findings = dict.fromkeys(totals, 0), dict.fromkeys(totals, 0)
        lock = Lock()

        def on_result(result: Result) -> None:
            with lock:  # targets run side by side
                counts[result.target] += 1
                findings[result.target] += result.is_finding
                show(result.target, counts, findings)

        def on_due(target: str, count: int) -> None:
            with lock:
                totals[target] = count
                show(target, counts, findings)

        yield RunEvents(on_due, on_result)


_Show = Callable[[str, dict[str, int], dict[str, int]], None]
"""Shows that a target has one more result; given all counts of results and of findings."""


@contextmanager
def _bars(console: Console, totals: Mapping[str, int]) -> Iterator[_Show]:
    plain = partial(TextColumn, markup=False)
    columns = (plain("{task.description}"), BarColumn(), MofNCompleteColumn(), plain("{task.fields[findings]}"))
    with Progress(*columns, console=console, transient=True) as progress:
        bars = {name: progress.add_task(name, total=None, findings="") for name in totals}

        def show(target: str, counts: dict[str, int], findings: dict[str, int]) -> None:
            text = plural(findings[target], "finding") if findings[target] else ""
            progress.update(bars[target], completed=counts[target], total=totals[target], findings=text)

        yield show


@contextmanager
def _lines(console: Console, totals: Mapping[str, int]) -> Iterator[_Show]:
    written = monotonic()

    def show(_: str, counts: dict[str, int], findings: dict[str, int]) -> None:
        nonlocal written
        now = monotonic()
        if now - written < _LINE_SECONDS:
            return
        written = now
        done = sum(0 < total <= counts[name] for name, total in totals.items())
        running = [
            f"{name} {counts[name]:,} of {total:,}" for name, total in totals.items() if 0 < counts[name] < total
        ]
        total = plural(sum(findings.values()), "finding")
        line = f"{done} of {plural(len(totals), 'target')} done, {total} so far; now {', '.join(running) or 'the next'}"
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    yield show
