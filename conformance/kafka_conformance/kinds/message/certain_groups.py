"""Groups of findings that say by themselves what they come from, before any rule is tried.

An answer that shows a field which its version lacks, with another value than its default; one that
loses tagged fields which nobody knows, and shows others; an answer to ApiVersions in version 0 that
is read as one of the version that was asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kafka_format.codec.members import inner, members
from kafka_format.protocol.json_form import UNKNOWN
from kafka_format.spec.layout import Layout, find
from kafka_format.spec.layout.model import Counted

from kafka_conformance.diagnosis.groups import FindingGroup
from kafka_conformance.judging.difference import MISSING
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.judge import HEADER, plain_name
from kafka_conformance.kinds.message.message_groups import INDEX, version_words
from kafka_conformance.kinds.message.questions import FALLBACK
from kafka_conformance.kinds.message.wrong_answers import ABOUT_UNKNOWN, special
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Vector, Verdict

_NEARLY_ALL: Final = 0.9
_NONE: Final = ("[]", "null")
"""No tagged fields, as they are shown."""

_WHERE: Final = {
    "outer": "the outermost structure, and keeps those of structures inside",
    "inner": "structures inside others, and keeps those of the outermost one",
    "some": "some structures, and keeps those of others",
}
"""Where tagged fields are lost that nobody knows, and where they are not."""


def certain_groups(
    left: Mapping[str, Result], vectors: Mapping[str, Vector], form: str
) -> Iterator[tuple[FindingGroup, list[str]]]:
    """Yield groups, with the ids of their vectors; none has two groups.

    `form` is what the target gives: bytes that are written again name no fields.
    """
    yield from _fallback(left, vectors)
    if form == "bytes":
        return
    dropped = [name for name, result in left.items() if _is_dropped(result)]
    if dropped and _drops_all(dropped, left, vectors):
        yield FindingGroup("reads/all-unknown-tags-lost", "drops tagged fields that it does not know"), sorted(dropped)
    lost = {name: result for name, result in left.items() if _is_lost(result)}
    where = {name: "inner" if "." in result.path else "outer" for name, result in lost.items()}
    for place in dict.fromkeys(where.values()) if len(set(where.values())) == 1 else ("some",) if where else ():
        does = f"loses tagged fields that it does not know of {_WHERE[place]}"
        yield FindingGroup(f"reads/{place}-unknown-tags-lost", does), sorted(lost)
    lacked: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, result in left.items():
        if name not in lost and result.outcome is Outcome.WRONG_ANSWER and _is_lacked(result, vectors[name]):
            lacked[INDEX.sub("", result.path), f"the {vectors[name].format} of {vectors[name].family}"].append(name)
    if lacked:
        yield _of_lacked(lacked, left, vectors), sorted(name for names in lacked.values() for name in names)


def _fallback(left: Mapping[str, Result], vectors: Mapping[str, Vector]) -> Iterator[tuple[FindingGroup, list[str]]]:
    """Yield what goes wrong in answers in version 0 alone to whom asked for another version."""
    about = [name for name in left if FALLBACK in name]
    family = {vectors[name].family for name in about}
    others = (name for name in left if FALLBACK not in name and vectors[name].family in family)
    asked_0 = (name for name in others if vectors[name].formats == ("0",) and vectors[name].format == "response")
    if about and not any(vectors[name].verdict is Verdict.VALID for name in asked_0):
        does = "does not read an answer to ApiVersions in version 0, which a broker gives that lacks the version asked"
        yield FindingGroup("message/api-versions-fallback", does), about


def _is_dropped(result: Result) -> bool:
    """Tell whether an answer has no tagged fields where there are some that nobody knows."""
    return result.path.rpartition(".")[2] == UNKNOWN and result.got in _NONE and result.expected not in _NONE


def _drops_all(dropped: Collection[str], left: Mapping[str, Result], vectors: Mapping[str, Vector]) -> bool:
    """Tell whether nearly no vector that is about such fields is right, in messages where some are.

    A few may not have been asked.
    """
    about = {(vectors[name].family, vectors[name].format) for name in dropped}
    telling = [
        name for name, one in vectors.items() if (one.family, one.format) in about and special(one) in ABOUT_UNKNOWN
    ]
    return bool(telling) and sum(name in left for name in telling) >= _NEARLY_ALL * len(telling)


def _is_lost(result: Result) -> bool:
    return result.got == MISSING and result.path.rpartition(".")[2] == UNKNOWN


def _is_lacked(result: Result, vector: Vector) -> bool:
    """Tell whether an answer differs in a field that is in no place of its version."""
    layout: Layout | None = find(f"{vector.family.replace('-', '_')}_{vector.format}", int(vector.formats[0]))
    if result.path.startswith(f"{HEADER}."):
        return False
    for name in map(plain_name, INDEX.sub("", result.path).split(".")):
        if layout is None or not name:
            return False
        found = next(
            (field for field in members(layout) if name in map(plain_name, (field.kafka, *field.formerly))), None
        )
        if found is None:
            return result.got != MISSING and name != plain_name(UNKNOWN)
        layout = inner(found.type.item if isinstance(found.type, Counted) else found.type)
    return False


def _of_lacked(
    lacked: Mapping[tuple[str, str], list[str]], left: Mapping[str, Result], vectors: Mapping[str, Vector]
) -> FindingGroup:
    """Return the cause of fields that are not there and have another value than their default."""
    ((field, where), names), *others = sorted(lacked.items(), key=lambda pair: -len(pair[1]))
    versions = version_words({int(vectors[name].formats[0]) for name in names})
    example = f"{left[names[0]].got} for `{field}` of {where}, {versions}"
    does = f"gives a field that a version lacks something else than its default: {example}"
    own = "" if others else f"/`{field}`-of-{where.replace(' ', '-')}"
    return FindingGroup(f"values/lacked-not-default{own}", does)
