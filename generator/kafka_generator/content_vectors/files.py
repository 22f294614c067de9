"""The files of vectors/content: the cases, each agreed to by the reference, with what was asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.serde.judge import same
from kafka_conformance.vectors import contents
from kafka_conformance.vectors.lines import check_schema
from kafka_conformance.vectors.vector import Verdict
from kafka_format.content import serdes
from kafka_format.errors import FormatError
from kafka_tools.errors import UsageError

from kafka_generator.content_vectors import cases

ORACLE: Final = "cases/oracle-content.json"
"""What was asked, by release and by id."""


def documents(directory: Path) -> list[dict[str, Any]]:
    """Return the lines of all vectors.

    Raises:
        LayoutError: a table is wrong.
        UsageError: the reference or an oracle disagrees with a case.
    """
    asked: Mapping[str, Mapping[str, Any]] = json.loads((directory / ORACLE).read_text(encoding="utf-8"))
    lines = []
    for line in cases.load(directory):
        said = {release: answers[line["id"]] for release, answers in asked.items() if line["id"] in answers}
        check_schema(line, contents.SCHEMA, contents.FOLDER)
        if problems := [*differences(line), *_overruled(line, said)]:
            raise UsageError(f"{line['id']}: {problems[0]}.", "Is the case right, or the reference?")
        lines.append(line | ({"oracle": said} if said else {}))
    return lines


def texts(directory: Path) -> dict[Path, str]:
    """Return the text of each file, by its path; raises what `documents` does."""
    found: dict[Path, str] = {}
    for line in documents(directory):
        path = directory / contents.FOLDER / f"{line['id'].split('/')[1]}.jsonl"
        found[path] = found.get(path, "") + json.dumps(line, ensure_ascii=False) + "\n"
    return found


def differences(line: Mapping[str, Any]) -> Iterator[str]:
    """Yield where the reference says other than a vector."""
    data = None if line["hex"] is None else bytes.fromhex(line["hex"])
    headers = contents.headers_of(line)
    if line["verdict"] != Verdict.VALID:
        try:
            yield f"the reference reads {serdes.read(line['content'], data, headers)}"
        except FormatError as error:
            if error.rule != line["rule"]:
                yield f"the reference says {error}, not {line['rule']}"
    if line["verdict"] != Verdict.INVALID and (line["verdict"] == Verdict.VALID or "flag" in line):
        flags = frozenset({line["flag"]} if "flag" in line else ())
        try:
            answer = serdes.read(line["content"], data, headers, flags)
        except FormatError as error:
            yield f"the reference refuses: {error}"
            return
        expected = line["answers"][0]
        known = {part: answer[part] for part in expected if part in answer}
        if not known or not all(same(known[part], expected[part]) for part in known):
            yield f"the reference reads {answer}, not {expected}"


def is_passed(line: Mapping[str, Any]) -> bool:
    """Tell whether a suite has nothing to say of how the reference reads a vector."""
    data = None if line["hex"] is None else bytes.fromhex(line["hex"])
    try:
        answer = serdes.read(line["content"], data, contents.headers_of(line))
    except FormatError:
        return bool(line["verdict"] != Verdict.VALID)
    return any(_agrees(answer, right) for right in line.get("answers", ()))


def _overruled(line: Mapping[str, Any], said: Mapping[str, Any]) -> Iterator[str]:
    """Yield where the newest release that was asked says other than a vector."""
    for release, reply in sorted(said.items())[-1:]:
        if "refused" in reply and line["verdict"] == Verdict.VALID:
            yield f"{release} refuses: {reply['refused']}"
        if "accepted" in reply and not any(_agrees(reply["accepted"], right) for right in line.get("answers", ())):
            yield f"{release} reads {reply['accepted']}"


def _agrees(given: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
    return all(same(given[part], right[part]) for part in right if part in given)
