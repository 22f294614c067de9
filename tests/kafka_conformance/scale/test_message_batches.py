"""Requests and responses in place of batches: put, judged, counted and reduced, without Spark."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.scale import message_batches, plan, work
from kafka_conformance.scale.ask.checker import Commands
from kafka_conformance.scale.plan import Endurance, RunSettings
from kafka_conformance.scale.reduce import text
from kafka_conformance.scale.reduce.run import reduce
from kafka_conformance.scale.results.reductions import GeneratedBatch
from kafka_conformance.scale.results.rows import Done, FindingRow
from kafka_conformance.scale.work import Job
from kafka_format import protocol
from kafka_format.sampler import exchanges
from kafka_generator.promote import promote
from kafka_tools.errors import UsageError

from tests.command_line import Main

PATIENT = Limits(seconds=60)
SEED = 5

WRONG = """
import os
from kafka_conformance.protocol.messages import MessageInput
from kafka_conformance.serving import loop, message, reference
from kafka_format.errors import FormatError, Stage

def wrong(asked):
    if asked.api == 3 and len(asked.message) > 60:
        raise FormatError("too much metadata", rule="field.truncated", stage=Stage.STRUCTURE, offset=0)
    if asked.api == 12 and {dies}:
        os._exit(3)
    return message.read(asked)

reference._ANSWERS = {{**reference._ANSWERS, MessageInput: wrong}}
loop.serve_standard_streams(reference.reference)
"""


@pytest.fixture
def wrong(tmp_path: Path) -> Command:
    """A target that refuses Metadata of more than 60 bytes, and dies of Heartbeat."""
    script = tmp_path / "wrong.py"
    script.write_text(WRONG.format(dies=True), encoding="utf-8")
    return Command((sys.executable, str(script)))


def done(command: Command, profile: str, batches: int, chunk: int = 100) -> tuple[Sequence[Done], list[FindingRow]]:
    settings = RunSettings(("it",), batches, SEED, profile, chunk)
    rows = list(work.run(Job(settings, (Commands(command),), PATIENT, Endurance()), plan.chunks(settings)))
    return [one for row in rows for one in row.done], [finding for row in rows for finding in row.findings]


def apis(profile: str, batches: int) -> list[int]:
    return [
        message.api for message in exchanges.draw(message_batches.PROFILES[profile], seed=SEED, start=0, count=batches)
    ]


@pytest.mark.parametrize("profile", plan.MESSAGES)
def test_the_reference_is_right_about_all(profile: str) -> None:
    rows, findings = done(Command((sys.executable, "-m", "kafka_conformance", "adapter", "reference")), profile, 150)
    assert [(row.start, row.count, row.compared, row.findings) for row in rows] == [(0, 100, 100, 0), (100, 50, 50, 0)]
    assert not findings
    counted = {(tally.format, tally.codec): 0 for row in rows for tally in row.tally}
    for row in rows:
        for tally in row.tally:
            assert tally.outcome == Outcome.PASSED
            counted[tally.format, tally.codec] += tally.batches
    kind = message_batches.PROFILES[profile]
    names = [protocol.api_name(api) for api in apis(profile, 150)]
    assert counted == {(kind, name): names.count(name) for name in names}


def test_findings_and_deaths_are_told_by_seed_and_index(wrong: Command) -> None:
    rows, findings = done(wrong, "requests", 200, 200)
    drawn = list(exchanges.draw("request", seed=SEED, start=0, count=200))
    refused = {message.number for message in drawn if message.api == 3 and len(message.data) > 60}
    died = {message.number for message in drawn if message.api == 12}
    assert refused
    assert died
    assert sum(row.findings for row in rows) == len(refused | died)
    for finding in findings:
        assert finding.profile == "requests"
        message = exchanges.single("request", finding.seed, finding.index)
        assert message.data.hex().startswith(finding.hex)
        assert finding.outcome == (Outcome.CRASHED if message.api == 12 else Outcome.REFUSED_VALID)
    assert {finding.index for finding in findings} <= refused | died


def test_a_target_that_reads_none_is_a_gap() -> None:
    command = Command((sys.executable, "-m", "kafka_conformance", "adapter", "python:json:loads"))
    rows, findings = done(command, "requests", 20)
    assert not findings
    assert {tally.outcome for row in rows for tally in row.tally} == {Outcome.UNSUPPORTED}
    assert [row.compared for row in rows] == [0]


def test_a_target_that_does_not_start_is_given_up() -> None:
    rows, _ = done(Command((sys.executable, "-c", "raise SystemExit(5)")), "responses", 20)
    assert [(row.given_up, row.compared) for row in rows] == [(20, 0)]
    assert rows[0].problem.startswith("did not come up")


def test_a_finding_is_reduced_to_what_matters(wrong: Command) -> None:
    drawn = exchanges.draw("request", seed=SEED, start=0, count=1500)
    message = next(message for message in drawn if message.api == 3 and len(message.data) > 90)
    with Asker("it", wrong, PATIENT) as asker:
        reduced = reduce(GeneratedBatch("it", SEED, message.number, "requests"), asker, 3600)
    assert reduced.outcome is Outcome.REFUSED_VALID
    assert reduced.effort.finished
    assert reduced.batch.size == len(message.data)
    assert 60 < reduced.minimal.size < 75  # one byte less, and it is right
    request = protocol.decode_request(reduced.minimal.data)
    assert (request.api, request.version) == (3, message.version)
    assert reduced.cause.proven
    told = "\n".join(text.alone(reduced))
    assert "too much metadata" in told
    assert f"explain --request --api metadata --version {message.version} --hex {reduced.minimal.hex}" in told
    with pytest.raises(UsageError, match="requests and responses are not promoted"):
        promote(reduced, Path("vectors"))


def test_what_does_not_fail_is_said_so(main: Main) -> None:
    status, out, _ = main("reference", "--profile", "responses", "--seed", "1", "--index", "3")
    assert (status, out.strip()) == (0, "reference, batch 3 of seed 1, profile responses: passed")
    status, _, err = main("reference", "--profile", "answers", "--index", "3")
    assert status == 2
    assert "requests, responses" in err
