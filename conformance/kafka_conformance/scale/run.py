"""The whole of a run: look at the targets, start Spark, write what comes, check that nothing is missing, sum up."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from kafka_conformance.child import resources
from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import TargetLostError, UsageError
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.runs.header import DISTRIBUTION
from kafka_conformance.scale import files, page, plan, store, summary
from kafka_conformance.scale.ask.checker import Commands
from kafka_conformance.scale.counts import Counts
from kafka_conformance.scale.plan import Chunk, Endurance, Settings
from kafka_conformance.scale.reduce.model import Reductions
from kafka_conformance.scale.reduce.run import reduce_run
from kafka_conformance.scale.rows import Done
from kafka_conformance.scale.store import Store
from kafka_conformance.scale.summary import Summary, TargetSummary, Timing
from kafka_conformance.scale.work import PYTHON, ChunkRows, Job
from kafka_conformance.targets.contestant import Contestant

if TYPE_CHECKING:
    from pyspark import SparkContext

LOG = "spark.log"

WAITING = "Spark has no worker yet: are some registered with the master, with cores and memory to spare? Still waiting"

WRITE_SECONDS = 5.0
"""Rows are written this often: what an interruption costs at most, on top of the tasks that had not ended."""


class Watcher(Protocol):
    """Is told how a run goes."""

    def stage(self, text: str) -> None:
        """What happens now."""

    def detail(self, text: str) -> None:
        """How far that is."""

    def began(self, batches: int, done: int) -> None:
        """The job starts; so many batches in all, so many of them done by an earlier command."""

    def advanced(self, batches: int, findings: int) -> None:
        """So many more are done, with so many findings."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to run.

    Attributes:
        settings: what to check.
        contestants: the targets, in the order of the settings.
        master: a Spark master; empty for that of spark-submit.
        out: the folder of the run.
        resume: go on with the run that is in the folder.
        limits: time and memory a target may take.
        endurance: how much the run bears of a target that dies again and again.
        reduce_seconds: time to spend on making findings small, when all is done.
        only_reduce: do nothing else with the run that is in the folder.
    """

    settings: Settings
    contestants: tuple[Contestant, ...]
    master: str
    out: Path
    resume: bool = False
    limits: Limits = field(default_factory=Limits)
    endurance: Endurance = field(default_factory=Endurance)
    reduce_seconds: float = 0.0
    only_reduce: bool = False


Start = Callable[[str, Path], AbstractContextManager["SparkContext"]]
"""Starts Spark on a master, with a log."""


def run(options: Options, watcher: Watcher, start: Start | None = None) -> Summary:
    """Check every target on every batch, and leave the rows and the summary in the folder.

    Raises:
        UsageError: a target is not ready, the folder is in use, Spark does not start or breaks; what is done by then
            is in the folder.
    """
    hellos = [_hello(contestant, options.limits) for contestant in options.contestants]
    with files.alone(options.out), _interruptible():
        folder = Store(options.out, options.settings, hellos, version(DISTRIBUTION), resume=options.resume)
        try:
            return _run(options, hellos, folder, watcher, start or _start_spark)
        except KeyboardInterrupt:
            hint = "The same command with --resume goes on."
            raise UsageError(f"interrupted; what was done by then is in {options.out}.", hint) from None


@contextmanager
def _interruptible() -> Iterator[None]:
    """Take the wishes of a batch system, and of a terminal that is closed, for Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.default_int_handler) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(options: Options, hellos: Sequence[Hello], folder: Store, watcher: Watcher, start: Start) -> Summary:
    counts = Counts(options.settings)
    for row in folder.resumed():
        counts.add(row)
    keeper, timing, todo = _Keeper(folder, counts, watcher), Timing(), counts.left()
    interrupted = options.only_reduce and bool(todo)
    if todo and not options.only_reduce:
        watcher.stage(f"starting Spark ({options.master or 'as submitted'})")
        timing, interrupted = _work(options, todo, keeper, watcher, start)
    found = [counts.of_target(*pair) for pair in zip(options.settings.targets, hellos, strict=True)]
    reductions = Reductions() if interrupted and not options.only_reduce else _reduce(options, found, watcher)
    result = Summary(options.settings, tuple(found), tuple(counts.gaps()), interrupted, timing, reductions)
    files.write_json(options.out / store.SUMMARY, summary.document(result))
    files.write_text(options.out / store.PAGE, page.page(result))
    return result


def _hello(contestant: Contestant, limits: Limits) -> Hello:
    """Start a target once, before anything costly, and hear what it declares."""
    if contestant.command is None:
        raise UsageError(
            f"{contestant.name} is not ready: {contestant.problem}.", "`kafka-conformance targets` lists them all."
        )
    try:
        with AdapterClient(contestant.command, limits) as client:
            return client.hello
    except TargetLostError as lost:
        hint = "`kafka-conformance smoke` looks into it step by step."
        raise UsageError(f"{contestant.name} did not come up: it {lost.detail.rstrip('.')}.", hint) from None


def _work(
    options: Options, todo: Sequence[Chunk], keeper: "_Keeper", watcher: Watcher, start: Start
) -> tuple[Timing, bool]:
    """Run the chunks in Spark; what it cost, and whether the user stopped it."""
    from kafka_conformance.scale.job import warm_up  # noqa: PLC0415
    from kafka_conformance.scale.spark import java_peak_bytes  # noqa: PLC0415

    began, interrupted = monotonic(), False
    with start(options.master, options.out / LOG) as context:
        ready = monotonic()
        try:
            warm_up(context, options.settings, lambda: watcher.stage(WAITING))
            ready = monotonic()
            keeper.begin(options.settings.batches, sum(chunk.count for chunk in todo))
            _run_jobs(context, _job(options), todo, keeper)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            keeper.write()
        ended, java_memory, cores = monotonic(), java_peak_bytes(context), context.defaultParallelism
    return replace(keeper.timing(cores, ready - began, ended - ready), java_memory=java_memory), interrupted


def _run_jobs(context: "SparkContext", job: Job, todo: Sequence[Chunk], keeper: "_Keeper") -> None:
    """Run jobs until nothing is left: a task takes up no more than it has time for."""
    from kafka_conformance.scale.job import run_job  # noqa: PLC0415

    left, cores = len(todo) + 1, context.defaultParallelism
    while todo and len(todo) < left:  # else rows got lost, and the gaps are told
        left, rate = len(todo), keeper.rate()
        tasks = plan.tasks(todo, cores, rate * plan.SECONDS) if rate else plan.first_tasks(todo, cores)
        run_job(context, job, tasks, keeper.keep)
        todo = keeper.left()


def _reduce(options: Options, found: Sequence[TargetSummary], watcher: Watcher) -> Reductions:
    commands = {one.name: one.command for one in options.contestants if one.command is not None}
    seconds = options.reduce_seconds
    return reduce_run(options.out, found, commands, options.limits, seconds, watcher)


def _job(options: Options) -> Job:
    commands = tuple(_commands(contestant, options.master) for contestant in options.contestants)
    return Job(options.settings, commands, options.limits, options.endurance)


def _commands(contestant: Contestant, master: str) -> Commands:
    assert contestant.command is not None  # noqa: S101 - `_hello` has looked
    isolated = None if contestant.isolated is None else _placed(contestant.isolated, master)
    return Commands(_placed(contestant.command, master), isolated)


def _placed(command: Command, master: str) -> Command:
    """Make a command fit to be started by workers.

    On this machine it keeps the folder of the user: `python:` functions and relative paths are looked for there.
    Elsewhere Python is wherever the worker's is.
    """
    if master.startswith("local"):
        return command if command.folder is not None else replace(command, folder=Path.cwd())
    return replace(command, arguments=tuple(PYTHON if word == sys.executable else word for word in command.arguments))


def _start_spark(master: str, log: Path) -> AbstractContextManager["SparkContext"]:
    from kafka_conformance.scale import spark  # noqa: PLC0415

    return spark.started(master, spark.java(), log)


class _Keeper:
    """Writes down what comes, now and then, and counts it."""

    def __init__(self, folder: Store, counts: Counts, watcher: Watcher) -> None:
        self._folder = folder
        self._counts = counts
        self._watcher = watcher
        self._waiting: list[ChunkRows] = []
        self._written = monotonic()
        self._spent = Timing()

    def begin(self, batches: int, todo: int) -> None:
        self._watcher.began(batches, batches - todo)

    def left(self) -> Sequence[Chunk]:
        return self._counts.left()

    def rate(self) -> float:
        """Batches a second of one worker; 0 as long as nobody knows."""
        return self._spent.batches / self._spent.busy_seconds if self._spent.busy_seconds else 0.0

    def keep(self, arrived: Sequence[ChunkRows]) -> None:
        for rows in arrived:
            self._waiting.append(rows)
            self._spent = _with(self._spent, rows.done)
            for row in rows.done:
                self._counts.add(row)
        if arrived:
            batches = sum(rows.done[0].count for rows in arrived)
            self._watcher.advanced(batches, sum(row.findings for rows in arrived for row in rows.done))
        if monotonic() - self._written > WRITE_SECONDS:
            self.write()

    def write(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            done = [row for rows in waiting for row in rows.done]
            self._folder.write(done, [finding for rows in waiting for finding in rows.findings])
            self._written = monotonic()

    def timing(self, cores: int, start_seconds: float, seconds: float) -> Timing:
        return replace(
            self._spent,
            cores=cores,
            start_seconds=start_seconds,
            seconds=seconds,
            driver_memory=resources.own_peak_bytes(),
        )


def _with(spent: Timing, done: Sequence[Done]) -> Timing:
    """What was spent, with the rows of one more chunk; what targets share stands in the row of each."""
    chunk = done[0]
    return replace(
        spent,
        batches=spent.batches + chunk.count,
        busy_seconds=spent.busy_seconds + chunk.generation_seconds + sum(row.seconds for row in done),
        generation_seconds=spent.generation_seconds + chunk.generation_seconds,
        cpu_seconds=spent.cpu_seconds + chunk.cpu_seconds,
        worker_memory=max(spent.worker_memory, chunk.memory),
    )
