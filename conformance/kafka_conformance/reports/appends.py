"""Writes what brokers did with each vector, passed or not: appends.jsonl, a line of JSON each.

The other reports say nothing of what passed. Of a broker one wants to know with which error it
refused, what it changed, and what it wrote anew or converted.
"""

import json
from pathlib import Path

from kafka_tools.text import printable

from kafka_conformance.protocol.hello import APPEND
from kafka_conformance.run.run import Run


def brokers(run: Run) -> list[str]:
    """Name the targets that are brokers."""
    return [target.name for target in run.came_up if target.hello is not None and APPEND in target.hello.requests]


def write(run: Run, file: Path) -> None:
    """Write a line for each result: target, vector, outcome, story, and errors."""
    with file.open("w", encoding="utf-8") as lines:
        for name in brokers(run):
            for result in run.of(name):
                line = {
                    "target": result.target,
                    "vector": result.vector,
                    "outcome": result.outcome.value,
                    "detail": printable(result.detail),
                    "errors": list(result.errors),
                }
                lines.write(json.dumps(line) + "\n")
