"""Puts figures and an example into README.md, between marks, so that none is typed by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_conformance.diagnosis.cause import MET
from kafka_conformance.reports import causes
from kafka_conformance.reports.marked_dump import dump, excerpt
from kafka_conformance.reports.origins import WrongField
from kafka_conformance.reports.result_text import label, sentence
from kafka_conformance.reports.terminal_dump import dump_lines
from kafka_conformance.targets import catalogue, manifest
from kafka_conformance.targets.catalogue import FindingKind, Part
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import golden
from kafka_format.spec.releases import releases
from kafka_format.spec.rules import rules
from kafka_tools.errors import UsageError

from kafka_generator import diagnosis_page
from kafka_generator.markdown import environment, fill
from kafka_generator.recorded import details

PAGE: Final = "README.md"

EXAMPLE: Final = "aiokafka"
"""The decoder whose report is the example."""

_ROWS: Final = 4
"""Rows of bytes in the example."""


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


def with_example(page: str) -> str:
    """Return the page with its example made anew: what the recorded run says of one decoder."""
    return fill(page, "example", "\n" + "".join(f"    {line}\n" for line in _example(EXAMPLE)) + "\n")


def _example(name: str) -> Iterator[str]:
    """Yield what a terminal shows of a decoder and of its first bug that gives wrong records."""
    target, diagnosis = details.targets()[name], diagnosis_page.diagnosis_of(name)
    if target.hello is None:
        raise UsageError(f"{name} did not run, so README.md has no example.", "Record a run in which it does.")
    hello, cause = target.hello, next(cause for cause in diagnosis.of(*MET) if cause.findings[0].path)
    result = cause.findings[0]
    yield f"{name} ({hello.name} {hello.version}, {hello.language}): {causes.sentence(diagnosis)}"
    yield "  bugs that users meet"
    yield f"  {len(cause.findings):5}  {causes.title(cause)}"
    yield f"         {label(result)}: {sentence(result)}"
    (vector,) = golden.load(patterns=(result.vector,))
    rows = dump(vector, [WrongField(result.path, hello.fields)])
    yield from (text for text, _ in dump_lines([row for row in excerpt(rows, _ROWS) if not isinstance(row, str)]))


def _figures(vectors: Sequence[Mapping[str, Any]], kills: Mapping[str, Any]) -> dict[str, int]:
    targets = [target for target in manifest.of_kind(TargetKind.DECODER).values() if target.formats]
    groups = [*catalogue.about(Part.DECODER).values(), *catalogue.about(Part.MESSAGES).values()]
    confirmed = [
        finding
        for group in groups
        for finding in group.findings
        if finding.kind == FindingKind.REACHABLE and finding.gives is not None
    ]
    return {
        "vectors": len(vectors),
        "releases": len(releases()),
        "rules": sum(rule.about != "adapter" for rule in rules().values()),
        "targets": len(targets),
        "versions": sum(len(target.all_versions) for target in targets),
        "bugs": len(confirmed),
        "wrong": len({finding.target for finding in confirmed}),
        "mutants": len(kills.get("mutants", ())) + len(kills.get("generated", ())),
    }
