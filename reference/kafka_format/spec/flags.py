"""The leniencies of Kafka's own readers and the releases that have them, from spec/flags.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from kafka_format.spec import data
from kafka_format.spec.layout.release_names import release_text
from kafka_format.spec.layout.release_table import numbers
from kafka_format.spec.layout.yamlfile import Section, read, suggest

NO_FLAGS: Final[frozenset[str]] = frozenset()
"""No leniency: what a strict reader has."""

_KEYS: Final = ("since", "until", "class", "does")


class Evidence(NamedTuple):
    """One class of Kafka that behaves so.

    Attributes:
        since: first release that does.
        until: last release that does; empty if the newest still does.
        class_name: full name of the class.
        does: what it does, in words.
    """

    since: str
    until: str
    class_name: str
    does: str

    def covers(self, release: str) -> bool:
        """Tell whether a release such as `0.10.2` lies in the range."""
        number = numbers(release)
        return numbers(self.since) <= number and (not self.until or number <= numbers(self.until))


class Flag(NamedTuple):
    """One leniency.

    Attributes:
        relaxes: ids of the rules that do not hold where it is allowed.
        doc: what it allows, in words.
        evidence: the classes of Kafka that behave so, with their releases.
    """

    name: str
    relaxes: tuple[str, ...]
    doc: str
    evidence: tuple[Evidence, ...]

    def holds_in(self, release: str) -> bool:
        """Tell whether this release of Kafka behaves so."""
        return any(evidence.covers(release) for evidence in self.evidence)

    def has_ended_before(self, release: str) -> bool:
        """Tell whether only releases before this one behaved so."""
        return all(evidence.until and numbers(evidence.until) < numbers(release) for evidence in self.evidence)


def load(spec: Path) -> dict[str, Flag]:
    """Load all flags below `spec`.

    Raises:
        LayoutError: the file is wrong; the message has file, line and advice.
    """
    top = read(spec / "flags.yaml", "flags.yaml")
    return {name: _flag(name, section) for name, section in top.parts("flags").items()}


def _flag(name: str, section: Section) -> Flag:
    evidence = tuple(_evidence(part) for part in section.sections("evidence"))
    if not evidence:
        raise section.error(f"`{name}` has no evidence", advice="say which release of Kafka behaves so")
    return Flag(name, tuple(section.texts("relaxes")), section.text("doc", required=True), evidence)


def _evidence(section: Section) -> Evidence:
    section.only(*_KEYS)
    evidence = Evidence(
        release_text(section, "since", required=True),
        release_text(section, "until"),
        section.text("class", required=True),
        section.text("does", required=True),
    )
    if evidence.until and numbers(evidence.until) < numbers(evidence.since):
        raise section.error(f"ends with {evidence.until}, before it begins with {evidence.since}", key="until")
    return evidence


@cache
def flags() -> Mapping[str, Flag]:
    """Return the flags that this installation carries, by name."""
    return MappingProxyType(load(data.path("spec")))


def check_flags(names: frozenset[str]) -> frozenset[str]:
    """Return names of flags as they are.

    Raises:
        ValueError: there is no flag of one of the names; the text suggests a near name.
    """
    if not names <= flags().keys():
        wrong = min(names - flags().keys())
        raise ValueError(f"there is no flag `{wrong}`; {suggest(wrong, flags())}")
    return names
