"""One fault that shows as causes in several places: one cause of them all.

A reader that keeps the low bits of numbers in `partition` of three requests, and passes in the
vectors of a fourth that have no such number, has one bug. What such causes have in common is in
their ids: what is done, and the last name of the field.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from kafka_conformance.diagnosis.cause import Cause, Diagnosis, worst_first
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group
from kafka_conformance.vectors.vector import Vector

_IN_FIELD: Final = re.compile(r"(?P<what>(?:reads|writes|values)/[^/`]+)/`(?P<path>[^`]+)`(?:-of-the-.+)?")
_IN_LAYOUT: Final = re.compile(r"(?P<what>layout)/\w+/(?P<path>[\w.]+)/(?P<change>[a-z][\w-]*)(?:/written)?")
_FLEXIBLE: Final = re.compile(r"layout/\w+/(?P<change>flexible-[a-z-]+)")
_IN_MESSAGE: Final = re.compile(r"(?P<what>(?:reads|writes)/[^/`]+)/the-.+")

_OF_CRAFTED: Final = ("message/accepted/", "message/otherwise/")
"""How the ids begin of causes that say what breaks a rule and is taken."""

_HEADER: Final = re.compile(r"message/[a-z-]+-header(-|$)")
"""How the ids begin of causes that are about headers."""

_CHANCE: Final = 0.005
"""What is taken by chance of bodies that are read a byte early, of all that fails."""

_NUMBER: Final = re.compile(r"-\d+$")
"""Of an item, behind the name of its array."""

_SIZE: Final = "unknown_tagged_fields.size"
"""The place of the size of a tagged field."""

_MANY: Final = 3
"""So many places, or messages of a layout, show one fault in all of them."""


def joined(diagnosis: Diagnosis, vectors: Mapping[str, Vector]) -> Diagnosis:
    """Return a diagnosis with those causes as one that are the same in fields of one name.

    In fields of other names it takes more of them. The same diagnosis, if there are none.
    """
    causes = list(_joined(diagnosis.causes, vectors))
    return diagnosis if len(causes) == len(diagnosis.causes) else replace(diagnosis, causes=tuple(worst_first(causes)))


def _joined(causes: Iterable[Cause], vectors: Mapping[str, Vector]) -> Iterator[Cause]:
    every = list(_same(causes, vectors))
    every = list(_with_chance(_with_crafted(every, vectors)))
    every = list(_by(every, vectors, _field_key, fewest=2, where="messages"))
    every = list(_by(every, vectors, _layout_key, fewest=_MANY, where="messages"))
    yield from _by(every, vectors, _what_key, fewest=_MANY, where="places")


def _same(causes: Iterable[Cause], vectors: Mapping[str, Vector]) -> Iterator[Cause]:
    """Yield causes, those of one id as one."""
    by_id: dict[str, list[Cause]] = defaultdict(list)
    for cause in causes:
        by_id[cause.id].append(cause)
    for same in by_id.values():
        findings = [result for cause in same for result in cause.findings]
        group = FindingGroup(same[0].id, same[0].does)
        yield same[0] if len(same) == 1 else cause_of_group(group, findings, vectors, same[0].others)


def _with_crafted(causes: Iterable[Cause], vectors: Mapping[str, Vector]) -> Iterator[Cause]:
    """Yield causes, those of one field with what is wrong with crafted bytes in that field alone.

    Who does not read a field cannot see what is wrong in it.
    """
    kept: dict[str, Cause] = {cause.id: cause for cause in causes}
    for cause in [cause for cause in kept.values() if cause.id.startswith(_OF_CRAFTED)]:
        places = {_place(vectors[result.vector]) for result in cause.findings}
        messages = {message for message, _ in places}
        for other in [each for each in kept.values() if each is not cause]:
            path = _path_in(other, messages)
            if path and all(_is_in(place, path) for _, place in places):
                kept[other.id] = replace(other, findings=(*other.findings, *cause.findings))
                del kept[cause.id]
                break
    yield from kept.values()


def _with_chance(causes: Iterable[Cause]) -> Iterator[Cause]:
    """Yield causes, that of a wrong header with the few faults that it hides by chance."""
    every = list(causes)
    header = max(filter(_is_of_header, every), key=lambda cause: len(cause.findings), default=None)
    if header is None:
        yield from every
        return
    few = max(_CHANCE * len(header.findings), 1)
    by_chance = [
        cause
        for cause in every
        if cause is not header
        and len(cause.findings) <= few
        and (cause.id.startswith(_OF_CRAFTED) or _is_of_header(cause))
    ]
    more = [result for cause in by_chance for result in cause.findings]
    for cause in every:
        if cause is header:
            yield replace(header, findings=(*header.findings, *more)) if more else header
        elif cause not in by_chance:
            yield cause


def _is_of_header(cause: Cause) -> bool:
    return _HEADER.match(cause.id) is not None


def _place(vector: Vector) -> tuple[str, str]:
    """Return the message of a vector, `response-of-produce`, and the field that it is about."""
    parts = vector.id.partition("@")[0].split("/")[2:]
    path = ".".join(_NUMBER.sub("", part) for part in parts)
    return f"{vector.format}-of-{vector.family}", path.replace("-", "_")


def _path_in(cause: Cause, messages: set[str]) -> str:
    """Return the field that a cause is about, if it is one of the only message; else empty."""
    if len(messages) != 1:
        return ""
    (message,) = messages
    if (found := _IN_FIELD.fullmatch(cause.id)) and cause.id.endswith(f"-of-the-{message}"):
        return found["path"]
    kind, _, family = message.partition("-of-")
    is_layout = cause.id.startswith(f"layout/{family.replace('-', '_')}_{kind}/")
    found = _IN_LAYOUT.fullmatch(cause.id) if is_layout else None
    return found["path"] if found else ""


def _is_in(place: str, path: str) -> bool:
    """Tell whether a place is in a field, or in the size of a tagged field beside it."""
    beside = f"{path.rpartition('.')[0]}.{_SIZE}".removeprefix(".")
    return f"{place}.".startswith((f"{path}.", f"{beside}."))


def _field_key(cause: Cause) -> str:
    found = _IN_FIELD.fullmatch(cause.id)
    return f"{found['what']}/`{found['path'].rpartition('.')[2]}`" if found else ""


def _layout_key(cause: Cause) -> str:
    if flexible := _FLEXIBLE.fullmatch(cause.id):
        return f"layout/{flexible['change']}"
    found = _IN_LAYOUT.fullmatch(cause.id)
    return f"layout/`{found['path'].rpartition('.')[2]}`/{found['change']}" if found else ""


def _what_key(cause: Cause) -> str:
    found = _IN_FIELD.fullmatch(cause.id) or _IN_MESSAGE.fullmatch(cause.id)
    return str(found["what"]) if found else ""


def _by(
    causes: Iterable[Cause], vectors: Mapping[str, Vector], key: Callable[[Cause], str], *, fewest: int, where: str
) -> Iterator[Cause]:
    by_key: dict[str, list[Cause]] = defaultdict(list)
    for cause in causes:
        by_key[key(cause) or cause.id].append(cause)
    for name, same in by_key.items():
        if len(same) < fewest:
            yield from same
            continue
        first = max(same, key=lambda cause: len(cause.findings))
        others = len(same) - 1
        more = f"; and the same in {others} other {where if others > 1 else where[:-1]}"
        findings = [result for cause in same for result in cause.findings]
        yield cause_of_group(FindingGroup(name, f"{first.does}{more}"), findings, vectors, first.others)
