"""A program that is started again after it was lost."""

import pytest
from kafka_conformance.child.restarted import GIVE_UP, Restarted
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.outcomes import Outcome


class Program:
    def close(self) -> list[str]:
        return ["says goodbye"]


def test_it_is_left_alone_after_so_many_losses_in_a_row() -> None:
    child = Restarted(Program, "order")
    for _ in range(GIVE_UP):
        child.restart()
    with pytest.raises(GaveUpError, match=f"given up after {GIVE_UP} losses without a single order"):
        child.restart()


def test_what_it_brings_to_an_end_begins_the_count_anew() -> None:
    child = Restarted(Program, "order")
    first = child.program
    for _ in range(GIVE_UP + 5):
        child.restart()
        child.forget_losses()
    assert child.program is not first


def test_it_does_not_come_up_again() -> None:
    left = [Program()]

    def start() -> Program:
        if not left:
            raise TargetLostError(Outcome.CRASHED, "exited with status 3")
        return left.pop()

    child = Restarted(start, "order")
    with pytest.raises(GaveUpError, match="it did not come up again: it exited with status 3"):
        child.restart()
    assert child.complaints("driver") == ["the driver says goodbye"]
