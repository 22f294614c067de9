"""Broken rules for people and for programs."""

import json
from collections.abc import Iterator

from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.verification import Breach
from kafka_format.spec.rules import rules

from kafka_conformance.logs import recovery_text
from kafka_conformance.logs.effects import effect

_NO_SIZE = "entry.size.minimum"


def lines(breach: Breach) -> Iterator[str]:
    """Yield lines about broken rules: what is wrong, what Kafka does, and what to do."""
    at = "" if breach.position is None else f", byte {breach.position}"
    offset = "" if breach.offset is None else f", offset {breach.offset}"
    yield f"{breach.path}{at}{offset}: {breach.detail}"
    rule = rules().get(breach.rule)
    yield f"  {breach.rule}" + (f": {rule.sentence}" if rule else "")
    if breach.rule == _NO_SIZE and _is_room(breach):
        yield f"  Zeros to the end of the file: {recovery_text.ZEROS}"
    found = effect(breach.rule, breach.path.name)
    if found is not None:
        yield f"  Kafka: {found.kafka}"
        yield f"  To do: {found.advice}"


def _is_room(breach: Breach) -> bool:
    with MappedFile(breach.path) as file:
        return recovery_text.are_zeros(file.data, breach.position or 0)


def as_json(breach: Breach) -> str:
    """Return a broken rule as a line of JSON."""
    found = effect(breach.rule, breach.path.name)
    document = {**breach._asdict(), "path": str(breach.path)}
    return json.dumps(document | ({"kafka": found.kafka, "advice": found.advice} if found else {}))
