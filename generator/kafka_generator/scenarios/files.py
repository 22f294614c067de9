"""The files of the scenario vectors, made of tables in vectors/cases and of recorded answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.scenario.steps import scenario
from kafka_conformance.vectors import scenarios
from kafka_conformance.vectors.lines import check_schema
from kafka_format.errors import LayoutError
from kafka_format.spec.layout.yamlfile import load_yaml
from kafka_tools.errors import UsageError

from kafka_generator.scenarios import recording
from kafka_generator.unjudged import MARK, Unjudged, none_allowed

_ADVICE: Final = "run `python -m kafka_generator.scenarios`"


def documents(directory: Path, unjudged: Unjudged | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return the vectors of every table, by family; `directory` is vectors/.

    `unjudged` takes those that no release of Kafka was asked; none may be by default.

    Raises:
        LayoutError: a case is wrong, or an id appears twice.
    """
    tables: dict[str, list[dict[str, Any]]] = {}
    known, seen = recording.read(directory), set[str]()
    for file in sorted((directory / "cases" / scenarios.FOLDER).glob("*.yaml")):
        tables[file.stem] = list(_table(file))
        for document in tables[file.stem]:
            if document["id"] in seen or not document["id"].startswith(f"{scenarios.FAMILY}/{file.stem}/"):
                raise _wrong(file, f"{document['id']}: an id names one case, and its file")
            seen.add(document["id"])
            recorded = known.get(document["id"])
            if recorded is not None and recorded.asked == recording.digest(document):
                document["kafka"] = dict(recorded.kafka)
            else:
                error = _wrong(file, f"{document['id']}: no release of Kafka was asked just this", advice=_ADVICE)
                (unjudged or none_allowed()).add(error)
                document.update(MARK)
    return tables


def contents(directory: Path, unjudged: Unjudged | None = None) -> dict[Path, str]:
    """Return the text of every vector file; `unjudged` as for `documents`.

    Raises:
        LayoutError: a case is wrong.
    """
    return {
        directory / scenarios.FOLDER / f"{family}.jsonl": "".join(
            f"{json.dumps(document, ensure_ascii=False)}\n" for document in table
        )
        for family, table in documents(directory, unjudged).items()
    }


def _table(file: Path) -> Iterator[dict[str, Any]]:
    table = load_yaml(file.read_text(encoding="utf-8"))
    for case in table["cases"]:
        document: dict[str, Any] = {**table.get("common", {}), **case, "kafka": {}}
        document["steps"] = list(_steps(document.get("steps", ())))
        try:
            check_schema(document, scenarios.SCHEMA, f"{scenarios.FOLDER}/{file.name}")
            scenario(scenarios.vector_of(document))
        except (LayoutError, UsageError) as error:
            raise _wrong(file, f"{case.get('id')}: {error}") from None
        yield document


def _steps(steps: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the steps; `body: same` is that of the step before."""
    body: Any = {}
    for step in steps:
        body = body if step.get("body") == "same" else step.get("body", {})
        yield {**step, "body": body}


def _wrong(file: Path, text: str, advice: str = "") -> LayoutError:
    return LayoutError(text, file=f"vectors/cases/{scenarios.FOLDER}/{file.name}", line=1, advice=advice)
