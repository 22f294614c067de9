"""Makes the parts of pages that say what readers of logs, and of keys and values, get wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kafka_conformance.targets import catalogue, manifest
from kafka_conformance.targets.catalogue import Part

from kafka_generator.markdown import environment, fill, wrap
from kafka_generator.recorded import results

PAGES: Final = {"log-readers.md": Part.LOG_READER, "contents.md": Part.SERDE}
"""The pages in docs/, each with the part of libraries that its findings are about."""


def with_findings(page: str, part: Part) -> str:
    """Return a page with its table of results and its list of findings made anew."""
    template = environment(Path(__file__).parent / "templates").get_template("log_readers.md.j2")
    findings = template.render(groups=catalogue.about(part).values(), manifests=manifest.load_all())
    return fill(fill(page, "results", _table(part)), "findings", wrap(findings))


def _table(part: Part) -> str:
    """Return the recorded runs of the newest releases, whose bugs data can meet count first."""
    lines = [
        "| reader | language | release | asked | went wrong | bugs: met, damage, crafted | run |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in results.of(part):
        bugs = ", ".join(str(row.bugs[group]) for group in ("met", "damage", "crafted"))
        lines.append(
            f"| {row.library} | {row.language} | {row.version} | {row.asked} | {row.findings} | {bugs} | {row.run} |"
        )
    return "\n".join(lines) + "\n"
