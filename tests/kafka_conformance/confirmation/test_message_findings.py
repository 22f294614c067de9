"""Findings about requests and responses: the data, and whether they are still true."""

import pytest
from click.testing import CliRunner
from kafka_conformance.child.launch import Limits
from kafka_conformance.commands.findings import command
from kafka_conformance.confirmation import confirmation
from kafka_conformance.errors import NotReadyError
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import runner
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.targets import catalogue, manifest, resolve
from kafka_conformance.targets.catalogue import FindingKind, Findings, Part
from kafka_tools.errors import UsageError

KNOWN = catalogue.about(Part.MESSAGES)
LOST = {Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY}


@pytest.mark.parametrize("about", KNOWN.values(), ids=KNOWN)
def test_finding_names_what_there_is(about: Findings) -> None:
    described = manifest.load_all()[about.target]
    assert about.version in described.all_versions
    assert described.apis
    names = [finding.id for finding in about.findings]
    assert len(names) == len(set(names))
    assert {finding.bug for finding in about.findings} <= {"", *names}
    assert [one.id for one in confirmation.questions_of(finding.smallest for finding in about.findings)]
    if any(finding.gives for finding in about.findings):
        assert len(list(about.script.parent.glob(f"{about.script.name}.*"))) == 1


@pytest.mark.sampled(3, of="findings")  # their releases are pinned: what changes is the suite, for all of them alike
@pytest.mark.parametrize("about", KNOWN.values(), ids=KNOWN)
def test_finding_is_still_true_in_the_suite(about: Findings) -> None:
    """Fails when a new release of the target has mended it: then the finding goes."""
    target = resolve.candidate(f"{about.target}@{about.version}")
    if target.command is None:
        pytest.skip(target.problem)
    asked = confirmation.questions_of(finding.smallest for finding in about.findings)
    options = RunOptions(limits=Limits(seconds=10), about=("messages",))
    run = runner.run([target], message_vectors(asked), options)
    got = {result.vector: result.outcome for result in run.results}
    assert [finding.id for finding in about.findings if got[finding.smallest] not in finding.outcomes] == []


def test_hostile_finding_is_a_lost_process() -> None:
    hostile = [finding for about in KNOWN.values() for finding in about.of_kind(FindingKind.HOSTILE)]
    assert all(result.outcomes[0] in LOST for result in hostile)


def test_confirming_through_the_library() -> None:
    """One library; `kafka-conformance findings --confirm` does all."""
    try:
        confirmations = list(confirmation.confirm_messages(KNOWN["aiokafka"]))
    except NotReadyError as missing:
        pytest.skip(str(missing))
    assert [one.finding.id for one in confirmations if not one.is_confirmed] == []


def test_they_are_listed_behind_those_of_records() -> None:
    listed = CliRunner().invoke(command, ["franz-go"], standalone_mode=False).output
    assert "stop-replica-4 (reachable, confirmed)" in listed


@pytest.mark.parametrize("name", ["none-request/0/typical", "heartbeat-request/0/none", "heartbeat-request/0/typical"])
def test_a_vector_that_is_not_there(name: str) -> None:
    """The last one is in several versions, and says none."""
    with pytest.raises(UsageError, match="there is no vector"):
        confirmation.questions_of([name])
