"""`kafka-conformance log-judge`: readers of log directories put to the vectors."""

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.commands.options import limits
from kafka_conformance.errors import TargetLostError, UsageError
from kafka_conformance.kinds import log_reader
from kafka_conformance.kinds.log_reader import runs, tables
from kafka_conformance.kinds.log_reader.questions import questions
from kafka_conformance.targets import resolve
from kafka_conformance.targets.folders import LOG_READER
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.targets.words import PROGRAM, REFERENCE
from kafka_conformance.text import plural

_SHOWN = 20


@click.command(name="log-judge")
@click.argument("target", required=False)
@click.option("--vectors", "pattern", metavar="TEXT", default="", help="Only vectors with that text in their id.")
@click.option("--report", type=click.Path(path_type=Path), metavar="FILE", help="Write all results as JSON.")
@click.option("--template", is_flag=True, help="Print a reader in Python to copy.")
@limits
def command(
    *, target: str | None, pattern: str, report: Path | None, template: bool, seconds: float, memory: int
) -> int:
    """Run a reader of log directories, a program in any language, against the vectors.

    \b
    kafka-conformance log-judge reference
    kafka-conformance log-judge krabka-log
    kafka-conformance log-judge 'cmd:java -jar my-reader.jar'
    kafka-conformance log-judge --template > reader.py

    The program reads one question per line and writes one answer per line, both as JSON:
    docs/log-readers.md describes them. Exit status 1 if it is wrong about sound files, or crashes
    on damaged ones.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if (target is None) != template:
        raise UsageError("give either TARGET or --template.", "For example: kafka-conformance log-judge reference")
    if target is None:
        click.echo(LOG_READER.read_text(encoding="utf-8"), nl=False)
        return 0
    asked = [question for question in questions() if pattern in question.id]
    if not asked:
        raise UsageError(
            f"no vector has {pattern!r} in its id.", "The vectors are in vectors/log; any part of an id will do."
        )
    shown = track(asked, target, console=Console(stderr=True), transient=True)
    try:
        run = runs.run(target, _command(target), shown, Limits(seconds=seconds, memory=memory << 20))
    except TargetLostError as lost:
        raise UsageError(f"{target} {lost.detail}.", "docs/log-readers.md says what is expected of it.") from None
    return _show(run, report)


def _show(run: runs.LogRun, report: Path | None) -> int:
    console = Console()
    console.print(f"{run.hello.name} {run.hello.version}, {run.hello.language}", markup=False, highlight=False)
    console.print(tables.table(run))
    for line in tables.lines(run, _SHOWN):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if report is not None:
        report.write_text(json.dumps(tables.document(run), indent=1), encoding="utf-8")
    click.echo(plural(len(run.findings), "finding") if run.findings else "no findings")
    return 1 if run.findings else 0


def _command(target: str) -> Command:
    if target == REFERENCE:
        return Command((sys.executable, "-P", "-m", log_reader.__name__))
    reader = resolve.contestant(target)
    if reader.command is None:
        raise UsageError(f"{target} is not ready: {reader.problem}.", resolve.ADVICE)
    if not (reader.kind is TargetKind.LOG_READER or target.startswith(PROGRAM)):
        raise UsageError(f"{target} reads no log directories.", "`kafka-conformance run` asks it for records.")
    return reader.command
