"""The rules of the formats, as spec/rules has them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from kafka_format import data
from kafka_format.errors import Stage
from kafka_format.layout.yamlfile import Section, read, suggest

LEVELS: Final = ("must", "should", "may")
_KEYS: Final = ("id", "sentence", "level", "stage", "since", "source")


class Rule(NamedTuple):
    """One testable sentence of the specification.

    Attributes:
        id: stable name, never reused.
        sentence: what holds.
        level: must, should (Kafka itself is looser) or may.
        stage: stage of the error that a broken rule gives.
        since: first release that it holds for.
        source: KIP, ticket or class.
        file: where it stands, relative to spec/.
        line: line in that file.
    """

    id: str
    sentence: str
    level: str
    stage: Stage
    since: str
    source: str
    file: str
    line: int


def load(spec: Path) -> dict[str, Rule]:
    """Load all rules below `spec`.

    Raises:
        LayoutError: a file is wrong; the message has file, line and advice.
    """
    found: dict[str, Rule] = {}
    for path in sorted((spec / "rules").glob("*.yaml")):
        top = read(path, path.relative_to(spec).as_posix())
        top.only("rules")
        for section in top.sections("rules"):
            rule = _rule(section)
            if rule.id in found:
                raise section.error(
                    f"`{rule.id}` stands twice", key="id", advice=f"the first is in {found[rule.id].file}"
                )
            found[rule.id] = rule
    return found


def _rule(section: Section) -> Rule:
    section.only(*_KEYS)
    texts = {key: section.text(key, required=True) for key in _KEYS}
    if texts["level"] not in LEVELS:
        raise section.error(f"unknown level `{texts['level']}`", key="level", advice=suggest(texts["level"], LEVELS))
    stages = [stage.value for stage in Stage]
    if texts["stage"] not in stages:
        raise section.error(f"unknown stage `{texts['stage']}`", key="stage", advice=suggest(texts["stage"], stages))
    stage = Stage(texts.pop("stage"))
    return Rule(**texts, stage=stage, file=section.file, line=section.line)


@cache
def rules() -> Mapping[str, Rule]:
    """Return the rules that this installation carries, by id."""
    return MappingProxyType(load(data.path("spec")))
