"""The errors by which Kafka refuses vectors, vectors/append-errors.json.

They are taken from the reports of runs of brokers; what is known of other releases stays.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.broker import known_errors
from kafka_conformance.kinds.broker.known_errors import KAFKA
from kafka_conformance.targets import resolve
from kafka_format.spec import data

FILE: Final = data.path("vectors") / known_errors.FILE

_APPENDS: Final = "appends.jsonl"
"""The file of a report that has the answers of brokers."""

Errors = dict[str, dict[str, list[str]]]
"""By vector and error, the releases that answered so."""


def load() -> Errors:
    """Return what is known."""
    errors: Errors = json.loads(FILE.read_text(encoding="utf-8"))["errors"]
    return errors


def take_over(known: Errors, report: Path) -> None:
    """Add what the report of a run says, if it is one of brokers; `report` is its folder."""
    file = report / _APPENDS
    if file.exists():
        add(known, map(json.loads, file.read_text(encoding="utf-8").splitlines()))


def add(known: Errors, rows: Iterable[Mapping[str, Any]]) -> None:
    """Add the rows of a run; earlier rows of the same releases are replaced."""
    counts: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        if row["target"].partition("@")[0] in KAFKA:
            release = resolve.installation(row["target"]).version
            for name in row["errors"]:
                counts[release][row["vector"]].add(name)
    for release, vectors in counts.items():
        for names in known.values():
            for releases in names.values():
                if release in releases:
                    releases.remove(release)
        for vector, errors in vectors.items():
            for name in errors:
                known.setdefault(vector, {}).setdefault(name, []).append(release)


def text(known: Errors) -> str:
    """Return the text of the file, a line for a vector, the newest release first."""
    rows = {
        vector: {
            name: sorted(releases, key=lambda release: [int(part) for part in release.split(".")], reverse=True)
            for name, releases in sorted(names.items())
            if releases
        }
        for vector, names in sorted(known.items())
    }
    lines = [f" {json.dumps(vector)}: {json.dumps(names)}" for vector, names in rows.items() if names]
    return '{"errors": {\n' + ",\n".join(lines) + "\n}}\n"
