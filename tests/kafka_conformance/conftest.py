"""What tests of the suite's package share."""

import io
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from kafka_conformance import cli
from kafka_conformance.scale.java import find_java

from tests.kafka_conformance.command_line import Main

if TYPE_CHECKING:
    from pyspark import SparkContext


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Main:
    """Runs the command line; gives the exit status, standard output and standard error."""

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["kafka-conformance", *arguments])
        monkeypatch.setattr(sys, "path", [*sys.path])  # the folder of a `python:` function joins it
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        output = capsys.readouterr()
        return int(ended.value.code or 0), output.out, output.err

    return run


@pytest.fixture(scope="session")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator["SparkContext"]:
    """One for all tests of a session: it takes seconds to start."""
    spark = pytest.importorskip("kafka_conformance.scale.spark", reason="the spark extra is not installed")
    home = find_java(spark.OLDEST_JAVA)
    if home is None:
        pytest.skip(f"no Java {spark.OLDEST_JAVA} or newer")
    log = tmp_path_factory.mktemp("spark") / "spark.log"
    with pytest.MonkeyPatch.context() as patch, spark.start_context("local[2]", home, log) as started:
        patch.setattr("kafka_conformance.scale.job.DELAY_SECONDS", 3600.0)  # a slow machine is no news
        yield started
