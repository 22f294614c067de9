"""Which jars of Kafka are fetched for their schemas, and the pom.xml that Maven fetches them by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.spec.layout.release_table import ReleaseRow, numbers, release_rows

from kafka_generator.kafka_judge.content_judge import MIRROR_RELEASE
from kafka_generator.kafka_judge.old_judge import JAR, RELEASE
from kafka_generator.markdown import environment

POM: Final = Path(__file__).with_name("pom.xml")

_MODULES: Final = {
    "kafka-clients": ("2.4", ""),
    "kafka_2.13": ("2.8", "3.4"),
    "kafka-raft": ("2.7", ""),
    "kafka-metadata": ("2.8", ""),
    "kafka-storage": ("3.0", ""),
    "kafka-group-coordinator": ("3.5", ""),
    "kafka-share-coordinator": ("4.0", ""),
    "kafka-transaction-coordinator": ("3.9", ""),
}
"""Since and until which release a module has schemas; until nothing for today."""

_OF_THE_NEWEST: Final = ("kafka-coordinator-common", "kafka-server-common")
"""What `RecordJudge` needs besides."""

_CONNECT: Final = "connect-runtime"
_MIRROR: Final = ("connect-mirror", "connect-mirror-client")
"""What `ContentJudge` asks. They have no schemas as files."""

_STREAMS: Final = ("2.4", "2.8", "3.9")
"""The releases whose Kafka Streams has another schema than the one before."""


class Artifact(NamedTuple):
    """A jar: its module and version, and what it is called here, if it is not by these two."""

    module: str
    version: str
    file: str = ""


def artifacts(rows: Iterable[ReleaseRow]) -> Iterator[Artifact]:
    """Yield the jars, module by module, the oldest release first."""
    known = {row.name: row for row in rows}
    yield Artifact("kafka-clients", known[RELEASE].version, JAR)
    oldest_first = [*known.values()][::-1]
    for module, (since, until) in _MODULES.items():
        for row in oldest_first:
            if numbers(since) <= numbers(row.name) <= numbers(until or oldest_first[-1].name):
                yield Artifact(module, row.version)
    yield from (Artifact(module, oldest_first[-1].version) for module in (*_OF_THE_NEWEST, _CONNECT))
    yield from (Artifact(module, known[MIRROR_RELEASE].version) for module in _MIRROR)
    yield from (Artifact("kafka-streams", known[release].version) for release in _STREAMS)


def text() -> str:
    """Return the text of pom.xml."""
    template = environment(Path(__file__).parent).get_template("pom.xml.j2")
    return template.render(artifacts=artifacts(release_rows().values()))
