"""Broken rules for people and for programs."""

import json
from collections.abc import Iterator

from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.verification import Breach
from kafka_format.spec.rules import rules

from kafka_tools.logs import recovery_text
from kafka_tools.logs.effects import effect

_NO_SIZE = "entry.size.minimum"


def lines(breach: Breach, before: Breach | None = None) -> Iterator[str]:
    """Yield lines about a broken rule: what is wrong, what Kafka does, and what to do.

    The last two are left out if the breach before was one of the same rule in the same file.
    """
    at = "" if breach.position is None else f", byte {breach.position}"
    offset = "" if breach.offset is None else f", offset {breach.offset}"
    yield f"{breach.path}{at}{offset}: {breach.detail}"
    if before is not None and (before.rule, before.path) == (breach.rule, breach.path):
        yield f"  {breach.rule}, as above"
        return
    rule = rules().get(breach.rule)
    yield f"  {breach.rule}" + (f": {rule.sentence}" if rule else "")
    if breach.rule == _NO_SIZE and _is_room(breach):
        yield f"  Zeros to the end of the file: {recovery_text.ZEROS}"
    consequence = effect(breach.rule, breach.path.name)
    if consequence is not None:
        yield f"  Kafka: {consequence.kafka}"
        yield f"  To do: {consequence.advice}"


def _is_room(breach: Breach) -> bool:
    with MappedFile(breach.path) as file:
        return recovery_text.are_zeros(file.data, breach.position or 0)


def as_json(breach: Breach) -> str:
    """Return a broken rule as a line of JSON."""
    consequence = effect(breach.rule, breach.path.name)
    document = {**breach._asdict(), "path": str(breach.path)}
    return json.dumps(document | ({"kafka": consequence.kafka, "advice": consequence.advice} if consequence else {}))
