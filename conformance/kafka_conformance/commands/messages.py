"""`kafka-conformance messages`: the vectors of the protocol against targets."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from kafka_tools.commands.options import Whole
from kafka_tools.system.resources import collect_seldom
from rich.console import Console

from kafka_conformance.child.launch import Limits
from kafka_conformance.commands.options import ReportOptions, limits, reporting
from kafka_conformance.errors import UsageError
from kafka_conformance.kinds.message.questions import MessageQuestion
from kafka_conformance.reports import drawn_messages, folder, json_report, terminal
from kafka_conformance.reports.progress import progress_of
from kafka_conformance.run import generated_messages, known_failures_update, message_runner, messages
from kafka_conformance.run import known_failures as known_files
from kafka_conformance.run.exit_status import check_came_up, check_tested, exit_status
from kafka_conformance.run.messages import MessageRun
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.targets import resolve
from kafka_conformance.vectors import golden, protocol


@click.command(name="messages")
@click.argument("targets", metavar="TARGET...", nargs=-1)
@click.option("--ready", is_flag=True, help="Every target that is ready and reads messages, in every version.")
@click.option(
    "--vectors", "patterns", metavar="PATTERN", multiple=True, help="Only vectors whose id matches this shell pattern."
)
@click.option("--api", "apis", metavar="NAME", multiple=True, help="Only these APIs, for example fetch.")
@reporting
@click.option("--generated", metavar="N", type=Whole(1), help="Use N generated messages instead of the vectors.")
@click.option(
    "--profile",
    type=click.Choice(list(generated_messages.PROFILES)),
    default="requests",
    show_default=True,
    help="What to generate.",
)
@click.option("--seed", metavar="S", type=Whole(0), default=1, show_default=True, help="Seed of the sampler.")
@click.option(
    "--start",
    metavar="I",
    type=Whole(0),
    default=0,
    show_default=True,
    help="Index of the first message of the sampler.",
)
@limits
def command(
    *,
    targets: tuple[str, ...],
    ready: bool,
    patterns: tuple[str, ...],
    apis: tuple[str, ...],
    reporting: ReportOptions,
    generated: int | None,
    profile: str,
    seed: int,
    start: int,
    seconds: float,
    memory: int,
) -> int:
    """Run targets against the vectors of requests and responses, in every version.

    \b
    kafka-conformance messages reference --api fetch
    kafka-conformance messages kio --vectors 'metadata-*/typical'
    kafka-conformance messages 'cmd:./my-adapter' --report out/
    kafka-conformance messages 'cmd:./my-adapter' --generated 1000000 --profile responses

    Reports, known failures and comparisons are those of `run`. With --generated, targets read
    random requests or responses of every API and version. The message of seed S and index I is
    the same on every machine.

    Exit status 1 if a target disagrees with a vector.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    collect_seldom()
    contestants = resolve.contestants(targets, ready=ready, messages=True)
    limited = Limits(seconds=seconds, memory=memory << 20)
    if generated is not None:
        if patterns or apis or reporting.known_failures or reporting.update or reporting.compare:
            words = "--vectors, --api, --known-failures and --compare are about vectors; --generated takes none."
            raise UsageError(words, "Leave them out.")
        runs = [
            generated_messages.run(contestant, profile, limited, seed=seed, start=start, count=generated)
            for contestant in contestants
        ]
        return _print(runs, reporting.report)
    asked = _choose_questions(patterns, apis)
    names = [contestant.name for contestant in contestants]
    files = known_files.load_all(reporting.known_failures, names, update=reporting.update)
    options = RunOptions(
        limits=limited,
        jobs=reporting.jobs or os.cpu_count() or 1,
        known=known_files.merge(files),
        earlier=json_report.side(json_report.load(reporting.compare)) if reporting.compare else None,
        whole=not (patterns or apis),
        command=" ".join(["kafka-conformance", *sys.argv[1:]]),
    )
    totals = {contestant.name: len(asked) for contestant in contestants if contestant.is_ready}
    with progress_of(totals) as on_result:
        run = message_runner.run(contestants, asked, options, on_result)
    check_came_up(run)
    terminal.print_report(run, Console())
    if reporting.report is not None:
        folder.write(run, reporting.report)
        click.echo(f"report: {reporting.report}")
    check_tested(run)
    if reporting.update:
        for line in known_failures_update.update_file(files[0], run, whole=options.whole):
            click.echo(line)
        return 0
    return exit_status(run)


def _print(runs: Sequence[MessageRun], report: Path | None) -> int:
    """Print what came of generated messages, write it, and return the exit status."""
    for line in drawn_messages.lines(runs):
        click.echo(line)
    if report is not None:
        report.mkdir(parents=True, exist_ok=True)
        (report / "report.json").write_text(drawn_messages.text(runs), encoding="utf-8")
        click.echo(f"report: {report}")
    if all(not run.results and not run.passed for run in runs):
        return 2
    return int(any(result.is_finding for run in runs for result in run.results) or any(run.problem for run in runs))


def _choose_questions(patterns: tuple[str, ...], apis: tuple[str, ...]) -> list[MessageQuestion]:
    """Return the vectors that are wanted, as questions."""
    vectors = protocol.load(families=apis)
    chosen = [vector for vector in vectors if golden.fits(vector.id, vector.rules, vector.verdict, patterns=patterns)]
    asked = messages.questions(chosen)
    if not asked:
        raise UsageError(
            "no vector matches.", "Ids look like fetch-request/4/typical; vectors/protocol/index.json has the APIs."
        )
    return asked
