"""Makes docs/protocol-findings.md: bugs in requests and responses, and the bytes that show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kafka_conformance.kinds.message.questions import MessageQuestion, in_versions
from kafka_conformance.targets import catalogue, manifest
from kafka_conformance.targets.catalogue import FindingKind, Part
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.patterns import Ids
from kafka_format.explain.requests import explain_request, explain_response

from kafka_generator.findings_page import check, dump_lines
from kafka_generator.recorded import results


def values(vectors: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the template needs.

    Args:
        vectors: every vector of the protocol, as JSON has it.

    Raises:
        UsageError: a finding names a vector that does not exist.
    """
    rows = results.of(Part.MESSAGES)
    asked = in_versions(map(protocol.vector_of, vectors))
    known = {question.id: question for question in asked if question.kind != "record"}
    groups = list(catalogue.about(Part.MESSAGES).values())
    ids = Ids(known)
    every = [finding for group in groups for finding in group.findings]
    for finding in every:
        check(finding, ids)
    return {
        "groups": [
            group for group in groups if group.of_kind(FindingKind.REACHABLE) or group.of_kind(FindingKind.HOSTILE)
        ],
        "Kind": FindingKind,
        "every": every,
        "manifests": manifest.load_all(),
        "counts": {finding: ids.count(finding.vectors) for finding in every},
        "rows": rows,
        "newest": [row for row in rows if row.is_newest],
        "kafka": sorted(
            (row for row in rows if row.name.startswith("kafka-clients")),
            key=lambda row: results.release(row.version),
            reverse=True,
        ),
        "dump_of": lambda finding: _dump(known[finding.smallest]),
        "judges_of": lambda finding: _judges(known[finding.smallest]),
    }


def _dump(question: MessageQuestion) -> list[str]:
    asked = question.input
    explain = explain_request if question.kind == "request" else explain_response
    return dump_lines(explain(asked.message, asked.api, asked.version).explanation)


def _judges(question: MessageQuestion) -> list[str]:
    """Return the releases of Kafka that were asked about the vector; all agree with its verdict."""
    return list(question.vector.oracle)
