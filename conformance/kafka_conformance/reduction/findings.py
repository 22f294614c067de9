"""Findings without a signature, made small: the bytes that still fail, the fields that matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import monotonic
from typing import Final

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.diagnosis.cause import Diagnosis, ReducedVector
from kafka_conformance.diagnosis.symptom import symptom
from kafka_conformance.diagnosis.traits import trait_of
from kafka_conformance.errors import TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.valid import reduce
from kafka_conformance.vectors.vector import Vector, Verdict

MOST: Final = 12
"""Most findings of a target that are made small."""


def add_reduced(
    diagnosis: Diagnosis, target: str, command: Command, limits: Limits, vectors: Mapping[str, Vector], seconds: float
) -> Diagnosis:
    """Return the same, with the smallest bytes for each bug that no signature explains.

    Only valid bytes that are decoded are made small; of the others, the vectors are as small as
    they go.

    Args:
        diagnosis: what the findings of the target come from.
        target: its name.
        command: starts it.
        limits: time and memory for one question.
        vectors: the vectors by id.
        seconds: time to spend on all of them.
    """
    wanted = list(_findings_to_reduce(diagnosis, vectors))[:MOST]
    until, reduced = monotonic() + seconds, dict[str, ReducedVector]()
    if not wanted or seconds <= 0:
        return diagnosis
    with Asker(target, command, replace(limits, seconds=min(limits.seconds, seconds))) as asker:
        for number, result in enumerate(wanted):
            left = (until - monotonic()) / (len(wanted) - number)
            try:
                small = reduce(vectors[result.vector], asker, _Like(result, vectors[result.vector]), left)
            except TargetLostError:
                break
            if small is not None:
                reduced[result.vector] = small
    return replace(diagnosis, reduced=reduced)


def _findings_to_reduce(diagnosis: Diagnosis, vectors: Mapping[str, Vector]) -> Iterator[Result]:
    """Yield the smallest finding of each nameless bug, and the findings of none."""
    for cause in diagnosis.causes:
        if not cause.is_named:
            yield from [result for result in cause.findings if _is_reducible(result, vectors)][:1]
    yield from (result for result in diagnosis.unexplained if _is_reducible(result, vectors))


def _is_reducible(result: Result, vectors: Mapping[str, Vector]) -> bool:
    vector = vectors[result.vector]
    is_quick = result.outcome in {Outcome.WRONG_ANSWER, Outcome.REFUSED_VALID, Outcome.PARTIAL_ANSWER}
    return is_quick and result.direction is Direction.DECODE and vector.verdict is Verdict.VALID


class _Like:
    """Tells whether a target fails as it did on a vector: same field, or same error."""

    def __init__(self, first: Result, vector: Vector) -> None:
        self._vector, self._key = vector, self._of(first, vector)

    def __call__(self, result: Result) -> bool:
        return result.is_finding and self._of(result, self._vector) == self._key

    @staticmethod
    def _of(result: Result, vector: Vector) -> tuple[str, str]:
        how = symptom(result)
        return how, "" if result.outcome is Outcome.WRONG_ANSWER else trait_of(result, vector).about
