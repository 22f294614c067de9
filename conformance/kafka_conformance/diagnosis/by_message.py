"""Group what a target gets wrong about requests and responses, so that a list of bugs comes of thousands of findings.

A message in versions whose plainest vectors go wrong is one cause, with all that goes wrong in these versions but what
is accepted. What is left belongs together that is about one rule, one kind of valid message (`unknown-tags`, `nulls`),
or one message: the largest group is taken as a cause, then the largest of what is still left.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kafka_format.spec.rules import rules

from kafka_conformance.diagnosis.cause import Cause, Diagnosis, worst
from kafka_conformance.diagnosis.symptom import ACCEPTED, LOST, REFUSED, of_outcome
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.golden import Reach, Vector, Verdict

_OTHERWISE: Final = "otherwise"
"""How a message fails that is read, and not as Kafka reads it."""

_PLAIN: Final = frozenset({"smallest", "typical", "whole"})
"""What is special about the vectors that nothing is special about."""

_DOES: Final = {
    ACCEPTED: "accepts what breaks",
    LOST: "crashes, hangs or takes too much memory on what breaks",
    _OTHERWISE: "reads otherwise than Kafka what breaks",
}


class Group(NamedTuple):
    """What findings have in common: a name that is stable, and what a decoder does that fails so."""

    id: str
    does: str


def diagnose_messages(results: Iterable[Result], vectors: Mapping[str, Vector]) -> Diagnosis:
    """Return what the findings of a target come from; none is left unexplained.

    Args:
        results: what came of every message that was put to it.
        vectors: the messages by id.
    """
    kept = list(results)
    left = {result.vector: result for result in kept if result.is_finding}
    causes = [_cause(group, found, vectors) for group, found in _misread(left, vectors)]
    groups: dict[Group, list[Result]] = defaultdict(list)
    for result in left.values():
        for group in _groups(result, vectors[result.vector]):
            groups[group].append(result)
    causes += [_cause(group, found, vectors) for group, found in _cover(groups, left)]
    order = list(Reach)
    causes.sort(key=lambda cause: (order.index(cause.reach), -len(cause.findings), not cause.is_silent))
    return Diagnosis(tuple(causes))


def _misread(left: dict[str, Result], vectors: Mapping[str, Vector]) -> Iterator[tuple[Group, Sequence[Result]]]:
    """Take the messages that are misread as a whole out of what is left, with the versions in which they are."""
    found: dict[tuple[str, str], set[int]] = defaultdict(set)
    for name in left:
        vector = vectors[name]
        if vector.reach is Reach.PRODUCER or _special(vector) in _PLAIN:
            found[vector.family, vector.format].add(int(vector.formats[0]))
    for (family, kind), versions in found.items():
        taken = [name for name, result in left.items() if _is_of(vectors[name], family, kind, versions, result)]
        does = f"misreads the {kind} of {family}, {spoken(versions)}"
        yield Group(f"message/{family}-{kind}", does), [left.pop(name) for name in taken]


def _is_of(vector: Vector, family: str, kind: str, versions: Collection[int], result: Result) -> bool:
    is_one = (vector.family, vector.format) == (family, kind) and int(vector.formats[0]) in versions
    return is_one and result.outcome is not Outcome.ACCEPTED_INVALID


def spoken(versions: Collection[int]) -> str:
    """Say which versions: `version 4`, `versions 0 to 3 and 7`."""
    order = sorted(versions)
    starts = [one for one in order if one - 1 not in versions]
    ends = [one for one in order if one + 1 not in versions]
    runs = [f"{first}" if first == last else f"{first} to {last}" for first, last in zip(starts, ends, strict=True)]
    said = " and ".join(filter(None, (", ".join(runs[:-1]), runs[-1])))
    return f"version{'s' * (len(order) > 1)} {said}"


def _cover(
    groups: Mapping[Group, Sequence[Result]], left: dict[str, Result]
) -> Iterator[tuple[Group, Sequence[Result]]]:
    """Yield groups until nothing is left, the largest first; between equals, the first that was named."""
    places = {group: {result.vector for result in found} for group, found in groups.items()}
    while left:
        best = max(places, key=lambda group: len(places[group]))
        taken = places.pop(best)
        yield best, [left.pop(name) for name in sorted(taken)]
        for group in list(places):
            places[group] -= taken
            if not places[group]:
                del places[group]


def _groups(result: Result, vector: Vector) -> Iterator[Group]:
    """Yield the groups of a finding, the one that says most first."""
    how, message = _how(result), f"{vector.family}-{vector.format}"
    if vector.fault is not None:
        rule = vector.fault.rule
        yield Group(f"message/{how}/{rule}", f"{_does(how)} {rule}: {_sentence(rule)}")
    if vector.verdict is Verdict.VALID:
        yield Group(f"message/{how}/{_special(vector)}", _of_valid(how, vector))
        yield Group(f"message/{message}/some", f"misreads some values of {_named(vector)}")


def _does(how: str) -> str:
    return _DOES.get(how, "refuses as a whole, or answers without sense, what breaks")


def _of_valid(how: str, vector: Vector) -> str:
    verb = {REFUSED: "refuses", LOST: "crashes, hangs or takes too much memory on"}.get(how, "misreads")
    return f"{verb} valid messages of the kind `{_special(vector)}`"


def _how(result: Result) -> str:
    return _OTHERWISE if result.outcome is Outcome.WRONG_ANSWER else of_outcome(result.outcome)


def _special(vector: Vector) -> str:
    """Return the last word of an id, which says what is special: `unknown-tags`."""
    return vector.id.partition("@")[0].rpartition("/")[2]


def _named(vector: Vector) -> str:
    return f"the {vector.format} of {vector.family}"


def _sentence(rule: str) -> str:
    return rules()[rule].sentence.rstrip(".") if rule in rules() else "no rule of this release"


def _cause(group: Group, findings: Sequence[Result], vectors: Mapping[str, Vector]) -> Cause:
    order = list(Reach)
    kept = sorted(
        findings,
        key=lambda result: (order.index(vectors[result.vector].reach), len(vectors[result.vector].data), result.vector),
    )
    about = [vectors[result.vector] for result in kept]
    ruled = Counter(vector.fault.rule if vector.fault else next(iter(vector.rules), "") for vector in about)
    return Cause(
        id=group.id,
        does=group.does,
        direction=Direction.DECODE,
        findings=tuple(kept),
        passed=0,
        reach=worst(vector.reach for vector in about),
        rule=ruled.most_common(1)[0][0],
        fields=tuple(how for how, _ in Counter(map(_how, kept)).most_common()),
        is_named=False,
    )
