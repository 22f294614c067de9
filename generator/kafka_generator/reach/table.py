"""The table of reach, vectors/reach.yaml: origins of bytes that the bytes do not tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from kafka_conformance.vectors.patterns import fits_any
from kafka_conformance.vectors.vector import Reach
from kafka_format.spec.layout.yamlfile import Section, read, suggest

from kafka_generator.reach.model import Origin

FILE = "reach.yaml"
"""Name of the table's file, in vectors/."""

_MET = (Reach.PRODUCER.value, Reach.BROKER.value)


class Declared(NamedTuple):
    """One line of the table.

    Attributes:
        vectors: patterns of ids.
        origin: where such bytes can come from.
        lenient: why they are lenient although a producer or a broker writes them; empty for others.
        only: the brokers, other than Apache Kafka, that alone write them; empty for others.
        section: the YAML, for errors with file and line.
    """

    vectors: tuple[str, ...]
    origin: Origin
    lenient: str
    section: Section
    only: tuple[str, ...] = ()

    def is_about(self, vector: str) -> bool:
        """Tell whether the line is about the vector of this id."""
        return fits_any(vector, self.vectors)


def load(file: Path) -> list[Declared]:
    """Load the table; an empty one if there is no file.

    Raises:
        LayoutError: a line is wrong; the message has file and line.
    """
    if not file.exists():
        return []
    top = read(file, f"vectors/{FILE}")
    top.only("reach")
    return [_line(section) for section in top.sections("reach")]


def _line(section: Section) -> Declared:
    section.only("vectors", "from", "evidence", "lenient", "only")
    named = section.text("from", required=True)
    if named not in set(Reach):
        raise section.error(f"unknown reach `{named}`", key="from", advice=suggest(named, list(Reach)))
    origin = Origin(Reach(named), section.text("evidence", required=True))
    return Declared(
        tuple(section.texts("vectors")), origin, section.text("lenient"), section, tuple(section.texts("only"))
    )


def find(table: Iterable[Declared], vector: str) -> Declared | None:
    """Return the line about a vector, if there is one.

    Raises:
        LayoutError: two are.
    """
    about = [line for line in table if line.is_about(vector)]
    if len(about) > 1:
        raise about[1].section.error(
            f"`{vector}` has a reach already", advice=f"the first is in line {about[0].section.line}"
        )
    return about[0] if about else None


def check(table: Iterable[Declared], vectors: Iterable[Mapping[str, Any]]) -> None:
    """Check that the table fits the vectors, given as JSON, and that these keep the verdicts' rule.

    The rule: what a widely used producer or a broker writes and every release of Kafka reads is
    valid.

    Raises:
        LayoutError: a pattern is about no vector; or a lenient vector breaks the rule and nothing
            says why.
    """
    known = {vector["id"]: vector for vector in vectors}
    for line in table:
        for pattern in line.vectors:
            if not any(fnmatchcase(vector, pattern) for vector in known):
                raise line.section.error(f"there is no vector `{pattern}`", key="vectors")
    for vector in known.values():
        if vector["verdict"] == "lenient" and vector["reach"]["from"] in _MET:
            _check_lenient(find(table, vector["id"]), vector)


def _check_lenient(line: Declared | None, vector: Mapping[str, Any]) -> None:
    if line is None or not line.lenient:
        section = line.section if line else Section(f"vectors/{FILE}", 1, {}, {})
        raise section.error(
            f"`{vector['id']}` is lenient, but comes from a {vector['reach']['from']}",
            advice="make it valid, or say in `lenient` why it cannot be",
        )
