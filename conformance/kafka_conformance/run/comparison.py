"""A run compared with an earlier report: what was fixed, what broke, what is new, what is gone.

Only targets that took part in both are compared; if each run has a single one, that is the same
under another name, such as another release of it. Only vectors are compared that this run put or
that are gone for good; so a run over a few vectors says nothing about the others. Known failures
are findings like any other here: what counts is whether a decoder does something else than it did.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from kafka_conformance.diagnosis.cause import Cause, Diagnosis
from kafka_conformance.diagnosis.habits import ALWAYS
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.target import Target


class Change(StrEnum):
    """What became of a case, in the order in which a reader wants to know."""

    BROKE = "broke"
    CHANGED = "changed"
    NEW = "new"
    FIXED = "fixed"
    GONE = "gone"

    @property
    def words(self) -> str:
        """The change as a heading."""
        return _WORDS[self]


_WORDS = {
    Change.BROKE: "Broke: right before, wrong now",
    Change.CHANGED: "Wrong in another way than before",
    Change.NEW: "New: not asked before",
    Change.FIXED: "Fixed: wrong before, right now",
    Change.GONE: "Gone: no longer asked",
}


@dataclass(frozen=True, slots=True)
class CaseChange:
    """What became of one case.

    Attributes:
        was: its outcome in the earlier run; None if it was not asked.
        now: its outcome in this run; None if it was not asked.
    """

    change: Change
    target: str
    vector: str
    direction: Direction
    was: Outcome | None
    now: Outcome | None

    @property
    def is_worse(self) -> bool:
        """True if a reader should worry: something is wrong that was not wrong like this before."""
        return self.change in {Change.BROKE, Change.CHANGED, Change.NEW} and _is_wrong(self.now)

    @property
    def tells(self) -> bool:
        """True if it is worth a line: a new or gone case that is right is only counted."""
        return self.change not in {Change.NEW, Change.GONE} or _is_wrong(self.now) or _is_wrong(self.was)


class CauseChange(NamedTuple):
    """A cause of findings that came or went: of whom, its id, and what it does."""

    target: str
    id: str
    does: str


class CauseNames(NamedTuple):
    """A cause as two runs are compared by it: all its names, and the vectors that it explains."""

    id: str
    does: str
    ids: frozenset[str]
    direction: str
    findings: frozenset[str]

    def is_like(self, other: "CauseNames") -> bool:
        """Tell whether two causes are one bug: by a common name, or by most of their vectors.

        What is done to every answer fails the same vectors whatever it is, so there the name tells.
        """
        if self.direction != other.direction:
            return False
        if self.id.startswith(ALWAYS) and other.id.startswith(ALWAYS):
            return self.id.startswith(other.id) or other.id.startswith(self.id)
        shared = len(self.findings & other.findings)
        return not self.ids.isdisjoint(other.ids) or 2 * shared > max(len(self.findings), len(other.findings))


Causes = Mapping[str, Sequence[CauseNames]]
"""The causes of each target."""


def causes_of(diagnoses: Mapping[str, Diagnosis]) -> Causes:
    """Return the causes of every target of a run."""
    return {name: [_names(cause) for cause in diagnosis.causes] for name, diagnosis in diagnoses.items()}


def _names(cause: Cause) -> CauseNames:
    findings = frozenset(result.vector for result in cause.findings)
    return CauseNames(cause.id, cause.does, cause.ids, cause.direction, findings)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed since an earlier run.

    Attributes:
        started: when the earlier run was made.
        suite_version: what the earlier run was made with.
        versions: targets that are of another version now: name, version then, version now.
        only_then: targets that took part, or came up, only then.
        only_now: targets that take part, or come up, only now.
        cases: every case that is not as it was, in the order of `Change`.
        causes_new: causes of findings that the earlier run had not.
        causes_gone: causes of findings that it had.
    """

    started: str
    suite_version: str
    versions: tuple[tuple[str, str, str], ...] = ()
    only_then: tuple[str, ...] = ()
    only_now: tuple[str, ...] = ()
    cases: tuple[CaseChange, ...] = ()
    causes_new: tuple[CauseChange, ...] = ()
    causes_gone: tuple[CauseChange, ...] = ()

    @property
    def is_worse(self) -> bool:
        """True if anything is wrong that was not wrong like this before."""
        return any(case.is_worse for case in self.cases)

    def of(self, change: Change) -> list[CaseChange]:
        """Return the cases of one kind."""
        return [case for case in self.cases if case.change is change]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs, as far as it is compared."""

    started: str
    suite_version: str
    targets: Collection[Target]
    results: Iterable[Result]
    causes: Causes | None = None

    @property
    def came_up(self) -> dict[str, Target]:
        """The targets that were asked anything, by name."""
        return {target.name: target for target in self.targets if target.hello is not None}

    def cases(self, targets: Collection[str]) -> dict[tuple[str, Direction, str], Outcome]:
        """The outcomes of these targets, by target, direction and vector."""
        return {
            (result.target, result.direction, result.vector): result.outcome
            for result in self.results
            if result.target in targets
        }


def compare(then: Side, now: Side, *, whole: bool) -> Comparison:
    """Hold a run against an earlier one.

    `whole` says that this run put every vector, in every direction; without it, no case counts as
    gone, and a cause only if all that it explained was put again.
    """
    then = _named_as(now, then)
    before, after = then.came_up, now.came_up
    both = [name for name in after if name in before]
    old, new = then.cases(both), now.cases(both)
    # A target that was stopped half way was not asked the rest, which is no news about the rest.
    ended = {name for name in both if after[name].standing.has_ended}
    keys = [*new, *(key for key in old if key not in new and whole and key[0] in ended)]
    changes = [_change(key, old.get(key), new.get(key)) for key in keys]
    order = list(Change)
    cases = sorted((case for case in changes if case is not None), key=lambda case: order.index(case.change))
    return Comparison(
        started=then.started,
        suite_version=then.suite_version,
        versions=tuple(_versions(before, after, both)),
        only_then=tuple(name for name in before if name not in after),
        only_now=tuple(name for name in after if name not in before),
        cases=tuple(cases),
        causes_new=tuple(_causes_missing(now.causes, then.causes, both, cases)),
        causes_gone=tuple(_causes_missing(_put_again(then.causes, new, whole=whole), now.causes, sorted(ended), cases)),
    )


def _named_as(now: Side, then: Side) -> Side:
    """Return the earlier run with its target by the name of now, if each run has one target."""
    before, after = list(then.came_up.values()), list(now.came_up)
    if len(before) != 1 or len(after) != 1 or before[0].name == after[0]:
        return then
    own, name = before[0].name, after[0]
    return replace(
        then,
        targets=[replace(before[0], name=name)],
        results=[replace(result, target=name) for result in then.results if result.target == own],
        causes=None if then.causes is None else {name: then.causes.get(own, ())},
    )


def _put_again(causes: Causes | None, put: Collection[tuple[str, Direction, str]], *, whole: bool) -> Causes | None:
    """Return the causes all of whose vectors were put again; all of them in a whole run."""
    if causes is None or whole:
        return causes
    asked = {(name, str(direction), vector) for name, direction, vector in put}
    return {
        name: [
            cause
            for cause in target_causes
            if all((name, str(cause.direction), vector) in asked for vector in cause.findings)
        ]
        for name, target_causes in causes.items()
    }


def _causes_missing(
    having: Causes | None, lacking: Causes | None, targets: Iterable[str], cases: Iterable[CaseChange]
) -> Iterator[CauseChange]:
    """Yield the causes that only one side has; none if a side has no causes at all.

    One of its cases must have changed: what fails as it did, and is only explained in another way,
    is no news.
    """
    if having is None or lacking is None:
        return
    changed = {(case.target, str(case.direction), case.vector) for case in cases}
    for name in targets:
        others = lacking.get(name, ())
        for cause in having.get(name, ()):
            is_changed = any((name, str(cause.direction), vector) in changed for vector in cause.findings)
            if is_changed and not any(cause.is_like(other) for other in others):
                yield CauseChange(name, cause.id, cause.does)


def _change(key: tuple[str, Direction, str], was: Outcome | None, now: Outcome | None) -> CaseChange | None:
    was = was if was is not None and was.was_asked else None
    now = now if now is not None and now.was_asked else None
    if was is now:
        return None
    target, direction, vector = key
    return CaseChange(_kind(was, now), target, vector, direction, was, now)


def _kind(was: Outcome | None, now: Outcome | None) -> Change:
    if was is None:
        return Change.NEW
    if now is None:
        return Change.GONE
    if not _is_wrong(now):
        return Change.FIXED
    return Change.CHANGED if _is_wrong(was) else Change.BROKE


def _is_wrong(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.is_finding


def _versions(
    before: Mapping[str, Target], after: Mapping[str, Target], names: Iterable[str]
) -> Iterable[tuple[str, str, str]]:
    for name in names:
        then, now = before[name].hello, after[name].hello
        if then is not None and now is not None and then.version != now.version:
            yield name, then.version, now.version
