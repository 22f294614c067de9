"""Makes the part of docs/log-readers.md that says what readers of log directories get wrong."""

from __future__ import annotations

from pathlib import Path

from kafka_conformance.targets import catalogue, manifest
from kafka_conformance.targets.catalogue import Part

from kafka_generator.markdown import environment, fill, wrap

PAGE = "log-readers.md"


def with_findings(page: str) -> str:
    """Return docs/log-readers.md with its list of findings made anew."""
    template = environment(Path(__file__).parent / "templates").get_template("log_readers.md.j2")
    findings = template.render(groups=catalogue.about(Part.LOG_READER).values(), manifests=manifest.load_all())
    return fill(page, "findings", wrap(findings))
