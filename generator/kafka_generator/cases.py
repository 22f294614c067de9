"""Case tables: vectors/cases/*.yaml, one family a file.

A case states only what is special about it. `run:` lists the entries of its bytes; `mutate:` makes
one fault in the bytes of a valid twin. The README beside the tables describes every key.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kafka_format.spec.layout.yamlfile import Section, read, suggest
from kafka_format.spec.rules import rules

from kafka_generator.inputs import INPUTS, Input

VERDICTS: Final = ("valid", "invalid", "lenient")
_KEYS: Final = (
    "id", "title", "rules", "verdict", "flag", "run", "keep", "mutate", "twin", "fault", "source",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One line of a case table.

    Attributes:
        family: name of the table.
        section: the YAML, for what the builder needs and for errors with file and line.
        run: the entries, as written in the table.
        broken: id of the rule that invalid and lenient bytes break.
        path: field path of the fault.
        input: what the bytes are.
    """

    id: str
    title: str
    family: str
    verdict: str
    rules: tuple[str, ...]
    flag: str
    section: Section
    run: tuple[Section, ...]
    twin: str
    mutate: Section | None
    broken: str
    path: str
    source: str
    input: Input = INPUTS["run"]


def load(directory: Path) -> list[Case]:
    """Load all case tables.

    Raises:
        LayoutError: a table is wrong; the message has file, line and advice.
    """
    cases: dict[str, Case] = {}
    for path in sorted(directory.glob("*.yaml")):
        top = read(path, f"vectors/cases/{path.name}")
        top.only("family", "input", "cases")
        kind = top.text("input") or "run"
        if kind not in INPUTS:
            raise top.error(f"unknown input `{kind}`", key="input", advice=suggest(kind, INPUTS))
        if top.text("family") != path.stem:
            raise top.error(f"the family of this file is `{path.stem}`", key="family")
        for section in top.sections("cases"):
            case = _case(section, path.stem, INPUTS[kind])
            if case.id in cases:
                raise section.error(
                    f"`{case.id}` appears twice", key="id", advice=f"the first is in line {cases[case.id].section.line}"
                )
            cases[case.id] = case
    return list(cases.values())


def _case(section: Section, family: str, kind: Input) -> Case:
    section.only(*_KEYS)
    verdict = section.text("verdict") or "valid"
    if verdict not in VERDICTS:
        raise section.error(f"unknown verdict `{verdict}`", key="verdict", advice=suggest(verdict, VERDICTS))
    fault = section.section("fault")
    fault.only("rule", "path")
    broken = fault.text("rule", required=verdict != "valid")
    named = tuple(section.values.get("rules") or ())
    if broken and broken not in named:
        named = (broken, *named)
    _check_rules(section, named)
    return Case(
        id=section.text("id", required=True),
        title=section.text("title", required=True),
        family=family,
        verdict=verdict,
        rules=named,
        flag=section.text("flag", required=verdict == "lenient"),
        section=section,
        run=tuple(section.sections("run")),
        twin=section.text("twin", required=verdict == "invalid"),
        mutate=section.section("mutate") if "mutate" in section.values else None,
        broken=broken,
        path=fault.text("path"),
        source=section.text("source"),
        input=kind,
    )


def _check_rules(section: Section, named: tuple[Any, ...]) -> None:
    if not named:
        raise section.error("a case names at least one rule", key="rules", advice="write `rules: [v2.key.nullable]`")
    for rule in named:
        if rule not in rules():
            raise section.error(f"there is no rule `{rule}`", key="rules", advice=suggest(str(rule), rules()))
