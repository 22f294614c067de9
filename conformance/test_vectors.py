"""The conformance suite under pytest: see conftest.py for its options."""

from collections.abc import Mapping

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.run import Run
from kafka_conformance.vectors.vector import Vector
from kafka_tools.text import printable


def test_known_failures_are_true(run: Run) -> None:
    """Every entry of the known-failures file is as it says."""
    assert not run.known_problems, "\n".join(run.known_problems)


def test_vector(vector: Vector, direction: Direction, results: Mapping[tuple[str, Direction], Result]) -> None:
    """The target does with the vector what the verdict says."""
    result = results.get((vector.id, direction))
    if result is None:
        pytest.skip(f"not put: the target does not {direction}, or was given up before")
    if not result.outcome.was_asked:
        pytest.skip(printable(result.detail))
    if result.known:
        pytest.xfail(result.known)
    if result.outcome is not Outcome.PASSED:
        pytest.fail(printable(f"{vector.title}: {result.outcome.words}: {result.detail}"), pytrace=False)
