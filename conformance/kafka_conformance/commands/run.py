"""`kafka-conformance run`: vectors against targets."""

import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kafka_conformance.commands import known_failures as known_files
from kafka_conformance.commands.options import Whole, limits, selection
from kafka_conformance.errors import UsageError

if TYPE_CHECKING:
    from kafka_conformance.judging.result import Result
    from kafka_conformance.reports.json_report import Report
    from kafka_conformance.runs.run import Run
    from kafka_conformance.runs.runner import Options
    from kafka_conformance.targets.contestant import Contestant
    from kafka_conformance.vectors.golden import Vector

_FILE = click.Path(path_type=Path)


@click.command(name="run")
@click.argument("targets", metavar="TARGET...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every known target; those not ready are shown as such.")
@click.option("--ready", is_flag=True, help="Every target that is ready, in every version.")
@selection
@click.option("--report", metavar="DIR", type=_FILE, help="Write the report there.")
@click.option(
    "--known-failures", metavar="FILE", type=_FILE, multiple=True, help="Findings of a target that are expected."
)
@click.option("--update-known-failures", "update", is_flag=True, help="Update that file with the results of this run.")
@click.option("--compare", metavar="OLD.json", type=_FILE, help="Say what changed since an earlier report.json.")
@click.option("--direction", type=click.Choice(["decode", "encode"]), help="Only decode, or only encode.")
@click.option("--jobs", metavar="N", type=Whole(1), help="Targets run at once [default: all processors].")
@click.option("--bench", is_flag=True, help="Measure the speed of the targets instead of checking them.")
@limits
def command(
    *,
    targets: tuple[str, ...],
    every: bool,
    ready: bool,
    patterns: tuple[str, ...],
    rule: str | None,
    verdict: str | None,
    report: Path | None,
    known_failures: tuple[Path, ...],
    update: bool,
    compare: Path | None,
    direction: str | None,
    jobs: int | None,
    bench: bool,
    seconds: float,
    memory: int,
) -> int:
    """Run one or more targets against the golden vectors, print the results, and write a report.

    \b
    kafka-conformance run reference
    kafka-conformance run python:my_module:decode --vectors 'v2/*'
    kafka-conformance run aiokafka kafka-clients@3.9.2 --report out/
    kafka-conformance run my-target --known-failures known.yaml --update-known-failures
    kafka-conformance run --ready --compare last/report.json

    With --known-failures, findings listed in the file do not fail the run, and entries that are not true do. With
    --compare, only what got worse fails. The page docs/reports.md has the rest.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    from kafka_conformance.child.launch import Limits  # noqa: PLC0415
    from kafka_conformance.child.resources import collect_seldom  # noqa: PLC0415
    from kafka_conformance.protocol.hello import Direction  # noqa: PLC0415
    from kafka_conformance.runs import runner  # noqa: PLC0415
    from kafka_conformance.vectors import golden  # noqa: PLC0415

    collect_seldom()
    contestants = _contestants(targets, every=every, ready=ready)
    limited = Limits(seconds=seconds, memory=memory << 20)
    if bench:
        from kafka_conformance.commands.bench import measure  # noqa: PLC0415

        return measure(contestants, limited, report)
    files = known_files.read(known_failures, contestants, update=update)
    old = _old(compare)
    options = runner.Options(
        limits=limited,
        jobs=jobs or os.cpu_count() or 1,
        directions=frozenset({Direction(direction)} if direction else Direction),
        known=known_files.merged(files),
        whole=not (patterns or rule or verdict),
        command=" ".join(["kafka-conformance", *sys.argv[1:]]),
    )
    chosen = golden.choose(patterns=patterns, rule=rule or "", verdict=verdict or "")
    done = _compared(_run(contestants, chosen, options), old, whole=options.whole and not direction)
    if not any(target.hello for target in done.targets):
        problems = [f"{target.name} {target.standing.words}: {target.problem.rstrip('.')}." for target in done.targets]
        raise UsageError("\n".join(problems), _next_step(done))
    _show(done, report)
    if update:
        return known_files.update(files[0], done, whole=options.whole and not direction)
    return status(done)


def _next_step(run: "Run") -> str:
    """Say what to do about targets none of which came up."""
    if any(target.standing == "not-ready" for target in run.targets):
        return "`kafka-conformance targets` says what they need, and `targets --install NAME` installs it."
    return f"`kafka-conformance smoke {run.targets[0].name!r}` looks at the adapter step by step."


def status(run: "Run") -> int:
    """The exit status of a run: 1 for what is not as expected, 2 if nothing could be run or the set-up is broken.

    What is expected is what the known-failures files say; where an earlier run is named, what that one came to. A
    target that is not ready fails nothing as long as another one ran.
    """
    unexpected = bool(run.findings) if run.comparison is None else run.comparison.is_worse
    unsteady = any(target.standing == "unsteady" for target in run.targets)
    if unexpected or unsteady or run.known_problems:
        return 1
    started = [target for target in run.targets if target.hello is not None]
    broken = any(target.standing.is_broken for target in run.targets)
    return 2 if not started or broken or run.footer.interrupted else 0


def _contestants(targets: tuple[str, ...], *, every: bool, ready: bool) -> list["Contestant"]:
    from kafka_conformance.targets import manifest, resolve  # noqa: PLC0415

    known = [resolve.REFERENCE, *manifest.known()] if every else []
    names = list(dict.fromkeys([*targets, *known, *(resolve.ready() if ready else [])]))
    if not names:
        raise UsageError("name a target, or --all or --ready.", "For example: kafka-conformance run reference")
    return [resolve.contestant(name) for name in names]


def _old(file: Path | None) -> "Report | None":
    """Read the report of the earlier run before this one writes over it."""
    if file is None:
        return None
    from kafka_conformance.reports import json_report  # noqa: PLC0415

    return json_report.load(file)


def _compared(run: "Run", old: "Report | None", *, whole: bool) -> "Run":
    if old is None:
        return run
    from kafka_conformance.reports import json_report  # noqa: PLC0415
    from kafka_conformance.runs.comparison import Side, compare  # noqa: PLC0415

    now = Side(run.header.started, run.header.suite_version, run.targets, run.results)
    return replace(run, comparison=compare(json_report.side(old), now, whole=whole))


def _run(contestants: list["Contestant"], vectors: tuple["Vector", ...], options: "Options") -> "Run":
    """Run with a progress bar on standard error; on anything but a terminal rich shows none."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    from kafka_conformance.runs import runner  # noqa: PLC0415

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

    from kafka_conformance.reports import folder, terminal  # noqa: PLC0415

    terminal.print_report(run, Console())
    if report is not None:
        folder.write(run, report)
        click.echo(f"report: {report}")
