"""Real Spark, a few thousand batches: findings are exact, and nothing is lost, whatever happens."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.scale import plan
from kafka_conformance.scale.options import ScaleOptions
from kafka_conformance.scale.plan import RunSettings
from kafka_conformance.scale.results.summary import ScaleSummary
from kafka_conformance.scale.run import run
from kafka_conformance.targets import resolve
from kafka_format import sampler
from kafka_tools.errors import UsageError
from kafka_tools.system.resources import children
from pyarrow import parquet
from pyspark import SparkContext

from tests.kafka_conformance.scale.decoders_that_fail_at_times import CRASH_ONE_IN, WRONG_ONE_IN

pytestmark = pytest.mark.spark

SEED = 7
BATCHES = 3000
CHUNK = 600


class Watching:
    """A watcher that remembers, and does something when the first rows have come."""

    def __init__(self, then: Callable[[], object] = lambda: None) -> None:
        self.seen: list[str] = []
        self.batches = self.findings = 0
        self._then = then

    def stage(self, text: str) -> None:
        self.seen.append(text)

    def detail(self, text: str) -> None:
        self.seen.append(text)

    def began(self, batches: int, done: int) -> None:
        self.seen.append(f"{done} of {batches}")

    def advance(self, batches: int, findings: int) -> None:
        first = not self.batches
        self.batches += batches
        self.findings += findings
        if first:
            self._then()


@pytest.fixture(autouse=True)
def _in_this_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python:` functions are looked for in the current folder."""
    monkeypatch.chdir(Path(__file__).parent)


def options(out: Path, *targets: str, **fields: Any) -> ScaleOptions:
    asked = {"batches": BATCHES, "profile": "tiny", "chunk": CHUNK}
    asked |= {name: fields.pop(name) for name in list(fields) if name in asked}
    settings = RunSettings(targets, seed=SEED, **asked)
    candidates = tuple(resolve.candidate(target) for target in targets)
    return ScaleOptions(settings, candidates, "local[2]", out, **fields)


def started(context: SparkContext) -> Callable[[str, Path], AbstractContextManager[SparkContext]]:
    return lambda *_: nullcontext(context)


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for file in sorted(folder.iterdir()) for row in parquet.ParquetFile(file).read().to_pylist()]


def concerned(one_in: int) -> list[int]:
    block = sampler.block(SEED, 0, BATCHES, "tiny")
    return [index for index in range(BATCHES) if zlib.crc32(block.input(index)) % one_in == 0]


def check_folder(out: Path, result: ScaleSummary) -> None:
    assert result.gaps == ()
    done = rows(out / "done")
    assert sorted((row["start"], row["count"]) for row in done if row["target"] == result.targets[0].target) == [
        (chunk.start, chunk.count) for chunk in plan.chunks(result.settings)
    ]
    assert json.loads((out / "summary.json").read_text(encoding="utf-8"))["complete"] is True


def test_wrong_answers_and_crashes_are_found_exactly_and_the_job_goes_on(context: SparkContext, tmp_path: Path) -> None:
    targets = ("reference", "python:decoders_that_fail_at_times:wrong", "python:decoders_that_fail_at_times:crashing")
    watching = Watching()
    result = run(options(tmp_path, *targets, chunk=1500), watching, started(context))
    check_folder(tmp_path, result)
    assert [target.compared for target in result.targets] == [BATCHES] * 3
    assert [target.findings for target in result.targets] == [
        0,
        len(concerned(WRONG_ONE_IN)),
        len(concerned(CRASH_ONE_IN)),
    ]
    assert concerned(CRASH_ONE_IN)
    assert (result.status, watching.batches, watching.findings) == (
        1,
        BATCHES,
        sum(target.findings for target in result.targets),
    )
    listed = rows(tmp_path / "findings")
    crashes = sorted(row["index"] for row in listed if row["outcome"] == "crashed")
    wrongs = {row["index"] for row in listed if row["outcome"] == "wrong-answer"}
    assert crashes == concerned(CRASH_ONE_IN)
    assert wrongs <= set(concerned(WRONG_ONE_IN))
    assert {row["symptom"] for row in listed} == {
        "records[*].offset",
        "exited with status * (again in a fresh process)",
    }
    one = sampler.single(SEED, crashes[0], "tiny")
    assert [row["hex"] for row in listed if row["index"] == crashes[0] and row["outcome"] == "crashed"] == [
        one.input(0).hex()
    ]


WAITING = """
import sys, time
from pathlib import Path

sys.path.append({others!r})
from decoders_that_fail_at_times import HELLO, wrong

FIRST = set(map(bytes.fromhex, Path("first_chunk").read_text().split()))

def decode(data):
    while data not in FIRST and not Path("go").exists():
        time.sleep(0.01)
    return wrong(data)
"""
"""Reads the first chunk, and the others when it is told to: it is interrupted in between."""


@pytest.fixture
def waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A target that waits for the file `go` in the current folder before the second chunk."""
    (tmp_path / "waiting_decoder.py").write_text(WAITING.format(others=str(Path(__file__).parent)))
    block = sampler.block(SEED, 0, BATCHES, "tiny")
    first_chunk = {block.input(index).hex() for index in range(CHUNK)}
    (tmp_path / "first_chunk").write_text("\n".join(first_chunk))
    monkeypatch.chdir(tmp_path)
    return "python:waiting_decoder:decode"


def test_interrupted_run_goes_on_and_counts_nothing_twice(context: SparkContext, tmp_path: Path, waiting: str) -> None:
    target, out = waiting, tmp_path / "out"
    stop = Watching(lambda: os.kill(os.getpid(), signal.SIGINT))
    first = run(options(out, target, limits=Limits(seconds=3600)), stop, started(context))
    assert (first.interrupted, first.targets[0].compared) == (True, stop.batches)
    assert stop.batches == CHUNK
    assert first.gaps

    (tmp_path / "go").touch()
    watching = Watching()
    second = run(options(out, target, resume=True), watching, started(context))
    check_folder(out, second)
    assert watching.seen == ["starting Spark (local[2])", f"{stop.batches} of {BATCHES}"]
    assert watching.batches + stop.batches == BATCHES == second.targets[0].compared
    assert second.targets[0].findings == len(concerned(WRONG_ONE_IN))
    indices = [row["index"] for row in rows(out / "findings")]
    assert len(indices) == len(set(indices))

    third = run(options(out, target, resume=True), Watching(), started(context))
    assert (third.targets, third.timing.batches) == (second.targets, 0)


@pytest.mark.whole  # as below
def test_run_whose_driver_is_killed_goes_on_and_counts_nothing_twice(context: SparkContext, tmp_path: Path) -> None:
    """SIGKILL, so that nothing can be put in order: the command, the JVM and the workers are gone
    in mid-work."""
    target, out = "python:decoders_that_fail_at_times:slow", tmp_path / "out"
    command = [sys.executable, "-m", "kafka_conformance", "scale", target, "--out", str(out), "--master", "local[2]"]
    command += ["--batches", str(BATCHES), "--seed", str(SEED), "--profile", "tiny", "--chunk", "100"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
        assert _wait(lambda: any((out / "done").glob("part-*.parquet")))
        driver.kill()
    assert _wait(lambda: not _running(target))
    before = sum(row["count"] for row in rows(out / "done"))
    assert 0 < before < BATCHES
    (out / "findings/part-99999.parquet").write_bytes(b"half of an interrupted write")

    watching = Watching()
    result = run(options(out, target, resume=True, chunk=100), watching, started(context))
    check_folder(out, result)
    assert watching.batches + before == BATCHES == result.targets[0].compared
    assert result.targets[0].findings == len(concerned(WRONG_ONE_IN))
    indices = [row["index"] for row in rows(out / "findings")]
    assert len(indices) == len(set(indices))


@pytest.mark.whole
def test_worker_that_is_killed_costs_no_batch(context: SparkContext, tmp_path: Path, waiting: str) -> None:
    """As the system does it when memory runs out: the task is tried again elsewhere, and counts
    once."""

    def kill_a_worker() -> None:
        os.kill(_parent_of(waiting), signal.SIGKILL)
        (tmp_path / "go").touch()

    out, watching = tmp_path / "out", Watching(kill_a_worker)
    result = run(options(out, waiting, limits=Limits(seconds=3600)), watching, started(context))
    check_folder(out, result)
    assert watching.batches == BATCHES == result.targets[0].compared
    indices = [row["index"] for row in rows(out / "findings")]
    assert len(indices) == len(set(indices))
    assert result.targets[0].findings == len(concerned(WRONG_ONE_IN))


def test_interruption_leaves_no_target_running(context: SparkContext, tmp_path: Path) -> None:
    """A target that hangs, with all the time in the world, when the user presses Ctrl-C."""

    def press_when_it_hangs() -> None:
        if _wait(lambda: "hangs" in map(_name, _running("python:decoders_that_fail_at_times:hanging"))):
            os.kill(os.getpid(), signal.SIGINT)

    asked = options(tmp_path, "python:decoders_that_fail_at_times:hanging", batches=CHUNK, limits=Limits(seconds=300))
    pressing = threading.Thread(target=press_when_it_hangs)

    class Pressing(Watching):
        def began(self, batches: int, done: int) -> None:
            super().began(batches, done)
            pressing.start()

    result = run(asked, Pressing(), started(context))
    pressing.join()
    assert (result.interrupted, result.status, result.targets[0].compared) == (True, 2, 0)
    assert _wait(lambda: not _running("python:decoders_that_fail_at_times:hanging"))


@pytest.mark.whole  # Spark tries four times
def test_job_that_breaks_is_one_message(context: SparkContext, tmp_path: Path) -> None:
    asked = options(tmp_path, "python:decoders_that_fail_at_times:sound", profile="no-such-profile")
    with pytest.raises(UsageError, match=r"the Spark job failed: .*no profile is called 'no-such-profile'"):
        run(asked, Watching(), started(context))


def test_target_that_does_not_come_up_is_said_before_spark_starts(tmp_path: Path) -> None:
    def never(*_: object) -> AbstractContextManager[SparkContext]:
        raise AssertionError("Spark was started")

    with pytest.raises(UsageError, match=r"did not come up: it exited with status 2.*no function 'nothing'"):
        run(options(tmp_path / "out", "python:decoders_that_fail_at_times:nothing"), Watching(), never)
    assert not (tmp_path / "out").exists()


@pytest.mark.whole  # Spark is started twice more
@pytest.mark.parametrize("deed", ["java", "command"])
def test_run_whose_java_or_command_is_ended_says_how_to_go_on(deed: str, context: SparkContext, tmp_path: Path) -> None:
    """SIGKILL for Java, SIGTERM for the command: one message, status 2, and what was done counts
    once."""
    target = "python:decoders_that_fail_at_times:slow"
    command = [sys.executable, "-m", "kafka_conformance", "scale", target, "--out", str(tmp_path)]
    command += [
        "--master",
        "local[1]",
        "--batches",
        str(BATCHES),
        "--seed",
        str(SEED),
        "--profile",
        "tiny",
        "--chunk",
        "100",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as driver:
        assert _wait(lambda: any((tmp_path / "done").glob("part-*.parquet")))
        java = [pid for pid in children(driver.pid) if b"org.apache.spark" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(*((java[0], signal.SIGKILL) if deed == "java" else (driver.pid, signal.SIGTERM)))
        out, err = driver.communicate(timeout=1800)
    assert (driver.returncode, "Traceback" in out + err) == (2, False)
    assert "with --resume goes on." in (err if deed == "java" else out)
    assert ("Java process that Spark runs in was killed by SIGKILL" in err) == (deed == "java")
    before = sum(row["count"] for row in rows(tmp_path / "done"))
    assert 0 < before < BATCHES

    watching = Watching()
    result = run(options(tmp_path, target, resume=True, chunk=100), watching, started(context))
    check_folder(tmp_path, result)
    assert watching.batches + before == BATCHES == result.targets[0].compared
    assert result.targets[0].findings == len(concerned(WRONG_ONE_IN))


def _parent_of(target: str) -> int:
    """The worker that has started a target: a process below this one, whose child is the target."""
    running = {int(pid) for pid in _running(target)}
    todo = [os.getpid()]
    while todo:
        pid = todo.pop()
        below = children(pid)
        if pid not in running and running & set(below):
            return pid
        todo += below
    raise AssertionError(target)


def _wait(until: Callable[[], bool], seconds: float = 600) -> bool:
    end = time.monotonic() + seconds
    while not until() and time.monotonic() < end:
        time.sleep(0.1)
    return until()


def _name(process: str) -> str:
    """The name that a process has given itself; empty if it has ended."""
    try:
        return Path("/proc", process, "comm").read_text().strip()
    except OSError:
        return ""


def _running(word: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if word.encode() in line:
            found.append(path.parent.name)
    return found
