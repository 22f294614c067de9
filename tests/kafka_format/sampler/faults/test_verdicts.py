"""Verdicts of hostile batches follow from their faults; the reference, which knows none, agrees."""

from collections import Counter

import pytest
from kafka_conformance.protocol import answers
from kafka_format import sampler
from kafka_format.errors import FormatError
from kafka_format.records import decode, decode_v07
from kafka_format.sampler import Block
from kafka_format.spec.flags import flags
from kafka_format.spec.rules import rules

BATCHES = 8_000
ENOUGH = 1
"""Batches that each fault is met in, at least."""


def read(block: Block, index: int, allowed: frozenset[str] = frozenset()) -> tuple[str, str] | bytes:
    decoder = decode_v07 if block.format_of(index) == "v07" else decode
    try:
        return answers.to_bytes(decoder(block.input(index), flags=allowed))
    except FormatError as error:
        return error.rule, str(error.stage)


@pytest.fixture(scope="module")
def block() -> Block:
    return sampler.block(50, 0, BATCHES, "hostile")


def test_every_fault_is_met(block: Block) -> None:
    counts = Counter(block.faults)
    assert {
        sampler.FAULTS[place].name: counts[place] for place in range(len(sampler.FAULTS)) if counts[place] < ENOUGH
    } == {}


def test_the_reference_refuses_for_the_rule_that_is_broken_and_answers_what_is_left(block: Block) -> None:
    wrong = []
    for index in range(BATCHES):
        fault, got = block.fault_of(index), read(block, index)
        expected = block.answer(index) if fault.verdict == "valid" else (fault.rule, str(rules()[fault.rule].stage))
        if got != expected:
            wrong.append((index, fault.name, got))
    assert wrong == []


def test_who_accepts_a_lenient_batch_gives_the_answer_that_is_due(block: Block) -> None:
    lenient = [index for index in range(BATCHES) if block.fault_of(index).verdict == "lenient"]
    assert len(lenient) > 500
    wrong = []
    for index in lenient:
        fault = block.fault_of(index)
        if read(block, index, frozenset({fault.flag})) != block.answer(index):
            wrong.append((index, fault.name))
    assert wrong == []


def test_what_must_be_refused_has_no_answer(block: Block) -> None:
    bad = [index for index in range(BATCHES) if block.fault_of(index).verdict == "invalid"]
    assert {block.answer(index) for index in bad} == {bytes(4)}


def test_faults_name_rules_and_flags_that_there_are() -> None:
    assert len({fault.name for fault in sampler.FAULTS}) == len(sampler.FAULTS) <= 256
    assert sampler.FAULTS[0].name == ""
    for fault in sampler.FAULTS[1:]:
        assert fault.rule in rules(), fault
        assert fault.verdict in {"valid", "invalid", "lenient"}
        assert bool(fault.flag) == (fault.verdict == "lenient")
        assert not fault.flag or fault.flag in flags(), fault


def test_batches_of_other_profiles_have_no_fault() -> None:
    for profile in sampler.PROFILES:
        faults = sampler.block(51, 0, 20, profile).faults
        assert len(faults) == 20
        assert any(faults) == (profile == "hostile")
