"""Groups of findings in requests and responses, by what they have in common: a cause each.

Values that lack a field, or have something empty for null, are a group for each field, or all of
them, whatever the message. A message in versions whose plainest vectors go wrong is a group, with
all that goes wrong in these versions but what is accepted. What is left belongs together that is
about one thing to check, one kind of valid message (`unknown-tags`, `nulls`), or one message: the
largest group is taken, then the largest of what is still left.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from kafka_format.spec.rules import rules
from kafka_tools.text import one_line

from kafka_conformance.diagnosis.checks import check_of
from kafka_conformance.diagnosis.groups import OTHERWISE, FindingGroup, how_of
from kafka_conformance.diagnosis.symptom import ACCEPTED, LOST, REFUSED
from kafka_conformance.judging.difference import MISSING
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.wrong_answers import special
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Reach, Vector, Verdict

_PLAIN: Final = frozenset({"smallest", "typical", "whole"})
"""What is special about the vectors that nothing is special about."""

_EMPTY_FOR_NULL: Final = {("null", "[]"), ("null", '""')}
INDEX: Final = re.compile(r"\[\d+\]")

_VERBS: Final = {REFUSED: "refuses", LOST: "crashes, hangs or takes too much memory on"}
"""What a target does with valid messages, if it does not read them otherwise than Kafka."""

_MOST: Final = 0.9
"""The share of answers that differ first in one field, if it is named."""

_NO_FIELD: Final = "byte "
"""How the place of a difference begins in bytes that were written again."""

_NUMBER: Final = re.compile(r"-?\b\d+")
_LONGEST: Final = 160
"""Characters of what a target says that are shown."""

_DOES: Final = {LOST: "crashes, hangs or takes too much memory on what breaks"}
_REFUSES: Final = "refuses as a whole, or answers without sense, what breaks"
_WRONGLY: Final = {ACCEPTED: "", OTHERWISE: ", otherwise than Kafka"}
"""How bytes are read that are wrong: words behind what is not checked."""


_KINDS: Final = {
    "unknown-tags": "tagged fields that it does not know",
    "unknown-tags-alone": "tagged fields that it does not know",
    "default-tags": "tagged fields that have their defaults",
    "lowest": "the lowest numbers",
    "highest": "the highest numbers",
    "minus-one": "numbers that are -1",
    "long": "strings and bytes longer than 127 bytes",
    "many": "arrays of more than 127 items",
    "nulls": "null where it may be",
    "nulls-inside": "null where it may be, but for structures",
    "inner-nulls": "null in the fields of items",
    "outer-nulls": "null in the outermost fields",
    "empties": "strings, bytes and inner arrays without content",
    "no-items": "arrays without items",
    "longest-string": "strings of 32767 bytes",
    "one": "strings beyond ASCII, and arrays of one item",
    "single": "arrays of one item",
    "smallest": "the fewest bytes that there may be",
    "defaults": "the defaults of all fields",
    "no-inner-items": "inner arrays without items",
    "no-innermost-items": "innermost arrays without items",
    "no-deep-items": "deep arrays without items",
    "surplus": "bytes behind a body that widely used clients leave there",
}
"""What is special about valid messages, in words."""


def form_groups(
    left: dict[str, Result], vectors: Mapping[str, Vector]
) -> Iterator[tuple[FindingGroup, Sequence[Result]]]:
    """Yield groups until nothing is left; what is yielded is taken out of what is left."""
    yield from _not_told(left, vectors)
    yield from _misread(left, vectors)
    groups: dict[FindingGroup, list[Result]] = defaultdict(list)
    for result in left.values():
        for group in _groups(result, vectors[result.vector]):
            groups[group].append(result)
    yield from _cover(groups, left)


def _not_told(
    left: dict[str, Result], vectors: Mapping[str, Vector]
) -> Iterator[tuple[FindingGroup, Sequence[Result]]]:
    """Take out the values that have all but a field, or but the difference of null and empty."""
    versions: dict[FindingGroup, list[str]] = defaultdict(list)
    for name, result in left.items():
        field = field_name(result)
        if result.outcome is not Outcome.WRONG_ANSWER:
            continue
        if result.got == MISSING:
            versions[FindingGroup(f"message/not-told/{field}", f"does not tell `{field}`")].append(name)
        elif (result.expected, result.got) in _EMPTY_FOR_NULL:
            versions[FindingGroup("message/not-told/null", "gives something empty where there is null")].append(name)
    for group, names in versions.items():
        said = group._replace(does=f"{group.does}{_only(names, vectors)}")
        yield said, [left.pop(name) for name in names]


def _only(names: Sequence[str], vectors: Mapping[str, Vector]) -> str:
    """Say in which versions of a message this is, if it is one message."""
    ((family, kind), *others) = {(vectors[name].family, vectors[name].format) for name in names}
    versions = version_words({int(vectors[name].formats[0]) for name in names})
    return "" if others else f", in the {kind} of {family}, {versions}"


def _misread(left: dict[str, Result], vectors: Mapping[str, Vector]) -> Iterator[tuple[FindingGroup, Sequence[Result]]]:
    """Take out the messages that are misread as a whole, with the versions in which they are."""
    versions_of: dict[tuple[str, str], set[int]] = defaultdict(set)
    for name in left:
        vector = vectors[name]
        if vector.reach is Reach.PRODUCER or special(vector) in _PLAIN:
            versions_of[vector.family, vector.format].add(int(vector.formats[0]))
    for (family, kind), versions in versions_of.items():
        taken = [name for name, result in left.items() if _is_of(vectors[name], family, kind, versions, result)]
        results = [left.pop(name) for name in taken]
        what = f"{_field_words(results)}the {kind} of {family}, {version_words(versions)}"
        does = f"{_verb(results)} {what}{_common_words(results)}"
        yield FindingGroup(f"message/{family}-{kind}", does), results


def _is_of(vector: Vector, family: str, kind: str, versions: Collection[int], result: Result) -> bool:
    is_one = (vector.family, vector.format) == (family, kind) and int(vector.formats[0]) in versions
    return is_one and result.outcome is not Outcome.ACCEPTED_INVALID


def _verb(results: Sequence[Result]) -> str:
    """Say what a target does with messages that it mostly gets wrong in one way."""
    how = Counter(how_of(result.outcome) for result in results).most_common(1)[0]
    return _VERBS.get(how[0], "misreads") if how[1] == len(results) else "misreads"


def _field_words(results: Sequence[Result]) -> str:
    """Name the field in which most answers differ first from the right one, if it is one field."""
    named = [field_name(result) for result in results if result.outcome is Outcome.WRONG_ANSWER]
    field, count = Counter(named).most_common(1)[0] if named else ("", 0)
    is_most = count >= _MOST * len(results)
    return f"`{field}` in " if field and is_most and not field.startswith(_NO_FIELD) else ""


def _common_words(results: Sequence[Result]) -> str:
    """Return what the target says of most of them, if it says the same, without its numbers."""
    words = [_NUMBER.sub("N", result.detail) for result in results if how_of(result.outcome) == REFUSED]
    text, count = Counter(words).most_common(1)[0] if words else ("", 0)
    said = one_line(text.rstrip(": "), _LONGEST)
    return f": {said}" if said and count > len(results) / 2 else ""


def version_words(versions: Collection[int]) -> str:
    """Say which versions: `version 4`, `versions 0 to 3 and 7`."""
    order = sorted(versions)
    starts = [version for version in order if version - 1 not in versions]
    ends = [version for version in order if version + 1 not in versions]
    runs = [f"{first}" if first == last else f"{first} to {last}" for first, last in zip(starts, ends, strict=True)]
    said = " and ".join(filter(None, (", ".join(runs[:-1]), runs[-1])))
    return f"version{'s' * (len(order) > 1)} {said}"


def _cover(
    groups: Mapping[FindingGroup, Sequence[Result]], left: dict[str, Result]
) -> Iterator[tuple[FindingGroup, Sequence[Result]]]:
    """Yield groups until no finding is left, the largest first, then the first that was named."""
    places = {group: {result.vector for result in results} for group, results in groups.items()}
    while left:
        best = max(places, key=lambda group: len(places[group]))
        taken = places.pop(best)
        results = [left.pop(name) for name in sorted(taken)]
        field = _field_words(results).removesuffix(" in ")
        yield best._replace(does=f"{best.does}: {field}") if field else best, results
        for group in list(places):
            places[group] -= taken
            if not places[group]:
                del places[group]


def _groups(result: Result, vector: Vector) -> Iterator[FindingGroup]:
    """Yield the groups of a finding, the one that says most first."""
    how, message = how_of(result.outcome), f"{vector.family}-{vector.format}"
    if vector.fault is not None:
        yield _of_fault(how, vector.fault.rule)
    if vector.verdict is Verdict.VALID:
        yield FindingGroup(f"message/{how}/{special(vector)}", _of_valid(how, vector))
        yield FindingGroup(f"message/{message}/some", f"misreads some values of {_name_of(vector)}")


def _of_fault(how: str, rule: str) -> FindingGroup:
    """Return what findings about one rule, or one thing to check, have in common."""
    if how in _WRONGLY:
        about = check_of(rule)
        return FindingGroup(f"message/{how}/{about.id}", f"{about.does}{_WRONGLY[how]}")
    return FindingGroup(f"message/{how}/{rule}", f"{_DOES.get(how, _REFUSES)} {rule}: {_sentence(rule)}")


def _of_valid(how: str, vector: Vector) -> str:
    verb = _VERBS.get(how, "misreads")
    return f"{verb} {_KINDS.get(special(vector), f'valid messages of the kind `{special(vector)}`')}"


def field_name(result: Result) -> str:
    """Return the field in which an answer differs first, without what it is in."""
    return INDEX.sub("", result.path.rpartition(".")[2])


def _name_of(vector: Vector) -> str:
    return f"the {vector.format} of {vector.family}"


def _sentence(rule: str) -> str:
    return rules()[rule].sentence.rstrip(".") if rule in rules() else "no rule of this release"
