"""Makes the parts of docs/live-brokers.md that runs of brokers say.

`make brokers` runs every broker, and `python generate.py --broker-results REPORT...` takes what
came of it from the report.json of runs into docs/broker-results.json. Making the page needs no
broker.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.broker.known_errors import KAFKA
from kafka_conformance.reports import json_report
from kafka_conformance.targets import resolve
from kafka_format.spec import data

from kafka_generator.markdown import environment, fill, wrap

FILE: Final = "broker-results.json"
PAGE: Final = "live-brokers.md"

SHOWN: Final = 8
"""What a broker does otherwise than Kafka, as far as the page shows it; the file has all."""

_TITLES: Final = {**dict.fromkeys(KAFKA, "Kafka"), "broker-librdkafka": "librdkafka's mock cluster"}


def results(reports: Iterable[Path], known: str) -> str:
    """Add what reports say to the text of docs/broker-results.json; return the new text.

    Raises:
        UsageError: a file is no report.
    """
    lines = {line["name"]: line for line in json.loads(known)["brokers"]}
    for report in reports:
        json_report.load(report)
        document = json.loads(report.read_text(encoding="utf-8"))
        for line in document["summary"]:
            if line["asked"]:
                lines[line["target"]] = _line(line, document)
    in_order = sorted(lines.values(), key=_order)
    return json.dumps({"brokers": in_order}, indent=1, ensure_ascii=False) + "\n"


def _line(summary: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    name = summary["target"]
    differences = [
        {"does": cause["does"], "reach": cause["reach"], "vectors": len(cause["findings"]), "e.g.": cause["smallest"]}
        for cause in document["causes"]
        if cause["target"] == name
    ]
    return {
        "name": name,
        "version": resolve.installation(name).version,
        "run": document["header"]["started"].partition("T")[0],
        **{key: summary[key] for key in ("asked", "passed", "bugs")},
        "differences": differences,
    }


def _order(line: Mapping[str, Any]) -> tuple[bool, str, list[int]]:
    """Put Kafka first, its newest release on top, and then the others by name."""
    name = line["name"].partition("@")[0]
    numbers = [-int(number) for number in line["version"].replace("-", ".").split(".")]
    return name not in KAFKA, "" if name in KAFKA else name, numbers


def with_results(page: str) -> str:
    """Return docs/live-brokers.md with its tables and lists of differences made anew."""
    file = data.path("spec").parent / "docs" / FILE
    brokers = [_with_title(line) for line in json.loads(file.read_text(encoding="utf-8"))["brokers"]]
    templates = environment(Path(__file__).parent / "templates")
    table = templates.get_template("brokers_table.md.j2").render(brokers=brokers)
    others = [broker for broker in brokers if broker["differences"]]
    differences = templates.get_template("brokers_differences.md.j2").render(brokers=others, shown=SHOWN)
    return fill(fill(page, "results", table), "differences", wrap(differences))


def _with_title(line: Mapping[str, Any]) -> dict[str, Any]:
    name = line["name"].partition("@")[0]
    title = _TITLES.get(name, name.removeprefix("broker-"))
    return {**line, "title": f"{title} {line['version']}"}
