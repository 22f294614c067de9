"""The most usual vectors first: a cause is shown by data that people have today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from kafka_conformance.diagnosis.cause import MET
from kafka_conformance.judging.result import Result
from kafka_conformance.vectors.vector import Reach, Vector

_OLDER: Final = {"mixed": 1, "v1": 2, "v0": 3, "v07": 4}
"""Formats that brokers of today do not write any more."""

_FAMILIES: Final = {
    **dict.fromkeys(("record-batch", "message-set"), 0),
    "conversation": 1,
    **dict.fromkeys(("control", "compression", "framing", "run", "deliver"), 2),
    "wild": 3,
}
"""Families in the order in which they show a thing plainly: those that were thought of one
by one, then what clients wrote. All others were made by the hundred."""

_OTHERS: Final = 4
_OTHER_BROKERS: Final = ("Redpanda",)
_TYPICAL: Final = "/typical"


def usual_first(findings: Iterable[Result], vectors: Mapping[str, Vector]) -> tuple[Result, ...]:
    """Return findings as people meet their bytes; of two alike, the smaller first."""
    return tuple(sorted(findings, key=lambda result: _rank(vectors[result.vector])))


def _rank(vector: Vector) -> tuple[int, int, bool, int, int, int, int, str]:
    order = list(Reach)
    return (
        0 if vector.reach in MET else order.index(vector.reach),
        _OLDER.get(vector.format, 0),
        any(name in vector.evidence for name in _OTHER_BROKERS),
        0 if _is_typical(vector) else _FAMILIES.get(vector.family, _OTHERS),
        order.index(vector.reach),
        -_version(vector),
        len(vector.data),
        vector.id,
    )


def _is_typical(vector: Vector) -> bool:
    return vector.id.partition("@")[0].endswith(_TYPICAL)


def _version(vector: Vector) -> int:
    """Return the version of a request or response, the newest of which are usual; else 0."""
    number = vector.formats[0] if len(vector.formats) == 1 else ""
    return int(number) if number.isdigit() else 0
