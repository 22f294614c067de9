"""Bugs of other people's decoders that the vectors show, as data, with steps to reproduce them.

`TARGET.yaml` holds the findings about a target, `confirm/TARGET/` a short program that calls the
library's public API and knows nothing of the suite. `confirmation` runs it against a broker that
serves the smallest vector of a finding, and compares what it prints with what the finding says.

Findings about other parts of a client than its decoder and encoder have folders of their own:
`consumers`, `producers`, and `messages` for requests and responses; so have `brokers` and readers
of `logs`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from kafka_format.spec import data
from kafka_format.spec.layout.yamlfile import plain

from kafka_conformance import schemas
from kafka_conformance.errors import UsageError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.patterns import fits_any

FOLDER = data.folder(Path(__file__).parent)


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

    @property
    def smallest(self) -> str:
        """The id of the smallest vector that shows it."""
        return self.vectors[0]

    def is_about(self, vector: str) -> bool:
        """True if a vector of that id shows it."""
        return fits_any(vector, self.vectors)


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings about one target.

    Attributes:
        writes: what the script that writes calls; empty if there is none.
        script: the folder of the programs that confirm them, below confirm/.
        also: other targets with the same library in them, which the findings are about, too.
    """

    target: str
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
def load_all() -> Mapping[str, Findings]:
    """Load every file of findings about records, by target.

    Raises:
        UsageError: a file is wrong; the text names it and the place in it.
    """
    return _all(FOLDER)


@cache
def load_messages() -> Mapping[str, Findings]:
    """Load every file of findings about requests and responses, by target.

    Raises:
        UsageError: a file is wrong; the text names it and the place in it.
    """
    return _all(FOLDER / "messages")


@cache
def load_consumers() -> Mapping[str, Findings]:
    """Load every file of findings about whole consumers, by target.

    Raises:
        UsageError: a file is wrong; the text names it and the place in it.
    """
    return _all(FOLDER / "consumers")


@cache
def load_producers() -> Mapping[str, Findings]:
    """Load every file of findings about producers, by target.

    Raises:
        UsageError: a file is wrong; the text names it and the place in it.
    """
    return _all(FOLDER / "producers")


@cache
def load_brokers() -> Mapping[str, Findings]:
    """Load every file of findings about brokers, by target.

    Raises:
        UsageError: a file is wrong; the text names it and the place in it.
    """
    return _all(FOLDER / "brokers")


@cache
def load_log_readers() -> Mapping[str, Findings]:
    """Load every file of findings about readers of log directories, by target.

    Raises:
        UsageError: a file is wrong; the text names it and the place in it.
    """
    return _all(FOLDER / "logs")


def _all(folder: Path) -> Mapping[str, Findings]:
    files = [load(file) for file in sorted(folder.glob("*.yaml"))]
    return {findings.target: findings for findings in files}


def load(file: Path) -> Findings:
    """Load one file of findings.

    Raises:
        UsageError: it is no YAML, does not fit the schema, or is named after another target.
    """
    try:
        document = plain(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{file.name}: cannot be read: {error}") from None
    schemas.check(document, "findings", file.name)
    target = document["target"]
    if target != file.stem:
        raise UsageError(
            f"{file.name}: $.target: {target!r} is not the name of the file.", f"Rename it to {target}.yaml."
        )
    return Findings(
        target=target,
        version=document["version"],
        calls=document["calls"],
        writes=document.get("writes", ""),
        script=FOLDER / "confirm" / document.get("script", target),
        findings=tuple(_finding(target, entry) for entry in document["findings"]),
        also=tuple(document.get("also", ())),
    )


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
    )
