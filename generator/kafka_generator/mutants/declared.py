"""The faults that somebody wrote down: vectors/faults/*.yaml, one direction and family a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kafka_format.spec.layout import Specification
from kafka_format.spec.layout.yamlfile import Section, read, suggest
from kafka_format.spec.rules import rules

from kafka_generator.mutants import families
from kafka_generator.mutants.mutant import Mutant
from kafka_generator.mutants.source import Edit

DIRECTIONS: Final = ("decode", "encode", "deliver", "assign", "convert")
"""What a fault can be a fault of."""

_KEYS: Final = ("id", "does", "rules", "source", "edits", "allows")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong on purpose.

    Attributes:
        id: stable name: what is concerned, and what is wrong with it.
        does: the sentence that tells the fault.
        direction: what is wrong: decode, encode, deliver, assign or convert.
        family: the file it stands in.
        source: where it is drawn from: bug reports (`owner/repository#number`), or `mutation`.
        edits: what is changed in the reference.
        rules: the rules that it breaks and no bytes can.
        specification: what the reference is compiled from, where that is not spec/ with `edits`.
    """

    id: str
    does: str
    direction: str
    family: str
    source: tuple[str, ...]
    edits: tuple[Edit, ...] = ()
    specification: Specification | None = None
    rules: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Changes when the fault is made in another way."""
        return hashlib.sha256(repr((self.direction, self.edits)).encode()).hexdigest()[:8]


def load(directory: Path) -> list[Fault | Mutant]:
    """Load all declared faults; `directory` is vectors/faults.

    Raises:
        LayoutError: a file is wrong; the message has file, line and advice.
    """
    found: dict[str, Fault] = {}
    for path in sorted(directory.glob("*.yaml")):
        top = read(path, f"vectors/faults/{path.name}")
        top.only("direction", "family", "faults")
        direction = top.text("direction", required=True)
        if direction not in DIRECTIONS:
            raise top.error(f"unknown direction `{direction}`", key="direction", advice=suggest(direction, DIRECTIONS))
        for fault in _faults(top, direction):
            if fault.id in found:
                raise top.error(f"`{fault.id}` stands twice", advice=f"the first is in {found[fault.id].family}")
            found[fault.id] = fault
    listed: list[Fault | Mutant] = [*found.values(), *families.load()]
    return sorted(listed, key=lambda mutant: (mutant.direction, mutant.family))


def _faults(top: Section, direction: str) -> Iterator[Fault]:
    for section in top.sections("faults"):
        section.only(*_KEYS)
        allows = section.texts("allows")
        edits = list(_edits(section))
        if not edits and not allows:
            raise section.error("changes nothing", advice="give `edits`, or `allows` with rules that are not checked")
        for key in ("allows", "rules"):
            _check_rules(section, key)
        yield Fault(
            section.text("id", required=True),
            section.text("does", required=True),
            direction,
            top.text("family", required=True),
            _source(section),
            (*edits, allowing(allows)) if allows else tuple(edits),
            rules=tuple(section.texts("rules")),
        )


def _check_rules(section: Section, key: str) -> None:
    for rule in section.texts(key):
        if rule not in rules():
            raise section.error(f"there is no rule `{rule}`", key=key, advice=suggest(rule, rules()))


def _edits(section: Section) -> Iterator[Edit]:
    for edit in section.sections("edits"):
        edit.only("file", "old", "new")
        yield Edit(edit.text("file", required=True), edit.text("old", required=True), edit.text("new"))


def _source(section: Section) -> tuple[str, ...]:
    source = tuple(section.texts("source"))
    if not source:
        raise section.error("does not say where it is drawn from", advice="bug reports, or `[mutation]`")
    return source


def allowing(broken: Sequence[str]) -> Edit:
    """Return the edit by which these rules are not checked."""
    allows = "return self._relaxed.get(rule) in self._flags"
    return Edit(
        "codec/interpreter/reader.py", allows, f"return rule in {tuple(broken)!r} or{allows.removeprefix('return')}"
    )
