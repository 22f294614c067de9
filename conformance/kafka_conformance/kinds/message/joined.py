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
