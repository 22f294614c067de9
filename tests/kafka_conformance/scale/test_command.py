"""`kafka-conformance scale`: its output, its exit status, and one clear message for what is
missing."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from importlib.machinery import ModuleSpec
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click import Context, Option
from kafka_conformance.child.launch import Limits
from kafka_conformance.commands import scale
from kafka_conformance.scale import modes, run
from kafka_conformance.scale.options import ScaleOptions
from kafka_conformance.scale.plan import Endurance
from kafka_conformance.targets import installation
from kafka_tools.errors import UsageError
from kafka_tools.spark import installed
from kafka_tools.spark.java import JavaHome

if TYPE_CHECKING:
    from pyspark import SparkContext

Main = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def test_help_needs_no_spark_and_shows_how(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "find_spec", lambda _: None)
    status, out, _ = main("--help")
    assert status == 0
    assert "kafka-conformance scale aiokafka --batches 1000000 --seed 7" in out


def test_help_lists_every_option_once_below_what_it_is_for(main: Main) -> None:
    _, out, _ = main("--help")
    listed = re.findall(r"^  (?:-h, )?(--[a-z-]+)", out, re.MULTILINE)
    options = [param for param in scale.command.get_params(Context(scale.command)) if isinstance(param, Option)]
    assert sorted(listed) == sorted(option.opts[-1] for option in options)
    section = out.split("\nReduce findings of an earlier run:\n")[1].split("\n\n")[0]
    assert section.split()[0] == "--reduce"
    assert section.endswith("With --out, --reduce-seconds, --seconds, --memory.")


@pytest.mark.parametrize("mode", [scale.CHECK, *scale.MODES.values()], ids=lambda mode: mode.function)
def test_each_mode_takes_the_arguments_of_its_function(mode: scale.Mode) -> None:
    made_of = {"limits": {"seconds", "memory"}, "endurance": {"patience", "deaths"}}
    given = {*mode.own, *mode.others}
    expected = given.difference(*made_of.values()) | {name for name, options in made_of.items() if options <= given}
    assert set(signature(getattr(modes, mode.function)).parameters) == expected


def test_index_can_be_added_to_the_command_of_a_run(main: Main) -> None:
    of_a_run = ("reference", "--batches", "9", "--chunk", "5", "--out", "out", "--deaths", "1", "--master", "local[1]")
    assert main(*of_a_run, "--index", "3")[:2] == (0, "reference, batch 3 of seed 0, profile mixed: passed\n")
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name a target."),
        (["refrence"], "there is no target 'refrence'.\nDid you mean reference?"),
        (["reference", "--profile", "mixt"], "there is no profile 'mixt'.\nProfiles: tiny, mixed"),
        (["reference", "--batches", "0"], "Invalid value for '--batches'"),
        (["reference", "--batches", "1e30"], "'1e30' is not a valid whole number."),
        (["reference", "--seed", "-1"], "Invalid value for '--seed'"),
        (["reference", "--batches", "1000000000000000000"], "Invalid value for '--batches'"),
        (["reference", "--chunk", "0"], "Invalid value for '--chunk'"),
        (["reference", "--chunk", "9", "--batches", "1000000"], "than 100,000 chunks.\nSay --chunk 10 or more"),
        (["reference", "--seconds", "nan"], "Invalid value for '--seconds': nan is not a number."),
        (["reference", "--reduce-seconds", "inf"], "Invalid value for '--reduce-seconds'"),
        (["reference", "--memory", "99999999999999999999"], "Invalid value for '--memory'"),
        (["reference", "--index", "9223372036854775808"], "Invalid value for '--index'"),
        (["reference", "--prepare"], "`--prepare` takes no targets.\nLeave them out"),
        (["reference", "--reduce"], "`--reduce` takes no targets.\nLeave them out"),
        (["--prepare", "--reduce"], "`--reduce` cannot be combined with `--prepare`.\nGive them in two commands."),
        (["--reduce", "--resume"], "`--reduce` cannot be combined with `--resume`.\nLeave out `--resume`."),
        (["--reduce", "--seed", "0"], "`--reduce` cannot be combined with `--seed`."),
        (["--prepare", "--reduce-seconds", "9"], "`--prepare` cannot be combined with `--reduce-seconds`."),
        (["reference", "--index", "1", "--resume"], "`--index` cannot be combined with `--resume`."),
        (["reference", "--resume"], "scale-out has no run to resume.\nLeave out --resume to begin a run, or name"),
        (["python:no_such_module:f"], "did not come up: it exited with status 2"),
        (["cmd:/no/such/decoder"], "there is no program '/no/such/decoder'"),
    ],
)
def test_wrong_usage_is_one_message_and_status_2(main: Main, arguments: list[str], words: str) -> None:
    status, out, err = main(*arguments)
    assert status == 2
    assert words in err
    assert "Traceback" not in out + err
    assert not Path("scale-out").exists()


def test_missing_extra_is_named_with_the_command_that_brings_it(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_spark(name: str) -> ModuleSpec | None:
        return None if name == "pyspark" else ModuleSpec(name, None)

    monkeypatch.setattr(installed, "find_spec", without_spark)
    status, _, err = main("reference")
    assert status == 2
    assert "needs the package pyspark.\nInstall it: pip install 'kafka-format-conformance[spark]'" in err


@pytest.mark.parametrize(
    ("package", "text", "told"),
    [
        ("pyspark", "raise ImportError('no such symbol')", "cannot import pyspark: ImportError: no such symbol."),
        ("pyarrow", "1 / 0", "cannot import pyarrow: ZeroDivisionError: division by zero."),
        ("numpy", "", "cannot import numpy.typing: ModuleNotFoundError: No module named 'numpy.typing'."),
    ],
)
def test_broken_package_is_named_with_its_place(package: str, text: str, told: str, tmp_path: Path) -> None:
    """In a process of its own, since this one has the sound package."""
    file = tmp_path / "first" / package / "__init__.py"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    command = [sys.executable, "-m", "kafka_conformance", "scale", "reference"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "first")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"kafka-conformance: {told}\nIt is {file}: ")


def test_missing_java_is_said_before_anything_starts(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kafka_tools.spark.driver.find_java", lambda _: None)
    status, _, err = main("reference")
    assert status == 2
    assert "Spark needs Java 17 or newer, and there is none here." in err
    assert not Path("scale-out").exists()


def test_cache_folder_that_cannot_be_made_is_said(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", "file/below")
    monkeypatch.setattr("kafka_tools.spark.driver.find_java", lambda _: JavaHome(Path("/opt/java"), 17))
    status, _, err = main("--prepare")
    assert status == 2
    assert "cannot write file/below/kafka-conformance/spark-" in err
    assert "Runs work without it as well." in err


def test_java_that_is_too_old_is_named(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    old = JavaHome(Path("/opt/java"), 11)
    monkeypatch.setattr("kafka_tools.spark.driver.find_java", lambda least: old if least <= old.version else None)
    status, _, err = main("reference")
    assert status == 2
    assert "Spark needs Java 17 or newer, and /opt/java has Java 11.\nInstall one" in err


def test_target_that_is_not_ready_is_said_with_what_mends_it(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "cache_folder", lambda: Path.cwd() / "nowhere")
    status, _, err = main("kafka-python")
    assert status == 2
    assert "kafka-python is not ready" in err
    assert "kafka-conformance targets --install kafka-python" in err


def test_folder_in_use_is_left_alone(main: Main) -> None:
    Path("out").mkdir()
    Path("out/notes.txt").write_text("mine", encoding="ascii")
    status, _, err = main("reference", "--out", "out")
    assert status == 2
    assert "out is not empty, and is not the folder of a run." in err
    status, _, err = main("reference", "--out", "out/notes.txt")
    assert status == 2
    assert [path.name for path in Path("out").iterdir()] == ["notes.txt"]


def test_limits_are_those_that_were_asked_for(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ScaleOptions] = []

    def stop(options: ScaleOptions, _: object) -> None:
        asked.append(options)
        raise UsageError("far enough")

    monkeypatch.setattr(run, "run", stop)
    main("reference")
    main("reference", "--seconds", "3", "--memory", "64", "--patience", "0.5", "--deaths", "0")
    assert [options.limits for options in asked] == [Limits(), Limits(3, 30, 64 << 20)]
    assert [options.endurance for options in asked] == [Endurance(), Endurance(patience=0.5, deaths=0)]


@pytest.mark.spark
def test_sound_target_is_status_0_with_its_counts(
    main: Main, context: "SparkContext", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "start_spark", lambda *_: nullcontext(context))
    status, out, err = main("reference", "--batches", "700", "--seed", "3", "--profile", "tiny", "--out", "o")
    assert status == 0
    assert err.splitlines()[:2] == ["starting Spark (local[*]) ...", "checking 700 batches"]
    assert err.splitlines()[-1].startswith("700 of 700, ")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "v2 none 700/700" in lines
    assert "Seed 3, profile tiny. Rows and summary: o" in lines
    assert lines[-1].endswith("700 batches compared, no findings")
    assert {path.name for path in Path("o").iterdir()} == {
        "run.json",
        "done",
        "findings",
        "summary.json",
        "summary.html",
    }


@pytest.mark.spark
def test_log_that_cannot_be_written_is_one_message(tmp_path: Path) -> None:
    log = tmp_path / "spark.log"
    log.mkdir()
    spark = pytest.importorskip("kafka_tools.spark.driver", reason="the spark extra is not installed")
    with (
        pytest.raises(UsageError, match="Spark does not start") as error,
        spark.start_context("local[2]", spark.java(), log),
    ):
        pass
    assert error.value.hint == f"Its log: {log}"


@pytest.mark.whole  # it starts a JVM of its own
@pytest.mark.spark
def test_spark_that_does_not_start_is_one_message(tmp_path: Path) -> None:
    """In a process of its own, with a JVM of its own: nothing but our words reaches the screen, and
    nothing lingers."""
    command = [sys.executable, "-m", "kafka_conformance", "scale", "reference", "--batches", "5", "--master", "mars://"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    said = done.stderr.splitlines()
    assert said[0] == "starting Spark (mars://) ..."
    assert said[1].startswith("kafka-conformance: Spark does not start on mars://: ")
    assert "Master must" in said[1]
    assert said[2:] == ["Its log: scale-out/spark.log"]


_INTERRUPTED = """
import logging
from pathlib import Path
from kafka_tools.spark import driver as spark

def interrupted(**_):
    logging.error("KeyboardInterrupt while sending command.")
    raise KeyboardInterrupt

spark.launch_gateway = lambda *_: None
spark.SparkContext = interrupted
try:
    with spark.start_context("local[2]", spark.java(), Path("spark.log")):
        pass
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.spark
def test_interruption_while_spark_starts_leaves_the_screen_alone(tmp_path: Path) -> None:
    """The words of py4j 0.10.9, which logs whatever goes wrong while Java is asked; in a process
    without handlers."""
    command = [sys.executable, "-c", _INTERRUPTED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=1800, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")
