"""Makes the parts of docs/live-brokers.md that were recorded of runs of brokers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kafka_conformance.kinds.broker.known_errors import KAFKA
from kafka_conformance.targets.catalogue import Part
from kafka_format.spec.layout.yamlfile import load_yaml

from kafka_generator import scenarios
from kafka_generator.markdown import environment, fill, wrap
from kafka_generator.recorded import results
from kafka_generator.recorded.results import Row

PAGE: Final = "live-brokers.md"

SHOWN: Final = 8
"""What a broker does otherwise than Kafka, as far as the page shows it; the file has all."""

_DIFFERENCES: Final = {"differences": Part.BROKER, "answers": Part.SCENARIO}
"""The lists of the page, and the parts that they are about."""

_TITLES: Final = {**dict.fromkeys(KAFKA, "Kafka"), "broker-librdkafka": "librdkafka's mock cluster"}

_WITH: Final = {"broker-kafka-authorizer": " with its authorizer"}
"""How a broker is set up that is listed twice."""


def with_results(page: str) -> str:
    """Return docs/live-brokers.md with its tables and lists of differences made anew."""
    rows = {part: {row.target: row for row in results.of(part)} for part in (Part.BROKER, Part.SCENARIO)}
    either = {row.target: row for part in rows.values() for row in part.values()}
    brokers = [
        {"title": _title(row), **{str(part): rows[part].get(row.target) for part in rows}}
        for row in sorted(either.values(), key=_order)
    ]
    page = fill(page, "unasked", _unasked())
    templates = environment(Path(__file__).parent / "templates")
    page = fill(page, "results", templates.get_template("brokers_table.md.j2").render(brokers=brokers))
    shown = templates.get_template("brokers_differences.md.j2")
    for mark, part in _DIFFERENCES.items():
        others = [(_title(row), row) for row in sorted(rows[part].values(), key=_order) if row.causes]
        page = fill(page, mark, wrap(shown.render(brokers=others, shown=SHOWN, part=part)))
    return page


def unasked() -> Mapping[str, str]:
    """Return the APIs that no scenario asks, each with the reason."""
    file = Path(scenarios.__file__).with_name("unasked.yaml")
    return dict(load_yaml(file.read_text(encoding="utf-8")))


def _unasked() -> str:
    rows = [f"| {name.title().replace('_', '')} | {reason} |" for name, reason in unasked().items()]
    return "\n".join(["| API | why not |", "|---|---|", *rows, ""])


def _order(row: Row) -> tuple[bool, str, list[int]]:
    """Put Kafka first, its newest release on top, and then the others by name."""
    name = "" if row.name in KAFKA else row.name
    return bool(name), name, [-number for number in results.release(row.version)]


def _title(row: Row) -> str:
    return f"{_TITLES.get(row.name, row.name.removeprefix('broker-'))} {row.version}{_WITH.get(row.name, '')}"
