"""The chunks of a run, done by Spark: it is started, and runs jobs until no chunk is left."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from kafka_tools.spark.progress import Watcher
from kafka_tools.spark.start import LOG, WAITING, Start

from kafka_conformance.child.launch import Command
from kafka_conformance.scale import plan
from kafka_conformance.scale.arrivals import Arrivals
from kafka_conformance.scale.ask.checker import Commands
from kafka_conformance.scale.options import ScaleOptions
from kafka_conformance.scale.plan import Chunk
from kafka_conformance.scale.results.summary import Timing
from kafka_conformance.scale.work import PYTHON, Job, prepare
from kafka_conformance.targets.candidate import Candidate

if TYPE_CHECKING:
    from pyspark import SparkContext


def execute(
    options: ScaleOptions, todo: Sequence[Chunk], arrivals: Arrivals, watcher: Watcher, start: Start
) -> tuple[Timing, bool]:
    """Run the chunks in Spark, and pass on their rows.

    Returns:
        What it cost, and True if the user interrupted it.

    Raises:
        UsageError: Spark does not start, or breaks.
    """
    from kafka_tools.spark.driver import java_peak_bytes  # noqa: PLC0415 - Spark is an extra
    from kafka_tools.spark.job import warm_up  # noqa: PLC0415 - Spark is an extra

    began, interrupted = monotonic(), False
    with start(options.master, options.out / LOG) as context:
        ready = monotonic()
        try:
            warm_up(context, partial(prepare, options.settings), lambda: watcher.stage(WAITING))
            ready = monotonic()
            arrivals.begin(options.settings.batches, sum(chunk.count for chunk in todo))
            _run_jobs(context, _job(options), todo, arrivals)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            arrivals.write()
        ended, java_memory, cores = monotonic(), java_peak_bytes(context), context.defaultParallelism
    return replace(arrivals.timing(cores, ready - began, ended - ready), java_memory=java_memory), interrupted


def _run_jobs(context: "SparkContext", job: Job, todo: Sequence[Chunk], arrivals: Arrivals) -> None:
    """Run jobs until nothing is left: a task takes up no more than it has time for."""
    from kafka_tools.spark.job import run_job  # noqa: PLC0415 - Spark is an extra

    from kafka_conformance.scale.work import for_a_while  # noqa: PLC0415 - Spark is an extra

    left, cores = len(todo) + 1, context.defaultParallelism
    while todo and len(todo) < left:  # else rows got lost, and the gaps are reported
        left, rate = len(todo), arrivals.rate()
        tasks = plan.tasks(todo, cores, rate * plan.SECONDS) if rate else plan.first_tasks(todo, cores)
        run_job(context, partial(for_a_while, job), tasks, arrivals.keep)
        todo = arrivals.remaining()


def _job(options: ScaleOptions) -> Job:
    commands = tuple(_commands(candidate, options.master) for candidate in options.candidates)
    return Job(options.settings, commands, options.limits, options.endurance)


def _commands(candidate: Candidate, master: str) -> Commands:
    assert candidate.command is not None  # noqa: S101 - `_hello` has looked
    isolated = None if candidate.isolated is None else _place(candidate.isolated, master)
    return Commands(_place(candidate.command, master), isolated)


def _place(command: Command, master: str) -> Command:
    """Make a command fit to be started by workers.

    On this machine it keeps the folder of the user: `python:` functions and relative paths are
    looked for there. Elsewhere Python is wherever the worker's is.
    """
    if master.startswith("local"):
        return command if command.folder is not None else replace(command, folder=Path.cwd())
    return replace(command, arguments=tuple(PYTHON if word == sys.executable else word for word in command.arguments))
