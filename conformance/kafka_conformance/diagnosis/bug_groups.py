"""Findings grouped by bug: what is known of the library, what signatures explain, what is alike.

What is known of a library comes first, and takes what it explains; signatures of wrong decoders add
up to the rest. Two of them are one bug where most of what one explains is explained by the other,
or where both are what one missing check or one error comes to. What no signature explains joins the
bug that shows the same trait, or is one by its trait.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kafka_conformance.diagnosis.match import Match, cover, total
from kafka_conformance.diagnosis.traits import ANSWER, CHECK, LOSS, Trait

_MOST: Final = 0.5
"""What two bugs must share of the smaller one, or a bug of its trait, to be one."""

_FEWEST: Final = 2
"""So many findings that no signature explains are a bug for what they have in common; a single one
may be anything."""


@dataclass(slots=True)
class BugGroup:
    """Findings of one bug.

    Attributes:
        findings: ids of the vectors.
        matches: the signatures that explain them, the one that explains most first; none if only a
            trait does.
        trait: what they have in common; None where they have one signature and different traits.
        is_known: True if it was seen in this library, and is among the findings about it.
    """

    findings: set[str]
    matches: list[Match] = field(default_factory=list)
    trait: Trait | None = None
    is_known: bool = False

    def merge(self, other: BugGroup) -> None:
        """Add what another group has."""
        self.findings |= other.findings
        self.matches += other.matches

    def count(self, trait: Trait, traits: Mapping[str, Trait]) -> int:
        """Count the findings that have a trait."""
        return sum(traits[name] == trait for name in self.findings)


def group(
    known: Sequence[Sequence[Match]], matches: Sequence[Match], traits: Mapping[str, Trait]
) -> tuple[list[BugGroup], set[str]]:
    """Return the groups of one target's findings in one direction, and the findings in none.

    Args:
        known: what is known of the library, in the order of its file; signatures of one bug
            together.
        matches: all signatures that may explain anything, those among them.
        traits: the trait of every finding, by vector.
    """
    groups = list(_known_groups(known))
    groups += _explain(groups, matches, traits)
    groups = _merge(groups, traits)
    rest = traits.keys() - set[str]().union(*(bug.findings for bug in groups))
    rest -= _absorb(groups, rest, traits)
    loose = {name: trait.loose for name, trait in traits.items()}
    rest -= _absorb(groups, rest, loose)
    alike = list(_alike(rest, {name: trait.without_place for name, trait in traits.items()}))
    return [*groups, *alike], rest - set[str]().union(*(bug_group.findings for bug_group in alike))


def _known_groups(known: Sequence[Sequence[Match]]) -> Iterator[BugGroup]:
    """Yield the bugs that were seen in this library; what two of them tell is the first one's."""
    taken = set[str]()
    for matches in known:
        findings = set[str]().union(*(match.exact for match in matches)) - taken
        taken |= findings
        if findings:
            yield BugGroup(findings, list(matches), is_known=True)


def _explain(known: Sequence[BugGroup], matches: Sequence[Match], traits: Mapping[str, Trait]) -> Iterator[BugGroup]:
    """Yield what signatures explain of the rest; what is mostly a known bug goes there."""
    earlier = [match for bug_group in known for match in bug_group.matches]
    chosen = cover(matches, earlier)
    earned = total([*earlier, *chosen])
    taken = set[str]().union(*(bug_group.findings for bug_group in known))
    for match in chosen:
        alike = {traits[name].loose for name in match.exact}
        explained = {*match.exact, *(name for name in match.others - earned.exact if traits[name].loose in alike)}
        near = max(known, key=lambda bug_group: len(bug_group.findings & match.exact), default=None)
        if near is not None and len(near.findings & match.exact) >= _MOST * len(match.exact):
            near.findings |= explained - taken
            near.matches.append(match)
        elif explained - taken:
            yield BugGroup(explained - taken, [match])


def _merge(groups: Sequence[BugGroup], traits: Mapping[str, Trait]) -> list[BugGroup]:
    """Merge groups that are one missing check or one error. Known ones stay apart."""
    merged: list[BugGroup] = []
    by_key: dict[Trait | str, BugGroup] = {}
    for bug_group in groups:
        bug = bug_group.matches[0].signature.bug_id
        trait = None if bug_group.is_known else _main_trait(bug_group, traits)
        key = bug if trait is None or trait.kind == ANSWER else trait
        other = None if bug_group.is_known else by_key.get(key) or by_key.get(bug)
        if other is not None:
            other.merge(bug_group)
            continue
        if trait is not None and trait.kind != ANSWER:
            bug_group.trait = trait
        if not bug_group.is_known:
            by_key[key] = by_key[bug] = bug_group
        merged.append(bug_group)
    return merged


def _main_trait(bug_group: BugGroup, traits: Mapping[str, Trait]) -> Trait | None:
    (trait, count), *_ = Counter(traits[name] for name in sorted(bug_group.findings)).most_common(1)
    return trait if count >= _MOST * len(bug_group.findings) else None


def _absorb(groups: Iterable[BugGroup], rest: Iterable[str], traits: Mapping[str, Trait]) -> set[str]:
    """Add unexplained findings to the group with most of their trait; return those that were added.

    A bug that is known, and may be harmless, takes no more than it has: what is new in great number
    is another.
    """
    kept, given = list(groups), set[str]()
    for trait, names in _by_trait(rest, traits).items():
        counts = [(bug.count(trait, traits), bug) for bug in kept]
        fit = [(count, bug) for count, bug in counts if count and not (bug.is_known and count < len(names))]
        if fit:
            _, nearest = max(fit, key=lambda pair: pair[0])
            nearest.findings |= names
            given |= names
    return given


def _alike(rest: Iterable[str], traits: Mapping[str, Trait]) -> Iterator[BugGroup]:
    """Yield groups of findings that only share a trait.

    For a missing check, and what ends the process, one finding is enough.
    """
    for trait, names in _by_trait(rest, traits).items():
        if len(names) >= _FEWEST or trait.kind in {CHECK, LOSS}:
            yield BugGroup(names, trait=trait)


def _by_trait(names: Iterable[str], traits: Mapping[str, Trait]) -> dict[Trait, set[str]]:
    by_trait: dict[Trait, set[str]] = {}
    for name in sorted(names):
        by_trait.setdefault(traits[name], set()).add(name)
    return by_trait
