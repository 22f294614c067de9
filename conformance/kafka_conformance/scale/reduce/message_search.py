"""One generated request or response made small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Final

from kafka_format import protocol
from kafka_format.sampler import exchanges

from kafka_conformance.kinds.message.generated import PROFILES, question
from kafka_conformance.kinds.message.questions import MessageQuestion
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.requests import Requests, tree_of
from kafka_conformance.reduction.search import Budget, Search
from kafka_conformance.reduction.shrink import OutOfBudgetError
from kafka_conformance.scale.reduce.search import CALLS, cause_of, failure_kind
from kafka_conformance.scale.results.reductions import Effort, Failure, GeneratedBatch, Minimal, Reduced, ReducedCause

PARTS: Final = 50
"""Most parts that are listed."""


def reduce(
    batch: GeneratedBatch, asker: Asker, seconds: float, progress: Callable[[str], None] = lambda _: None
) -> Reduced:
    """Make a finding small; the arguments are those of `reduce.run.reduce`.

    Raises:
        TargetLostError: the target does not start.
    """
    began, calls = monotonic(), asker.calls
    kind = PROFILES[batch.profile]
    drawn = exchanges.single(kind, batch.seed, batch.index)
    subject = Requests(asker, kind, drawn, lambda exchange: question(batch.profile, batch.seed, exchange))
    first = question(batch.profile, batch.seed, drawn)
    result = subject.ask(first)

    def tell(smallest: MessageQuestion | None) -> None:
        progress(f"{asker.calls - calls:,} questions, {len((smallest or first).vector.data):,} bytes left")

    budget = Budget(seconds - (monotonic() - began), asker.calls + CALLS)
    failure = failure_kind(result)
    search = Search(subject, tree_of(drawn.body), lambda other: failure_kind(other) == failure, budget, tell)
    cause, is_finished = _search(search) if result.outcome.is_finding else (ReducedCause(), True)
    effort = Effort(asker.calls - calls, round(monotonic() - began, 3), is_finished)
    smallest, last = search.smallest or first, search.result or result
    parts = subject.parts(search.tree)
    minimal = Minimal(
        format=kind,
        codec=f"{protocol.api_name(drawn.api)} {drawn.version}",
        size=len(smallest.vector.data),
        hex=smallest.vector.data.hex(),
        fault="",
        twin="",
        redone=True,
        parts=tuple(part.text for part in parts[:PARTS]),
        part_count=len(parts),
    )
    hello = asker.hello
    return Reduced(
        replace(batch, size=len(first.vector.data)),
        Failure(
            library=hello.name,
            version=hello.version,
            outcome=str(last.outcome),
            symptom=failure_kind(last)[1],
            path=last.path,
            expected=last.expected,
            got=last.got or last.detail,
            detail=last.detail,
        ),
        minimal,
        cause,
        effort,
    )


def _search(search: Search[MessageQuestion]) -> tuple[ReducedCause, bool]:
    """Make a value small and find the cause; return it, and whether everything was tried."""
    try:
        return (cause_of(search), True) if search.run() else (ReducedCause(), False)
    except OutOfBudgetError:
        return ReducedCause(), False
