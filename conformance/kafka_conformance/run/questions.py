"""Which kinds of questions a run puts to its targets, and about which vectors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from kafka_tools.errors import UsageError

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.kind import AnyKind
from kafka_conformance.kinds.table import ABOUT, KINDS, kinds_of
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.targets.words import PROGRAM
from kafka_conformance.vectors import loader
from kafka_conformance.vectors.loader import Filters
from kafka_conformance.vectors.patterns import chooses
from kafka_conformance.vectors.vector import Vector


def kinds_for(candidate: Candidate, about: Collection[str] = ABOUT) -> tuple[AnyKind, ...]:
    """Return the kinds of questions that a target may be asked, of those that a run is about."""
    declared = ABOUT if candidate.about is None else candidate.about
    return tuple(kind for kind in kinds_of(candidate.kind, about) if kind.about in declared)


def said_hello(candidate: Candidate, limits: Limits) -> Candidate:
    """Return a program of the user's with the kind that its hello says, and what that declares.

    One that does not come up is returned with what it did instead, and is not started again.
    """
    if not candidate.name.startswith(PROGRAM) or candidate.command is None:
        return candidate
    try:
        with AdapterClient(candidate.command, limits) as client:
            hello = client.hello
    except TargetLostError as lost:
        return replace(candidate, lost=lost.detail)
    kind = TargetKind(hello.kind)
    about = frozenset(_declared(hello)) if kind is TargetKind.DECODER else None
    return replace(candidate, kind=kind, about=about)


def _declared(hello: Hello) -> Iterator[str]:
    if hello.directions:
        yield "records"
    if hello.apis.get("form"):
        yield "messages"
    if hello.logs:
        yield "logs"
    if hello.serdes:
        yield "contents"


def load(
    candidates: Sequence[Candidate], about: Collection[str], filters: Filters
) -> tuple[tuple[Vector, ...], list[str]]:
    """Return the chosen vectors of all that the targets may be asked, each once.

    The second value says which patterns match nothing there, and where they match.

    Raises:
        UsageError: none is chosen; the text says of which kinds those are that would be.
    """
    kinds = list(dict.fromkeys(kind for candidate in candidates for kind in kinds_for(candidate, about)))
    vectors = {vector.id: vector for kind in kinds for vector in kind.load(filters)}
    unmatched = [pattern for pattern in filters.patterns if not _matches(pattern, filters, vectors, kinds)]
    notes = [f"{pattern!r} {_elsewhere(pattern, kinds)}" for pattern in unmatched]
    if not vectors:
        notes += _undeclared(candidates, about)
        hint = "`kafka-conformance vectors` lists them all; patterns match whole ids."
        raise UsageError("\n".join(["no vector matches.", *notes]), hint)
    return tuple(vectors.values()), notes


def unasked_of(
    candidates: Sequence[Candidate], results: Iterable[Result]
) -> Callable[[Sequence[str]], tuple[int, int]]:
    """Return what counts the vectors that fit patterns and were not put, and all that fit.

    Args:
        candidates: who took part in a run.
        results: what came of what was put to them.
    """
    kinds = dict.fromkeys(kind for candidate in candidates for kind in kinds_for(candidate))
    asked = frozenset(result.vector for result in results if result.outcome is not Outcome.NOT_ASKED)

    def count(patterns: Sequence[str]) -> tuple[int, int]:
        fitting = {vector.id for kind in kinds for vector in kind.load(Filters(tuple(patterns)))}
        return len(fitting - asked), len(fitting)

    return count


def _matches(pattern: str, filters: Filters, chosen: Iterable[str], kinds: Iterable[AnyKind]) -> bool:
    """Tell whether a pattern has chosen vectors; it may begin with the name of their source."""
    alone = filters._replace(patterns=(pattern,))
    return any(chooses((pattern,), name) for name in chosen) or any(kind.load(alone) for kind in kinds)


def _undeclared(candidates: Iterable[Candidate], about: Collection[str]) -> Iterator[str]:
    """Say of targets that are asked nothing what they do not declare."""
    for candidate in candidates:
        if not kinds_for(candidate, about):
            missing = dict.fromkeys(kind.undeclared for kind in kinds_of(candidate.kind, about))
            words = ", and ".join(missing) or f"it is asked nothing about {', '.join(about)}"
            yield f"{candidate.name}: {words}."


def _elsewhere(pattern: str, kinds: Sequence[AnyKind]) -> str:
    """Say what a pattern matches that these targets are not asked."""
    found = [kind for kind in KINDS if kind not in kinds and kind.load(Filters((pattern,)))]
    if not found:
        return _unasked(pattern)
    targets = dict.fromkeys(target.replace("_", " ") for kind in found for target in kind.targets)
    about = dict.fromkeys(kind.about for kind in found)
    return f"is not asked: it is about {' and '.join(about)} of a {' or '.join(targets)} (--about {','.join(about)})."


def _unasked(pattern: str) -> str:
    """Say that a pattern matches vectors which no target is asked about; or what is like it."""
    if any(True for _ in loader.load(Filters((pattern,)))):
        return "matches vectors that no target is asked about; `kafka-conformance vectors` shows them."
    return f"matches no vector at all. {loader.near(pattern)}".rstrip()
