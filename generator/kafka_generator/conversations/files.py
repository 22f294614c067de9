"""The files of the conversation vectors, made of vectors/cases/conversations/*.yaml."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.conversation.questions import conversation
from kafka_conformance.vectors import conversations, json_answers
from kafka_conformance.vectors.lines import check_schema
from kafka_format import records
from kafka_format.errors import EncodeError, FormatError, LayoutError
from kafka_format.records import Record
from kafka_format.spec.layout.yamlfile import load_yaml

from kafka_generator.conversations import logs, oracle
from kafka_generator.conversations.page import PAGE, page
from kafka_generator.unjudged import MARK, Unjudged, none_allowed

FOLDER: Final = "conversations"
_ADVICE: Final = "run `python -m kafka_generator.conversations`"

_USUAL: Final[Mapping[str, Any]] = {
    "fetch_offset": 0,
    "first_offset": 0,
    "isolation": "read_uncommitted",
    "aborted": [],
    "settings": {},
    "versions": {},
    "broker": {},
    "steps": [],
}
"""What a case need not say."""


def documents(directory: Path, unjudged: Unjudged | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return the vectors of every table, by family; `directory` is vectors/.

    `unjudged` takes those that no release of Kafka did; none may be by default.

    Raises:
        LayoutError: a case is wrong, or an id appears twice.
    """
    tables: dict[str, list[dict[str, Any]]] = {}
    said = oracle.read(directory)
    seen: set[str] = set()
    for file in sorted((directory / "cases" / FOLDER).glob("*.yaml")):
        tables[file.stem] = list(_table(file))
        for document in tables[file.stem]:
            if document["id"] in seen or not document["id"].startswith(f"conversation/{file.stem}/"):
                raise _wrong(file, f"{document['id']}: an id names one case, and its file")
            seen.add(document["id"])
            document["oracle"] = list(said.get(document["id"], ()))
            if said and not document["oracle"] and "otherwise" not in document:
                (unjudged or none_allowed()).add(
                    _wrong(file, f"{document['id']}: no release of Kafka did so", advice=_ADVICE)
                )
                document.update(MARK)
    return tables


def contents(directory: Path, unjudged: Unjudged | None = None) -> dict[Path, str]:
    """Return the text of every vector file, and of the page; `unjudged` as for `documents`.

    Raises:
        LayoutError: a case is wrong.
    """
    tables = documents(directory, unjudged)
    made = {
        directory / FOLDER / f"{family}.jsonl": "".join(
            f"{json.dumps(document, ensure_ascii=False)}\n" for document in table
        )
        for family, table in tables.items()
    }
    return made | {directory.parent / "docs" / PAGE: page(tables)}


def _table(file: Path) -> Iterator[dict[str, Any]]:
    table = load_yaml(file.read_text(encoding="utf-8"))
    for case in table["cases"]:
        try:
            whole = {**_USUAL, **table.get("common", {}), **_rule(table, case), **case}
            document = _document(whole)
            check_schema(document, conversations.SCHEMA, f"{conversations.FOLDER}/{file.name}")
            conversation(conversations.vector_of(document))
        except (EncodeError, FormatError, KeyError, TypeError, ValueError) as error:
            raise _wrong(file, f"{case.get('id')}: {error}") from None
        yield document


def _rule(table: Mapping[str, Any], case: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the rule of a case says; nothing if it names none."""
    return dict(table["rules"][case["rule"]]) if "rule" in case else {}


def _wrong(file: Path, text: str, advice: str = "") -> LayoutError:
    return LayoutError(text, file=f"vectors/cases/{FOLDER}/{file.name}", line=1, advice=advice)


def _document(case: Mapping[str, Any]) -> dict[str, Any]:
    data = logs.log(case["log"])
    steps = [_step(step) for step in case["steps"]]
    served = [
        logs.sound_log(case["log"]),
        *(bytes.fromhex(step["change"]["log"]) for step in steps if "log" in step.get("change", {})),
    ]
    expected = case["expect"]
    made = {
        "id": case["id"],
        "title": case["title"],
        "source": case["source"],
        "must": case["must"],
        "reach": {"from": case["reach"], "evidence": case["evidence"]},
        "fetch_offset": str(case["fetch_offset"]),
        "first_offset": str(case["first_offset"]),
        "isolation": case["isolation"],
        "aborted": [[str(number) for number in pair] for pair in case["aborted"]],
        "settings": case["settings"],
        "versions": case["versions"],
        "broker": case["broker"],
        "hex": data.hex(),
        "steps": steps,
        "expect": {
            "error": expected.get("error", "passing"),
            **{name: expected[name] for name in ("told", "untold", "closing", "log") if name in expected},
            **({"position": str(expected["position"])} if "position" in expected else {}),
            "records": json_answers.to_json(_due(expected["records"], served)),
        },
    }
    return made | {
        name: case[name] for name in ("patience", "rule", "breach", "otherwise", "client", "does") if name in case
    }


def _step(step: Mapping[str, Any]) -> dict[str, Any]:
    change = dict(step.get("change", {}))
    if "log" in change:
        change["log"] = logs.log(change["log"]).hex()
    return {**step, **({"change": change} if change else {})}


def _due(text: str, served: list[bytes]) -> list[Record]:
    """Return the records of `0..4; 3..8`: offsets of the first log, then of the one after it.

    Parts beyond the last log are records of that one, which come once more.
    """
    delivered, parts = [], text.split(";")
    for part, data in zip(parts, chain(served, repeat(served[-1])), strict=False):
        known = {record.offset: record for record in records.decode(data) if not record.control}
        delivered += [known[offset] for offset in logs.offsets(part)]
    return delivered
