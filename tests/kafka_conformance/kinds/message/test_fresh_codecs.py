"""Faults that were planted before the diagnosis was looked at: the first cause is that of each."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.further_questions import ask_further
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.kinds.message.wrong_answers import Probe, probe
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors import golden, protocol
from kafka_conformance.vectors.vector import Vector, Verdict

from tests.kafka_conformance.kinds.message.fresh_codecs import REFUSED, TOLD, Fresh
from tests.kafka_conformance.kinds.message.fresh_harness import asked, code
from tests.kafka_conformance.kinds.message.more_codecs import IN_OTHER_VERSIONS, T3, T4, UNSEEN

FAMILIES = ["fetch", "metadata", "produce", "join_group", "find_coordinator"]
MORE = ["api_versions", "alter_client_quotas", "update_raft_voter"]
MORE_CODECS = [fault for fault in T3 if fault.change not in UNSEEN | IN_OTHER_VERSIONS]
RECORDS = [vector for vector in golden.load() if vector.verdict is Verdict.VALID and vector.canonical][:9]
"""Vectors of a run that are about something else."""
RIGHT = [Fresh("none", form, "") for form in ("json", "bytes")]


def is_asked(vector: Vector, versions: list[int]) -> bool:
    """Tell whether a vector is put: of a message the first, the middle and the last versions."""
    is_right = vector.verdict is Verdict.VALID or vector.id.partition("@")[0].endswith("/trailing")
    is_usual = "/surplus-" not in vector.id and "/fallback/" not in vector.id
    chosen = {*versions[:1], versions[len(versions) // 2], *versions[-3:]}
    return is_right and is_usual and int(vector.formats[0]) in chosen


@pytest.fixture(scope="module")
def probes() -> list[Probe]:
    vectors = message_vectors(in_versions(protocol.load(families=[*FAMILIES, *MORE])))
    versions: dict[tuple[str, str], set[int]] = {}
    for vector in vectors:
        versions.setdefault((vector.family, vector.format), set()).add(int(vector.formats[0]))
    kept = [
        probe(vector, Result(vector.id, "planted", Outcome.PASSED))
        for vector in vectors
        if is_asked(vector, sorted(versions[vector.family, vector.format]))
    ]
    assert not any(result.is_finding for right in RIGHT for result in code(kept, right))
    return kept


def diagnose(probes: list[Probe], fault: Fresh) -> Diagnosis:
    vectors = {each.vector.id: each.vector for each in probes} | {each.id: each for each in RECORDS}
    found = diagnose_messages(list(code(probes, fault)), vectors, fault.form)
    return ask_further(found, vectors, fault.form, partial(asked, fault))


@pytest.mark.sampled(16, of="mutants")
@pytest.mark.parametrize("fault", [*TOLD, *REFUSED, *MORE_CODECS, *T4], ids=str)
def test_the_right_cause_comes_first(probes: list[Probe], fault: Fresh) -> None:
    found = diagnose(probes, fault)
    assert found.causes, "no vector shows it"
    said = [(each.id, len(each.findings)) for each in found.causes]
    assert re.search(fault.cause, found.causes[0].id), said


def test_what_a_target_takes_none_of_is_not_named(probes: list[Probe]) -> None:
    """Who refuses what a wrong layout would take has another fault: what it refuses is said."""
    fault = next(each for each in REFUSED if each.change == "metadata not compact")
    vectors = {each.vector.id: each.vector for each in probes} | {each.id: each for each in RECORDS}
    guessed = diagnose_messages(list(code(probes, fault)), vectors, fault.form)
    assert guessed.causes[0].id.startswith("layout/join_group_request")
    (cause,) = ask_further(guessed, vectors, fault.form, lambda inputs: [None] * len(inputs)).causes
    assert cause.id == "message/join-group-request"
    assert cause.does.startswith("refuses the request of join-group, versions ")
    assert not cause.is_named


def test_who_refuses_nothing_is_asked_nothing(probes: list[Probe]) -> None:
    fault = next(each for each in TOLD if each.change == "text in quotes")
    vectors = {each.vector.id: each.vector for each in probes}
    found = diagnose_messages(list(code(probes, fault)), vectors, fault.form)
    assert ask_further(found, vectors, fault.form, lambda _: pytest.fail("it was asked")) is found


def test_a_run_over_records_too_is_asked_about_messages_alone(probes: list[Probe]) -> None:
    """A cause of several messages that is doubted is held against all that is right in the run."""
    chosen = {each.vector.id: each for each in probes if each.vector.family in {"metadata", "fetch"}}
    refused = [replace(each.result, outcome=Outcome.REFUSED_VALID) for each in chosen.values()]
    vectors = {each.vector.id: each.vector for each in probes} | {each.id: each for each in RECORDS}
    doubted = cause_of_group(FindingGroup("reads/count-too-low", "is wrong"), refused, vectors)
    found = ask_further(Diagnosis((doubted,)), vectors, "json", lambda inputs: [None] * len(inputs))
    assert {result.vector for cause in found.causes for result in cause.findings} == chosen.keys()
