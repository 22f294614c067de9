"""What a target is spared: only what has a fault that is seen to kill it, and never without a word."""

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.batches import Batches
from kafka_conformance.scale.sparing import Sparing
from kafka_format.sampler import FAULTS, Fault

from tests.kafka_conformance.scale.toybatches import toy_batches

FAULT, OTHER_FAULT = FAULTS[1:3]
THIRTY = range(30)


def faulty(fault: Fault, start: int = 0) -> Batches:
    """Thirty batches with that fault."""
    return toy_batches(30, *range(start, start + 30), start=start, fault=fault)


def spared(sparing: Sparing, batches: Batches) -> dict[int, Result]:
    results: dict[int, Result] = {}
    left = sparing.spare(batches, THIRTY, results)
    assert sorted([*left, *results]) == [*THIRTY]
    return results


def seen(deaths: int, most: int, fault: Fault = FAULT) -> Sparing:
    """Thirty batches with that fault were put, and so many of them have killed the target."""
    sparing, batches = Sparing("toy", most), faulty(fault)
    sparing.put(batches)
    for number in range(deaths):
        sparing.died(batches, number)
    return sparing


@pytest.mark.parametrize(
    ("deaths", "most"), [(2, 2), (3, 4), (30, 0)], ids=["below a tenth", "too few", "asked for all"]
)
def test_target_is_spared_nothing(deaths: int, most: int) -> None:
    assert spared(seen(deaths, most), faulty(FAULT)) == {}


def test_batches_without_a_fault_are_always_put() -> None:
    assert spared(seen(30, 1, FAULTS[0]), faulty(FAULTS[0])) == {}


def test_what_kills_in_a_tenth_of_all_cases_is_spared_with_its_index() -> None:
    sparing = seen(3, 3)
    found = spared(sparing, faulty(FAULT, 500))
    assert found.keys() == {*THIRTY}
    assert {(result.outcome, result.target) for result in found.values()} == {(Outcome.SPARED, "toy")}
    assert [found[number].vector for number in (0, 29)] == ["500", "529"]
    assert spared(sparing, faulty(OTHER_FAULT)) == {}
    assert list(spared(sparing, toy_batches(30, 7, fault=FAULT))) == [7]


def test_another_format_is_another_sort() -> None:
    assert spared(seen(3, 3), toy_batches(30, *THIRTY, version="v1", fault=FAULT)) == {}
