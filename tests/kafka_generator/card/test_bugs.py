from dataclasses import replace

import pytest
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets.catalogue import Finding, FindingKind, Part
from kafka_generator.card import bugs
from kafka_generator.recorded.results import RecordedCause, Row

COUNTS = {"met": 2, "damage": 0, "crafted": 0}
OLD, NEW = "v1/timestamp/zero", "v2/header/null-value"


def cause(vectors, outcomes=("wrong-answer",), *, harmless=False):
    return RecordedCause(
        "c", "goes wrong", "decode", "producer", "", len(vectors), vectors[0], tuple(vectors), outcomes, harmless
    )


def row(part=Part.CONSUMER, causes=(), findings=2, target="consumer-none-such", counts=COUNTS):
    return Row(target, part, "1", "Go", "", 9, 9, findings, counts, causes=tuple(causes))


def test_harm_is_that_of_the_moment_not_of_other_vectors():
    (bug,) = bugs.found(row(causes=[cause([OLD, NEW], ("wrong-answer", "refused-valid"))])).bugs
    assert (bug.moment, bug.harm) == ("everyday", "fails")


def test_differences_that_are_no_bugs_are_left_out():
    assert bugs.found(row(causes=[cause([NEW], harmless=True)])).bugs == ()


def test_what_a_producer_gets_wrong_is_written():
    (bug,) = bugs.found(row(Part.PRODUCER, [cause([NEW])])).bugs
    assert bug.harm == "written"


def test_bugs_that_were_counted_without_their_causes_are_not_forgotten():
    assert bugs.found(row()).unnamed == 2
    assert bugs.found(row(findings=0, counts={"met": 0, "damage": 0, "crafted": 0})).unnamed == 0


def test_the_worst_bug_comes_first():
    found = bugs.found(row(causes=[cause([OLD]), cause([NEW], ("refused-valid",)), cause([NEW])])).bugs
    assert [(bug.moment, bug.harm) for bug in found] == [("everyday", "wrong"), ("everyday", "fails"), ("old", "wrong")]


@pytest.fixture
def looked_at(monkeypatch):
    kinds = {OLD: FindingKind.TOLERATED, NEW: FindingKind.REACHABLE}
    findings = tuple(
        Finding(
            "t",
            vector,
            f"is known for {vector}",
            kind,
            (vector,),
            (Outcome.WRONG_ANSWER,),
            Direction.DECODE,
            reachable="",
            kafka="",
            gives=None,
            unconfirmed="",
            upstream=None,
            note="",
        )
        for vector, kind in kinds.items()
    )
    monkeypatch.setattr(bugs, "_looked_at", lambda _: findings)


@pytest.mark.usefixtures("looked_at")
def test_what_somebody_found_to_be_no_bug_is_none_whatever_a_run_names_it():
    assert bugs.found(row(causes=[cause([OLD])])).bugs == ()


@pytest.mark.usefixtures("looked_at")
def test_the_rest_of_a_cause_stays_and_has_the_words_of_who_looked_at_it():
    (bug,) = bugs.found(row(causes=[cause([OLD, NEW], ("crashed", "refused-valid"))])).bugs
    assert (bug.vectors, bug.example, bug.findings, bug.harm) == ((NEW,), NEW, 1, "fails")
    assert bug.does == f"is known for {NEW}"


def test_the_sentence_that_a_client_breaks_does_not_read_as_what_it_does():
    broken = replace(cause([NEW]), does="does not do what it must: It joins again.")
    (bug,) = bugs.found(row(causes=[broken])).bugs
    assert bug.does == 'does not do what it must: "It joins again"'


def test_what_the_codec_of_a_client_does_every_day_is_seen_in_its_consumer():
    found = bugs.of_codec(bugs.found(row(Part.MESSAGES, [cause([NEW])])))
    assert [bug.moment for bug in found.bugs] == ["rare"]


@pytest.mark.usefixtures("looked_at")
def test_two_causes_that_are_signs_of_one_bug_are_one():
    signs = [cause([NEW], ("refused-valid",)), replace(cause([NEW]), id="another")]
    (bug,) = bugs.found(row(causes=signs)).bugs
    assert (bug.harm, bug.findings, bug.does) == ("wrong", 2, f"is known for {NEW}")
