"""Valid bytes that a target fails on, made as small as they go while it fails in the same way."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from kafka_format.errors import EncodeError, FormatError

from kafka_conformance.diagnosis.cause import ReducedVector
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction import tree
from kafka_conformance.reduction.asker import Asker, vector_of
from kafka_conformance.reduction.shrink import OutOfBudgetError, shrink
from kafka_conformance.reduction.tree import Tree
from kafka_conformance.vectors.vector import Vector, Verdict

PARTS: Final = 6
"""Most parts that are told: bytes that were made small have a few."""


def reduce(vector: Vector, asker: Asker, alike: Callable[[Result], bool], seconds: float) -> ReducedVector | None:
    """Make a valid vector small; None if the target does not fail now, or its bytes are no tree.

    Args:
        vector: valid bytes.
        asker: the target.
        alike: whether a result is the failure that is looked for.
        seconds: time to spend; one question may last longer.

    Raises:
        TargetLostError: the target does not start.
    """
    try:
        first = tree.parse(vector.data, vector.format)
    except (FormatError, KeyError, IndexError):
        return None
    return _Reduction(vector.format, asker, alike, monotonic() + seconds).run(first)


class _Reduction:
    def __init__(self, version: str, asker: Asker, alike: Callable[[Result], bool], until: float) -> None:
        self._version, self._asker, self._alike, self._until = version, asker, alike, until
        self._seen: dict[bytes, Result | None] = {}

    def run(self, first: Tree) -> ReducedVector | None:
        try:
            if not self._fails(first):
                return None
            smallest, finished = shrink(first, self._fails)
        except OutOfBudgetError:
            return None
        parts = tree.parts(smallest)
        try:
            enough = [part.text for part in parts if self._passes(tree.without(smallest, part))]
        except OutOfBudgetError:
            enough, finished = [], False
        texts = tuple(part.text for part in parts[:PARTS])
        return ReducedVector(tree.write(smallest), texts, tuple(enough[:PARTS]), finished)

    def _fails(self, candidate: Tree) -> bool:
        result = self._result(candidate)
        return result is not None and self._alike(result)

    def _passes(self, candidate: Tree) -> bool:
        result = self._result(candidate)
        return result is not None and result.outcome is Outcome.PASSED

    def _result(self, candidate: Tree) -> Result | None:
        """Ask about a tree; None if its bytes are not valid."""
        try:
            data = tree.write(candidate)
        except (EncodeError, OverflowError):
            return None
        if data not in self._seen:
            if monotonic() > self._until:
                raise OutOfBudgetError
            codecs = tuple(sorted({tree.codec_of(entry) for entry in candidate}))
            vector = vector_of(data, self._version, codecs)
            self._seen[data] = self._asker.ask(vector) if vector.verdict is Verdict.VALID else None
        return self._seen[data]
