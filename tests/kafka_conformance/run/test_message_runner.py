"""A run over requests and responses, with targets that read none."""

import sys
from pathlib import Path

from kafka_conformance.child.deaths import LIMITS
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.judging.result import Result
from kafka_conformance.run import message_runner, messages
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.run.target import Standing
from kafka_conformance.targets import resolve
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors import protocol

RECORDS_ALONE = (sys.executable, "-m", "kafka_conformance", "adapter", "python:json:loads")


def test_targets_that_read_none_are_not_ready_for_it(tmp_path: Path) -> None:
    asked = messages.questions(protocol.load(families=["heartbeat"]))
    reference, other = resolve.contestant("reference"), Contestant("other", Command(RECORDS_ALONE, tmp_path))
    whole_run = message_runner.run([reference, other], asked, RunOptions())
    assert [target.standing for target in whole_run.targets] == [Standing.RAN, Standing.NOT_READY]
    assert whole_run.targets[1].problem == "it does not read requests and responses"
    assert whole_run.findings == ()
    assert {result.target for result in whole_run.results} == {"reference"}


def test_a_target_that_does_not_come_up(tmp_path: Path) -> None:
    asked = messages.questions(protocol.load(families=["heartbeat"]))
    whole_run = message_runner.run([Contestant("gone", Command(("/no/such/program",), tmp_path))], asked, RunOptions())
    assert [target.standing for target in whole_run.targets] == [Standing.DID_NOT_COME_UP]
    assert whole_run.came_up == ()


def test_results_are_told_as_they_come_and_targets_run_at_once(tmp_path: Path) -> None:
    asked = messages.questions(protocol.load(families=["heartbeat"]))
    targets = [resolve.contestant("reference"), Contestant("gone", Command(("/no/such/program",), tmp_path))]
    reported: list[Result] = []
    whole_run = message_runner.run(targets, asked, RunOptions(jobs=2), reported.append)
    assert [target.name for target in whole_run.targets] == ["reference", "gone"]
    assert sorted(result.vector for result in reported) == sorted(question.id for question in asked)


def test_what_was_told_before_the_user_ended_the_run_is_kept() -> None:
    asked = messages.questions(protocol.load(families=["heartbeat"]))
    reported: list[Result] = []
    whole_run = messages.run(
        resolve.contestant("reference"),
        asked,
        Limits(),
        LIMITS,
        reported.append,
        lambda: len(reported) >= 10,
        portion=10,
    )
    assert whole_run.is_stopped
    assert [result.vector for result in whole_run.results] == [question.id for question in asked[: len(reported)]]
    assert 0 < len(reported) < len(asked)
