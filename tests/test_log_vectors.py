"""The vectors of log directories: the reference agrees with them and with Kafka's own classes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka_format.spec.rules import rules
from kafka_generator.log_vectors import agreement, files, kills
from kafka_generator.mutants.mutant import Mutant

from tests import shipped

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "vectors" / files.FOLDER
DIRECTORIES = shipped.log_vectors(files.DIRECTORIES)
FILES = shipped.log_vectors(files.FILES)
TABLE = kills.LogKills(FOLDER.parent, (DIRECTORIES | FILES).values())
KILLS: dict[str, str] = {row["id"]: row["smallest"] for row in TABLE.known["mutants"]}

KEPT_BY_FILES = {
    "log.name.number",
    "log.name.digits",
    "log.snapshot.checksum",
    "log.transaction-index.version",
    "log.transaction-index.size",
    "log.epochs.rising",
    "log.epochs.not-negative",
}
"""Rules that directories break, and vectors of files keep."""


@pytest.mark.parametrize("vector", [*DIRECTORIES, *FILES])
def test_the_reference_says_what_kafka_says(vector: str) -> None:
    """Broken rules, records, lookups by offset and time, and what recovery leaves, byte for
    byte."""
    assert list(agreement.differences((DIRECTORIES | FILES)[vector])) == []


def test_answers_are_of_more_than_one_release() -> None:
    """Snapshots of remote log metadata were read up to 3.7."""
    assert {release for vector in FILES.values() for release in vector["kafka"]} == {"3.7.2", "3.9.2", "4.4.0"}
    assert {tuple(vector["kafka"]) for vector in DIRECTORIES.values()} == {("3.9.2", "4.4.0")}


def broken() -> Iterator[str]:
    for vector in DIRECTORIES.values():
        yield from vector["breaks"]
    for vector in FILES.values():
        yield vector.get("rule", "")


def test_every_rule_is_broken_by_a_vector() -> None:
    """Rules of contents are broken by variants of starts, as docs/log-coverage.md counts."""
    known = {rule.id for rule in rules().values() if rule.about == "log" and rule.broken_by == "bytes"}
    assert {rule for rule in known if not rule.startswith("log.contents.")} - set(broken()) == set()


def test_every_rule_that_directories_break_is_kept_by_one() -> None:
    kept = {rule for vector in DIRECTORIES.values() for rule in vector["rules"] if rule not in vector["breaks"]}
    breaks = {rule for vector in DIRECTORIES.values() for rule in vector["breaks"] if rule.startswith("log.")}
    assert breaks - kept == KEPT_BY_FILES


def test_vectors_are_unpacked_with_nothing_but_json() -> None:
    """What README.md promises: one object a line, contents in hex."""
    for vector in DIRECTORIES.values():
        assert all(isinstance(bytes.fromhex(content), bytes) for content in vector["files"].values())
        assert vector["partition"] in {path.split("/")[0] for path in vector["files"]}


def test_every_mutant_has_a_vector_that_kills_it() -> None:
    assert KILLS.keys() == {mutant.id for mutant in TABLE.mutants()}
    assert [mutant for mutant, vector in KILLS.items() if not vector] == []
    assert TABLE.is_in_step(TABLE.known)
    other = kills.LogKills(FOLDER.parent, list((DIRECTORIES | FILES).values())[1:])
    assert not other.is_in_step(other.known)


@pytest.mark.sampled(2, of="mutants")
@pytest.mark.parametrize("mutant", TABLE.mutants(), ids=lambda mutant: mutant.id)
def test_the_vector_kills_the_mutant(mutant: Mutant) -> None:
    assert TABLE.is_killed(mutant, KILLS[mutant.id])
