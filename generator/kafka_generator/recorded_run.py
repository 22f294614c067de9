"""What a run over all decoders found, kept in docs/failures.json.gz.

`python generate.py --results REPORT` takes it from the report.json of a run. The page of the
diagnosis, the example of README.md and tests are made of it. It is the report of the run, less what
the diagnosis does not look at: times, the titles of vectors, and the decoders that no file of
findings is about.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from kafka_conformance.judging.difference import visible
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.reports import json_report
from kafka_conformance.run.target import Target
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format.records import Record
from kafka_format.spec import data

FILE: Final = "failures.json.gz"

_TEXT: Final = 200
_LISTS: Final = ("results", "passed", "gaps")
_KEPT: Final = ("vector", "target", "direction", "outcome", "path", "expected", "got", "answer", "due", "came")


def targets() -> dict[str, Target]:
    """Return the decoders of the run, by name."""
    return {target.name: target for target in _report().targets}


@cache
def _report() -> json_report.Report:
    """Return the report; `condense` has checked it against its schema."""
    packed = data.path("spec").parent / "docs" / FILE
    return json_report.from_document(json.loads(gzip.decompress(packed.read_bytes())))


def results(vectors: Mapping[str, Vector]) -> dict[str, list[Result]]:
    """Return the results of the vectors that still exist, by decoder.

    A report has no answers of what passed, and only the first records of long ones. The former are
    filled in for valid vectors: they are the right ones. Lenient ones may have been refused. The
    latter are left out.
    """
    by_target: defaultdict[str, list[Result]] = defaultdict(list)
    known = targets()
    answers: dict[str, list[Record]] = {}
    for result in _report().results:
        if result.vector in vectors:
            filled = _result_of(result, vectors[result.vector], known[result.target], answers)
            by_target[result.target].append(filled)
    return by_target


def _result_of(result: Result, vector: Vector, target: Target, answers: dict[str, list[Record]]) -> Result:
    """Return a result with its answer; `answers` keeps those of vectors, which many have right."""
    right = vector.answer
    if right is None or len(right) >= json_report.ANSWER_RECORDS:
        return replace(result, answer=None)
    if result.outcome is not Outcome.PASSED or vector.verdict is not Verdict.VALID:
        return result
    fields = FIELDS if target.hello is None else target.hello.fields
    if vector.id not in answers:
        answers[vector.id] = json_answers.from_json(right)
    return replace(result, answer=tuple(visible(answers[vector.id], fields)))


def condense(report: Path) -> bytes:
    """Return the parts of a run's report.json that are stored, packed.

    Raises:
        UsageError: it is no report.
    """
    json_report.load(report)
    document = json.loads(report.read_text(encoding="utf-8"))
    about = catalogue.about(Part.DECODER)
    names = {target["name"] for target in document["targets"] if target["name"] in about}
    document["targets"] = [target for target in document["targets"] if target["name"] in names]
    for key in _LISTS:
        document[key] = [line for line in document[key] if line["target"] in names]
    document["results"] = [_short(line) for line in document["results"]]
    document |= {"causes": [], "reduced": [], "summary": [], "known_problems": []}
    document["vectors"] = [{**vector, "title": "", "rules": []} for vector in document["vectors"]]
    document["header"] |= {"command": "", "platform": "", "libraries": {}}
    document["footer"]["results"] = json_report.count(document)
    return gzip.compress(json.dumps(document).encode(), mtime=0)


def _short(line: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: line[key] for key in _KEPT if key in line}
    texts = {key: line[key][:_TEXT] for key in ("detail", "error") if key in line}
    return {**kept, "seconds": 0, **texts}
