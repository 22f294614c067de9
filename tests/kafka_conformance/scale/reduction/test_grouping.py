"""Findings of one cause stand together, the simplest first; nothing is lost, and nothing is grouped without a cause."""

from dataclasses import replace

import pytest
from kafka_conformance.scale.reduction.grouping import causes, grouped
from kafka_conformance.scale.reduction.reduced import Reduced

from tests.kafka_conformance.scale.reduction.finished import FOUND

SIMPLE = replace(FOUND, symptom="IndexError", outcome="refused-valid", telling=FOUND.cause, parts=1, batches=3)
OTHER = replace(FOUND, symptom="key", cause=("records[0].key = hex:07",), batches=90)


def of(*found: Reduced) -> list[list[str]]:
    return [[one.symptom for _, one in cause.findings] for cause in causes(grouped(found))]


def test_one_cause_is_one_group_with_the_simplest_first() -> None:
    assert of(FOUND, OTHER, SIMPLE) == [["key"], ["IndexError", "records[*].offset"]]
    [_, cause] = causes(grouped([FOUND, OTHER, SIMPLE]))
    assert (cause.number, cause.batches) == (2, 8)


@pytest.mark.parametrize(
    ("cause", "alike"),
    [
        ("records[3].attributes.bit_7 = 1", True),
        ("records[0].attributes.bit_6 = 1", False),
        ("attributes.bit_7 = 1", False),
    ],
)
def test_the_place_of_a_record_is_no_difference_and_its_field_is(cause: str, alike: bool) -> None:  # noqa: FBT001
    found = of(FOUND, replace(SIMPLE, cause=(cause,)))
    assert (len(found) == 1) == alike


def test_contents_are_no_difference_and_numbers_are() -> None:
    assert len(of(OTHER, replace(OTHER, symptom="b", cause=("records[1].key = hex:0000",)))) == 1
    assert len(of(*(replace(FOUND, cause=(f"base_sequence = {number}",)) for number in (1, 2)))) == 2


def test_a_fault_is_the_same_in_every_format() -> None:
    faults = [replace(FOUND, symptom=name, fault=name, cause=(name,)) for name in ("v0/crc", "v1/crc", "v1/flip")]
    assert of(*faults) == [["v0/crc", "v1/crc"], ["v1/flip"]]


def test_targets_and_unknown_causes_stay_apart() -> None:
    unknown = replace(FOUND, cause=(), finished=False)
    assert len(of(FOUND, replace(FOUND, target="other"), unknown, replace(unknown, index=9))) == 4


def test_who_dies_comes_first_and_what_did_not_happen_again_last() -> None:
    dead = replace(FOUND, symptom="dead", outcome="crashed", cause=("v2/a",), batches=1)
    gone = replace(FOUND, symptom="gone", outcome="passed", cause=(), batches=1000)
    assert of(gone, OTHER, dead) == [["dead"], ["key"], ["gone"]]
