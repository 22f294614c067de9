"""Faults that were planted before the diagnosis was looked at: the first cause is that of each."""

from __future__ import annotations

import re

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.kinds.message.wrong_answers import Probe, probe
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.vector import Vector, Verdict

from tests.kafka_conformance.kinds.message.fresh_codecs import SET_1, SET_2, SET_3, SET_4, SET_5, Fresh
from tests.kafka_conformance.kinds.message.fresh_harness import code

FAMILIES = ["fetch", "metadata", "produce", "join_group", "find_coordinator"]
ALL = [*SET_1, *SET_2, *SET_3, *SET_4, *SET_5]
RIGHT = [Fresh("none", form, "") for form in ("json", "bytes")]

CHOSEN = frozenset({
    "json low word has a sign", "bytes words exchanged", "json text in quotes", "json host and rack metadata response",
    "bytes error codes of one byte error_code", "json names without their last letter name",
    "json base offset is start produce response", "json key as bytes find-coordinator request",
    "bytes high watermark is log start fetch response", "json bytes without their first",
})  # fmt: skip
"""Faults that are put here, of the five sets: all of them together take minutes."""


def is_asked(vector: Vector, versions: list[int]) -> bool:
    """Tell whether a vector is put: of a message the first, the middle and the last versions."""
    is_right = vector.verdict is Verdict.VALID or vector.id.partition("@")[0].endswith("/trailing")
    is_usual = "/surplus-" not in vector.id and "/fallback/" not in vector.id
    chosen = {*versions[:1], versions[len(versions) // 2], *versions[-3:]}
    return is_right and is_usual and int(vector.formats[0]) in chosen


@pytest.fixture(scope="module")
def probes() -> list[Probe]:
    vectors = message_vectors(in_versions(protocol.load(families=FAMILIES)))
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


@pytest.mark.sampled(4, of="mutants")
@pytest.mark.parametrize("fault", [fault for fault in ALL if str(fault) in CHOSEN], ids=str)
def test_the_right_cause_comes_first(probes: list[Probe], fault: Fresh) -> None:
    found = diagnose_messages(list(code(probes, fault)), {each.vector.id: each.vector for each in probes}, fault.form)
    assert found.causes, "no vector shows it"
    said = [(each.id, len(each.findings)) for each in found.causes]
    assert re.search(fault.cause, found.causes[0].id), said


def test_what_is_chosen_is_planted_once() -> None:
    assert {str(fault) for fault in ALL} >= CHOSEN
    assert len({str(fault) for fault in ALL}) == len(ALL)
