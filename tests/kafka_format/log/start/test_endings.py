"""Which of several faults ends a node: Kafka waits for directories in the order of log.dirs."""

from pathlib import Path

import pytest
from kafka_format.log.start.endings import Endings
from kafka_format.log.start.outcome import Fault, Stopped

ONE, TWO, THREE = (Path(name) for name in ("one", "two", "three"))


def named(endings: Endings) -> list[str]:
    """Return the kinds of the faults of which one ends the node."""
    with pytest.raises(Stopped) as stopped:
        endings.check()
    fault = stopped.value.fault
    return [each.kind for each in (fault, *fault.others)]


def fault(kind: str) -> Fault:
    return Fault(kind, ONE)


def test_the_first_directory_with_a_fault_ends_the_node() -> None:
    endings = Endings([ONE, TWO])
    endings.add((TWO, fault("later")))
    endings.add((ONE, fault("first")))
    assert named(endings) == ["first"]


def test_in_a_directory_any_fault_may_be_the_first() -> None:
    endings = Endings([ONE, TWO])
    for kind in ("a", "b"):
        endings.add((TWO, fault(kind)))
    assert named(endings) == ["a", "b"]


def test_a_partition_that_is_there_twice_ends_the_node_in_either_directory() -> None:
    endings = Endings([ONE, TWO, THREE])
    endings.add((ONE, fault("in one")), (TWO, fault("in two")))
    endings.add((THREE, fault("later")))
    assert named(endings) == ["in one", "in two"]


def test_a_fault_between_may_come_before_the_second_place() -> None:
    endings = Endings([ONE, TWO, THREE])
    endings.add((ONE, fault("in one")), (THREE, fault("in three")))
    endings.add((TWO, fault("between")))
    assert named(endings) == ["in one", "between"]


def test_what_comes_by_chance_alone_ends_no_node() -> None:
    endings = Endings([ONE, TWO])
    endings.add_perhaps(ONE, fault("perhaps"))
    endings.check()
    assert [each.kind for each in endings.perhaps] == ["perhaps"]
    endings.add((TWO, fault("sure")))
    assert named(endings) == ["perhaps", "sure"]
