"""`kafka-conformance run`: vectors against targets."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Final

import click
from kafka_format import protocol
from kafka_format.errors import LayoutError
from kafka_tools.commands.options import sentence
from kafka_tools.errors import UsageError
from kafka_tools.system.resources import collect_seldom
from rich.console import Console
from rich.progress import track

from kafka_conformance.child.launch import Limits
from kafka_conformance.commands.options import ReportOptions, limits, reporting, selection
from kafka_conformance.commands.security_options import security as broker_security
from kafka_conformance.kinds.broker import own_topics
from kafka_conformance.kinds.table import ABOUT
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reduction.findings import add_reduced
from kafka_conformance.reports import bench as bench_report
from kafka_conformance.reports import folder, json_report, terminal
from kafka_conformance.reports.progress import progress_of
from kafka_conformance.run import bench as benchmark
from kafka_conformance.run import known_failures as known_files
from kafka_conformance.run import known_failures_update, questions, runner, workloads
from kafka_conformance.run.exit_status import check_came_up, check_tested, exit_status
from kafka_conformance.run.run import Run
from kafka_conformance.targets import resolve
from kafka_conformance.targets.broker_security import Security
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.vectors.loader import Filters

MESSAGES: Final = "messages"
"""What `--api` chooses among."""


@click.command(name="run")
@click.argument("targets", metavar="TARGET...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every known decoder and log reader, in its newest version.")
@click.option("--ready", is_flag=True, help="Every decoder and log reader that is ready, in every version.")
@click.option("--everything", is_flag=True, help="Like --ready, with consumers, producers and brokers too.")
@click.option(
    "--about",
    metavar="LIST",
    help=f"Ask only about these, of {', '.join(ABOUT)}; else about all that a target declares.",
)
@selection
@click.option("--api", "apis", metavar="NAME", multiple=True, help="Only messages of that API: fetch, 1. Repeatable.")
@reporting
@click.option("--direction", type=click.Choice(["decode", "encode"]), help="Only decode, or only encode.")
@click.option("--rules", is_flag=True, help="Also count what passed, by rule and by outcome.")
@click.option("--bench", is_flag=True, help="Measure the speed of the targets instead of checking them.")
@click.option(
    "--reduce",
    metavar="S",
    type=click.FloatRange(0),
    default=5.0,
    show_default=True,
    help="Time per target for making findings small that no cause explains, in seconds; 0: none.",
)
@broker_security
@limits
def command(
    *,
    targets: tuple[str, ...],
    every: bool,
    ready: bool,
    everything: bool,
    about: str | None,
    patterns: tuple[str, ...],
    rule: str | None,
    verdict: str | None,
    apis: tuple[str, ...],
    reporting: ReportOptions,
    direction: str | None,
    rules: bool,
    bench: bool,
    reduce: float,
    security: Security,
    seconds: float,
    memory: int,
) -> int:
    """Put to targets all that they declare, print the results, and write a report.

    \b
    kafka-conformance run reference
    kafka-conformance run python:my_module:decode --vectors 'v2/*'
    kafka-conformance run 'cmd:./my-adapter' --about messages --api fetch
    kafka-conformance run aiokafka kafka-clients@3.9.2 --report out/
    kafka-conformance run my-target --known-failures known.yaml --update-known-failures
    kafka-conformance run --ready --compare last/report.json
    kafka-conformance run consumers                  # all that are ready; or producers, brokers
    kafka-conformance run broker:127.0.0.1:9092      # a broker that runs: docs/live-brokers.md

    A decoder is asked about records, both ways; about messages, which are requests and responses
    in every version; and about logs, which are log directories. Consumers are asked about records
    and conversations, producers about records, brokers about records and scenarios.

    With --known-failures, findings listed in the file do not fail the run, and entries that are
    no longer true do. With --compare, only what got worse fails. See docs/reports.md.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    collect_seldom()
    chosen = Filters(patterns, rule or "", verdict or "", frozenset(map(_api, apis)))
    wanted = _about(about, chosen)
    bounds = Limits(seconds=seconds, memory=memory << 20)
    found = resolve.candidates(targets, every=every, ready=ready, everything=everything, about=wanted)
    named = [_secured(candidate, security) for candidate in found]
    if bench:
        return _bench(named, bounds, reporting.report)
    candidates = [questions.said_hello(candidate, bounds) for candidate in named]
    names = [candidate.name for candidate in candidates]
    files = known_files.load_all(reporting.known_failures, names, update=reporting.update)
    options = runner.RunOptions(
        limits=bounds,
        jobs=reporting.jobs or os.cpu_count() or 1,
        directions=frozenset({Direction(direction)} if direction else Direction),
        about=wanted,
        known=known_files.merge(files),
        earlier=json_report.side(json_report.load(reporting.compare)) if reporting.compare else None,
        whole=chosen.is_whole and wanted == ABOUT and not direction,
        reduce=partial(add_reduced, seconds=reduce) if reduce else None,
        command=_command_line(),
    )
    vectors, notes = questions.load(candidates, wanted, chosen)
    for note in notes:
        click.echo(note, err=True)
    ready_targets = [candidate.name for candidate in candidates if candidate.is_ready]
    with _announce(candidates), progress_of(ready_targets) as events:
        run = runner.run(candidates, vectors, options, events)
    check_came_up(run)
    _show(run, reporting.report, rules=rules)
    check_tested(run)
    if reporting.update:
        left = questions.unasked_of(candidates, run.results)
        for line in known_failures_update.update_file(files[0], run, whole=options.whole, count=left):
            click.echo(line)
        return 0
    return exit_status(run)


def _about(text: str | None, chosen: Filters) -> tuple[str, ...]:
    """Read `--about`; only messages have an API.

    Raises:
        UsageError: it names what there is not, or no messages are wanted and an API is.
    """
    if text is None:
        return (MESSAGES,) if chosen.apis else ABOUT
    words = [word.strip() for word in text.split(",")]
    if unknown := [word for word in words if word not in ABOUT]:
        raise UsageError(f"--about: there is no {unknown[0]!r}.", f"There are {', '.join(ABOUT)}.")
    if chosen.apis and words != [MESSAGES]:
        raise UsageError("--api chooses among messages alone.", "Leave out --about, or write --about messages.")
    return tuple(word for word in ABOUT if word in words)


def _api(name: str) -> int:
    try:
        return protocol.api_number(int(name) if name.isascii() and name.isdecimal() else name)
    except LayoutError as error:
        raise UsageError(f"{error.detail}.", sentence(error.advice)) from None


def _secured(candidate: Candidate, security: Security) -> Candidate:
    """Return a candidate that is spoken to so, if it is a broker that the user named."""
    if candidate.place is None or candidate.place.is_ours:
        return candidate
    return replace(candidate, place=replace(candidate.place, security=security))


@contextmanager
def _announce(candidates: list[Candidate]) -> Iterator[None]:
    """Say what is made on brokers of the user, and see that it is deleted if the run is ended."""
    said = False
    for candidate in candidates:
        if candidate.place is not None and not candidate.place.is_ours:
            click.echo(f"{candidate.name}: {own_topics.announcement(candidate.place.run)}", err=True)
            said = True
    if not said:
        yield
        return
    handlers = {signal.SIGTERM: signal.default_int_handler, signal.SIGINT: _impatience()}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _impatience() -> Callable[[int, FrameType | None], None]:
    """Return what Ctrl-C does: it ends the run, which deletes its topics; a second one waits."""
    pressed = count(1)

    def interrupt(number: int, frame: FrameType | None) -> None:
        if next(pressed) == 2:
            click.echo("It is deleting its topics. Ctrl-C once more leaves them there.", err=True)
            return
        signal.default_int_handler(number, frame)

    return interrupt


def _show(run: Run, report: Path | None, *, rules: bool) -> None:
    try:
        if report is not None:
            folder.write(run, report)
    finally:  # after the files, for a pager or `head` may stop reading
        terminal.print_report(run, Console(), rules=rules)
    if report is not None:
        click.echo(f"report: {report}")


def _bench(candidates: list[Candidate], bounds: Limits, report: Path | None) -> int:
    works = track(list(workloads.workloads()), "measuring", console=Console(stderr=True), transient=True)
    done = benchmark.measure(candidates, works, bounds, _command_line())
    bench_report.print_table(done, Console())
    if report is not None:
        click.echo(f"report: {bench_report.write(done, report)}")
    return 2 if done.is_incomplete else 0


def _command_line() -> str:
    return " ".join(["kafka-conformance", *sys.argv[1:]])
