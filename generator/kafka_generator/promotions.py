"""Findings of the Spark run worth keeping: reduced, reviewed, and stored with their source.

Each line is one vector: `python -m kafka_generator.promote` appends it, and whoever reviews it may
give it a better title and other rules. Bytes and source are never changed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from kafka_conformance.vectors.golden import PROMOTED, PROMOTED_FILE
from kafka_format.spec.layout.yamlfile import Section, suggest
from kafka_format.spec.rules import rules

from kafka_generator.cases import Case
from kafka_generator.inputs import INPUTS

_REQUIRED: Final = ("id", "title", "input", "verdict", "rules", "source", "hex")
_OPTIONAL: Final = ("flag", "twin", "fault")


def load(file: Path) -> list[tuple[Case, bytes]]:
    """Load the promoted findings, as cases of the family `promoted`; no file has none.

    Raises:
        LayoutError: a line is wrong; the message has file and line.
    """
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    return [
        _case(line, Section(f"vectors/cases/{PROMOTED_FILE}", number, {}, {})) for number, line in enumerate(lines, 1)
    ]


def _case(line: str, section: Section) -> tuple[Case, bytes]:
    document = _document(line, section)
    fault = document.get("fault", {})
    case = Case(
        id=document["id"],
        title=document["title"],
        family=PROMOTED,
        verdict=document["verdict"],
        rules=tuple(document["rules"]),
        flag=document.get("flag", ""),
        section=section,
        run=(),
        twin=document.get("twin", ""),
        mutate=None,
        broken=fault.get("rule", ""),
        path=fault.get("path", ""),
        source=document["source"],
        input=INPUTS[document["input"]],
    )
    return case, bytes.fromhex(document["hex"])


def _document(line: str, section: Section) -> dict[str, Any]:
    """Read a line, and see that whoever edited it left it whole."""
    try:
        document: dict[str, Any] = json.loads(line)
        bytes.fromhex(document["hex"])
    except (ValueError, KeyError, TypeError) as error:
        raise section.error(f"is no promoted finding: {error!r}") from None
    missing = [name for name in _REQUIRED if name not in document]
    unknown = [name for name in document if name not in (*_REQUIRED, *_OPTIONAL)]
    if missing or unknown:
        raise section.error(f"`{(missing or unknown)[0]}` is {'missing' if missing else 'unknown'}")
    for rule in document["rules"]:
        if rule not in rules():
            raise section.error(f"there is no rule `{rule}`", advice=suggest(str(rule), rules()))
    if document["input"] not in INPUTS:
        raise section.error(f"unknown input `{document['input']}`", advice=", ".join(INPUTS))
    return document
