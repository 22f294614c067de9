"""The wrong layout that a target behaves like, by the valid vectors that it fails and passes.

A mutant of the layout stands for the target: it reads each vector, and writes it again or shows the
value, whichever the target does. Who fails the same vectors and passes the same, in all versions,
most likely does the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from kafka_format.spec.layout import Layout, find, specification
from kafka_format.spec.layout.model import Counted, Form, Nested, Optional, TagSection, Type
from kafka_format.spec.layout.versioned import VersionedLayout, Versions
from kafka_format.spec.layout.versioned.resolver import resolve

from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.wrong_answers import REFUSED, Manner, Probe, difference, fails, is_read, special
from kafka_conformance.kinds.message.wrong_layouts import (
    LayoutMutant,
    exchanged_tags,
    far_versions,
    moved_fields,
    mutants,
)
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Vector, Verdict

_SAME: Final = 0.9
"""The share of vectors of a version that a mutant has to fail or pass as the target does."""

_ALONE: Final = "unknown-tags"
"""Vectors that are about something else: what becomes of tagged fields that nobody knows."""

_ANSWERED: Final = (Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.REFUSED_VALID)
"""What comes of valid vectors where a target answers at all; why it dies, no layout tells."""

_LIKE: Final = 0.5
"""The share of failures that have to be just as a mutant has them: of what fails on everything,
many fail as much."""

_FLEXIBLE: Final = "/flexible-"
"""In ids of mutants that are flexible in other versions, which say more than other versions."""

AS_VERSION: Final = re.compile(r"/\d+-as-\d+$")
"""How ids end of versions that are taken for others."""

_ByVersion = Mapping[int, Layout]
_Versions = Iterator[tuple[int, Layout]]


class Candidate(NamedTuple):
    """What may be wrong with a layout.

    Attributes:
        id: the layout, and what is wrong with it: `list_offsets_request/topics.name/left-out`.
        does: what a decoder does that has it so, as a sentence without its subject; `{}` is the
            message.
        layouts: yields, of the versions that are asked for, those that it has otherwise, each made
            when its turn comes: the first one disproves most candidates.
    """

    id: str
    does: str
    layouts: Callable[[Iterable[int]], _Versions]


class Misreading(NamedTuple):
    """What a target does wrong with one request or response.

    Attributes:
        candidate: the mutant that it behaves like.
        wrong: the layouts of the versions in which that shows.
        vectors: the valid vectors that it explains.
        others: ids of what fails the same vectors in the same way.
    """

    candidate: Candidate
    wrong: _ByVersion
    vectors: frozenset[str]
    others: tuple[str, ...] = ()


def misreadings(layout: str, asked: Iterable[Probe], target: Manner) -> Iterator[Misreading]:
    """Yield what explains the failures of a target in one request or response, the most first.

    Args:
        layout: name of the body's layout.
        asked: all vectors of the message that were put to the target.
        target: how it answers.
    """
    kept = [probe for probe in asked if _tells(probe.vector) and probe.result.outcome in _ANSWERED]
    by_version = _by_version(kept)
    left = {probe.vector.id for probe in kept if probe.fails}
    if not left or all(probe.result.outcome is Outcome.REFUSED_VALID for probe in kept):
        return  # who refuses everything shows nothing of a layout
    if target.form == "verdict":
        return  # nor does who only refuses or takes: many mutants do the same
    fit = [
        misreading
        for misreading in (_fit(candidate, by_version, target) for candidate in candidates(layout))
        if misreading
    ]
    while left:
        most = max((len(misreading.vectors & left) for misreading in fit), default=0)
        if not most:
            return  # what is left, no mutant explains
        alike = [misreading for misreading in fit if len(misreading.vectors & left) == most]
        likest = [_likeness(misreading, by_version, target) for misreading in alike]
        best = alike[likest.index(max(likest))]
        same = [
            each
            for each, like in zip(alike, likest, strict=True)
            if like == max(likest) and each.vectors == best.vectors
        ]
        best = _most_telling(best, same)
        others = tuple(each.candidate.id for each in same if each is not best)
        if (named := _named_by_target([best, *same], by_version)) is not None:
            best, others = named, ()
        if max(likest) >= _LIKE * len(best.vectors):
            yield best._replace(vectors=best.vectors & left, others=others)
            left -= best.vectors
        fit = [misreading for misreading in fit if misreading not in alike]


def _most_telling(best: Misreading, alike: Iterable[Misreading]) -> Misreading:
    """Return what names a field, where a version taken for another is just that."""
    if not AS_VERSION.search(best.candidate.id):
        return best
    same = (
        each for each in alike if not AS_VERSION.search(each.candidate.id) and each.wrong.keys() == best.wrong.keys()
    )
    return next(same, best)


def _named_by_target(alike: Sequence[Misreading], asked: Mapping[int, Sequence[Probe]]) -> Misreading | None:
    """Return, of mutants that do the same, the one whose field a target names where it refuses.

    Vectors in which two fields are null do not tell which of them is not taken. None if the target
    names no field, or all of them.
    """
    refused = (probe.result for probes in asked.values() for probe in probes if probe.fails)
    texts = [_letters(result.detail) for result in refused if result.outcome is Outcome.REFUSED_VALID]
    named = {_field(each): each for each in alike}
    counts = {field: sum(_letters(field) in text for text in texts) for field in named}
    most = max(counts, key=lambda field: counts[field])
    return named[most] if 2 * counts[most] > len(texts) and min(counts.values()) < counts[most] else None


def _field(misreading: Misreading) -> str:
    """Return the last name of the field that a mutant has wrong; that of the layout for none."""
    parts = misreading.candidate.id.split("/")
    return parts[1].rpartition(".")[2] if len(parts) > 2 else parts[0]


def _letters(text: str) -> str:
    """Return a text without what tells `protocol_name` from `protocolName`."""
    return text.replace("_", "").lower()


def _tells(vector: Vector) -> bool:
    """Tell whether mutants are asked about a vector: a valid one, in an encoder's own bytes."""
    return vector.verdict is Verdict.VALID and vector.canonical and special(vector) != _ALONE


def _by_version(asked: Iterable[Probe]) -> dict[int, list[Probe]]:
    """Return the vectors by version, failed ones first.

    They tell most mutants from the target.
    """
    probes: dict[int, list[Probe]] = {}
    for probe in sorted(asked, key=lambda probe: not probe.fails):
        probes.setdefault(probe.version, []).append(probe)
    return probes


def candidates(name: str) -> Iterator[Candidate]:
    """Yield what may be wrong with a layout: a neighbouring version, and every mutant."""
    layout, forms = specification().versioned[name], specification().forms
    every = [
        *mutants(layout),
        *_flexible_elsewhere(layout),
        *exchanged_tags(layout),
        *moved_fields(layout),
        *far_versions(layout),
    ]
    yield from (_mutant(mutant, forms) for mutant in every if _FLEXIBLE in mutant.id)
    for version in layout.versions.numbers:
        for other in (version - 1, version + 1, version - 2, version + 2, version - 3, version + 3):
            if other in layout.versions:
                does = f"reads version {version} of {{}} as version {other}"
                yield Candidate(f"{name}/{version}-as-{other}", does, _same_layout(version, find(name, other)))
    yield from (_mutant(mutant, forms) for mutant in every if _FLEXIBLE not in mutant.id)


def _flexible_elsewhere(layout: VersionedLayout) -> Iterator[LayoutMutant]:
    """Yield layouts that are flexible from two or three versions earlier or later on."""
    first, last = layout.flexible
    for low in (first + by for by in (2, -2, 3, -3) if layout.flexible.numbers and first + by in layout.versions):
        does = f"reads compact lengths and tagged fields from version {low} on, not from {first}"
        flexible = replace(layout, flexible=Versions(low, last))
        yield LayoutMutant(f"{layout.name}{_FLEXIBLE}begins-in-{low}", does, flexible)


def _mutant(mutant: LayoutMutant, forms: Mapping[str, Form]) -> Candidate:
    def resolved(versions: Iterable[int]) -> _Versions:
        return ((number, resolve(mutant.layout, number, forms)) for number in versions)

    return Candidate(mutant.id, f"{mutant.does}, in {{}}", resolved)


def _same_layout(version: int, layout: Layout) -> Callable[[Iterable[int]], _Versions]:
    return lambda versions: iter([(version, layout)] if version in versions else [])


def _fit(candidate: Candidate, asked: Mapping[int, Sequence[Probe]], target: Manner) -> Misreading | None:
    """Return a candidate with the vectors that it explains; None if a version disproves it."""
    name = candidate.id.partition("/")[0]
    explained: set[str] = set()
    wrongs: dict[int, Layout] = {}
    for version, wrong in candidate.layouts(asked):
        right = find(name, version)
        if _same(wrong, right):
            continue
        failed = _common_failures(asked[version], wrong, right, target)
        if failed is None:
            return None
        if failed:
            explained.update(failed)
            wrongs[version] = wrong
    return Misreading(candidate, wrongs, frozenset(explained)) if wrongs else None


def _same(layout: Layout, other: Layout) -> bool:
    """Tell whether two versions have the same bytes and names, whatever their own number."""
    return _shape(layout) == _shape(other)


def _shape(layout: Layout) -> list[object]:
    """Return the fields of a structure and of those in it, without the names of versions."""
    return [(field.name, field.tag, _shape_of(field.type)) for field in layout.fields]


def _shape_of(kind: Type) -> object:
    match kind:
        case Nested(layout=layout):
            return _shape(layout)
        case Optional(layout=layout):
            return kind.marker, kind.null, _shape(layout)
        case Counted():
            return kind.length, kind.nullable, _shape_of(kind.item)
        case TagSection(fields=fields):
            return [(field.name, field.tag, _shape_of(field.type)) for field in fields]
        case _:
            return kind


def _common_failures(asked: Sequence[Probe], wrong: Layout, right: Layout, target: Manner) -> list[str] | None:
    """Return a version's vectors that both fail; None if target and mutant differ in too many."""
    allowed = int(len(asked) * (1 - _SAME))
    failures = []
    for probe in asked:
        if fails(probe, wrong, right, target) != probe.fails:
            allowed -= 1
            if allowed < 0:
                return None
        elif probe.fails:
            failures.append(probe.vector.id)
    return failures


def explains(misreading: Misreading, asked: Probe, target: Manner) -> bool:
    """Tell whether a wrong layout explains a finding.

    What is accepted and must be refused it explains if it can be read so.
    """
    wrong = misreading.wrong.get(asked.version)
    if wrong is None:
        return False
    if asked.result.outcome is Outcome.ACCEPTED_INVALID:
        return is_read(asked, wrong, target)
    if _tells(asked.vector):
        return asked.vector.id in misreading.vectors
    right = find(misreading.candidate.id.partition("/")[0], asked.version)
    return asked.vector.verdict is Verdict.INVALID or fails(asked, wrong, right, target)


def _likeness(misreading: Misreading, asked: Mapping[int, Sequence[Probe]], target: Manner) -> float:
    """Return of how many vectors a mutant says what the target said; half for only the place."""
    name, count = misreading.candidate.id.partition("/")[0], 0.0
    for version, wrong in misreading.wrong.items():
        right = find(name, version)
        for probe in asked[version]:
            said = difference(probe, wrong, right, target) if probe.fails else None
            if said is not None:
                count += _alike(said, probe.result)
    return count


def _alike(said: tuple[str, str], result: Result) -> float:
    """Return how much the answer of a mutant is that of a target: all, half or nothing."""
    if said == REFUSED or result.outcome is Outcome.REFUSED_VALID:
        return float(said == REFUSED and result.outcome is Outcome.REFUSED_VALID)
    return ((said[0] == result.path) + (said == (result.path, result.got))) / 2
