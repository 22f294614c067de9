"""How long a task lasts, and what is told of a job that fails."""

from collections.abc import Iterable, Iterator

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.scale import job, plan, spark
from kafka_conformance.scale.plan import Chunk, RunSettings
from kafka_conformance.scale.work import ChunkRows, Job

from tests.kafka_conformance.scale.results.test_counts import PASSED, done

SETTINGS = RunSettings(("one",), 100, 7, "tiny", 10)
JOB = Job(SETTINGS, (), Limits())
CHUNKS = plan.chunks(SETTINGS)


GIVEN_UP: set[int] = set()
"""The chunks in which the target is given up."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time; every chunk takes two seconds."""
    now = [100.0]

    def check(_: Job, chunks: Iterable[Chunk]) -> Iterator[ChunkRows]:
        for chunk in chunks:
            now[0] += 2
            yield ChunkRows([done("one", chunk, PASSED, problem="given up" if chunk.number in GIVEN_UP else "")], [])

    monkeypatch.setattr(job, "run_kept", check)
    monkeypatch.setattr(job, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(("seconds", "chunks"), [(0, 1), (1, 1), (5, 3), (6.5, 4), (100, 10)])
def test_task_does_one_chunk_and_what_there_is_time_for(clock: list[float], seconds: float, chunks: int) -> None:
    rows = job.for_a_while(JOB, CHUNKS, seconds)
    assert [row.done[0].chunk for row in rows] == list(range(chunks))
    assert clock == [100.0 + 2 * chunks]


@pytest.mark.usefixtures("clock")
def test_task_goes_on_to_its_end_once_a_target_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each task else would lose a minute to the same target again."""
    monkeypatch.setitem(globals(), "GIVEN_UP", range(2, 10))
    assert len(job.for_a_while(JOB, CHUNKS, 5)) == 10


DIED = """\
An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 0.0 failed 4 times, \
most recent failure: Lost task 0.3 in stage 0.0 (TID 3) (localhost executor driver): \
org.apache.spark.SparkException: Python worker exited.
	at org.apache.spark.api.python.BasePythonRunner$ReaderIterator$$anonfun$1.applyOrElse(PythonRunner.scala:1136)
Caused by: java.io.EOFException
	... 22 more

Driver stacktrace:
	at org.apache.spark.scheduler.DAGScheduler.$anonfun$abortStage$3(DAGScheduler.scala:4568)
"""
RAISED = """\
org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "worker.py", line 1, in main
ValueError: no profile is called 'x'
	at org.apache.spark.api.python.BasePythonRunner
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [(DIED, "Python worker exited."), (RAISED, "ValueError: no profile is called 'x'"), ("", "OSError"), ("x", "x")],
)
def test_cause_of_a_failure_is_one_line(text: str, told: str) -> None:
    assert job.cause(OSError(text)) == told


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("local", "local[1, 4]"),
        ("local[*]", "local[*, 4]"),
        ("local[ 3 ]", "local[3, 4]"),
        ("local[2,1]", "local[2,1]"),
        ("local-cluster[1,1,1024]", "local-cluster[1,1,1024]"),
        ("spark://host:7077", "spark://host:7077"),
    ],
)
def test_tasks_are_tried_again_on_one_machine_too(asked: str, given: str) -> None:
    assert spark._conf(asked, "").get("spark.master") == given
