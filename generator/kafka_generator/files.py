"""The vector files: every case judged by all, or nothing written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kafka_conformance.protocol.hello import CODECS
from kafka_conformance.vectors import json_answers, recipes
from kafka_conformance.vectors.golden import PROMOTED_FILE
from kafka_format.errors import FormatError, LayoutError
from kafka_format.spec.releases import Release, releases

from kafka_generator import cases, constructed, examples, promotions, verdicts, wild_cases
from kafka_generator.build import Builder
from kafka_generator.cases import Case
from kafka_generator.oracle import OracleRecord, Questions, fields_of, name_of, record_text
from kafka_generator.payloads import PayloadStore
from kafka_generator.provenance import NO_REPORTS, provenance
from kafka_generator.reach.model import Origin
from kafka_generator.reach.origins import Origins
from kafka_generator.reach.table import Declared
from kafka_generator.unjudged import MARK, Unjudged, none_allowed


@dataclass(frozen=True)
class BuiltVector:
    """A vector before it is written: its case, its bytes, and our own decoders' results."""

    case: Case
    data: bytes
    judgement: verdicts.Judgement
    recipe: Mapping[str, Any] | None = None


def make(directory: Path, *, may_add: bool, construct: bool = True) -> tuple[list[BuiltVector], PayloadStore]:
    """Build and judge all cases: of tables, found examples, promoted findings, constructions.

    Raises:
        LayoutError: a case is wrong, or is not judged as its table says.
        UsageError: a payload is missing from the store.
    """
    store = PayloadStore(directory / "cases" / "payloads.json", may_add=may_add)
    builder = Builder(store)
    made = []
    for case in cases.load(directory / "cases"):
        data = builder.build(case)
        made.append(BuiltVector(case, data, verdicts.judge(case, data)))
    for case, data in examples.load(directory / "cases" / "found.jsonl"):
        made.append(BuiltVector(case, data, verdicts.judge(case, data)))
    for case, data in promotions.load(directory / "cases" / PROMOTED_FILE):
        made.append(BuiltVector(case, data, verdicts.judge(case, data)))
    for case, data in wild_cases.load(directory / "cases" / f"{wild_cases.FAMILY}.jsonl"):
        made.append(BuiltVector(case, data, verdicts.judge(case, data)))
    for case, example in constructed.load(store) if construct else ():
        made.append(BuiltVector(case, example.data, verdicts.judge(case, example.data), example.recipe))
    _once([item.case for item in made])
    return made, store


def _once(all_cases: Iterable[Case]) -> None:
    seen: dict[str, Case] = {}
    for case in all_cases:
        if case.id in seen:
            raise case.section.error(
                f"`{case.id}` is taken by {seen[case.id].section.file}", advice="an id names one vector for ever"
            )
        seen[case.id] = case


def texts(
    made: Iterable[BuiltVector],
    record: OracleRecord,
    reports: Mapping[str, Sequence[str]] = NO_REPORTS,
    reach: Sequence[Declared] = (),
    unjudged: Unjudged | None = None,
) -> dict[str, str]:
    """Return the text of every vector file by family.

    Args:
        made: the vectors; those that producers wrote tell what producers write.
        record: what Kafka said of each.
        reports: the known bugs by vector.
        reach: what is declared of where bytes can come from.
        unjudged: takes those about which Kafka was not asked; none may be by default.

    Raises:
        LayoutError: Kafka itself does not judge as a table says, or was not asked.
    """
    lines: dict[str, list[str]] = {}
    waiting = unjudged or none_allowed()
    vectors = list(made)
    origins = Origins(reach, [(vector.case, vector.data) for vector in vectors])
    for vector in vectors:
        document = _document(vector, reports, origins.of(vector.case, vector.data)) | _judged(vector, record, waiting)
        lines.setdefault(vector.case.family, []).append(
            json.dumps(document, ensure_ascii=False, separators=(", ", ": "))
        )
    return {family: "\n".join(found_lines) + "\n" for family, found_lines in lines.items()}


def _document(made: BuiltVector, reports: Mapping[str, Sequence[str]], origin: Origin) -> dict[str, Any]:
    case, judged = made.case, made.judgement
    occurring = case.input.formats(made.data)
    document: dict[str, Any] = {
        "id": case.id,
        "title": case.title,
        "format": occurring[0] if len(occurring) == 1 else "mixed",
        "family": case.family,
        "formats": occurring,
        "codecs": _codecs(made),
        "rules": list(case.rules),
        "verdict": case.verdict,
    }
    if case.flag:
        document["flag"] = case.flag
    document |= {"recipe": made.recipe} if made.recipe else {"hex": made.data.hex()}
    if judged.answer is not None:
        answer = json_answers.to_json(judged.answer)
        document["answer"] = recipes.fold(answer) if made.recipe else answer
    if judged.fault is not None:
        document["fault"] = _fault(judged.fault, case.twin)
    document["canonical"] = verdicts.is_canonical(case, judged.answer, made.data)
    document["reach"] = origin.document()
    document["provenance"] = provenance(case, reports)
    return document


def _judged(made: BuiltVector, record: OracleRecord, waiting: Unjudged) -> dict[str, Any]:
    """Return what each release did that reads such bytes; nothing where none can be asked.

    Raises:
        LayoutError: a release that decides does not do as the verdict says, or was not asked.
    """
    if not made.case.input.has_oracle:
        return {"oracle": {}}
    asked, judgements = _questions(made), record.of(made.data)
    asked_releases = [release for release in releases().values() if asked.suits(release)]
    unasked = [name_of(release) for release in asked_releases if name_of(release) not in judgements]
    if unasked:
        text = f"`{made.case.id}` was never put to {unasked[0]}"
        waiting.add(made.case.section.error(text, advice="run `make oracle`"))
        return {"oracle": {}, **MARK}
    expected = {fields: _expected_text(made, fields) for fields in {fields_of(release) for release in asked_releases}}
    return {
        "oracle": {
            name_of(release): _judgement(made, release, judgements[name_of(release)], expected[fields_of(release)])
            for release in asked_releases
        }
    }


def _codecs(made: BuiltVector) -> list[str]:
    """Return the codecs that occur: in attributes, in the answer, or in the table without one."""
    named = {CODECS[record.codec] for record in made.judgement.answer or ()}
    named |= _named_codecs(made.case.section.values)
    named |= {CODECS[number] for number in made.case.input.codecs(made.data) if number < len(CODECS)}
    return [codec for codec in CODECS if codec in named] or ["none"]


def _named_codecs(value: Any) -> set[str]:
    if isinstance(value, dict):
        found_here = {value["codec"]} if value.get("codec") in CODECS else set()
        return found_here.union(*(_named_codecs(member) for member in value.values()))
    if isinstance(value, list):
        return set().union(*(_named_codecs(member) for member in value))
    return _named_codecs(value.values) if hasattr(value, "values") else set()


def _fault(fault: FormatError, twin: str) -> dict[str, Any]:
    document: dict[str, Any] = {
        "stage": fault.stage.value,
        "rule": fault.rule,
        "offset": fault.offset,
        "path": fault.path_text,
    }
    if fault.entry:
        document["entry"] = fault.entry
    if fault.payload:
        document["payload"] = True
    if twin:
        document["twin"] = twin
    return document


def _questions(made: BuiltVector) -> Questions:
    return Questions(made.data, made.case.input.formats(made.data), _codecs(made))


def _expected_text(made: BuiltVector, fields: Sequence[str]) -> str:
    """Return what the record says if a release with these fields does as the verdict says."""
    return record_text(made.judgement.answer, fields) if made.judgement.answer is not None else "refused"


def _judgement(made: BuiltVector, release: Release, said: str, expected: str) -> str:
    """Return what one release did, which is what the verdict says if it is one that decides."""
    shortly = said.split(":", maxsplit=1)[0]
    if release.decides and shortly != expected:
        raise made.case.section.error(
            f"`{made.case.id}` is to be {made.case.verdict}, but {name_of(release)} says: {said}"
        )
    otherwise = shortly.startswith("accepted") and shortly != expected
    return "accepted otherwise" if otherwise else shortly.split()[0]


def for_the_oracle(made: Iterable[BuiltVector]) -> list[Questions]:
    """Return the inputs that releases of Kafka can decode."""
    return [_questions(item) for item in made if item.case.input.has_oracle]


def disagreements(made: Iterable[BuiltVector], record: OracleRecord) -> list[LayoutError]:
    """Return a text for every case where Kafka disagrees with the table."""
    errors = []
    for item in made:
        try:
            _judged(item, record, none_allowed())
        except LayoutError as error:
            errors.append(error)
    return errors
