"""Reads what was recorded of runs: a row for each release and part, in docs/recorded/PART.json."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any, Final

from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets import manifest
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.words import REFERENCE
from kafka_conformance.vectors import conversations, scenarios
from kafka_format.spec import data
from kafka_tools import schemas

KIND: Final = "kafka-format-conformance recorded results"
SCHEMA: Final = "recorded"
SCHEMA_VERSION: Final = 1

RECORDS: Final = "records"
"""The topic of what is neither a conversation nor a scenario."""

FOLDER: Final = data.path("spec").parent / "docs" / "recorded"


_SPARED: Final = frozenset({"harmless", "outcomes", "in_requests"})
"""What is not written of a cause if it is empty."""


@dataclass(frozen=True, slots=True)
class RecordedCause:
    """What findings of a row come from.

    Attributes:
        id: its name; `TARGET/FINDING` for one that a file of findings knows.
        does: what such a target does.
        direction: `decode` or `encode`.
        reach: where the likeliest of the bytes come from.
        rule: the rule that most of them are about.
        findings: how many findings it explains.
        example: the smallest vector that shows it.
        vectors: those that show it, up to `record.SHOWN`.
        outcomes: what each of them came to; one for all if they are alike.
        harmless: True if it is known, and no bug.
        in_requests: True if wrong answers are only requests of conversations, or what the
            application was told: no record that it got, and nothing in the log.
    """

    id: str
    does: str
    direction: str
    reach: str
    rule: str
    findings: int
    example: str
    vectors: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    harmless: bool = False
    in_requests: bool = False

    def outcomes_of(self, wanted: Callable[[str], bool]) -> set[Outcome]:
        """Return the outcomes of those vectors of which something is true; of all if none is."""
        each = self.outcomes * len(self.vectors) if len(self.outcomes) == 1 else self.outcomes
        chosen = {Outcome(one) for vector, one in zip(self.vectors, each, strict=False) if wanted(vector)}
        return chosen or set(map(Outcome, each))


@dataclass(frozen=True, slots=True)
class RecordedText:
    """What a target says of wrong bytes: the rules that these break, with counts; some vectors."""

    text: str
    rules: Mapping[str, int]
    vectors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """What one run found in one part of one release of a library.

    Attributes:
        target: as `run` takes it: `aiokafka`, `aiokafka@0.8.1`.
        part: what of the library was asked.
        version: the release that ran.
        language: the language that it is written in.
        run: the day of the run, as `2026-11-27`; empty if nobody noted it.
        vectors: how many vectors the run had for it, with what it does not declare.
        asked: how many cases it was asked.
        findings: how many of them came out wrong.
        bugs: causes by group, as `reports.causes.CauseCounts` names them, and `unexplained`
            findings.
        outcomes: cases that were `right`, `misread`, `refused`, `accepted`, `lost`, and
            `not_asked`; empty if nobody noted them.
        form: what it gives of requests and responses: `json`, `bytes` or `verdict`.
        cells: how many cases were asked, and how many went wrong: of decoders by format, codec and
            direction, of clients and brokers by topic.
        causes: what the findings come from, the worst first; empty if nobody noted them.
        texts: what it says of wrong bytes, the most frequent first.
        problem: why it could not be run; then nothing else is known.
    """

    target: str
    part: Part
    version: str
    language: str
    run: str
    vectors: int
    asked: int
    findings: int
    bugs: Mapping[str, int]
    outcomes: Mapping[str, int] = field(default_factory=dict)
    form: str = ""
    cells: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    causes: tuple[RecordedCause, ...] = ()
    texts: tuple[RecordedText, ...] = ()
    problem: str = ""

    @property
    def name(self) -> str:
        """The target without its release."""
        return self.target.partition("@")[0]

    @property
    def library(self) -> str:
        """The library that it is part of; its own name if no manifest has it."""
        known = manifest.load_all().get(self.name)
        return self.name if known is None else known.library

    @property
    def is_newest(self) -> bool:
        """True for the release that is run if none is named."""
        return self.name == self.target

    @property
    def is_pinned(self) -> bool:
        """True unless only the `history` of a manifest installs this release."""
        known = manifest.load_all().get(self.name)
        return self.is_newest or known is None or self.target.rpartition("@")[2] in known.all_versions

    def document(self) -> dict[str, Any]:
        """Return it as JSON: what is empty is left out."""
        row = {key: value for key, value in asdict(self).items() if key != "part" and value not in ((), {}, "")}
        if self.causes:
            row["causes"] = [
                {key: value for key, value in one.items() if key not in _SPARED or value} for one in row["causes"]
            ]
        return row


def topic_of(vector: str) -> str:
    """Return what a vector is about: of conversations and scenarios the folder of their ids."""
    kind, _, name = vector.partition("/")
    is_one_of_many = kind in {conversations.FAMILY, scenarios.FAMILY}
    return f"{kind}/{name.partition('/')[0]}" if is_one_of_many else RECORDS


def results() -> Mapping[str, Mapping[Part, list[Row]]]:
    """Return all that was recorded, by library and part; the newest release first."""
    by_library: dict[str, dict[Part, list[Row]]] = {}
    for part in Part:
        for row in of(part):
            by_library.setdefault(row.library, {}).setdefault(part, []).append(row)
    return by_library


@cache
def of(part: Part) -> tuple[Row, ...]:
    """Return what ran of a part, in releases that manifests pin; `changes.lines` has all others.

    The reference comes first, then by name, the newest release first.

    Raises:
        UsageError: the file does not fit the schema.
    """
    return tuple(row for row in load(part) if not row.problem and row.is_pinned)


def load(part: Part) -> list[Row]:
    """Read the rows of a part anew; none if nothing was recorded of it.

    Raises:
        UsageError: the file does not fit the schema.
    """
    file = FOLDER / f"{part}.json"
    return list(parse(file.read_text(encoding="utf-8"), file.name)) if file.exists() else []


def parse(text: str, where: str) -> Iterator[Row]:
    """Yield the rows of a file.

    Args:
        text: its text.
        where: the file, for the message.

    Raises:
        UsageError: it does not fit the schema.
    """
    document = json.loads(text)
    schemas.check(document, SCHEMA, where, "Record the results again.")
    for row in document["rows"]:
        causes = tuple(map(_cause, row.pop("causes", ())))
        texts = tuple(RecordedText(**{**one, "vectors": tuple(one["vectors"])}) for one in row.pop("texts", ()))
        cells = {name: (asked, findings) for name, (asked, findings) in row.pop("cells", {}).items()}
        run = row.pop("run", "")
        yield Row(part=Part(document["part"]), run=run, cells=cells, causes=causes, texts=texts, **row)


def _cause(one: Mapping[str, Any]) -> RecordedCause:
    return RecordedCause(**{**one, "vectors": tuple(one["vectors"]), "outcomes": tuple(one.get("outcomes", ()))})


def text(part: Part, rows: Mapping[str, Row]) -> str:
    """Return the text of a file: a line for each row, in the order that `of` returns."""
    lines = [json.dumps(row.document(), ensure_ascii=False) for row in sorted(rows.values(), key=_order)]
    head = json.dumps({"kind": KIND, "schema_version": SCHEMA_VERSION, "part": part})
    return f'{head[:-1]}, "rows": [\n' + ",\n".join(lines) + "\n]}\n"


def _order(row: Row) -> tuple[bool, str, list[int]]:
    return row.name != REFERENCE, row.name, [-number for number in release(row.version)]


def release(version: str) -> list[int]:
    """Return the numbers of a version, for comparing: `[2, 0, 2]` of `2.0.2`."""
    parts = version.replace("-", ".").replace("+", ".").split(".")
    return [int(part) for part in parts if part.isdecimal()]
