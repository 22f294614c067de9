"""Tags that are fields of other versions, put to targets that know none of these versions.

Kafka refuses such a tag (`protocol.tag.version`). To a library that is older than the field, it is
a tag like any other that it does not know, and it is right to pass over it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from kafka_format.codec.members import tag_section
from kafka_format.spec.layout import find, specification

from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.vectors import MessageVector
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Vector

RULE: Final = "protocol.tag.version"

_STEPS: Final = re.compile(r"[^.\[\]]+")


def without_unknown_fields(results: Sequence[Result], vectors: Mapping[str, Vector]) -> Iterator[Result]:
    """Yield anew the results of a target that was asked about versions with a field, and has none.

    Where none of these versions was put, as in a run of a few vectors, a finding stays one.

    Args:
        results: what came of all messages that were put to one target.
        vectors: the vectors, by id.
    """
    has: dict[tuple[str, int], bool] = {}
    for result in results:
        if isinstance(vector := vectors[result.vector], MessageVector) and result.outcome is not Outcome.NOT_ASKED:
            key = (vector.message.vector.layout, vector.message.body_version)
            has[key] = has.get(key, False) or result.outcome is not Outcome.UNSUPPORTED
    for result in results:
        vector = vectors[result.vector]
        if result.outcome is Outcome.ACCEPTED_INVALID and isinstance(vector, MessageVector):
            message = vector.message.vector
            if (message.fault or {}).get("rule") == RULE and _has_none(message, has):
                why = "the tag is a field in versions that the target does not have"
                yield Result(result.vector, result.target, Outcome.UNSUPPORTED, result.direction, detail=why)


def versions_with_field(message: ProtocolVector) -> Iterable[tuple[str, int]]:
    """Return the layout, and each version in which the tag is a field that this one lacks."""
    assert message.fault is not None  # noqa: S101 - it breaks the rule
    *path, _, _ = _STEPS.findall(message.fault["path"])
    return _with_field(message.layout, tuple(path), message.data[message.fault["offset"]])


def _has_none(message: ProtocolVector, has: Mapping[tuple[str, int], bool]) -> bool:
    put = [has[key] for key in versions_with_field(message) if key in has]
    return bool(put) and not any(put)


@cache
def _with_field(layout: str, path: tuple[str, ...], tag: int) -> tuple[tuple[str, int], ...]:
    section = tuple(int(step) if step.isdigit() else step for step in path)
    return tuple(
        (layout, number)
        for number in specification().versioned[layout].versions.numbers
        if (there := tag_section(find(layout, number), section)) and tag in {field.tag for field in there.fields}
    )
