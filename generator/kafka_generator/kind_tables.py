"""Makes the tables of consumers, producers and brokers in docs/broker.md and live-brokers.md."""

from __future__ import annotations

from typing import Final

from kafka_conformance.targets import manifest
from kafka_conformance.targets.target_kind import TargetKind

from kafka_generator.markdown import fill

PAGES: Final = {
    "broker.md": {"consumers": TargetKind.CONSUMER, "producers": TargetKind.PRODUCER},
    "live-brokers.md": {"brokers": TargetKind.BROKER},
}
"""The pages, and the kind of target of each of their tables."""


def with_tables(page: str, name: str) -> str:
    """Return one of the pages with its tables made anew; `name` is its file."""
    for mark, kind in PAGES[name].items():
        page = fill(page, mark, _table(kind))
    return page


def _table(kind: TargetKind) -> str:
    lines = [f"| {kind} | language | releases | needs |", "|---|---|---|---|"]
    for target in manifest.of_kind(kind).values():
        releases, needs = ", ".join(target.all_versions), ", ".join(target.needs) or "Python"
        lines.append(f"| [{target.name}]({target.url}) | {target.language} | {releases} | {needs} |")
    return "\n".join(lines) + "\n"
