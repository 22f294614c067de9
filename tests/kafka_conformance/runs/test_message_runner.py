"""A run over requests and responses, with targets that read none."""

import sys
from pathlib import Path

from kafka_conformance.child.launch import Command
from kafka_conformance.runs import message_runner, messages
from kafka_conformance.runs.runner import RunOptions
from kafka_conformance.runs.target import Standing
from kafka_conformance.targets import resolve
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors import protocol

RECORDS_ALONE = (sys.executable, "-m", "kafka_conformance", "adapter", "python:json:loads")


def test_targets_that_read_none_are_not_ready_for_it(tmp_path: Path) -> None:
    asked = messages.questions(protocol.load(families=["heartbeat"]))
    reference, other = resolve.contestant("reference"), Contestant("other", Command(RECORDS_ALONE, tmp_path))
    found = message_runner.run([reference, other], asked, RunOptions())
    assert [target.standing for target in found.targets] == [Standing.RAN, Standing.NOT_READY]
    assert found.targets[1].problem == "it does not read requests and responses"
    assert found.findings == ()
    assert {result.target for result in found.results} == {"reference"}


def test_a_target_that_does_not_come_up(tmp_path: Path) -> None:
    asked = messages.questions(protocol.load(families=["heartbeat"]))
    found = message_runner.run([Contestant("gone", Command(("/no/such/program",), tmp_path))], asked, RunOptions())
    assert [target.standing for target in found.targets] == [Standing.DID_NOT_COME_UP]
    assert found.came_up == ()
