"""Findings with one cause are together, simplest first; those without a known cause stay alone."""

import pytest
from kafka_conformance.scale.results.causes import groups
from kafka_conformance.scale.results.reductions import Reduced

from tests.kafka_conformance.scale.reduce.sample import FINDING, PARTS, change

SIMPLE = change(
    batch={"symptom": "IndexError", "batches": 3},
    failure={"outcome": "refused-valid"},
    minimal={"parts": PARTS[:1], "part_count": 1},
)
OTHER = change(batch={"symptom": "key", "batches": 90}, cause={"parts": ("records[0].key = hex:07",)})


def symptoms(*findings: Reduced) -> list[list[str]]:
    return [[finding.batch.symptom for _, finding in group.findings] for group in groups(findings)]


def test_one_cause_is_one_group_with_the_simplest_first() -> None:
    assert symptoms(FINDING, OTHER, SIMPLE) == [["key"], ["IndexError", "records[*].offset"]]
    [_, group] = groups([FINDING, OTHER, SIMPLE])
    assert (group.number, group.main, group.batches) == (2, SIMPLE, 8)


def test_findings_in_order_keep_their_numbers() -> None:
    grouped = groups([FINDING, OTHER, change(cause={"parts": ()}), SIMPLE])
    assert groups([finding for group in grouped for _, finding in group.findings]) == grouped


@pytest.mark.parametrize(
    ("part", "count"),
    [
        ("records[3].attributes.bit_7 = 1", 1),
        ("records[0].attributes.bit_6 = 1", 2),
        ("attributes.bit_7 = 1", 2),
    ],
)
def test_the_place_of_a_record_is_no_difference_and_its_field_is(part: str, count: int) -> None:
    assert len(groups([FINDING, change(SIMPLE, cause={"parts": (part,)})])) == count


def test_contents_are_no_difference_and_numbers_are() -> None:
    assert len(groups([OTHER, change(OTHER, cause={"parts": ("records[1].key = hex:0000",)})])) == 1
    assert len(groups([change(cause={"parts": (f"base_sequence = {number}",)}) for number in (1, 2)])) == 2


def test_a_fault_is_the_same_in_every_format() -> None:
    names = ("v0/crc", "v1/crc", "v1/flip")
    faults = [change(batch={"symptom": name}, minimal={"fault": name}, cause={"parts": (name,)}) for name in names]
    assert symptoms(*faults) == [["v0/crc", "v1/crc"], ["v1/flip"]]


def test_targets_and_unknown_causes_stay_apart() -> None:
    unknown = change(cause={"parts": ()})
    others = [change(batch={"target": "other"}), change(unknown, batch={"index": 9})]
    assert len(groups([FINDING, unknown, *others])) == 4


def test_what_kills_comes_first_and_what_did_not_happen_again_last() -> None:
    dead = change(batch={"symptom": "dead", "batches": 1}, failure={"outcome": "crashed"}, cause={"parts": ("v2/a",)})
    gone = change(batch={"symptom": "gone", "batches": 1000}, failure={"outcome": "passed"}, cause={"parts": ()})
    assert symptoms(gone, OTHER, dead) == [["dead"], ["key"], ["gone"]]
