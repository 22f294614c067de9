"""Broken rules for people and for programs."""

import json
from collections.abc import Iterator

from kafka_format.log.verification import Breach
from kafka_format.spec.rules import rules

from kafka_conformance.logs.effects import effect


def lines(breach: Breach) -> Iterator[str]:
    """Yield what is broken, the rule, what Kafka does, and what to do."""
    at = "" if breach.position is None else f", byte {breach.position}"
    offset = "" if breach.offset is None else f", offset {breach.offset}"
    yield f"{breach.path}{at}{offset}: {breach.detail}"
    rule = rules().get(breach.rule)
    yield f"  {breach.rule}" + (f": {rule.sentence}" if rule else "")
    found = effect(breach.rule)
    if found is not None:
        yield f"  Kafka: {found.kafka}"
        yield f"  To do: {found.advice}"


def as_json(breach: Breach) -> str:
    """Return a broken rule as a line of JSON."""
    found = effect(breach.rule)
    document = {**breach._asdict(), "path": str(breach.path)}
    return json.dumps(document | ({"kafka": found.kafka, "advice": found.advice} if found else {}))
