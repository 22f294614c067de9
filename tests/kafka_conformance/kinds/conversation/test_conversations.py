"""Conversations with a client of few words: a sound one passes, and each fault is found."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.kinds.conversation import questions as catalogue
from kafka_conformance.kinds.conversation.script import Conversation
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import runner
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import conversations, loader
from kafka_conformance.vectors.lines import check_schema
from kafka_format import records
from kafka_format.records import Record
from kafka_tools.errors import UsageError

DRIVER = Path(__file__).parents[1] / "consumer" / "reference_driver.py"


def conversation_of(name):
    (vector,) = loader.of_family(conversations.FAMILY, [name])
    return catalogue.conversation(vector)


def run(vectors, *arguments):
    candidate = Candidate("it", Command((sys.executable, str(DRIVER), *arguments)), kind=TargetKind.CONSUMER)
    return runner.run([candidate], vectors, RunOptions(limits=Limits(seconds=60)))


def test_a_sound_consumer_passes():
    chosen = loader.of_family(conversations.FAMILY, ["conversation/progress/[eg]*", "conversation/transactions/[ao]*"])
    done = run(chosen)
    assert not [(finding.vector, finding.outcome, finding.detail) for finding in done.findings]
    assert done.counts("it")[Outcome.PASSED] == len(chosen)


@pytest.fixture
def one_of_faults(monkeypatch):
    """A conversation of two batches, the first of which a faulty client does not stand."""
    made = [Record(offset=index, timestamp=1, timestamp_type=0, value=b"fault") for index in range(2)]
    log = records.encode(made) + records.encode([Record(offset=2, timestamp=1, timestamp_type=0, value=b"fine")])
    known = conversation_of("conversation/limits/batch-cut-at-the-end")
    step = replace(known.steps[0], next={"offset": 2})
    made = Conversation(
        **{name: getattr(known, name) for name in Conversation.__slots__}
        | {"vector": replace(known.vector, data=log), "records": tuple(records.decode(log))}
        | {"steps": (step,), "position": 3, "patience": 1.0}
    )
    monkeypatch.setattr(catalogue, "conversation", lambda _: made)
    return made.vector


@pytest.mark.parametrize(
    ("fault", "outcome", "path"),
    [
        ("dies", Outcome.CRASHED, ""),
        ("skips", Outcome.WRONG_ANSWER, "steps[0].next.offset"),
        ("stops", Outcome.HUNG, ""),
        ("raises", Outcome.REFUSED_VALID, ""),
    ],
)
def test_a_fault_is_found(one_of_faults, fault, outcome, path):
    (result,) = run([one_of_faults], fault).results
    assert (result.outcome, result.path) == (outcome, path)


def test_who_dies_when_told_to_stop_has_passed_and_a_note_says_so():
    vectors = loader.of_family(conversations.FAMILY, ["conversation/limits/batch-cut-at-the-end"])
    done = run(vectors, "ends")
    assert [result.outcome for result in done.results] == [Outcome.PASSED]
    assert done.targets[0].notes[0].startswith("driver: told to stop, it was killed by SIGABRT")


def test_a_client_without_a_setting_is_not_asked():
    (result,) = run(loader.of_family(conversations.FAMILY, ["conversation/offsets/below-log-start-latest"])).results
    assert (result.outcome, result.detail) == (Outcome.UNSUPPORTED, "has no setting for reset")


def test_where_a_group_begins_needs_no_setting_of_its_own():
    (result,) = run(loader.of_family(conversations.FAMILY, ["conversation/groups/first-time"])).results
    assert (result.outcome, result.detail) == (Outcome.UNSUPPORTED, "has no setting for group")


def test_a_wrong_document_is_refused_with_its_place():
    document = dict(conversation_of("conversation/sessions/lost").vector.document)
    with pytest.raises(UsageError, match=r"vectors/here: conversation/sessions/lost is wrong at \$\.steps\[0\]"):
        check_schema({**document, "steps": [{"request": "create_topics"}]}, conversations.SCHEMA, "here")
