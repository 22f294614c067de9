"""A program that is started again after it was lost."""

import pytest
from kafka_conformance.child.losses import FEW, Losses
from kafka_conformance.child.restarted import Restarted
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.outcomes import Outcome


class Program:
    def close(self) -> list[str]:
        return ["says goodbye"]


def test_another_one_runs_after_a_loss() -> None:
    child = Restarted(Program, Losses("order"))
    first = child.program
    child.losses.add()
    child.restart()
    assert child.program is not first


def test_one_that_was_lost_too_often_is_not_started_again() -> None:
    child = Restarted(Program, Losses("order"))
    for _ in range(FEW):
        child.losses.add()
    with pytest.raises(GaveUpError, match=f"given up after {FEW} losses without a single order"):
        child.restart()


def test_it_does_not_come_up_again() -> None:
    left = [Program()]

    def start() -> Program:
        if not left:
            raise TargetLostError(Outcome.CRASHED, "exited with status 3")
        return left.pop()

    child = Restarted(start, Losses("order"))
    with pytest.raises(GaveUpError, match="it did not come up again: it exited with status 3"):
        child.restart()
    assert child.complaints("driver") == ["the driver says goodbye"]
