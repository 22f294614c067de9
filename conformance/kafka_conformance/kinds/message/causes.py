"""Findings in requests and responses as a list of bugs, where there may be thousands of findings.

What was seen in the same library comes first. Then what a header of another version explains, and
what a wrong layout does: a field left out, of another type, a version taken for another. What is
left is grouped by what findings have in common.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kafka_conformance.diagnosis.cause import Cause, Diagnosis, worst_first
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group, how_of
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.certain_groups import certain_groups
from kafka_conformance.kinds.message.header_habits import shown_headers
from kafka_conformance.kinds.message.message_groups import field_name, form_groups
from kafka_conformance.kinds.message.miscoding import (
    Miscoding,
    miscoding_of_message,
    miscodings,
    miscodings_by_name,
    miscodings_in_fields,
)
from kafka_conformance.kinds.message.misreading import Candidate, explains, misreadings
from kafka_conformance.kinds.message.null_habits import SEVERAL, shown_habits
from kafka_conformance.kinds.message.number_habits import shown_numbers
from kafka_conformance.kinds.message.value_causes import ShownValues, exchanged_fields, other_values, shown_values
from kafka_conformance.kinds.message.value_conditions import is_refused, shown_conditions
from kafka_conformance.kinds.message.written_headers import written_headers
from kafka_conformance.kinds.message.wrong_answers import Manner, Probe, manner, probe, special
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Finding, FindingKind, Part
from kafka_conformance.vectors.vector import Vector, Verdict

_SEVERAL: Final = 3
"""So many messages, and all wrong, are the header's fault, or the adapter's."""


_MOST: Final = 0.8
"""What one type of value has of the answers, if it is named and not a cause for each place."""

_NEARLY: Final = 0.95
"""What a narrower cause explains of what a wider one does, if it is named instead."""

_NOTHING: Final = FindingGroup("message/all", "gets no message right that it is asked, of any API")


def diagnose_messages(results: Iterable[Result], vectors: Mapping[str, Vector], form: str = "bytes") -> Diagnosis:
    """Return what the findings of a target come from; none is left unexplained.

    Args:
        results: what came of every message that was put to it.
        vectors: the messages by id.
        form: what the target gives: `json`, `bytes` or `verdict`.
    """
    kept = list(results)
    left = {result.vector: result for result in kept if result.is_finding}
    target = manner(form, kept, vectors)
    causes = list(_of_certain(left, vectors, form))
    causes += _of_headers(kept, left, vectors, target)
    causes += _of_codecs(kept, left, vectors, target)
    causes += _of_miscodings(list(miscodings_by_name(_probes(kept, left, vectors), target)), left, vectors)
    causes += _of_nulls(kept, left, vectors, target, SEVERAL)
    causes += _of_values(kept, left, vectors, target, sure=True)
    refused = (each for each in shown_conditions(_probes(kept, left, vectors)) if is_refused(each))
    causes += _of_shown(refused, left, vectors)
    causes += _of_places(kept, left, vectors, target)
    causes = list(_with_known(causes, left, vectors))
    if _knows_nothing(kept, left, vectors):
        causes.append(cause_of_group(_NOTHING, list(left.values()), vectors))
        left = {}
    causes += [cause_of_group(group, results, vectors) for group, results in form_groups(left, vectors)]
    return Diagnosis(tuple(worst_first(causes)))


def _with_known(causes: list[Cause], left: dict[str, Result], vectors: Mapping[str, Vector]) -> Iterator[Cause]:
    """Yield the library's known bugs, taken out of findings and causes, and the other causes.

    A cause shows a bug if it explains the smallest vector of it; signs of one bug are one cause. A
    difference that is no bug is a cause only if it is about most of what that explains: it would
    hide what is new.
    """
    known = _known_findings(causes, left)
    results: dict[str, list[Result]] = defaultdict(list)
    for cause in causes:
        shown = next((confirmed for confirmed in known if _is_cause(confirmed, cause)), None)
        if shown is None:
            yield cause
        else:
            results[shown.bug or shown.id] += cause.findings
    for finding in known:
        taken = [name for name, result in left.items() if _shows(result, finding)]
        results[finding.bug or finding.id] += [left.pop(name) for name in taken]
    for finding in known:
        if results[finding.id]:
            cause = cause_of_group(
                FindingGroup(f"{finding.target}/{finding.id}", finding.title), results[finding.id], vectors, ()
            )
            reports = (finding.upstream,) if finding.upstream else ()
            yield replace(cause, reports=reports, is_harmless=finding.kind is FindingKind.TOLERATED)


def _is_cause(finding: Finding, cause: Cause) -> bool:
    """Tell whether a cause is what a finding is about."""
    if all(finding.smallest != result.vector for result in cause.findings):
        return False
    about = sum(finding.is_about(result.vector) for result in cause.findings)
    return finding.kind is not FindingKind.TOLERATED or 2 * about >= len(cause.findings)


def _known_findings(causes: Iterable[Cause], left: Mapping[str, Result]) -> Sequence[Finding]:
    """Return what is known of the library whose findings these are."""
    every = [*left.values(), *(result for cause in causes for result in cause.findings)]
    target = every[0].target.partition("@")[0] if every else ""
    about = catalogue.about(Part.MESSAGES).get(target)
    return about.findings if about is not None else ()


def _shows(result: Result, finding: Finding) -> bool:
    """Tell whether a result is a sign of a known bug.

    A process may end in more than one way.
    """
    return how_of(result.outcome) in map(how_of, finding.outcomes) and finding.is_about(result.vector)


def _knows_nothing(results: Iterable[Result], left: Mapping[str, Result], vectors: Mapping[str, Vector]) -> bool:
    """Tell whether a target gets no valid message right, of several that it says it reads."""
    asked = [
        result for result in results if result.outcome.was_asked and vectors[result.vector].verdict is Verdict.VALID
    ]
    messages = {(vectors[result.vector].family, vectors[result.vector].format) for result in asked}
    return len(messages) >= _SEVERAL and all(result.vector in left for result in asked)


def _of_certain(left: dict[str, Result], vectors: Mapping[str, Vector], form: str) -> Iterator[Cause]:
    """Take what findings say by themselves out of what is left, a cause each."""
    for group, names in list(certain_groups(left, vectors, form)):
        yield cause_of_group(group, [left.pop(name) for name in names], vectors, ())


def _of_headers(
    results: Iterable[Result], left: dict[str, Result], vectors: Mapping[str, Vector], target: Manner
) -> Iterator[Cause]:
    """Take what comes of a header of another version out of what is left, a cause each."""
    probes = [probe(vectors[result.vector], result) for result in results if result.outcome.was_asked]
    for shown in shown_headers(probes, target):
        explained = [left.pop(name) for name in sorted(shown.vectors)]
        yield cause_of_group(FindingGroup(shown.habit.id, shown.habit.does), explained, vectors, ())
    yield from _of_shown(written_headers(_probes(results, left, vectors), target), left, vectors)


def _of_nulls(
    results: Iterable[Result], left: dict[str, Result], vectors: Mapping[str, Vector], target: Manner, fewest: int
) -> Iterator[Cause]:
    """Take what comes of null and empty being the same out of what is left, a cause each.

    What shows in several messages, a habit explains better than the layout of each; what shows in
    fewer, a layout may explain better.
    """
    if target.form == "verdict":
        return
    asked = [each for each in _probes(results, left, vectors) if each.vector.verdict is not Verdict.INVALID]
    about = {special(each.vector) for each in asked if each.fails}
    passed = [each for each in asked if not each.fails and special(each.vector) in about]
    for shown in shown_habits([each for each in asked if each.fails], target, fewest, passed if fewest > 1 else ()):
        by_message: dict[tuple[str, str], list[str]] = defaultdict(list)
        for name in sorted(shown.vectors):
            by_message[(vectors[name].family, vectors[name].format) if fewest == 1 else ("", "")].append(name)
        for (family, kind), names in by_message.items():
            own = f"/{family}-{kind}" if family else ""
            where = f", in the {kind} of {family}" if family else ""
            group = FindingGroup(f"{shown.habit.id}{own}", f"{shown.habit.does}{where}")
            yield cause_of_group(group, [left.pop(name) for name in names], vectors, ())


def _of_numbers(left: dict[str, Result], vectors: Mapping[str, Vector]) -> Iterator[Cause]:
    """Take values that are wrong in one simple way out of what is left, a cause each way."""
    names = {name: field_name(result) for name, result in left.items()}
    for shown in shown_numbers(left.values(), names):
        messages = {(vectors[name].family, vectors[name].format) for name in shown.vectors}
        ((family, kind), *others) = sorted(messages)
        where = "" if others else f", in the {kind} of {family}"
        group = FindingGroup(f"message/{shown.habit.id}", f"{shown.does}{where}")
        yield cause_of_group(group, [left.pop(name) for name in sorted(shown.vectors)], vectors, ())


def _of_places(
    results: Sequence[Result], left: dict[str, Result], vectors: Mapping[str, Vector], target: Manner
) -> list[Cause]:
    """Take what is wrong in single messages or fields out of what is left, a cause each.

    If that makes many causes, and one type of value is wrong in most answers, that is one.
    """
    told = dict(left)
    causes = [
        *_of_shown(exchanged_fields(_probes(results, told, vectors), target), told, vectors),
        *_of_layouts(results, told, vectors, target),
        *_of_fields(results, told, vectors, target),
        *_of_nulls(results, told, vectors, target, 1),
        *_of_values(results, told, vectors, target, sure=False),
        *_of_numbers(told, vectors),
    ]
    is_many = len(causes) > _SEVERAL
    asked = _probes(results, left if is_many else told, vectors)
    others = [*shown_conditions(asked), *other_values(asked, target)]
    if is_many and any(len(found.vectors) >= _MOST * len(left) for found in others):
        return list(_of_shown(others, left, vectors))
    for name in left.keys() - told.keys():
        del left[name]
    return [
        *causes,
        *_of_shown((found for found in others if not is_many or found.vectors <= left.keys()), left, vectors),
    ]


def _of_values(
    results: Iterable[Result], left: dict[str, Result], vectors: Mapping[str, Vector], target: Manner, *, sure: bool
) -> Iterator[Cause]:
    """Take answers in which nothing but values of a type are wrong out of what is left."""
    yield from _of_shown(shown_values(_probes(results, left, vectors), target, sure=sure), left, vectors)


def _of_shown(shown: Iterable[ShownValues], left: dict[str, Result], vectors: Mapping[str, Vector]) -> Iterator[Cause]:
    for found in shown:
        if taken := sorted(found.vectors & left.keys()):
            yield cause_of_group(FindingGroup(found.id, found.does), [left.pop(name) for name in taken], vectors, ())


def _probes(results: Iterable[Result], left: Mapping[str, Result], vectors: Mapping[str, Vector]) -> list[Probe]:
    """Return what passed, and what is left of what did not."""
    return [
        probe(vectors[result.vector], result)
        for result in results
        if result.outcome.was_asked and (result.vector in left or not result.is_finding)
    ]


def _of_codecs(
    results: Iterable[Result], left: dict[str, Result], vectors: Mapping[str, Vector], target: Manner
) -> Iterator[Cause]:
    """Take values that all messages have wrong out of what is left, a cause each."""
    asked = _probes(results, left, vectors)
    found_all = list(miscodings(asked, target))
    if found_all and (narrower := _narrower(found_all[0], asked, target)) is not None:
        yield from _of_miscodings([narrower], left, vectors)
        asked = _probes(results, left, vectors)
        found_all = list(miscodings(asked, target))
    if found_all and (better := _better(found_all[0], asked, left, target)) is not None:
        yield from _of_shown([better], left, vectors)
        found_all = list(miscodings(_probes(results, left, vectors), target))
    condition = next(shown_conditions(_probes(results, left, vectors)), None)
    found_all = [found._replace(either=_either(found, condition)) for found in found_all]
    yield from _of_miscodings(found_all, left, vectors)


def _either(codec: Miscoding, condition: ShownValues | None) -> str:
    """Return what else may be, of what is refused: a condition that the same vectors have."""
    return condition.does if condition is not None and condition.vectors == codec.vectors else ""


def _narrower(codec: Miscoding, asked: Sequence[Probe], target: Manner) -> Miscoding | None:
    """Return what has fields of one name alone wrong, if it fits better than all of a type do."""
    if not codec.missed + codec.partial:
        return None
    named = next(miscodings_by_name(asked, target), None) or next(miscodings_in_fields(asked, target), None)
    if named is None or named.missed + named.partial >= codec.missed + codec.partial:
        return None
    return named if len(named.vectors) >= _NEARLY * len(codec.vectors) else None


def _better(codec: Miscoding, asked: Sequence[Probe], left: Mapping[str, Result], target: Manner) -> ShownValues | None:
    """Return what explains all that a codec does and more, or fits better; None if nothing does."""
    condition = next(shown_conditions(asked), None)
    if condition is not None and _is_said_better(condition, codec, left):
        return condition
    values = next(shown_values(asked, target), None)
    if values is None or not codec.vectors <= values.vectors:
        return None
    return values if codec.missed > 0 or codec.vectors < values.vectors else None


def _is_said_better(condition: ShownValues, codec: Miscoding, left: Mapping[str, Result]) -> bool:
    """Tell whether a condition says better than a codec what is refused.

    It fits all, and nothing else.
    """
    refused = all(left[name].outcome is Outcome.REFUSED_VALID for name in codec.vectors if name in left)
    return refused and codec.vectors <= condition.vectors and (codec.missed > 0 or codec.vectors < condition.vectors)


def _of_fields(
    results: Iterable[Result], left: dict[str, Result], vectors: Mapping[str, Vector], target: Manner
) -> Iterator[Cause]:
    """Take values that are read or written wrong in a field, or a message, out of what is left."""
    yield from _of_miscodings(miscodings_in_fields(_probes(results, left, vectors), target), left, vectors)


def _of_miscodings(
    found_all: Iterable[Miscoding], left: dict[str, Result], vectors: Mapping[str, Vector]
) -> Iterator[Cause]:
    for found in found_all:
        taken = sorted(found.vectors & left.keys())
        if taken:
            yield cause_of_group(
                FindingGroup(found.id, found.does), [left.pop(name) for name in taken], vectors, found.others
            )


def _of_layouts(
    results: Iterable[Result], left: dict[str, Result], vectors: Mapping[str, Vector], target: Manner
) -> Iterator[Cause]:
    """Take what comes of wrong layouts out of what is left, a cause each."""
    asked: dict[tuple[str, str], list[Probe]] = defaultdict(list)
    for each in _probes(results, left, vectors):
        asked[each.vector.family, each.vector.format].append(each)
    for (family, kind), probes in asked.items():
        name, way = f"{family.replace('-', '_')}_{kind}", target
        found_all = list(misreadings(name, probes, way))
        if not found_all and target.form == "bytes":
            way = target._replace(writes_only=True)
            found_all = list(misreadings(name, probes, way))
        told = frozenset[str]().union(*(found.vectors for found in found_all))
        is_one = len(found_all) == 1 and len(told) >= _NEARLY * sum(case.vector.id in left for case in probes)
        codec = miscoding_of_message(probes, target) if found_all and not is_one else None
        if codec is not None and told <= codec.vectors:
            yield from _of_miscodings([codec], left, vectors)
        for found in found_all:
            taken = [case.vector.id for case in probes if case.vector.id in left and explains(found, case, way)]
            group = _of_candidate(found.candidate, f"the {kind} of {family}", way, found.others)
            if taken:
                yield cause_of_group(group, [left.pop(each) for each in taken], vectors, found.others)


_OTHER_FIELDS: Final = 2
"""So many other fields are named that may be the wrong one as well."""


def _of_candidate(candidate: Candidate, message: str, way: Manner, others: Sequence[str] = ()) -> FindingGroup:
    """Return a wrong layout as a cause: of who reads by it, or only writes by it.

    Where nothing tells a field from others with the same thing wrong, these are named.
    """
    does = candidate.does.format(message)
    wrong = candidate.id.rpartition("/")[2]
    ids = (each.split("/") for each in others)
    fields = [f"`{parts[1]}`" for parts in ids if len(parts) > 2 and parts[-1] == wrong]
    if 0 < len(fields) <= _OTHER_FIELDS:
        does = f"{does}; or that is wrong in {' or '.join(fields)}"
    if way.writes_only:
        return FindingGroup(f"layout/{candidate.id}/written", does.replace("reads ", "writes ", 1))
    return FindingGroup(f"layout/{candidate.id}", does)
