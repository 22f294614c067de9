"""One finding from the batch that the sampler made to the smallest that fails alike."""

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from kafka_format import sampler

from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import judging
from kafka_conformance.scale.reduction import describing
from kafka_conformance.scale.reduction.asking import Asker, kind_of
from kafka_conformance.scale.reduction.reduced import Batch, Reduced
from kafka_conformance.scale.reduction.searching import NO_FAULT, Search, Start
from kafka_conformance.scale.reduction.shrinking import OutOfBudgetError
from kafka_conformance.scale.reduction.telling import telling
from kafka_conformance.vectors.golden import Vector

HANG_SECONDS = 2.0
"""A target that hung has this long for a candidate, or its limit if that is less."""

PARTS = 50
"""Most parts that are told of a batch; a reduced one has a few."""

Progress = Callable[[str], None]
"""Is told, in words, how far a reduction is."""


def reduce(batch: Batch, asker: Asker, seconds: float, progress: Progress = lambda _: None) -> Reduced:
    """Make a finding small.

    It takes the time that it is given, and at most one question more, with the start of the target; of a target that
    hangs two, each as long as the limit.

    Args:
        batch: where it was found.
        asker: the target; it may serve several findings.
        seconds: time to spend.
        progress: is told how far it is.

    Raises:
        TargetLostError: the target does not come up.
    """
    began, calls = monotonic(), asker.calls
    block = sampler.one(batch.seed, batch.index, batch.profile)
    vector, sound = judging.vector_of(block), sampler.twin(batch.seed, batch.index, batch.profile)

    def tell(smallest: Vector) -> None:
        left = f"{len(smallest.data):,} of {len(vector.data):,} bytes left"
        progress(f"{asker.calls - calls:,} questions, {left}, {monotonic() - began:.0f} s")

    found = asker.ask(vector)
    start = Start(vector, found, sound, block.fault_of(0))
    search = Search(asker, start, lambda: monotonic() - began > seconds, tell)
    end = _searched(search, asker)
    if found.outcome is Outcome.HUNG:
        search.result = asker.ask(search.vector)
        if search.result.outcome is not Outcome.HUNG:
            search, end = Search(asker, start, lambda: True, tell), _End(finished=False)
    return _reduced(batch, asker, len(vector.data), search, end, (asker.calls - calls, monotonic() - began))


class _End(NamedTuple):
    """How a search ended."""

    finished: bool = True
    cause: tuple[str, ...] = ()
    mends: bool = False


def _searched(search: Search, asker: Asker) -> _End:
    """Make it small, and ask why it fails; a target that hangs has less time meanwhile."""
    outcome = search.result.outcome
    if not outcome.is_finding:
        return _End()
    with asker.limited(HANG_SECONDS if outcome is Outcome.HUNG else asker.limits.seconds):
        try:
            if search.run():
                cause, mends = search.why()
                return _End(cause=cause, mends=mends)
        except OutOfBudgetError:
            pass
        return _End(finished=False)


def _reduced(batch: Batch, asker: Asker, size: int, search: Search, end: _End, spent: tuple[int, float]) -> Reduced:
    result, vector, told = search.result, search.vector, telling(search.tree)
    return Reduced(
        target=batch.target,
        name=asker.hello.name,
        version=asker.hello.version,
        seed=batch.seed,
        index=batch.index,
        profile=batch.profile,
        batches=batch.batches,
        found=batch.outcome,
        symptom=batch.symptom,
        outcome=str(result.outcome),
        about=kind_of(result).about,
        path=result.path,
        expected=result.expected if result.path else describing.due(vector),
        got=result.got if result.path else describing.given(result),
        detail=result.detail,
        format=vector.format,
        codec=" ".join(vector.codecs),
        size=size,
        reduced_size=len(vector.data),
        hex=vector.data.hex(),
        fault=search.fault.name if search.fault is not NO_FAULT else "",
        twin=search.sound.hex(),
        redone=search.redone,
        calls=spent[0],
        seconds=round(spent[1], 3),
        telling=told[:PARTS],
        parts=len(told),
        cause=end.cause,
        mends=end.mends,
        finished=end.finished,
    )
