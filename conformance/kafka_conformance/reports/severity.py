"""Which findings to show first, where not all can be shown.

Valid bytes come first, because those are what brokers serve. Then silent damage comes before noise:
a wrong answer reaches the application unnoticed, a refusal stops it. Among equals the fewest bytes
explain most. And findings of different kinds come before more of the same kind.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.run import Run
from kafka_conformance.vectors.vector import Vector, Verdict

SEVERITY = (
    Outcome.WRONG_ANSWER,
    Outcome.FLAKY,
    Outcome.CRASHED,
    Outcome.HUNG,
    Outcome.OUT_OF_MEMORY,
    Outcome.ACCEPTED_INVALID,
    Outcome.PARTIAL_ANSWER,
    Outcome.REFUSED_VALID,
    Outcome.BROKEN_PROTOCOL,
)
"""Findings, worst first."""


def by_severity(results: Iterable[Result], vectors: Mapping[str, Vector]) -> list[Result]:
    """Return the unknown findings: on valid bytes first, then the worst, then the shortest."""

    def key(result: Result) -> tuple[bool, int, int]:
        vector = vectors[result.vector]
        return vector.verdict is not Verdict.VALID, SEVERITY.index(result.outcome), len(vector.data)

    return sorted((result for result in results if result.is_finding and not result.known), key=key)


def by_variety(results: Iterable[Result], vectors: Mapping[str, Vector]) -> list[Result]:
    """Return the findings in turns: one of each kind, then a second of each."""
    seen: Counter[tuple[bool, Outcome, str]] = Counter()
    rounds: list[tuple[int, Result]] = []
    for result in by_severity(results, vectors):
        kind = vectors[result.vector].verdict is Verdict.VALID, result.outcome, vectors[result.vector].family
        rounds.append((seen[kind], result))
        seen[kind] += 1
    return [result for _, result in sorted(rounds, key=lambda pair: pair[0])]


def example(run: Run) -> Result | None:
    """Return the finding whose bytes are best to print: of valid bytes that were read wrongly."""
    vectors = {vector.id: vector for vector in run.vectors}
    about_bytes = [
        result
        for result in by_variety(run.results, vectors)
        if result.direction is Direction.DECODE and vectors[result.vector].data
    ]
    marked = [result for result in about_bytes if result.path.startswith("records[") or vectors[result.vector].fault]
    return next(iter([*marked, *about_bytes]), None)
