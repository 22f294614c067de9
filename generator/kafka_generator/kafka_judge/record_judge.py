"""The classes with which brokers read the records of Kafka's own topics, as a judge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from kafka_format.spec.layout.release_table import release_rows

from kafka_generator.kafka_judge.judge import Reply, class_path, compile_source, replies

_SOURCE: Final = Path(__file__).with_name("RecordJudge.java")

RELEASE: Final = next(row.name for row in release_rows().values() if row.messages == "all")
"""The release that is asked, the newest: before 4.0 these classes had other names and places."""


class RecordQuestion(NamedTuple):
    """A key or a value to be read.

    Attributes:
        kind: which of them.
        topic: the topic.
        number: for a value whose key says what it is, the number of the key.
        content: the bytes.
    """

    kind: Literal["key", "value"]
    topic: str
    number: int
    content: bytes


class RecordJudge:
    """The record classes of the newest release."""

    def __init__(self, folder: Path, build: Path) -> None:
        """Compile the judge.

        Args:
            folder: the jars, as `make schemas` leaves them.
            build: folder for what is compiled.
        """
        self._path = class_path(folder, RELEASE, build)
        compile_source(_SOURCE, self._path, build)

    def ask(self, questions: Sequence[RecordQuestion]) -> list[Reply]:
        """Put questions to the release, and return its replies in order."""
        return replies("RecordJudge", self._path, b"".join(map(_bytes, questions)))


def _bytes(question: RecordQuestion) -> bytes:
    topic = question.topic.encode()
    parts = [bytes([question.kind == "value"]), len(topic).to_bytes(2, "big"), topic]
    parts += [question.number.to_bytes(2, "big"), len(question.content).to_bytes(4, "big"), question.content]
    return b"".join(parts)
