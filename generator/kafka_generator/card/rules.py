"""The rules of the report card as data, read from rules.yaml."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors.patterns import fits_any
from kafka_format.spec.layout.yamlfile import load_yaml

FILE: Final = Path(__file__).with_name("rules.yaml")

EVERYDAY: Final = "everyday"
RARE: Final = "rare"
TODAY: Final = (EVERYDAY, RARE)
"""The moments of data of today."""

UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Moment:
    """When a bug can happen.

    Attributes:
        name: its name: `everyday`, `rare`, `elsewhere`, `old`, `damaged` or `crafted`.
        heading: its name as a heading.
        when: the words behind what a client does: `with old data`.
        rule: which vectors make a bug one of this moment, in a sentence.
    """

    name: str
    heading: str
    when: str
    rule: str


@dataclass(frozen=True, slots=True)
class Harm:
    """What a bug does: its name, words for it, and what tells it: outcomes, directions, parts.

    Attributes:
        requests: whether it is told where only requests went wrong; None if that does not matter.
    """

    name: str
    words: str
    outcomes: frozenset[Outcome]
    directions: frozenset[Direction]
    parts: frozenset[Part]
    requests: bool | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: its heading, the part, and which of its topics; all others if none."""

    name: str
    part: Part
    topics: tuple[str, ...] = ()

    def is_about(self, topic: str) -> bool:
        """Tell whether it names a topic, as `results.topic_of` returns it."""
        return fits_any(topic, self.topics)


@dataclass(frozen=True, slots=True)
class NeededPart:
    """A part without which nothing is called safe: any of some parts will do."""

    any_of: frozenset[Part]
    called: str


@dataclass(frozen=True, slots=True)
class Level:
    """A verdict: the words, and what must be there for it.

    Attributes:
        moments: the moments of bugs that it takes; empty if it takes none.
        harms: their harms.
        lacks: what is not known of a client, if it is for such: `causes` or `parts`; else empty.
        why: that as part of a sentence; empty for the others.
        badge: message and colour of its badge.
    """

    name: str
    words: str
    moments: frozenset[str]
    harms: frozenset[str]
    lacks: str
    why: str
    badge: tuple[str, str]

    def tells(self, moment: str, harm: str) -> bool:
        """Tell whether a bug of a moment that does such a harm makes this the verdict."""
        return moment in self.moments and harm in self.harms


@dataclass(frozen=True, slots=True)
class Feature:
    """What people expect of a client: words for it, the part that has it, what that claims."""

    words: str
    part: Part
    claim: str
    value: str


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the table, and the first words of manifests that belong to it."""

    name: str
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules, in their order."""

    moments: Sequence[Moment]
    harms: Sequence[Harm]
    columns: Sequence[Column]
    parts: Sequence[NeededPart]
    levels: Sequence[Level]
    languages: Sequence[Language]
    features: Sequence[Feature]
    judge: str
    order: str = ""

    def moment(self, name: str) -> Moment:
        """Return the moment of a name."""
        return next(moment for moment in self.moments if moment.name == name)

    def harm(self, name: str) -> Harm:
        """Return the harm of a name."""
        return next(harm for harm in self.harms if harm.name == name)


@cache
def rules() -> Rules:
    """Return the rules of rules.yaml."""
    return parse(load_yaml(FILE.read_text(encoding="utf-8")))


def parse(document: Any) -> Rules:
    """Return rules from the content of such a file.

    Raises:
        KeyError: something is missing; or a ValueError for a word that nothing is called.
    """
    return Rules(
        moments=[Moment(one["name"], one["heading"], one["with"], one["rule"]) for one in document["moments"]],
        harms=[
            Harm(
                one["name"],
                one["words"],
                frozenset(map(Outcome, one["outcomes"])),
                frozenset(map(Direction, one["directions"])),
                frozenset(map(Part, one.get("parts", Part))),
                one.get("requests"),
            )
            for one in document["harms"]
        ],
        columns=[Column(one["name"], Part(one["part"]), tuple(one.get("topics", ()))) for one in document["columns"]],
        parts=[NeededPart(frozenset(map(Part, one["anyof"])), one["called"]) for one in document["parts"]],
        levels=[_level(one) for one in document["verdicts"]],
        languages=[Language(one["name"], frozenset(one["words"])) for one in document["languages"]],
        features=[_feature(one) for one in document["features"]],
        judge=document["judge"],
        order=document.get("order", ""),
    )


def _feature(one: Any) -> Feature:
    ((claim, value),) = [(key, value) for key, value in one.items() if key not in {"words", "part"}]
    return Feature(one["words"], Part(one["part"]), claim, value)


def _level(one: Any) -> Level:
    bugs = one.get("bugs", {"moments": (), "harms": ()})
    return Level(
        name=one["name"],
        words=one["words"],
        moments=frozenset(bugs["moments"]),
        harms=frozenset(bugs["harms"]),
        lacks=one.get("lacks", ""),
        why=one.get("why", ""),
        badge=(one["badge"]["message"], one["badge"]["color"]),
    )
