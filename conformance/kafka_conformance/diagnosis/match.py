"""Which signatures add up to what a target fails.

A signature earns a point for each failure that it foresees in the same way, a part of one where the
failure is another, and pays for each vector that it foresees to fail and that passed, and for being
one cause more. The best is taken, then the best for what is left, until none earns anything; then
each is tried against all others once more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kafka_conformance.diagnosis.signature import GENERAL, Signature
from kafka_conformance.diagnosis.symptom import agree
from kafka_conformance.vectors.patterns import Ids

_OTHERWISE: Final = 0.3
"""What a failure is worth that was foreseen, but in another way."""

_PASSED: Final = 1.0
"""What a vector costs that was foreseen to fail, and passed."""

_CAUSE: Final = 0.5
"""What a cause costs: below one, so that one failure that a signature has exactly is enough."""

_OWN: Final = 0.1
"""What it is worth that a signature was seen in this library; half of it for mutants. Between
equals, it decides."""

_GENERAL: Final = -0.3
"""What it costs that a signature is made of a rule: named ones come first."""

_ROUNDS: Final = 3


class Earned(NamedTuple):
    """The vectors that causes explain already: foreseen in the same way, and otherwise."""

    exact: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Match:
    """A signature as a target shows it.

    Attributes:
        exact: vectors that fail as it foresees.
        others: vectors that it foresees to fail, and that fail in another way.
        passed: how many it foresees to fail, and passed.
        bonus: what it earns for who it is.
    """

    signature: Signature
    exact: frozenset[str]
    others: frozenset[str]
    passed: int
    bonus: float = 0.0

    @property
    def cost(self) -> float:
        """What it pays."""
        return _CAUSE + _PASSED * self.passed - self.bonus

    @property
    def vectors(self) -> frozenset[str]:
        """All that it foresees to fail, and that fail."""
        return self.exact | self.others

    def gain(self, earned: Earned) -> float:
        """Return what it adds to points that others earned already.

        It adds nothing unless most of what it explains anew is as it foresees: what fails in
        another way there is only in its favour if another cause stands before it.
        """
        exact, others = self.exact - earned.exact, self.others - earned.others - earned.exact
        if len(exact) <= len(others):
            return 0.0
        return len(exact) + _OTHERWISE * (len(others) - len(exact & earned.others)) - self.cost

    def is_like(self, other: Match) -> bool:
        """Tell whether this target cannot tell the two apart."""
        return (self.exact, self.others, self.passed) == (other.exact, other.others, other.passed)


def matches(
    signatures: Iterable[Signature], failed: Mapping[str, str], passed: Collection[str], library: str
) -> list[Match]:
    """Return the signatures that can earn anything.

    Args:
        signatures: those of one direction.
        failed: how the target failed vectors, by id.
        passed: ids of the vectors that it passed.
        library: the target, without its version.
    """
    put, right = Ids(failed), Ids(passed)
    candidates = [_match(signature, failed, put, right, library) for signature in signatures]
    return [match for match in candidates if len(match.exact) > match.cost]


def known_matches(signatures: Iterable[Signature], failed: Mapping[str, str], library: str) -> list[list[Match]]:
    """Return the known bugs of the library that show, also in part; one list a bug."""
    bugs: dict[str, list[Match]] = {}
    put, right = Ids(failed), Ids(())
    for signature in signatures:
        if signature.is_seen_in(library):
            match = _match(signature, failed, put, right, library)
            if match.exact:
                bugs.setdefault(signature.bug_id, []).append(match)
    return list(bugs.values())


def _match(signature: Signature, failed: Mapping[str, str], put: Ids, passed: Ids, library: str) -> Match:
    """Return what a signature explains; `put` are the ids of what failed."""
    hits = dict(_foreseen(signature, put))
    exact = frozenset(vector for vector, how in hits.items() if agree(how, failed[vector]))
    wrong = sum(1 for _ in _foreseen(signature, passed)) if exact else 0
    return Match(signature, exact, frozenset(hits) - exact, wrong, _bonus(signature, library))


def _bonus(signature: Signature, library: str) -> float:
    if signature.target == GENERAL:
        return _GENERAL
    if signature.is_seen_in(library):
        return _OWN
    return 0.0 if signature.target else _OWN / 2


def _foreseen(signature: Signature, vectors: Ids) -> Iterable[tuple[str, str]]:
    """Yield those of the vectors that a signature fails, and how."""
    for name, how in signature.fails.items():
        if name in vectors:
            yield name, how
        elif signature.target:
            yield from ((vector, how) for vector in vectors.fitting(name))


def cover(candidates: Sequence[Match], earlier: Sequence[Match] = ()) -> list[Match]:
    """Return the matches that together explain most, the one that explains most first.

    Those that were chosen before stay, and are not returned: the others explain what they leave.
    """
    chosen: list[Match] = []
    while (best := _best(candidates, [*earlier, *chosen])) is not None:
        chosen.append(best)
    for _ in range(_ROUNDS):
        before = list(chosen)
        for match in before:
            rest = [other for other in chosen if other is not match]
            better = _best(candidates, [*earlier, *rest])
            chosen = [*rest, better] if better is not None else rest
        if set(map(id, chosen)) == set(map(id, before)):
            break
    return sorted(chosen, key=lambda match: -len(match.vectors))


def _best(candidates: Sequence[Match], chosen: Sequence[Match]) -> Match | None:
    earned = total(chosen)
    taken = set(map(id, chosen))
    gains = [(match.gain(earned), match) for match in candidates if id(match) not in taken]
    gain, best = max(gains, key=lambda pair: pair[0], default=(0.0, None))
    return best if gain > 0 else None


def total(chosen: Iterable[Match]) -> Earned:
    """Return what matches explain together."""
    kept = list(chosen)
    exact = frozenset[str]().union(*(match.exact for match in kept))
    return Earned(exact, frozenset[str]().union(*(match.others for match in kept)) - exact)
