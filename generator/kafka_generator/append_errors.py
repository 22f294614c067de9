"""The errors by which Kafka refuses vectors: `python -m kafka_generator.append_errors DIR...`.

DIR is the report of a run of `broker-kafka` or `broker-kafka-legacy`, in one release or several.
What is known of other releases stays. The file is vectors/append-errors.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.broker.known_errors import FILE, KAFKA
from kafka_conformance.targets import resolve

_ROOT: Final = Path(__file__).parents[2]

Errors = dict[str, dict[str, list[str]]]
"""By vector and error, the releases that answered so."""


def main() -> int:
    """Add the error codes from reports of runs to the table; return 0 if all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+", metavar="DIR", type=Path)
    file = _ROOT / "vectors" / FILE
    known = json.loads(file.read_text(encoding="utf-8"))["errors"] if file.exists() else {}
    for report in parser.parse_args().reports:
        lines = (report / "appends.jsonl").read_text(encoding="utf-8").splitlines()
        take(known, [json.loads(line) for line in lines])
    file.write_text(text(known), encoding="utf-8")
    return 0


def take(known: Errors, rows: list[dict[str, Any]]) -> None:
    """Add the rows of a run; earlier rows of the same releases are replaced."""
    counts: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        installed = resolve.installation(row["target"])
        if installed.manifest.name in KAFKA:
            for name in row["errors"]:
                counts[installed.version][row["vector"]].add(name)
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


if __name__ == "__main__":
    sys.exit(main())
