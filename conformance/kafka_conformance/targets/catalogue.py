"""Bugs of other people's libraries that the vectors show, as data, with steps to reproduce them.

`targets/<library>/findings/` has a file for each part of the library: its decoder, its requests
and responses (`messages`), its consumer, and so on. `targets/<library>/confirm/` has short programs
that call the library's public API and know nothing of the suite. `confirmation` runs them against
a broker that serves the smallest vector of a finding, and compares what they print with what the
finding says.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml
from kafka_format.spec.layout.yamlfile import load_yaml
from kafka_tools import schemas
from kafka_tools.errors import UsageError

from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets import manifest
from kafka_conformance.targets.folders import TARGETS
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors.patterns import fits_any


class Part(StrEnum):
    """The part of a library that findings are about; what a file of findings is called after."""

    DECODER = "decoder"
    MESSAGES = "messages"
    CONSUMER = "consumer"
    PRODUCER = "producer"
    BROKER = "broker"
    SCENARIO = "scenario"
    LOG_READER = "log_reader"
    SERDE = "serde"

    @property
    def target_kind(self) -> TargetKind:
        """What kind of target has it: decoders read requests, and brokers answer to scenarios."""
        return _TARGETS.get(self) or TargetKind(self)


_TARGETS: Final = {Part.MESSAGES: TargetKind.DECODER, Part.SCENARIO: TargetKind.BROKER}
"""The kinds of target of parts that have another name."""

_PROGRAMS: Final = {
    Part.DECODER: "main",
    Part.MESSAGES: "messages",
    Part.CONSUMER: "consume",
    Part.PRODUCER: "produce",
    Part.BROKER: "appends",
    Part.SCENARIO: "ask",
    Part.LOG_READER: "read",
    Part.SERDE: "read_value",
}
"""The programs that confirm findings, without the ends of their names, unless a file says which."""


class FindingKind(StrEnum):
    """How much a finding matters; spec/schema/findings.schema.json tells the four apart."""

    REACHABLE = "reachable"
    HOSTILE = "hostile"
    LAX = "lax"
    TOLERATED = "tolerated"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a target gets wrong; the schema explains the keys.

    Attributes:
        outcomes: what the suite says of the smallest vector; more than one where the speed of the
            machine decides.
        bug: id of the finding whose bug this is another sign of; empty if it is one by itself.
        cause: id of the cause that a diagnosis names which does not know the finding; empty if the
            patterns of vectors tell the bug.
        gives: what the script prints for the smallest vector; None if the finding is not confirmed.
        script: the name of the script, if it is another one than that of its file.
        requests: what is printed of the client's requests in a conversation, by API.
    """

    target: str
    id: str
    title: str
    kind: FindingKind
    vectors: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    direction: Direction
    reachable: str
    kafka: str
    gives: tuple[str, ...] | None
    unconfirmed: str
    upstream: str | None
    note: str
    bug: str = ""
    cause: str = ""
    script: str = ""
    requests: Mapping[str, Sequence[str]] = field(default_factory=dict, hash=False)

    @property
    def smallest(self) -> str:
        """The id of the smallest vector that shows it."""
        return self.vectors[0]

    def is_about(self, vector: str) -> bool:
        """True if a vector of that id shows it."""
        return fits_any(vector, self.vectors)


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings about a part of one target.

    Attributes:
        writes: what the script that writes calls; empty if there is none.
        script: the program that confirms them, without the end of its name.
        also: other targets with the same library in them, which the findings are about, too.
    """

    target: str
    part: Part
    version: str
    calls: str
    writes: str
    script: Path
    findings: tuple[Finding, ...]
    also: tuple[str, ...] = ()

    def of_kind(self, kind: FindingKind) -> list[Finding]:
        """Keep the findings of a kind."""
        return [finding for finding in self.findings if finding.kind == kind]


@cache
def load_all() -> tuple[Findings, ...]:
    """Load every file of findings, by parts, and by targets within them.

    Raises:
        UsageError: a file is wrong; the text names it and the place in it.
    """
    files = [load(file) for file in TARGETS.glob("*/findings/*.yaml")]
    return tuple(sorted(files, key=lambda findings: (list(Part).index(findings.part), findings.target)))


@cache
def about(part: Part) -> Mapping[str, Findings]:
    """Load the findings about a part of the known libraries, by target.

    Raises:
        UsageError: a file is wrong; the text names it and the place in it.
    """
    return {findings.target: findings for findings in load_all() if findings.part is part}


def load(file: Path) -> Findings:
    """Load one file of findings: `<library>/findings/<part>.yaml`, or `<part>-<variant>.yaml`.

    Raises:
        UsageError: it is no YAML, does not fit the schema, is named after no part, or is about no
            target of its library that has this part.
    """
    folder = file.parents[1]
    place = f"{folder.name}/findings/{file.name}"
    try:
        document = load_yaml(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{place}: cannot be read: {error}") from None
    schemas.check(document, "findings", place)
    part = _part(file.stem.partition("-")[0], place)
    target = document["target"]
    known = [found.name for found in manifest.of_kind(part.target_kind).values() if found.library == folder.name]
    if target not in known:
        raise UsageError(f"{place}: $.target: {target!r} is none of its targets.", f"They are {', '.join(known)}.")
    return Findings(
        target=target,
        part=part,
        version=document["version"],
        calls=document["calls"],
        writes=document.get("writes", ""),
        script=Path(os.path.normpath(folder / "confirm" / document.get("script", _PROGRAMS[part]))),
        findings=tuple(_finding(target, entry) for entry in document["findings"]),
        also=tuple(document.get("also", ())),
    )


def _part(word: str, place: str) -> Part:
    try:
        return Part(word)
    except ValueError:
        raise UsageError(f"{place}: its name begins with no part.", f"Parts are {', '.join(Part)}.") from None


def _finding(target: str, entry: Mapping[str, Any]) -> Finding:
    outcome = entry["outcome"]
    return Finding(
        target=target,
        id=entry["id"],
        title=entry["title"],
        kind=FindingKind(entry["kind"]),
        vectors=tuple(entry["vectors"]),
        outcomes=tuple(map(Outcome, [outcome] if isinstance(outcome, str) else outcome)),
        direction=Direction(entry.get("direction", Direction.DECODE)),
        reachable=entry.get("reachable", ""),
        kafka=entry.get("kafka", ""),
        gives=tuple(entry["gives"]) if "gives" in entry else None,
        unconfirmed=entry.get("unconfirmed", ""),
        upstream=entry["upstream"],
        note=entry.get("note", ""),
        bug=entry.get("bug", ""),
        cause=entry.get("cause", ""),
        script=entry.get("script", ""),
        requests=entry.get("requests", {}),
    )
