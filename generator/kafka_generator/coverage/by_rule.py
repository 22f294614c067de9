"""Rules: each has a vector that keeps it, and one that breaks it if bytes can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from kafka_format.spec.rules import Rule, rules

from kafka_generator.coverage.model import Cell

NO_BYTES: Final = "no bytes break it, only a target does (the kind `rule misread`)"
LIMIT: Final = "only a reader's own limit makes bytes break it: the tests of the reference do"
NO_VECTOR: Final = "frames of the adapter protocol are no vectors: the tests of the protocol keep and break it"
OF_PROTOCOL: Final = "the vectors of requests and responses keep and break it ([rules.md](rules.md) counts them)"
OF_FILES: Final = "the vectors of log directories keep and break it ([log-coverage.md](log-coverage.md))"
OF_CONTENT: Final = "the vectors of keys and values keep and break it ([contents.md](contents.md))"
WITHOUT: Final = {"adapter": NO_VECTOR, "protocol": OF_PROTOCOL, "log": OF_FILES, "content": OF_CONTENT}
"""Why no vector of records is needed, by what a rule is about."""


def cells(vectors: Sequence[Mapping[str, Any]]) -> Iterator[Cell]:
    """Yield two cells a rule: kept and broken."""
    kept, broken = keeping(vectors), breaking(vectors)
    for rule in rules().values():
        yield Cell("rule kept", rule.id, kept.get(rule.id, ()), WITHOUT.get(rule.about, ""))
        yield Cell("rule broken", rule.id, broken.get(rule.id, ()), _unbroken(rule))


def _unbroken(rule: Rule) -> str:
    if rule.about in WITHOUT:
        return WITHOUT[rule.about]
    return {"target": NO_BYTES, "limit": LIMIT}.get(rule.broken_by, "")


def broken_rule(vector: Mapping[str, Any]) -> str:
    """Return the rule that the bytes of a vector break, if any."""
    fault = vector.get("fault", vector.get("expected", {}))
    return str(fault.get("rule", ""))


def breaking(vectors: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the ids of the vectors that break each rule."""
    ids_by_rule: dict[str, list[str]] = {}
    for vector in vectors:
        if rule := broken_rule(vector):
            ids_by_rule.setdefault(rule, []).append(vector["id"])
    return ids_by_rule


def keeping(vectors: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return by rule the vectors that keep it: valid ones that name it, twins of broken ones."""
    ids_by_rule: dict[str, list[str]] = {}
    for vector in vectors:
        fault_rule = broken_rule(vector)
        for rule in vector["rules"]:
            if rule != fault_rule and vector["verdict"] == "valid":
                ids_by_rule.setdefault(rule, []).append(vector["id"])
        if twin := vector.get("fault", {}).get("twin"):
            ids_by_rule.setdefault(fault_rule, []).append(twin)
    return {rule: list(dict.fromkeys(ids)) for rule, ids in ids_by_rule.items()}
