"""`kafka-conformance run`: vectors against targets."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kafka_conformance.commands.options import limits, selection
from kafka_conformance.errors import UsageError

if TYPE_CHECKING:
    from kafka_conformance.outcomes import Result, Run
    from kafka_conformance.runner import Contestant, Options
    from kafka_conformance.vectors import Vector


@click.command(name="run")
@click.argument("targets", metavar="TARGET...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every known target; the ones that are not ready are shown as such.")
@selection
@click.option("--report", metavar="DIR", type=click.Path(path_type=Path), help="Write the report there.")
@click.option("--known-failures", metavar="FILE", type=click.Path(path_type=Path), help="Findings that are expected.")
@click.option("--direction", type=click.Choice(["decode", "encode"]), help="Only decode, or only encode.")
@click.option("--jobs", metavar="N", type=click.IntRange(1), default=1, show_default=True, help="Targets at a time.")
@limits
def command(
    *,
    targets: tuple[str, ...],
    every: bool,
    patterns: tuple[str, ...],
    rule: str | None,
    verdict: str | None,
    report: Path | None,
    known_failures: Path | None,
    direction: str | None,
    jobs: int,
    seconds: float,
    memory: int,
) -> int:
    """Put the golden vectors to one or more targets, print what came of it, and write a report.

    \b
    kafka-conformance run reference
    kafka-conformance run python:my_module:decode --vectors 'v2/*'
    kafka-conformance run aiokafka kafka-clients@3.9.2 --report out/

    A known-failures file has lines `TARGET VECTOR OUTCOME  # why`; a line that no finding answers to is reported.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    from kafka_conformance import known, runner, vectors  # noqa: PLC0415
    from kafka_conformance.launch import Limits  # noqa: PLC0415
    from kafka_conformance.outcomes import Direction  # noqa: PLC0415

    options = runner.Options(
        limits=Limits(seconds=seconds, memory=memory << 20),
        jobs=jobs,
        directions=frozenset({Direction(direction)} if direction else Direction),
        known=known.load(known_failures) if known_failures else known.KnownFailures(),
        command=" ".join(["kafka-conformance", *sys.argv[1:]]),
    )
    contestants = _contestants(targets, every=every)
    chosen = vectors.choose(patterns=patterns, rule=rule or "", verdict=verdict or "")
    done = _run(contestants, chosen, options)
    if not any(target.hello for target in done.targets):
        problems = [f"{target.name} {target.standing.words}: {target.problem.rstrip('.')}." for target in done.targets]
        raise UsageError("\n".join(problems), _next_step(done))
    _show(done, report)
    return status(done)


def _next_step(run: "Run") -> str:
    """Say what to do about targets none of which came up."""
    if any(target.standing == "not-ready" for target in run.targets):
        return "`kafka-conformance targets` says what they need, and `targets --install NAME` installs it."
    return f"`kafka-conformance smoke {run.targets[0].name!r}` looks at the adapter step by step."


def status(run: "Run") -> int:
    """The exit status of a run: 1 for what is not as expected, 2 if nothing could be run or the set-up is broken.

    A target that is not ready fails nothing as long as another one ran.
    """
    if run.findings or run.unused_known:
        return 1
    started = [target for target in run.targets if target.hello is not None]
    broken = any(target.standing.is_broken for target in run.targets)
    return 2 if not started or broken or run.footer.interrupted else 0


def _contestants(targets: tuple[str, ...], *, every: bool) -> list["Contestant"]:
    from kafka_conformance.targets import manifest, resolve  # noqa: PLC0415

    names = list(dict.fromkeys([*targets, *([resolve.REFERENCE, *manifest.known()] if every else [])]))
    if not names:
        raise UsageError("name a target, or --all.", "For example: kafka-conformance run reference")
    return [resolve.contestant(name) for name in names]


def _run(contestants: list["Contestant"], vectors: tuple["Vector", ...], options: "Options") -> "Run":
    """Run with a progress bar on standard error; on anything but a terminal rich shows none."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    from kafka_conformance import runner  # noqa: PLC0415

    plain = partial(TextColumn, markup=False)
    columns = (plain("{task.description}"), BarColumn(), MofNCompleteColumn(), plain("{task.fields[found]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bars = {one.name: progress.add_task(one.name, total=len(vectors), found="") for one in contestants}
        findings = dict.fromkeys(bars, 0)

        def on_result(result: "Result") -> None:
            if result.direction == "encode":
                return
            findings[result.target] += result.is_finding
            found = findings[result.target]
            progress.update(bars[result.target], advance=1, found=f"{found} findings" if found else "")

        return runner.run(contestants, vectors, options, on_result)


def _show(run: "Run", report: Path | None) -> None:
    from rich.console import Console  # noqa: PLC0415

    from kafka_conformance import reports  # noqa: PLC0415
    from kafka_conformance.reports import terminal  # noqa: PLC0415

    terminal.print_report(run, Console())
    if report is not None:
        reports.write(run, report)
        click.echo(f"report: {report}")
