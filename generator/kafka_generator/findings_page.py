"""Makes docs/findings.md: by target, what it gets wrong, and the smallest bytes that show it."""

from collections.abc import Iterable, Mapping
from typing import Any

from kafka_conformance.confirmation import record_lines
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets import catalogue, manifest
from kafka_conformance.targets.catalogue import Finding, FindingKind, Part
from kafka_conformance.vectors import loader, orders
from kafka_conformance.vectors.patterns import Ids
from kafka_format.explain.lines import Explanation, explain, explain_v07
from kafka_tools.errors import UsageError
from kafka_tools.show import hexdump

_LONGEST = 24  # rows of an annotated dump; what is after them is left to `explain`


def values(vectors: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the template needs, from the vectors as JSON has them.

    Raises:
        UsageError: a finding names a vector that does not exist.
    """
    known = {vector["id"]: vector for vector in vectors}
    ids, names = Ids(known), Ids([*known, *(vector.id for vector in loader.of_family(orders.FAMILY))])
    groups = list(catalogue.about(Part.DECODER).values())
    every = [finding for group in groups for finding in group.findings]
    for finding in every:
        check(finding, names)
    reachable = [finding for finding in every if finding.kind == FindingKind.REACHABLE]
    return {
        "groups": [group for group in groups if group.of_kind(FindingKind.REACHABLE)],
        "brokers": [*catalogue.about(Part.BROKER).values(), *catalogue.about(Part.SCENARIO).values()],
        "Kind": FindingKind,
        "every": every,
        "confirmed": sum(finding.gives is not None for finding in reachable),
        "reachable": reachable,
        "manifests": manifest.load_all(),
        "rules_of": lambda finding: known[finding.smallest]["rules"],
        "smallest": sorted({finding.smallest for finding in reachable}),
        "vectors_by_id": known,
        "anchor_of": lambda name: f"vector-{name.replace('/', '-')}",
        "dump_of": lambda name: _dump(known[name]),
        "due_of": lambda finding: _due(finding, known[finding.smallest]),
        "counts": {finding: ids.count(finding.vectors) for finding in every},
    }


def check(finding: Finding, known: Ids) -> None:
    """Raise an error if a finding names a vector that does not exist.

    Raises:
        UsageError: there are none of a name, or of a pattern.
    """
    if finding.smallest not in known:
        raise UsageError(f"{finding.target}.yaml: {finding.id}: there is no vector {finding.smallest}.")
    for pattern in finding.vectors:
        if next(known.fitting(pattern), None) is None:
            raise UsageError(f"{finding.target}.yaml: {finding.id}: no vector fits {pattern}.")


def _dump(vector: Mapping[str, Any]) -> list[str]:
    """Annotate the bytes of a vector; none for a large one."""
    if "hex" not in vector:
        return []
    data = bytes.fromhex(vector["hex"])
    return dump_lines(explain_v07(data) if vector["format"] == "v07" else explain(data))


def dump_lines(explained: Explanation) -> list[str]:
    """Annotate bytes that are explained, as far as a page shows them."""
    lines = list(hexdump.text_lines(hexdump.rows(explained)))
    left = len(lines) - _LONGEST
    return lines if left <= 1 else [*lines[:_LONGEST], f"... {left} more rows"]


def _due(finding: Finding, vector: Mapping[str, Any]) -> list[str]:
    if finding.direction is Direction.ENCODE:
        return list(record_lines.kafka_lines(vector))
    return [record_lines.line(record) for record in _delivered_records(vector)]


def _delivered_records(vector: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Keep what a consumer delivers: the records without control records; none if Kafka refuses."""
    return [record for record in vector.get("answer") or () if not record["control"]]
