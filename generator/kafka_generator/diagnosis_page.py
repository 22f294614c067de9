"""Makes docs/diagnosis.md: the bugs that the findings files know, and the causes that a run names.

Twice: as users have it, with these files; and blind, without what is known of the decoder at hand,
as it goes for one that nobody has looked at. The results are recorded ones, so making the page
needs no target.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from kafka_conformance.diagnosis.by_rule import general_signatures
from kafka_conformance.diagnosis.cause import Cause, Diagnosis
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.diagnosis.signature import Signature, signatures
from kafka_conformance.judging.result import Result
from kafka_conformance.protocol.hello import FIELDS, Direction
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Finding, Part
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.vector import Vector

from kafka_generator.markdown import environment
from kafka_generator.recorded import details

PAGE: Final = "diagnosis.md"

ONE, OTHERS, PART, NONE = "one", "with others", "part", "none"
WAYS: Final = {
    ONE: "as one cause",
    OTHERS: "with other bugs, as one cause",
    PART: "in part",
    NONE: "not at all",
}
"""How a bug comes out, the best first."""

_WHOLE: Final = 0.8
"""The share of a bug's findings that a cause has, if it is the whole bug."""

_PURE: Final = 0.5
"""The share of a cause's findings that are of the bug, of those of any known bug, if it is that
bug's."""

Case = tuple[Direction, str]


class KnownBug(NamedTuple):
    """A known bug of a target, with its findings in the run.

    Attributes:
        id: that of its cause: `TARGET/ID`.
        title: what the target does.
        cases: what it is seen at.
    """

    id: str
    title: str
    cases: frozenset[Case]


class BugOutcome(NamedTuple):
    """How a known bug shows without its findings file: a key of `WAYS`, and causes."""

    bug: KnownBug
    way: str
    causes: Sequence[Cause]


class Compared(NamedTuple):
    """The bugs and causes of one target.

    Attributes:
        name: the target, with its version.
        bugs: how its known bugs come out blind.
        confirmed: how many causes were confirmed after the diagnosis had named them.
        causes: how many causes are named with what is known.
        open: the causes among them that no finding is about.
        unexplained: how many findings no cause explains.
    """

    name: str
    bugs: Sequence[BugOutcome]
    confirmed: int
    causes: int
    open: Sequence[Cause]
    unexplained: int

    def count(self, way: str) -> int:
        """Return the number of bugs that the diagnosis shows in one way."""
        return sum(bug.way == way for bug in self.bugs)


def targets() -> list[str]:
    """Return the names of the decoders that were run and have a file of findings."""
    return [name for name in details.targets() if name in catalogue.about(Part.DECODER)]


@cache
def _vectors() -> Mapping[str, Vector]:
    return {vector.id: vector for vector in golden.load()}


@cache
def _results() -> Mapping[str, list[Result]]:
    return details.results(_vectors())


@cache
def diagnosis_of(target: str) -> Diagnosis:
    """Return the diagnosis of a target with its known bugs."""
    return _diagnose(target, None)


@cache
def blind(target: str) -> Diagnosis:
    """Return the diagnosis of a target without its known bugs."""
    return _diagnose(target, [signature for signature in _pool() if signature.target != target])


@cache
def _pool() -> Sequence[Signature]:
    return [*signatures(), *general_signatures(_vectors().values())]


def _diagnose(target: str, known: Sequence[Signature] | None) -> Diagnosis:
    hello = details.targets()[target].hello
    fields = FIELDS if hello is None else hello.fields
    return diagnose(target, _results()[target], _vectors(), known, fields)


@cache
def bugs(target: str) -> Sequence[KnownBug]:
    """Return the known bugs of a target that the run shows.

    Those that were first named by the diagnosis, and confirmed then, say nothing about it.
    """
    failed = [result for result in _results()[target] if result.is_finding]
    by_bug: dict[str, list[Finding]] = {}
    for finding in catalogue.about(Part.DECODER)[target].findings:
        if not finding.cause:
            by_bug.setdefault(f"{target}/{finding.bug or finding.id}", []).append(finding)
    seen = [_known_bug(name, signs, failed) for name, signs in by_bug.items()]
    return [bug for bug in seen if bug.cases]


def _known_bug(name: str, signs: Sequence[Finding], failed: Iterable[Result]) -> KnownBug:
    cases = frozenset(
        (result.direction, result.vector) for result in failed if any(_is_of(result, finding) for finding in signs)
    )
    return KnownBug(name, signs[0].title, cases)


def _is_of(result: Result, finding: Finding) -> bool:
    is_told = result.outcome in finding.outcomes and finding.is_about(result.vector)
    return is_told and result.direction is finding.direction


def cases(cause: Cause) -> set[Case]:
    """Return the cases that a cause explains."""
    return {(cause.direction, result.vector) for result in cause.findings}


@cache
def compare(target: str) -> Compared:
    """Return the bugs of a target beside its causes."""
    known = bugs(target)
    looked_at = frozenset[Case]().union(*(known_bug.cases for known_bug in known))
    outcomes = [_outcome(known_bug, blind(target).causes, looked_at) for known_bug in known]
    diagnosis = diagnosis_of(target)
    hello = details.targets()[target].hello
    return Compared(
        name=target if hello is None else f"{target} {hello.version}",
        bugs=outcomes,
        confirmed=sum(bool(finding.cause) for finding in catalogue.about(Part.DECODER)[target].findings),
        causes=len(diagnosis.causes),
        open=[cause for cause in diagnosis.causes if not any(id_.startswith(f"{target}/") for id_ in cause.ids)],
        unexplained=len(diagnosis.unexplained),
    )


def _outcome(bug: KnownBug, causes: Iterable[Cause], looked_at: frozenset[Case]) -> BugOutcome:
    near = [cause for cause in causes if bug.cases & cases(cause)]
    near.sort(key=lambda cause: -len(bug.cases & cases(cause)))
    ways = {way_of(bug.cases, cases(cause), looked_at) for cause in near}
    return BugOutcome(bug, min(ways, key=list(WAYS).index, default=NONE), near)


def way_of(bug: frozenset[Case], cause: set[Case], looked_at: frozenset[Case]) -> str:
    """Return how a cause shows a bug, as a key of `WAYS`.

    Args:
        bug: what the bug is seen at.
        cause: what the cause explains.
        looked_at: what any known bug is seen at: of the rest of a cause nobody knows what it is.
    """
    shared = len(bug & cause)
    whole, pure = shared >= _WHOLE * len(bug), shared >= _PURE * len(cause & looked_at)
    if not shared:
        return NONE
    return {(True, True): ONE, (True, False): OTHERS, (False, True): PART, (False, False): NONE}[whole, pure]


def page() -> str:
    """Return the text of docs/diagnosis.md."""
    compared = [compare(target) for target in targets()]
    every = [bug for target in compared for bug in target.bugs]
    values = {
        "targets": compared,
        "ways": WAYS,
        "total": Counter(bug.way for bug in every),
        "bugs": len(every),
        "vectors": len({result.vector for kept in _results().values() for result in kept}),
    }
    templates = environment(Path(__file__).parent / "templates")
    return templates.get_template(f"{PAGE}.j2").render(values)
