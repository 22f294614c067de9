"""Valid bytes that a target fails on, made as small as they go while it fails in the same way."""

from collections.abc import Callable
from typing import Final

from kafka_format.errors import FormatError

from kafka_conformance.diagnosis.cause import ReducedVector
from kafka_conformance.judging.result import Result
from kafka_conformance.reduction import tree
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.entries import Entries
from kafka_conformance.reduction.search import Budget, Search
from kafka_conformance.reduction.shrink import OutOfBudgetError
from kafka_conformance.vectors.vector import Vector

PARTS: Final = 6
"""Most parts that are listed: bytes that were made small have a few."""


def reduce(vector: Vector, asker: Asker, is_alike: Callable[[Result], bool], seconds: float) -> ReducedVector | None:
    """Make a valid vector small; None if the target does not fail now, or its bytes are no tree.

    Args:
        vector: valid bytes.
        asker: the target.
        is_alike: whether a result is the failure that is looked for.
        seconds: time to spend; one question may last longer.

    Raises:
        TargetLostError: the target does not start.
    """
    try:
        first = tree.parse(vector.data, vector.format)
    except (FormatError, KeyError, IndexError):
        return None
    search = Search(Entries(asker, vector.format), first, is_alike, Budget(seconds))
    try:
        if not search.fails(first):
            return None
    except OutOfBudgetError:
        return None
    is_finished = search.run()
    try:
        cause = search.cause()
        enough = tuple(part.text for part in cause.parts) if cause.is_proven else ()
    except OutOfBudgetError:
        enough, is_finished = (), False
    parts = tuple(part.text for part in tree.parts(search.tree))
    return ReducedVector(tree.write(search.tree), parts[:PARTS], enough[:PARTS], is_finished)
