"""Puts the project's figures into README.md, between two marks, so that none is typed by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_conformance.findings import catalogue
from kafka_conformance.findings.catalogue import FindingKind
from kafka_conformance.targets import manifest
from kafka_format.spec.releases import releases
from kafka_format.spec.rules import rules

from kafka_generator.coverage.by_rule import WITHOUT
from kafka_generator.markdown import environment, fill

PAGE: Final = "README.md"


def with_figures(
    page: str, vectors: Sequence[Mapping[str, Any]], kills: Mapping[str, Any], of_protocol: int = 0
) -> str:
    """Return the page with its figures made anew; the same page if it has no place for them.

    Args:
        page: the text of README.md.
        vectors: every vector of records, as JSON has it.
        kills: the content of vectors/kills.json.
        of_protocol: how many vectors there are of requests, responses and schema records.
    """
    template = environment(Path(__file__).parent / "templates").get_template("figures.md.j2")
    return fill(page, "figures", template.render(_figures(vectors, kills), of_protocol=of_protocol))


def _figures(vectors: Sequence[Mapping[str, Any]], kills: Mapping[str, Any]) -> dict[str, int]:
    targets = [target for target in manifest.load_all().values() if target.formats]
    groups = [*catalogue.load_all().values(), *catalogue.load_messages().values()]
    confirmed = [
        finding
        for group in groups
        for finding in group.findings
        if finding.kind == FindingKind.REACHABLE and finding.gives is not None
    ]
    return {
        "vectors": len(vectors),
        "releases": len(releases()),
        "rules": sum(rule.about not in WITHOUT for rule in rules().values()),
        "targets": len(targets),
        "versions": sum(len(target.all_versions) for target in targets),
        "bugs": len(confirmed),
        "wrong": len({finding.target for finding in confirmed}),
        "mutants": len(kills.get("mutants", ())) + len(kills.get("generated", ())),
    }
