"""Which batches are skipped: only those with a fault that is seen to kill the target."""

import pytest
from kafka_conformance.scale.ask.fatal_faults import FatalFaults
from kafka_conformance.scale.batches import Batches
from kafka_format.sampler import FAULTS, Fault

from tests.kafka_conformance.scale.miniature_batches import miniature_batches

FAULT, OTHER_FAULT = FAULTS[1:3]
THIRTY = range(30)


def faulty(fault: Fault, start: int = 0) -> Batches:
    """Thirty batches with that fault."""
    return miniature_batches(30, *range(start, start + 30), start=start, fault=fault)


def skipped(fatal_faults: FatalFaults, batches: Batches) -> set[int]:
    numbers: set[int] = set()
    left = fatal_faults.leave_out(batches, THIRTY, numbers)
    assert sorted([*left, *numbers]) == [*THIRTY]
    return numbers


def seen(deaths: int, most: int, fault: Fault = FAULT) -> FatalFaults:
    """Thirty batches with that fault were put, and so many of them have killed the target."""
    fatal_faults, batches = FatalFaults(most), faulty(fault)
    fatal_faults.note_sent(batches)
    for number in range(deaths):
        fatal_faults.note_death(batches, number)
    return fatal_faults


@pytest.mark.parametrize(
    ("deaths", "most"), [(2, 2), (3, 4), (30, 0)], ids=["below a tenth", "too few", "asked for all"]
)
def test_nothing_is_skipped(deaths: int, most: int) -> None:
    assert skipped(seen(deaths, most), faulty(FAULT)) == set()


def test_batches_without_a_fault_are_always_put() -> None:
    assert skipped(seen(30, 1, FAULTS[0]), faulty(FAULTS[0])) == set()


def test_what_kills_in_a_tenth_of_all_cases_is_skipped() -> None:
    fatal_faults = seen(3, 3)
    assert skipped(fatal_faults, faulty(FAULT, 500)) == {*THIRTY}
    assert skipped(fatal_faults, faulty(OTHER_FAULT)) == set()
    assert skipped(fatal_faults, miniature_batches(30, 7, fault=FAULT)) == {7}


def test_another_format_is_another_sort() -> None:
    assert skipped(seen(3, 3), miniature_batches(30, *THIRTY, version="v1", fault=FAULT)) == set()
