"""The report for programs: one JSON document, described by spec/schema/report.schema.json.

Its last key is a footer that counts the results, and reading checks the document against the schema
and the count: a file that was cut, edited or made by something else is refused with words that say
which.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_format.broker.consumer import ISOLATIONS
from kafka_format.records import Record
from kafka_tools import schemas
from kafka_tools.errors import UsageError
from kafka_tools.text import one_line, printable

from kafka_conformance.diagnosis.cause import Cause, CausePart
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import FIELDS, Direction, Hello
from kafka_conformance.reports import causes, json_file, places, refusals, summary
from kafka_conformance.run.comparison import CaseChange, CauseNames, Causes, Comparison, Side
from kafka_conformance.run.header import Footer, RunHeader
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Standing, Target
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Vector

SCHEMA_VERSION = 2
"""Goes up when a reader of the old form would misread the new one."""

KIND = "kafka-format-conformance report"

ANSWER_RECORDS = 20
"""Records of one answer in the file. A batch may hold a hundred thousand, and a page shows
eight."""

ANSWER_BYTES = 2_000
"""Keys and values of an answer in the file. An answer of more is left out: some vectors hold a
megabyte."""

_SECONDS_DIGITS = 6


class ReportedVector(NamedTuple):
    """Return the facts of a vector in a report; the bytes stay with the vectors."""

    id: str
    title: str
    format: str
    family: str
    verdict: str
    rules: tuple[str, ...]
    reach: str


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was read back: a `Run`, but for the bytes and answers of its vectors."""

    header: RunHeader
    targets: tuple[Target, ...]
    vectors: tuple[ReportedVector, ...]
    results: tuple[Result, ...]
    footer: Footer
    known_problems: tuple[str, ...]
    causes: Causes


def document(run: Run) -> dict[str, Any]:
    """Return a run as what `json.dumps` takes."""
    ids = [vector.id for vector in run.vectors]
    declared = {target.name: target.hello.fields if target.hello else FIELDS for target in run.targets}
    return {
        "kind": KIND,
        "schema_version": SCHEMA_VERSION,
        "header": _texts({**asdict(run.header), "libraries": dict(run.header.libraries)}),
        "targets": [_target(target) for target in run.targets],
        "vectors": [_vector(vector) for vector in run.vectors],
        "causes": [_cause(target.name, cause) for target in run.targets for cause in _causes(run, target.name)],
        "reduced": [line for target in run.targets for line in _reduced_vectors(run, target.name)],
        "results": [_result(result, declared[result.target]) for result in run.results if result.is_finding],
        **{key: list(places.documents(run.results, ids, outcome)) for key, outcome in _GROUPED.items()},
        "refusals": list(refusals.documents(run.results, {vector.id: vector for vector in run.vectors})),
        "summary": [_summary(name, tally, run) for name, tally in summary.by_target(run).items()],
        "known_problems": [printable(line) for line in run.known_problems],
        **({"comparison": _comparison(run.comparison)} if run.comparison else {}),
        "footer": {"results": len(run.results), **asdict(run.footer)},
    }


def write(run: Run, file: Path) -> None:
    """Write a run as JSON: one result a line, so that two reports can be compared with any tool."""
    lines = []
    for key, value in document(run).items():
        if isinstance(value, list) and value:
            items = ",\n".join("    " + json.dumps(item) for item in value)
            lines.append(f"  {json.dumps(key)}: [\n{items}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def load(file: Path) -> Report:
    """Read a report.

    Raises:
        UsageError: the file cannot be read, is cut, is no report, or is one of another version.
    """
    report = json_file.parse(file)
    if not isinstance(report, dict) or report.get("kind") != KIND:
        raise UsageError(f"{file} is JSON, but not a report of this suite.", json_file.WHICH)
    if report.get("schema_version") != SCHEMA_VERSION:
        raise UsageError(
            f"{file} is a report of schema version {one_line(str(report.get('schema_version')), 20)}; "
            f"this release reads version {SCHEMA_VERSION}.",
            "Read it with the release that wrote it, or run the suite again.",
        )
    schemas.check(report, "report", str(file), "Run the suite again.")
    _check_count(report, file)
    return from_document(report)


def count(document: Mapping[str, Any]) -> int:
    """Count the results that a document holds."""
    return len(document["results"]) + places.count(
        [*document["passed"], *document["gaps"], *document.get("not_asked", ()), *document.get("otherwise", ())]
    )


def _check_count(report: Mapping[str, Any], file: Path) -> None:
    held, counted = count(report), report["footer"]["results"]
    if held != counted:
        raise UsageError(f"{file} has {held} results, but its footer counts {counted}.", "Run the suite again.")


def _target(target: Target) -> dict[str, Any]:
    hello = None if target.hello is None else _texts(asdict(target.hello))
    optional = {"problem": target.problem, "issues": target.issues, "notes": list(target.notes)}
    return {
        "name": printable(target.name),
        "standing": target.standing,
        "hello": hello,
        **_texts(_leave_out_empty(optional)),
    }


def _vector(vector: Vector) -> dict[str, Any]:
    return {name: _texts(getattr(vector, name)) for name in ReportedVector._fields}


def _causes(run: Run, target: str) -> Sequence[Cause]:
    return run.diagnoses[target].causes if target in run.diagnoses else ()


def _cause(target: str, cause: Cause) -> dict[str, Any]:
    """Return a cause; what it explains are ids of vectors, in its direction."""
    fields = {name: getattr(cause, name) for name in ("id", "does", "direction", "reach", "rule", "passed")}
    fields["smallest"] = cause.example
    lists = {name: list(getattr(cause, name)) for name in ("fields", "reports", "others")}
    findings = [result.vector for result in cause.findings]
    document = {"target": target, **fields, **lists, "findings": findings, "known": cause.is_known}
    document |= {"parts": [_part(part) for part in cause.parts], "harmless": cause.is_harmless}
    document |= {"note": cause.note} if cause.note else {}
    return {name: _texts(value) for name, value in document.items()}


def _reduced_vectors(run: Run, target: str) -> Iterator[dict[str, Any]]:
    """Yield what is left of vectors that were made small."""
    reduced = run.diagnoses[target].reduced if target in run.diagnoses else {}
    for vector, small in reduced.items():
        lists = {"parts": list(small.parts), "enough": list(small.enough)}
        line = {"target": target, "vector": vector, "hex": small.data.hex(), **lists, "finished": small.finished}
        yield {name: _texts(value) for name, value in line.items()}


def _part(part: CausePart) -> dict[str, Any]:
    return {"id": part.id, "does": part.does, "findings": len(part.vectors)}


def _result(result: Result, declared: Sequence[str]) -> dict[str, Any]:
    """Return a result, and of its answer the fields that the target declares."""
    fields = {name: getattr(result, name) for name in Result.__dataclass_fields__}
    answer = fields.pop("answer")
    fields.pop("content")  # for the diagnosis alone
    always: dict[str, Any] = {name: fields.pop(name) for name in ("vector", "target", "direction", "outcome")}
    seconds = round(fields.pop("seconds"), _SECONDS_DIGITS)
    shows = answer is not None and _is_short(answer)
    records = json_answers.to_json((answer or ())[:ANSWER_RECORDS], declared) if shows else []
    given = {"answer": records} if shows else {}
    return {**_texts(always), "seconds": seconds, **_texts(_leave_out_empty(fields)), **given}


def _is_short(answer: Sequence[Record]) -> bool:
    return sum(len(record.key or b"") + len(record.value or b"") for record in answer[:ANSWER_RECORDS]) <= ANSWER_BYTES


def _summary(name: str, tally: summary.Tally, run: Run) -> dict[str, Any]:
    counts = {outcome.value: count for outcome, count in run.counts(name).items()}
    target = next(target for target in run.targets if target.name == name)
    bugs = causes.counts(causes.diagnosis_of(run, target))._asdict()
    return {"target": printable(name), "bugs": bugs, **asdict(tally), "asked": tally.asked, "outcomes": counts}


def _comparison(comparison: Comparison) -> dict[str, Any]:
    cases = [{name: getattr(case, name) for name in CaseChange.__dataclass_fields__} for case in comparison.cases]
    changes = {
        name: [change._asdict() for change in getattr(comparison, name)] for name in ("causes_new", "causes_gone")
    }
    return {**_texts({**asdict(comparison), "cases": cases, **changes}), "worse": comparison.is_worse}


def _leave_out_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is empty; a number never is."""
    return {name: value for name, value in fields.items() if value or isinstance(value, int)}


def _texts(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Make every text of a value fit to show."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {name: _texts(item) for name, item in value.items()}
    return [_texts(item) for item in value] if isinstance(value, list | tuple) else value


def from_document(report: Mapping[str, Any]) -> Report:
    """Return the report of a document that fits the schema."""
    vectors = tuple(ReportedVector(**{**item, "rules": tuple(item["rules"])}) for item in report["vectors"])
    footer = {name: value for name, value in report["footer"].items() if name != "results"}
    return Report(
        header=RunHeader(**report["header"]),
        targets=tuple(_read_target(item) for item in report["targets"]),
        vectors=vectors,
        results=tuple(_read_results(report, [vector.id for vector in vectors])),
        footer=Footer(**footer),
        known_problems=tuple(report["known_problems"]),
        causes=_read_causes(report),
    )


def _read_causes(report: Mapping[str, Any]) -> Causes:
    by_target: dict[str, list[CauseNames]] = {item["name"]: [] for item in report["targets"]}
    for item in report["causes"]:
        ids = frozenset({item["id"], *(part["id"] for part in item.get("parts", ()))})
        names = CauseNames(item["id"], item["does"], ids, item["direction"], frozenset(item["findings"]))
        by_target.setdefault(item["target"], []).append(names)
    return by_target


_GROUPED: Final = {
    "passed": Outcome.PASSED,
    "gaps": Outcome.UNSUPPORTED,
    "not_asked": Outcome.NOT_ASKED,
    "otherwise": Outcome.OTHERWISE,
}
"""Outcomes of which a report has places instead of results, by its key for them."""


def _read_results(report: Mapping[str, Any], vectors: Sequence[str]) -> list[Result]:
    """Return all results, by target, direction and vector.

    Raises:
        UsageError: one is about a vector that the report does not name.
    """
    read = [_read_result(item) for item in report["results"]]
    try:
        for kind, outcome in _GROUPED.items():
            read += [result for item in report.get(kind, ()) for result in places.results(item, vectors, outcome)]
    except IndexError:
        raise UsageError("the report refers to vectors that it does not list.", "Run the suite again.") from None
    targets, directions = [item["name"] for item in report["targets"]], list(Direction)
    order = {name: place for place, name in enumerate(targets)}
    at = {vector: place for place, vector in enumerate(vectors)}
    return sorted(
        read,
        key=lambda result: (order.get(result.target, 0), directions.index(result.direction), at.get(result.vector, 0)),
    )


def side(report: Report) -> Side:
    """Return a report as one side of a comparison."""
    return Side(report.header.started, report.header.suite_version, report.targets, report.results, report.causes)


def _read_target(item: Mapping[str, Any]) -> Target:
    hello = item["hello"]
    if hello is not None:
        tuples = {name: tuple(hello.get(name, ())) for name in ("formats", "codecs", "fields", "requests", "logs")}
        settings = None if hello.get("settings") is None else tuple(hello["settings"])
        listed = {"directions": tuple(map(Direction, hello["directions"])), "settings": settings}
        listed["isolations"] = tuple(hello.get("isolations", ISOLATIONS))
        hello = Hello(**{**hello, **tuples, **listed})
    standing = Standing(item["standing"])
    return Target(**{**item, "hello": hello, "standing": standing, "notes": tuple(item.get("notes", ()))})


def _read_result(item: Mapping[str, Any]) -> Result:
    answer = tuple(json_answers.from_report(item["answer"])) if "answer" in item else None
    kinds = {"outcome": Outcome(item["outcome"]), "direction": Direction(item["direction"])}
    return Result(**{**item, **kinds, "errors": tuple(item.get("errors", ())), "answer": answer})
