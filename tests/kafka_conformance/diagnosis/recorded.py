"""What a run over many decoders found, kept for the tests of the diagnosis: `failures.json.gz`.

    kafka-conformance run --ready --report out
    python -m tests.kafka_conformance.diagnosis.recorded out/report.json

makes it anew. It is the report of the run, less what the diagnosis does not look at: answers,
values, times, the titles of vectors, and the decoders that no file of findings is about.
"""

import gzip
import json
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from kafka_conformance.findings import catalogue
from kafka_conformance.reports import json_report
from kafka_conformance.reports.json_report import Report

FILE = Path(__file__).with_name("failures.json.gz")
_TEXT = 200
_LISTS = ("results", "passed", "gaps")


def targets() -> list[str]:
    """Return the names of the decoders in the run, without the work of checking the report."""
    return [target["name"] for target in json.loads(gzip.decompress(FILE.read_bytes()))["targets"]]


@cache
def report() -> Report:
    """Return the run."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        file.write_bytes(gzip.decompress(FILE.read_bytes()))
        return json_report.load(file)


def record(source: Path) -> None:
    """Take the failures of a run from its report.json."""
    document = json.loads(source.read_text(encoding="utf-8"))
    names = {target["name"] for target in document["targets"] if target["name"] in catalogue.load_all()}
    document["targets"] = [target for target in document["targets"] if target["name"] in names]
    for key in _LISTS:
        document[key] = [line for line in document[key] if line["target"] in names]
    document["results"] = [_short(line) for line in document["results"]]
    document["causes"], document["summary"], document["known_problems"] = [], [], []
    document["vectors"] = [{**vector, "title": "", "rules": []} for vector in document["vectors"]]
    document["header"] |= {"command": "", "platform": "", "libraries": {}}
    document["footer"]["results"] = json_report.count(document)
    FILE.write_bytes(gzip.compress(json.dumps(document).encode(), mtime=0))


def _short(line: dict[str, Any]) -> dict[str, Any]:
    kept = {key: line[key] for key in ("vector", "target", "direction", "outcome", "path") if key in line}
    return {**kept, "seconds": 0, **({"detail": line["detail"][:_TEXT]} if "detail" in line else {})}


if __name__ == "__main__":
    record(Path(sys.argv[1]))
