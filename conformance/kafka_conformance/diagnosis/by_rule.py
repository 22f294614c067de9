"""Signatures without names: a decoder that does not check a rule, or refuses what is valid.

They explain what no named decoder does: all findings about one rule or flag, in one format, or at
one field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kafka_format.spec.flags import flags
from kafka_format.spec.rules import rules

from kafka_conformance.diagnosis.signature import GENERAL, Signature
from kafka_conformance.diagnosis.symptom import ACCEPTED, ANY_FIELD, REFUSED
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.vector import Subject, Vector, Verdict

_INDEX: Final = re.compile(r"\[\d+\]")

_OTHERS: Final = frozenset({Subject.CONTENT, Subject.SCENARIO})
"""What no decoder or client of records is asked: it has causes of its own."""


def general_signatures(vectors: Iterable[Vector]) -> list[Signature]:
    """Return them for some vectors, the most general first."""
    fails: dict[tuple[str, str], dict[str, str]] = {}
    for vector in vectors:
        if vector.subject in _OTHERS:
            continue
        for name, how in _of_vector(vector):
            fails.setdefault(name, {})[vector.id] = how
    made = [Signature(id_, does, Direction.DECODE, vectors, target=GENERAL) for (id_, does), vectors in fails.items()]
    return sorted(made, key=lambda signature: -len(signature.fails))


def _of_vector(vector: Vector) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield id and meaning of each signature that a vector is in, and how it would be failed."""
    if vector.verdict is Verdict.VALID:
        for name in vector.codecs:
            yield (f"refuse/{vector.format}/{name}", f"refuses {_codec(name)} in {_format(vector)}"), REFUSED
        for rule in vector.rules:
            yield (f"refuse/{rule}", f"refuses what {rule} allows: {_sentence(rule)}"), REFUSED
    if vector.fault is None:
        return
    rule, how = vector.fault.rule, ACCEPTED
    does, why = f"accepts what breaks {rule}", f": {_sentence(rule)}"
    if vector.verdict is Verdict.LENIENT:
        rule, how = vector.flag, ANY_FIELD
        does = "gives other records than Kafka for wrong bytes that both accept"
        why = f". Kafka's way: {flags()[rule].doc.rstrip('.')}"
    field = _INDEX.sub("", vector.fault.path)
    yield (f"rule/{rule}", f"{does}{why}"), how
    yield (f"rule/{rule}/{vector.format}", f"{does}, in {_format(vector)}{why}"), how
    at = f"{_format(vector)}, at {field or 'no field'}"
    yield (f"rule/{rule}/{vector.format}/{field}", f"{does}, in {at}{why}"), how


def _sentence(rule: str) -> str:
    return rules()[rule].sentence.rstrip(".") if rule in rules() else "no rule of this release"


def _codec(name: str) -> str:
    return "uncompressed bytes" if name == "none" else name


def _format(vector: Vector) -> str:
    return "mixed formats" if vector.format == "mixed" else vector.format
