"""Every client with its parts, its bugs and its verdict, in the order of the report card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from kafka_conformance.targets import manifest
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.manifest import Manifest

from kafka_generator.card import bugs
from kafka_generator.card.bugs import Bug, Found, worst_first
from kafka_generator.card.rules import Column, Level, Rules, rules
from kafka_generator.recorded import results
from kafka_generator.recorded.results import Row, topic_of

PARTS: Final = (Part.DECODER, Part.CONSUMER, Part.PRODUCER, Part.MESSAGES)
"""The parts of a client that the suite knows to ask."""

LIVE: Final = frozenset({Part.CONSUMER, Part.PRODUCER})
"""Those that show what happens to an application."""

OTHERS: Final = "Other languages"
"""What no line of the rules has."""


@dataclass(frozen=True, slots=True)
class Client:
    """One library in its newest release.

    Attributes:
        library: its name, that of its folder in targets/ and of its page.
        url: its home.
        language: the language that it is written in, as its manifest says.
        rows: what was recorded of each part that was run.
        found: the bugs of each of these.
        bugs: its bugs, the worst first; one that several parts show is there once.
        unexplained: findings that no cause explains.
        unnamed: bugs that were counted, and whose causes were not recorded.
        missing: what people expect of a client and it does not have, as rules.yaml calls it.
    """

    library: str
    url: str
    language: str
    rows: Mapping[Part, Row] = field(repr=False)
    found: Mapping[Part, Found] = field(repr=False)
    bugs: Sequence[Bug] = ()
    unexplained: int = 0
    unnamed: int = 0
    missing: Sequence[str] = ()

    @property
    def version(self) -> str:
        """The release that was run."""
        return next(iter(self.rows.values())).version

    @property
    def name(self) -> str:
        """Its name and its release."""
        return f"{self.library} {self.version}"

    def at(self, moment: str) -> list[Bug]:
        """Return the bugs of a moment, the worst first."""
        return [bug for bug in self.bugs if bug.moment == moment]

    def found_in(self, column: Column) -> Found | None:
        """Return what was found of a column of the table; None if it was not run.

        Findings without a cause are in the column that has no topics: nobody knows what they are
        about.
        """
        row = self.rows.get(column.part)
        if row is None or (column.topics and not any(map(column.is_about, row.cells))):
            return None
        found = self.found[column.part]
        bugs = tuple(bug for bug in found.bugs if column_of(column.part, topic_of(bug.example)) is column)
        return Found(bugs) if column.topics else replace(found, bugs=bugs)

    def asked_in(self, column: Column) -> int:
        """Count the cases of a column that it was asked; all of its part if nobody noted topics."""
        row = self.rows[column.part]
        if column.part is Part.DECODER or not row.cells:
            return row.asked
        return sum(asked for topic, (asked, _) in row.cells.items() if column_of(column.part, topic) is column)

    @property
    def not_run(self) -> list[str]:
        """What has to be run before it is called safe and was not, as rules.yaml calls it."""
        return not_run(self.rows)

    @property
    def level(self) -> Level:
        """Its verdict."""
        return level_of(self.bugs, self.lacks)

    @property
    def lacks(self) -> frozenset[str]:
        """What is not known of it: `causes` of findings, `parts` that were not run."""
        of_causes = {"causes"} if self.unexplained or self.unnamed else set()
        return frozenset(of_causes | ({"parts"} if self.not_run else set()))

    @property
    def is_client(self) -> bool:
        """True for what reads from brokers or writes to them, not for a decoder alone."""
        return bool(LIVE & self.rows.keys())


def column_of(part: Part, topic: str) -> Column:
    """Return the column of a part that a topic belongs to: the one that names it, or the other."""
    columns = [column for column in rules().columns if column.part is part]
    return next((column for column in columns if column.is_about(topic)), columns[0])


def level_of(found: Iterable[Bug], lacks: Collection[str], by: Rules | None = None) -> Level:
    """Return the verdict on a client: the first that fits.

    Args:
        found: its bugs.
        lacks: what is not known of it, as `Client.lacks`.
        by: the rules; those of rules.yaml if left out.
    """
    there = {(bug.moment, bug.harm) for bug in found}
    for level in (by or rules()).levels:
        fits = not level.moments or any(level.tells(moment, harm) for moment, harm in there)
        if fits and (not level.lacks or level.lacks in lacks):
            return level
    raise ValueError("no verdict fits")


def not_run(parts: Iterable[Part]) -> list[str]:
    """Return what of the needed parts is missing among some, as rules.yaml calls it."""
    there = set(parts)
    if there == {Part.SERDE}:
        return []
    return [needed.called for needed in rules().parts if not needed.any_of & there]


@cache
def clients() -> tuple[Client, ...]:
    """Return every library of which something was recorded, by name."""
    by_library: dict[str, dict[Part, Row]] = {}
    for part in PARTS:
        for row in results.of(part):
            target = manifest.load_all().get(row.target)
            if target is not None and _is_itself(target):
                by_library.setdefault(target.library, {})[part] = row
    return tuple(_client(library, rows) for library, rows in sorted(by_library.items()))


@cache
def readers() -> tuple[Client, ...]:
    """Return every reader of keys and values of which a run was recorded, by language and name.

    Each is by itself, as a client with that part alone: a library may have its serdes in a module
    with releases of its own.
    """
    known = manifest.load_all()
    rows = [row for row in results.of(Part.SERDE) if row.target in known]
    found = [_client(row.target, {Part.SERDE: row}) for row in rows]
    order = [language.name for language in rules().languages]
    return tuple(sorted(found, key=lambda reader: (order.index(language_of(reader)), reader.library)))


def _is_itself(target: Manifest) -> bool:
    """Tell whether a target is the library itself, and not a variant of it."""
    return target.name.removeprefix("consumer-").removeprefix("producer-") == target.library


def _client(library: str, rows: Mapping[Part, Row]) -> Client:
    target = manifest.load_all()[next(iter(rows.values())).target]
    found = {part: bugs.found(row) for part, row in rows.items()}
    if Part.MESSAGES in found and LIVE & rows.keys():
        found[Part.MESSAGES] = bugs.of_codec(found[Part.MESSAGES])
    once: dict[str, Bug] = {}
    for bug in worst_first(bug for each in found.values() for bug in each.bugs):
        once.setdefault(bug.finding.id if bug.finding else bug.id, bug)  # parts of a library tell one bug by one id
    return Client(
        library, target.url, target.language, rows, found, tuple(once.values()),
        sum(each.unexplained for each in found.values()), sum(each.unnamed for each in found.values()),
        list(_missing(library)),
    )  # fmt: skip


def _missing(library: str) -> Iterator[str]:
    """Yield what a library does not have; nothing is known of parts that the suite does not ask."""
    known = [target for target in manifest.load_all().values() if target.library == library and _is_itself(target)]
    parts: dict[str, Manifest] = {target.kind: target for target in known}
    for feature in rules().features:
        target = parts.get(feature.part)
        if target is not None and target.formats and feature.value not in _claims(target, feature.claim):
            yield feature.words


def _claims(target: Manifest, claim: str) -> Collection[str]:
    return {"can": target.settings, "codecs": target.codecs, "formats": target.formats}[claim]


def language_of(client: Client) -> str:
    """Return the language of the table that a client belongs to."""
    first = client.language.split()[0]
    return next((language.name for language in rules().languages if first in language.words), OTHERS)
