"""The single results of decoders that have files of findings, in docs/recorded/details.json.gz.

The page of the diagnosis, the example of README.md and tests are made of them. It is a report.json
of the newest run of each, less what the diagnosis does not look at: times, titles of vectors, how
the run was made.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from kafka_conformance.judging.difference import visible
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.reports import json_report, places
from kafka_conformance.run.target import Target
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors import golden, json_answers
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format.records import Record

from kafka_generator.protocol_vectors.files import unpack
from kafka_generator.recorded.results import FOLDER

FILE: Final = FOLDER / "details.json.gz"

_TEXT: Final = 200
_PLACES: Final = ("passed", "gaps", "not_asked", "otherwise")
_KEPT: Final = ("vector", "target", "direction", "outcome", "path", "expected", "got", "answer", "due", "came")


def targets() -> dict[str, Target]:
    """Return the decoders, by name."""
    return {target.name: target for target in _report().targets}


@cache
def _report() -> json_report.Report:
    """Return the report; `joined` took it from reports that were checked against their schema."""
    return json_report.from_document(json.loads(text()))


def text() -> str:
    """Return the text of the file."""
    return unpack(FILE)


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


def joined(known: str, report: Mapping[str, Any]) -> str:
    """Return a text of the file in which the decoders of a report replace what it had of them.

    Args:
        known: the text of the file.
        report: the report.json of a run over all vectors, checked.
    """
    kept = json.loads(known)
    about = catalogue.about(Part.DECODER)
    names = {target["name"] for target in report["targets"] if target["name"] in about and target["hello"]}
    vectors = {vector.id: vector for vector in golden.load()}
    if not names or not any(line["id"] in vectors for line in report["vectors"]):
        return known  # a run about messages alone says nothing of records
    merged = {
        **kept,
        "header": {**report["header"], "command": "", "platform": "", "libraries": {}},
        "targets": sorted(_of(report, "targets", names) + _others(kept, "targets", names), key=lambda one: one["name"]),
        "vectors": [{**line, "title": "", "rules": []} for line in report["vectors"] if line["id"] in vectors],
        "results": [
            line
            for line in [*map(_short, _of(report, "results", names)), *_others(kept, "results", names)]
            if line["vector"] in vectors
        ],
    }
    at = {line["id"]: place for place, line in enumerate(merged["vectors"])}
    for key in _PLACES:
        old = _moved(_others(kept, key, names), kept["vectors"], at)
        merged[key] = [*_moved(_of(report, key, names), report["vectors"], at), *old]
    merged["footer"] = {**report["footer"], "results": json_report.count(merged)}
    return json.dumps(merged)


def _of(report: Mapping[str, Any], key: str, names: Iterable[str]) -> list[dict[str, Any]]:
    return [line for line in report.get(key, ()) if line.get("target", line.get("name")) in names]


def _others(report: Mapping[str, Any], key: str, names: Iterable[str]) -> list[dict[str, Any]]:
    return [line for line in report.get(key, ()) if line.get("target", line.get("name")) not in names]


def _moved(
    lines: Iterable[Mapping[str, Any]], vectors: Sequence[Mapping[str, Any]], at: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    """Yield lines with places in another list of vectors; what it does not have is left out."""
    for line in lines:
        ids = (vectors[place]["id"] for first, last in line["places"] for place in range(first, last + 1))
        moved = places.ranges(sorted(at[identity] for identity in ids if identity in at))
        if moved:
            yield {**line, "places": moved}


def _short(line: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: line[key] for key in _KEPT if key in line}
    texts = {key: line[key][:_TEXT] for key in ("detail", "error") if key in line}
    return {**kept, "seconds": 0, **texts}
