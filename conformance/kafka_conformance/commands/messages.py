"""`kafka-conformance messages`: the vectors of the protocol against targets."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.resources import collect_seldom
from kafka_conformance.commands.options import Whole, limits
from kafka_conformance.errors import UsageError
from kafka_conformance.judging.message_question import MessageQuestion
from kafka_conformance.reports import drawn_messages, folder, json_report, terminal
from kafka_conformance.runs import generated_messages, known_failures_update, message_runner, messages
from kafka_conformance.runs import known_failures as known_files
from kafka_conformance.runs.exit_status import check_came_up, check_tested, exit_status
from kafka_conformance.runs.messages import MessageRun
from kafka_conformance.runs.runner import RunOptions
from kafka_conformance.targets import resolve
from kafka_conformance.vectors import golden, protocol

_FILE: Final = click.Path(path_type=Path)


@click.command(name="messages")
@click.argument("targets", metavar="TARGET...", nargs=-1)
@click.option("--ready", is_flag=True, help="Every target that is ready and reads messages, in every version.")
@click.option(
    "--vectors", "patterns", metavar="PATTERN", multiple=True, help="Only vectors whose id matches, as in a shell."
)
@click.option("--api", "apis", metavar="NAME", multiple=True, help="Only these APIs, for example fetch.")
@click.option("--report", metavar="DIR", type=_FILE, help="Write the report to DIR.")
@click.option("--known-failures", metavar="FILE", type=_FILE, multiple=True, help="File of expected findings.")
@click.option("--update-known-failures", "update", is_flag=True, help="Update that file with the results of this run.")
@click.option("--compare", metavar="OLD.json", type=_FILE, help="Say what changed since an earlier report.json.")
@click.option("--generated", metavar="N", type=Whole(1), help="Put N messages of the sampler, and no vectors.")
@click.option("--profile", type=click.Choice(list(generated_messages.PROFILES)), default="requests", show_default=True)
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
    report: Path | None,
    known_failures: tuple[Path, ...],
    update: bool,
    compare: Path | None,
    generated: int | None,
    profile: str,
    seed: int,
    start: int,
    seconds: float,
    memory: int,
) -> int:
    """Put requests and responses in every version to targets that read them.

    \b
    kafka-conformance messages reference --api fetch
    kafka-conformance messages kio --vectors 'metadata-*/typical'
    kafka-conformance messages 'cmd:./my-adapter' --report out/
    kafka-conformance messages 'cmd:./my-adapter' --generated 1000000 --profile responses

    Reports, known failures and comparisons are those of `run`. With --generated the requests or
    responses are random ones of every API and version; that of index I and seed S is the same
    wherever it is made.

    Exit status 1 if a target does otherwise than the vectors say.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    collect_seldom()
    contestants = resolve.contestants(targets, ready=ready, messages=True)
    limited = Limits(seconds=seconds, memory=memory << 20)
    if generated is not None:
        if patterns or apis or known_failures or update or compare:
            words = "--vectors, --api, --known-failures and --compare are about vectors; --generated takes none."
            raise UsageError(words, "Leave them out.")
        runs = [
            generated_messages.run(contestant, profile, limited, seed=seed, start=start, count=generated)
            for contestant in contestants
        ]
        return _tell(runs, report)
    asked = _asked(patterns, apis)
    files = known_files.load_all(known_failures, [one.name for one in contestants], update=update)
    options = RunOptions(
        limits=limited,
        known=known_files.merge(files),
        earlier=json_report.side(json_report.load(compare)) if compare else None,
        whole=not (patterns or apis),
        command=" ".join(["kafka-conformance", *sys.argv[1:]]),
    )
    run = message_runner.run(contestants, asked, options)
    check_came_up(run)
    terminal.print_report(run, Console())
    if report is not None:
        folder.write(run, report)
        click.echo(f"report: {report}")
    check_tested(run)
    if update:
        for line in known_failures_update.update_file(files[0], run, whole=options.whole):
            click.echo(line)
        return 0
    return exit_status(run)


def _tell(runs: Sequence[MessageRun], report: Path | None) -> int:
    """Print what came of generated messages, write it, and return the exit status."""
    for line in drawn_messages.lines(runs):
        click.echo(line)
    if report is not None:
        report.mkdir(parents=True, exist_ok=True)
        (report / "report.json").write_text(drawn_messages.text(runs), encoding="utf-8")
        click.echo(f"report: {report}")
    if all(not one.results and not one.passed for one in runs):
        return 2
    return int(any(result.is_finding for one in runs for result in one.results) or any(one.problem for one in runs))


def _asked(patterns: tuple[str, ...], apis: tuple[str, ...]) -> list[MessageQuestion]:
    """Return the vectors that are wanted, as questions."""
    vectors = protocol.load(families=apis)
    chosen = [one for one in vectors if golden.fits(one.id, one.rules, one.verdict, patterns=patterns)]
    asked = messages.questions(chosen)
    if not asked:
        raise UsageError(
            "no vector fits.", "Ids look like fetch-request/4/typical; vectors/protocol/index.json has the APIs."
        )
    return asked
