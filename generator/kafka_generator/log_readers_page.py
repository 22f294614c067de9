"""Makes the parts of pages that say what readers of logs, and of keys and values, get wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kafka_conformance.targets import catalogue, manifest
from kafka_conformance.targets.catalogue import Part

from kafka_generator.markdown import environment, fill, wrap

PAGES: Final = {"log-readers.md": Part.LOG_READER, "contents.md": Part.SERDE}
"""The pages in docs/, each with the part of libraries that its findings are about."""


def with_findings(page: str, part: Part) -> str:
    """Return a page with its list of findings made anew."""
    template = environment(Path(__file__).parent / "templates").get_template("log_readers.md.j2")
    findings = template.render(groups=catalogue.about(part).values(), manifests=manifest.load_all())
    return fill(page, "findings", wrap(findings))
