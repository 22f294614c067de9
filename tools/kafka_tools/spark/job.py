"""One Spark job whose rows come back task by task.

Rows travel through an accumulator. Spark applies what a task adds exactly once, when the task has
ended well, however often it was tried; so the driver has the rows of every task as soon as it ends,
can write them down and show progress, and no file system has to be shared between machines.
"""

import contextlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from pyspark import InheritableThread, SparkContext
from pyspark.accumulators import AccumulatorParam

from kafka_tools.errors import UsageError

_POLL_SECONDS = 0.1

DELAY_SECONDS = 30.0
"""Python workers are up after fewer seconds, if there is a place for them."""

RESUMABLE = "What was done by then is kept, and the same command with --resume goes on."

_Item = TypeVar("_Item")
_Row = TypeVar("_Row")


class _Rows(AccumulatorParam[list[Any]]):
    """An accumulator of rows: adding is appending."""

    def zero(self, value: list[Any]) -> list[Any]:
        """Start with nothing, in each worker."""
        del value
        return []

    def addInPlace(self, value1: list[Any], value2: list[Any]) -> list[Any]:  # noqa: N802 - Spark calls it so
        """Append the rows of a task."""
        value1 += value2
        return value1


def warm_up(context: SparkContext, prepare: Callable[[], None], on_delay: Callable[[], None]) -> None:
    """Start a Python worker on every core with all imports, so that this counts as start of Spark.

    `prepare` is what does so in a worker.

    What fails here fails in the job too, which tells it. A cluster may have no room for us, and
    says so to nobody: `on_delay` is called once if this takes longer than it should.
    """
    cores = context.defaultParallelism

    def start() -> None:
        with contextlib.suppress(Exception):
            context.parallelize(range(cores), cores).foreach(lambda _: prepare())

    thread = InheritableThread(target=start, daemon=True)
    thread.start()
    thread.join(DELAY_SECONDS)
    if thread.is_alive():
        on_delay()
    while thread.is_alive():
        thread.join(_POLL_SECONDS)


def run_job(
    context: SparkContext,
    work: Callable[[_Item], list[_Row]],
    tasks: Sequence[_Item],
    on_rows: Callable[[list[_Row]], None],
) -> None:
    """Run tasks, and hand over the rows that `work` makes of each soon after it has ended.

    `on_rows` is called every tenth of a second, in this thread, also when there is nothing new.

    Raises:
        UsageError: the job failed; everything that a target does is a finding, so this is about the
            set-up.
        KeyboardInterrupt: the user stopped it; the rows of every task that ended well are handed
            over before.
    """
    arrived: Any = context.accumulator([], _Rows())
    failure: list[Exception] = []

    def do(parts: Iterable[_Item]) -> None:
        for part in parts:
            arrived.add(work(part))

    def drive() -> None:
        try:
            context.parallelize(tasks, max(len(tasks), 1)).foreachPartition(do)
        except Exception as error:  # noqa: BLE001 - shown to the user below, by the thread that may do so
            failure.append(error)

    thread = InheritableThread(target=drive, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_POLL_SECONDS)
            on_rows(_take_all(arrived.value))
    except BaseException:
        context.cancelAllJobs()
        thread.join()
        on_rows(_take_all(arrived.value))
        raise
    on_rows(_take_all(arrived.value))
    if failure:
        raise UsageError(f"the Spark job failed: {cause(failure[0])}", f"{RESUMABLE} Its log says more.")


def _take_all(rows: list[_Row]) -> list[_Row]:
    """Take out what is there; the thread that adds to the list only ever appends."""
    taken = rows[:]
    del rows[: len(taken)]
    return taken


def cause(error: Exception) -> str:
    """Return the most telling line of a Java error: the exception of a worker's traceback."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    raised = [line for line in lines if re.match(r"[\w.]+(Error|Exception): ", line) and not line.startswith("py4j.")]
    python = [line for line in raised if not line.startswith(("org.", "java.", "scala."))]
    lost = re.findall(r"most recent failure: (?:Lost task .*?\): )?(?:[\w.]+Exception: )?(.*)", str(error))
    return (python or lost or raised or lines or [type(error).__name__])[-1]
