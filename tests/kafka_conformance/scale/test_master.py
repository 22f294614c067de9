"""A Spark cluster of its own, master and worker on the loopback; the suite is only in its wheel."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
import pytest
from kafka_format import sampler
from kafka_tools.spark.java import find_java, for_spark

pytestmark = [pytest.mark.spark, pytest.mark.whole]

ROOT = Path(__file__).parents[3]
BIN = Path(pyspark.__file__).parent / "bin"
BATCHES = 1500
LIAR = """
import kafka_format
from kafka_format import records
from kafka_format.spec import data

WHERE = f"from the zip: {'.zip/' in kafka_format.__file__}, unpacked: {'.unpacked/' in str(data.path('spec'))}"

def decode(data):
    if data[-1]:
        return records.decode(data)
    raise ValueError(WHERE)
"""
WORKER = "org.apache.spark.deploy.worker.Worker"
MASTER = "org.apache.spark.deploy.master.Master"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel_file] = folder.glob("*.whl")
    return wheel_file.rename(
        folder / "suite.zip"
    )  # Spark's workers import from names that end in .zip, .egg or .jar only


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    home = find_java(17)
    if home is None:
        pytest.skip("no Java 17 or newer")
    java = for_spark(home, tmp_path_factory.mktemp("java"))
    quick = {"SPARK_DAEMON_JAVA_OPTS": "-XX:TieredStopAtLevel=1", "SPARK_LAUNCHER_OPTS": "-XX:TieredStopAtLevel=1"}
    return {
        **os.environ,
        **quick,
        "JAVA_HOME": str(java),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }


@pytest.fixture(scope="module")
def cluster(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the master."""
    folder = tmp_path_factory.mktemp("cluster")
    ends = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    with _daemon(folder / "master.log", environment, MASTER, *ends) as log:
        url = _told(log, r"Starting Spark master at (spark://\S+)")
        worker = [*ends, "--cores", "2", "--memory", "1g", "--work-dir", str(folder / "work"), url]
        with _daemon(folder / "worker.log", environment, WORKER, *worker) as log_of_worker:
            _told(log_of_worker, "(Successfully registered with master)")
            yield url


@contextmanager
def _daemon(log: Path, environment: dict[str, str], *arguments: str) -> Iterator[Path]:
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [BIN / "spark-class", *arguments], env=environment, stdout=stream, stderr=stream, start_new_session=True
        )
    try:
        yield log
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(300)


def _told(log: Path, pattern: str) -> str:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        match = re.search(pattern, log.read_text(encoding="utf-8", errors="replace"))
        if match:
            return match[1]
        time.sleep(0.1)
    raise AssertionError(log.read_text(encoding="utf-8", errors="replace"))


def test_wheel_alone_runs_on_a_cluster(cluster: str, wheel: Path, environment: dict[str, str], tmp_path: Path) -> None:
    """By spark-submit: the master is Spark's to know, the suite is imported from the wheel without
    being unpacked."""
    (tmp_path / "scale.py").write_text("from kafka_conformance.cli import main\n\nmain()\n", encoding="ascii")
    (tmp_path / "liar.py").write_text(LIAR, encoding="ascii")
    submit = [
        *(BIN / "spark-submit", "--master", cluster, "--py-files", f"{wheel},{tmp_path / 'liar.py'}"),
        *("--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.driver.memory=512m"),
        *("--conf", "spark.executor.memory=512m", tmp_path / "scale.py", "scale", "reference", "python:liar:decode"),
        *("--batches", str(BATCHES), "--profile", "tiny", "--chunk", "300"),
    ]
    done = subprocess.run(
        submit, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False
    )
    assert done.returncode == 1, done.stderr[-4000:]
    summary = json.loads((tmp_path / "scale-out/summary.json").read_text(encoding="utf-8"))
    assert (summary["complete"], summary["timing"]["batches"]) == (True, BATCHES)
    reference, liar = summary["targets"]
    assert (reference["compared"], reference["findings"], liar["compared"]) == (BATCHES, 0, BATCHES)
    lies = [index for index in range(BATCHES) if not sampler.single(0, index, "tiny").data[-1]]
    [symptom] = liar["symptoms"]
    assert (symptom["batches"], symptom["first"]) == (len(lies), lies[0])
    assert symptom["symptom"] == "ValueError: from the zip: True, unpacked: True"
