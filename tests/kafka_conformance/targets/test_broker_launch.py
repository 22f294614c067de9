"""Brokers that the suite starts: a program that says where it listens, and ends with its input."""

import sys

import pytest
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import runner
from kafka_conformance.run.target import Standing
from kafka_conformance.targets import resolve
from kafka_conformance.targets.broker_launch import NOWHERE, StartedBroker
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import directions, golden, loader

from tests.kafka_conformance.kinds.broker.test_session import NULL_KEY, by_id

FAKE = """
import sys, os
sys.path.insert(0, {root!r})
from tests.kafka_conformance.kinds.broker.fake_broker import running
def meddle(name, version, body, answer):
    if name == "produce" and bytes(body.topic_data[0].partition_data[0].records)[17:21].hex() in {fatal!r}:
        print("an assertion failed", file=sys.stderr, flush=True)
        os._exit(7)
    return answer
with running(meddle=meddle) as broker:
    print(broker.address, flush=True)
    sys.stdin.read()
"""


def place(code: str) -> StartedBroker:
    return StartedBroker(NOWHERE, name="fake", version="1", run="abc", command=Command((sys.executable, "-c", code)))


def test_a_broker_that_dies_is_started_again_and_the_vector_found(pytestconfig):
    code = FAKE.format(root=str(pytestconfig.rootpath), fatal=[NULL_KEY.hex()])
    limits = Limits(seconds=60, start_seconds=60)
    vectors = golden.load(patterns=["v2/key/*"])
    whole_run = runner.run(
        [Candidate("it", None, kind=TargetKind.BROKER, place=place(code))], vectors, runner.RunOptions(limits=limits)
    )
    assert whole_run.targets[0].standing is Standing.RAN
    result = by_id(whole_run, "v2/key/null")
    assert result.outcome is Outcome.CRASHED
    assert "exited with status 7" in result.detail
    assert "an assertion failed" in result.detail
    assert [finding.vector for finding in whole_run.findings] == ["v2/key/null"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import sys; sys.exit('no port')", "exited with status 1; on standard error: no port"),
        ("print('hello')", "exited with status 0"),
        ("print('127.0.0.1:')", "exited with status 0"),
    ],
)
def test_a_program_that_is_no_broker_does_not_come_up(code, words):
    with pytest.raises(TargetLostError, match=words):
        place(code).start()


@pytest.mark.parametrize("release", ["4.4.0", "3.9.2"])
def test_kafka_itself_has_no_findings(release, request):
    if not request.config.getoption("--whole"):
        pytest.skip("starts Kafka, and takes a minute; --whole does it")
    candidate = resolve.candidate(f"broker-kafka@{release}")
    if candidate.place is None:
        pytest.skip(candidate.problem)
    vectors = (*golden.load(), *loader.of_family(directions.ASSIGN))
    whole_run = runner.run([candidate], vectors, runner.RunOptions())
    assert whole_run.targets[0].standing is Standing.RAN
    assert not whole_run.findings
    assert sum(result.outcome is Outcome.PASSED for result in whole_run.results) > 1900
