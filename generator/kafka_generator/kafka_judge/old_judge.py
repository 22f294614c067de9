"""The clients of Kafka 0.8.2 as a judge of what only they have; their schemas are in their code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from kafka_generator.kafka_judge.judge import Reply, compile_source, replies

_SOURCE: Final = Path(__file__).with_name("OldJudge.java")

RELEASE: Final = "0.8.2"
"""The release that is asked."""

JAR: Final = "old-kafka-clients-0.8.2.2.jar"
"""Its jar, among those that `make schemas` fetches.

Its name is not like theirs, for it has no schemas inside.
"""


class OldQuestion(NamedTuple):
    """A body to be read.

    Attributes:
        kind: whether it is that of a request or a response.
        api: number of the API.
        version: its version.
        content: the bytes.
    """

    kind: Literal["request", "response"]
    api: int
    version: int
    content: bytes


class OldJudge:
    """The schemas of 0.8.2."""

    def __init__(self, folder: Path, build: Path) -> None:
        """Compile the judge.

        Args:
            folder: the jars, as `make schemas` leaves them.
            build: folder for what is compiled.
        """
        self._path = ":".join(map(str, [build, folder / JAR, *folder.glob("slf4j-api-*.jar")]))
        compile_source(_SOURCE, self._path, build)

    def ask(self, questions: Sequence[OldQuestion]) -> list[Reply]:
        """Put questions to the release, and return its replies in order."""
        return replies("OldJudge", self._path, b"".join(map(_bytes, questions)))


def _bytes(question: OldQuestion) -> bytes:
    numbers = question.api.to_bytes(2, "big") + question.version.to_bytes(2, "big")
    kind = bytes([("", "request", "response").index(question.kind)])
    return b"".join([kind, numbers, len(question.content).to_bytes(4, "big"), question.content])
