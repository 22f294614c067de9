"""Case tables of the further directions: vectors/cases/directions/*.yaml, one direction a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.messages import Input, Reply
from kafka_format.spec.layout.yamlfile import Section, read, suggest
from kafka_format.spec.rules import rules

from kafka_generator.build import Builder
from kafka_generator.cases import Case

_KEYS: Final = ("id", "title", "rules", "source", "run", "keep", "expect")


class TableDirection(Protocol):
    """One direction: how its tables are read, asked and compared, one case at a time."""

    @property
    def kind(self) -> FrameKind:
        """The letter of its requests."""

    @property
    def keys(self) -> Sequence[str]:
        """The keys of a case that say what is asked, beside those that all cases have."""

    @property
    def expected_keys(self) -> Sequence[str]:
        """The keys of `expect`."""

    def question(self, section: Section, data: bytes) -> Input:
        """Return the question to a target."""

    def question_keys(self, section: Section) -> dict[str, Any]:
        """Return the keys of the vector that describe the question, besides the bytes."""

    def outcome(self, section: Section, data: bytes) -> dict[str, Any]:
        """Return the keys of the vector with the expected result, computed by the reference.

        Raises:
            LayoutError: the table expects something else; with file and line.
        """

    def comparable(self, outcome: Mapping[str, Any]) -> Any:
        """Return the part of an outcome that is compared with a target's."""

    def read_answer(self, reply: Reply) -> Any:
        """Return a target's answer in the form of `comparable`."""


@dataclass(frozen=True)
class DirectionCase:
    """One case of a table, with its bytes."""

    case: Case
    direction: TableDirection
    data: bytes


def load(directory: Path, directions: Mapping[str, TableDirection], builder: Builder) -> list[DirectionCase]:
    """Load and build all cases of the tables.

    Raises:
        LayoutError: a table is wrong; the message has file, line and advice.
    """
    direction_cases = []
    for path in sorted(directory.glob("*.yaml")):
        top = read(path, f"vectors/cases/directions/{path.name}")
        top.only("family", "cases")
        if top.text("family") != path.stem or path.stem not in directions:
            raise top.error(f"the family of this file is `{path.stem}`", advice=", ".join(directions))
        for section in top.sections("cases"):
            case = _case(section, path.stem, directions[path.stem])
            direction_cases.append(DirectionCase(case, directions[path.stem], builder.build(case)))
    return direction_cases


def _case(section: Section, family: str, direction: TableDirection) -> Case:
    section.only(*_KEYS, *direction.keys)
    section.section("expect").only(*direction.expected_keys)
    named = tuple(section.values.get("rules") or ())
    for rule in named:
        if rule not in rules():
            raise section.error(f"there is no rule `{rule}`", key="rules", advice=suggest(str(rule), rules()))
    if not named:
        raise section.error("a case names at least one rule", key="rules")
    return Case(
        id=section.text("id", required=True),
        title=section.text("title", required=True),
        family=family,
        verdict="valid",
        rules=named,
        flag="",
        section=section,
        run=tuple(section.sections("run")),
        twin="",
        mutate=None,
        broken="",
        path="",
        source=section.text("source"),
    )


def hold(section: Section, expected: Mapping[str, Any]) -> None:
    """Compare the expected values of a table with the reference's results; raise on a difference.

    Raises:
        LayoutError: they differ.
    """
    expect = section.section("expect")
    for key, value in expect.values.items():
        if _plain(value) != expected.get(key):
            raise section.error(f"expects {key} {_plain(value)!r}, but the reference gives {expected.get(key)!r}")


def _plain(value: Any) -> Any:
    if isinstance(value, Section):
        return {key: _plain(member) for key, member in value.values.items()}
    return [_plain(member) for member in value] if isinstance(value, list) else value
