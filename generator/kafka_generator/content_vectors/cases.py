"""The tables of keys and values, each case as the line that it becomes.

`hex` may have blanks, and `{78 * 200}` for a byte that repeats; of the value of a header `text:` is
a text, and of an answer `json:` a value that is nested deeply. A case with an answer and no rule is
valid, with a rule and no answer invalid, with both lenient.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_conformance.vectors import contents
from kafka_conformance.vectors.vector import Reach, Verdict
from kafka_format.spec.layout.yamlfile import Section, read

FOLDER: Final = "cases/content"

_KEYS: Final = (
    "id",
    "content",
    "title",
    "hex",
    "headers",
    "schema",
    "answer",
    "or",
    "rule",
    "flag",
    "reach",
    "evidence",
    "authority",
)
_REPEATED: Final = re.compile(r"\{(\w+) \* (\d+)\}")
_JSON: Final = "json:"
_EVIDENCE: Final = {
    Reach.PRODUCER: "a serializer writes it",
    Reach.DAMAGE: "what is left when bytes were cut off or changed",
    Reach.CRAFTED: "no serializer writes it",
}


def load(directory: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of all tables below vectors/, in the order of files and cases.

    Raises:
        LayoutError: a table is wrong, or an id is taken.
    """
    seen: set[str] = set()
    for file in sorted((directory / FOLDER).glob("*.yaml")):
        top = read(file, f"{FOLDER}/{file.name}")
        top.only("authority", "cases")
        for section in top.sections("cases"):
            line = _line(section, file.stem, top.text("authority", required=True))
            if line["id"] in seen:
                raise section.error(f"`{line['id']}` is taken", key="id")
            seen.add(line["id"])
            yield line


def _line(section: Section, family: str, authority: str) -> dict[str, Any]:
    section.only(*_KEYS)
    name = section.text("id", required=True)
    verdict = _verdict(section)
    reach = Reach(section.text("reach") or (Reach.PRODUCER if verdict is Verdict.VALID else Reach.CRAFTED))
    line: dict[str, Any] = {
        "id": f"{contents.FOLDER}/{name if '/' in name else f'{family}/{name}'}",
        "title": section.text("title", required=True),
        "content": section.text("content", required=True),
        "verdict": verdict,
        **{key: section.text(key) for key in ("rule", "flag") if section.text(key)},
        "hex": _hex(section.values["hex"]),
        **({"schema": section.text("schema")} if section.text("schema") else {}),
        "headers": [[key, _hex(value)] for key, value in _headers(section.values.get("headers"))],
    }
    if "answer" in section.values:
        line["answers"] = [_plain(each) for each in (section.values["answer"], *section.values.get("or", ()))]
    evidence = {"from": reach, "evidence": section.text("evidence") or _EVIDENCE[reach]}
    return line | {"reach": evidence, "authority": section.text("authority") or authority}


def _verdict(section: Section) -> Verdict:
    if "answer" not in section.values:
        return Verdict.INVALID
    return Verdict.LENIENT if "rule" in section.values else Verdict.VALID


def _headers(headers: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(headers, Section):
        yield from headers.values.items()
    else:
        yield from headers or ()


def _hex(value: Any) -> str | None:
    if value is None:
        return None
    text = str(value)
    if text.startswith("text:"):
        return text[5:].encode().hex()
    return _REPEATED.sub(lambda match: match[1] * int(match[2]), text).replace(" ", "")


def _plain(answer: Section) -> Mapping[str, Any]:
    return {key: _part(key, value) for key, value in answer.values.items()}


def _part(key: str, value: Any) -> Any:
    if isinstance(value, Section):
        return {name: _part("", member) for name, member in value.values.items()}
    if key == "value" and isinstance(value, str) and (match := _REPEATED.fullmatch(value)):
        return match[1] * int(match[2])
    if key == "value" and isinstance(value, str) and value.startswith(_JSON):
        return json.loads(value.removeprefix(_JSON))
    if key == "payload":
        return _hex(value)
    if key == "indexes" and isinstance(value, str):
        match = _REPEATED.fullmatch(value)
        return [int(match[1])] * int(match[2]) if match else value
    return value
