"""What is told of a job that fails, and how Spark is asked for."""

import pytest

pytest.importorskip("pyspark", reason="the spark extra is not installed")
from kafka_tools.spark import driver, job

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
    assert driver._conf(asked, "").get("spark.master") == given
