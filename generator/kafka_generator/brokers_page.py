"""Makes the parts of docs/live-brokers.md that were recorded of runs of brokers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.broker.known_errors import KAFKA
from kafka_conformance.targets.catalogue import Part

from kafka_generator.markdown import environment, fill, wrap
from kafka_generator.recorded import results
from kafka_generator.recorded.results import Row

PAGE: Final = "live-brokers.md"

SHOWN: Final = 8
"""What a broker does otherwise than Kafka, as far as the page shows it; the file has all."""

_TITLES: Final = {**dict.fromkeys(KAFKA, "Kafka"), "broker-librdkafka": "librdkafka's mock cluster"}


def with_results(page: str) -> str:
    """Return docs/live-brokers.md with its tables and lists of differences made anew."""
    brokers = [_broker(row) for row in sorted(results.of(Part.BROKER), key=_order)]
    templates = environment(Path(__file__).parent / "templates")
    table = templates.get_template("brokers_table.md.j2").render(brokers=brokers)
    others = [broker for broker in brokers if broker["row"].causes]
    differences = templates.get_template("brokers_differences.md.j2").render(brokers=others, shown=SHOWN)
    return fill(fill(page, "results", table), "differences", wrap(differences))


def _order(row: Row) -> tuple[bool, str, list[int]]:
    """Put Kafka first, its newest release on top, and then the others by name."""
    name = "" if row.name in KAFKA else row.name
    return bool(name), name, [-number for number in results.release(row.version)]


def _broker(row: Row) -> Mapping[str, Any]:
    return {"row": row, "title": f"{_TITLES.get(row.name, row.name.removeprefix('broker-'))} {row.version}"}
