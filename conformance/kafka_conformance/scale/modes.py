"""The modes of `kafka-conformance scale`: check generated batches, resume, reduce.

Each function returns the exit status: 0 no findings, 1 findings, 2 a run that is not complete.
"""

from collections.abc import Iterable
from pathlib import Path

import click
from kafka_tools.errors import UsageError
from kafka_tools.spark import driver as spark
from kafka_tools.spark import progress, run_settings
from rich.console import Console

from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.scale import plan, preparation, run
from kafka_conformance.scale.ask.checker import end_with_parent
from kafka_conformance.scale.options import ScaleOptions
from kafka_conformance.scale.reduce import text
from kafka_conformance.scale.reduce.run import reduce
from kafka_conformance.scale.report import terminal
from kafka_conformance.scale.results import reductions, run_folder
from kafka_conformance.targets import resolve
from kafka_conformance.targets.candidate import Candidate


def check(
    *,
    targets: tuple[str, ...],
    batches: int,
    seed: int,
    profile: str,
    master: str | None,
    out: Path,
    chunk: int | None,
    resume: bool,
    reduce_seconds: float,
    limits: Limits,
    endurance: plan.Endurance,
) -> int:
    """Check targets on generated batches with Spark, or go on with such a run.

    Raises:
        UsageError: there is no such target or profile, no run to resume, no Java, or the folder is
            in use.
    """
    names = _distinct(targets, profile)
    settings = plan.RunSettings(names, batches, seed, profile, _chunk(batches, chunk))
    candidates = tuple(map(resolve.candidate, names))
    if resume and not (out / run_settings.RUN).is_file():
        hint = "Leave out --resume to begin a run, or name the directory of one with --out."
        raise UsageError(f"{out} has no run to resume.", hint)
    spark.java()
    master = master or ("" if spark.is_submitted() else "local[*]")
    options = ScaleOptions(
        settings,
        candidates,
        master,
        out,
        resume=resume,
        limits=limits,
        endurance=endurance,
        reduce_seconds=reduce_seconds,
    )
    return _run(options)


def check_one(
    *, targets: tuple[str, ...], index: int, seed: int, profile: str, reduce_seconds: float, limits: Limits
) -> int:
    """Check targets on one batch, without Spark, and reduce it if it is a finding.

    Raises:
        UsageError: there is no such target or profile, or a target does not start.
    """
    status = 0
    for candidate in map(resolve.candidate, _distinct(targets, profile)):
        reduced = _reduce(
            candidate, reductions.GeneratedBatch(candidate.name, seed, index, profile), reduce_seconds, limits
        )
        click.echo("\n".join(text.alone(reduced)))
        status |= reduced.is_finding
    return status


def reduce_findings(*, out: Path, reduce_seconds: float, limits: Limits) -> int:
    """Reduce findings of the run in a folder for so many seconds; what is finished there is kept.

    Raises:
        UsageError: the folder holds no run, or a target does not start.
    """
    settings = run_folder.settings(out)
    candidates = tuple(map(resolve.candidate, settings.targets))
    options = ScaleOptions(
        settings, candidates, "", out, resume=True, limits=limits, reduce_seconds=reduce_seconds, only_reduce=True
    )
    return _run(options)


def prepare() -> int:
    """Make what lets runs start faster, once a machine.

    Raises:
        UsageError: there is no Java, no place for it, or Spark does not start.
    """
    click.echo("Starting Spark and recording the classes that it loads; this takes a minute ...", err=True)
    click.echo(f"Made {preparation.archive_classes()}")
    return 0


def _distinct(targets: Iterable[str], profile: str) -> tuple[str, ...]:
    """The names of the targets, each once; there must be one, and such a profile."""
    if not targets:
        raise UsageError("name a target.", "For example: kafka-conformance scale reference")
    if profile not in plan.profiles():
        raise UsageError(f"there is no profile {profile!r}.", f"Profiles: {', '.join(plan.profiles())}.")
    return tuple(dict.fromkeys(targets))


def _chunk(batches: int, chunk: int | None) -> int:
    least = plan.smallest_chunk(batches)
    if chunk is not None and chunk < least:
        problem = f"{batches:,} batches in chunks of {chunk:,} are more than {plan.MOST_CHUNKS:,} chunks."
        raise UsageError(problem, f"Say --chunk {least} or more, or leave it out.")
    return chunk or plan.usual_chunk(batches)


def _run(options: ScaleOptions) -> int:
    with progress.watching(Console(stderr=True)) as watcher:
        summary = run.run(options, watcher)
    terminal.show(summary, Console(), str(options.out))
    return summary.status


def _reduce(
    candidate: Candidate, batch: reductions.GeneratedBatch, seconds: float, limits: Limits
) -> reductions.Reduced:
    if candidate.command is None:
        raise UsageError(f"{candidate.name} is not ready: {candidate.problem}.", resolve.ADVICE)
    asker = Asker(candidate.name, end_with_parent(candidate.command), limits)
    try:
        with asker, progress.watching(Console(stderr=True)) as watcher:
            return reduce(batch, asker, seconds, watcher.detail)
    except TargetLostError as lost:
        problem = f"{candidate.name} did not come up: it {lost.detail.rstrip('.')}."
        raise UsageError(problem, "`kafka-conformance smoke` says more about its adapter.") from None
