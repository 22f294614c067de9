"""Valid bytes that a target fails on: what is left of them, and which fields are told to matter."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction import tree
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.judged_bytes import judged
from kafka_conformance.reduction.valid import reduce
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format.errors import FormatError

VECTORS = {vector.id: vector for vector in golden.load(patterns=["v2/header/*", "v2/crc/*", "cut/v2/*"])}
LONG = VECTORS["v2/header/repeated-keys"]


class Scripted(Asker):
    """A target that refuses what a function says, and is right otherwise."""

    def __init__(self, refuses: Callable[[tree.Tree], bool]) -> None:
        super().__init__("toy", Command(()), Limits())
        self._refuses = refuses

    def ask(self, vector: Vector) -> Result:
        self.calls += 1
        outcome = Outcome.REFUSED_VALID if self._refuses(tree.parse(vector.data, vector.format)) else Outcome.PASSED
        return Result(vector.id, "toy", outcome)


def is_refused(result: Result) -> bool:
    return result.outcome is Outcome.REFUSED_VALID


def has_headers(found: tree.Tree) -> bool:
    return any(record["headers"] for batch in found for record in batch["records"])


def test_what_is_left_is_what_matters() -> None:
    small = reduce(LONG, Scripted(has_headers), is_refused, 60)
    assert small is not None
    assert small.finished
    assert small.enough == ("records[0].header_count = 1",)
    assert len(small.data) < len(LONG.data)
    assert judged(small.data, "v2", ("none",)).verdict is Verdict.VALID
    assert has_headers(tree.parse(small.data, "v2"))


def test_what_fails_whatever_is_left_out_has_no_field_that_matters() -> None:
    small = reduce(LONG, Scripted(lambda _: True), is_refused, 60)
    assert small is not None
    assert (small.enough, small.parts) == ((), ())


@pytest.mark.parametrize("seconds", [0, -1])
def test_no_time_is_no_reduction(seconds: float) -> None:
    assert reduce(LONG, Scripted(has_headers), is_refused, seconds) is None


def test_a_target_that_does_not_fail_again_is_not_reduced() -> None:
    assert reduce(LONG, Scripted(lambda _: False), is_refused, 60) is None


def test_bytes_that_are_no_tree_are_not_reduced() -> None:
    broken = replace(LONG, data=LONG.data[:-1] + b"\xff")
    with pytest.raises(FormatError):
        tree.parse(broken.data, "v2")
    assert reduce(broken, Scripted(has_headers), is_refused, 60) is None
