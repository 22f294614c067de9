"""`kafka-conformance run --bench`: how fast targets are."""

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import TargetLostError, UsageError
from kafka_conformance.reports import bench as shown
from kafka_conformance.runs import bench
from kafka_conformance.runs.header import header
from kafka_conformance.targets.contestant import Contestant


def measure(contestants: Sequence[Contestant], limits: Limits, report: Path | None) -> int:
    """Measure the targets, print the table, and write `bench.json` into the report's directory.

    Raises:
        UsageError: no target came up, or the file cannot be written.
    """
    problems: dict[str, str] = {}
    with contextlib.ExitStack() as stack:
        runners = [one for contestant in contestants if (one := _started(contestant, limits, problems))]
        for one in runners:
            stack.callback(one.close)
        if not runners:
            raise UsageError("\n".join(f"{name}: {words}" for name, words in problems.items()))
        works = list(bench.workloads())
        watched = track(works, "measuring", console=Console(stderr=True), transient=True)
        measured = list(bench.measure(runners, watched))
        done = shown.Bench(
            header=header(" ".join(["kafka-conformance", *sys.argv[1:]])),
            yardstick=bench.yardstick([one.name for one in runners]),
            targets={one.name: one.version for one in runners},
            problems=problems,
            measured=measured,
        )
    shown.print_table(done, Console())
    if report is not None:
        _write(done, report)
    return 2 if any(one.command and one.name in problems for one in contestants) else 0


def _started(contestant: Contestant, limits: Limits, problems: dict[str, str]) -> bench.Runner | None:
    """Start a target; None if it does not come up, which joins the problems."""
    if contestant.command is None:
        problems[contestant.name] = f"not ready: {contestant.problem}"
        return None
    try:
        return bench.Runner(contestant.name, contestant.command, limits)
    except TargetLostError as lost:
        problems[contestant.name] = f"did not come up: it {lost.detail}"
        return None


def _write(done: shown.Bench, directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        shown.write(done, directory / "bench.json")
    except OSError as error:
        raise UsageError(f"cannot write to {directory}: {error.strerror}.", "Name another directory.") from None
    click.echo(f"report: {directory / 'bench.json'}")
