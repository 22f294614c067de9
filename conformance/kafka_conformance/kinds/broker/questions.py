"""Vectors as a producer sends them: what goes into a Produce request, and into which topic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from kafka_format.broker.offsets import PRODUCER
from kafka_format.codec.prefix import prefix
from kafka_format.records.model import CONTROL_BIT, CREATE_TIME, TRANSACTIONAL_BIT

from kafka_conformance.kinds.decoder import questions as decoder_questions
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors import directions, json_answers, loader
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.vector import Subject, Vector

FAMILY: Final = directions.ASSIGN
"""The family of the vectors that are about what brokers do with what producers send."""

_RELEASES: Final = {0: "0.9.0", 1: "0.10.2"}
"""What `message.format.version` says for topics of old formats."""

_BATCH: Final = prefix("record_batch")
_MAGIC: Final = _BATCH.places["magic"]


class Settings(NamedTuple):
    """The settings of a topic that count.

    Attributes:
        codec: `compression.type`.
        timestamp_type: 0 create time, 1 log append time.
        release: `message.format.version`; empty for what the broker keeps by itself.
    """

    codec: str = PRODUCER
    timestamp_type: int = CREATE_TIME
    release: str = ""

    @property
    def magic(self) -> int:
        """The newest magic that such a topic keeps."""
        return next((magic for magic, release in _RELEASES.items() if release == self.release), 2)


@dataclass(frozen=True, slots=True)
class Question:
    """A vector as a producer sends it.

    Attributes:
        vector: the vector.
        data: what is sent: its bytes, with base offset 0 if they are a batch of v2, for that is
            what producers write there (clients DefaultRecordBatch, and kafka.log.UnifiedLog, which
            refuses others). No checksum covers it.
        settings: the topic that it is sent to.
    """

    vector: Vector
    data: bytes
    settings: Settings

    @property
    def direction(self) -> Direction:
        """It is read, when it is fetched again."""
        return Direction.DECODE

    @property
    def form(self) -> str:
        """The newest format in it."""
        return max(self.vector.formats)

    @property
    def has_producer(self) -> bool:
        """True if it is a batch with a producer id, whose sequence the broker remembers."""
        return self._is_batch and bool(_BATCH.value(self.data, 0, "producer_id") >= 0)

    @property
    def is_transactional(self) -> bool:
        """True if it is a batch of a transaction."""
        return bool(self._attributes & TRANSACTIONAL_BIT)

    @property
    def is_control(self) -> bool:
        """True if it is a control batch."""
        return bool(self._attributes & CONTROL_BIT)

    @property
    def _is_batch(self) -> bool:
        return len(self.data) >= _BATCH.size and self.data[_MAGIC] == 2

    @property
    def _attributes(self) -> int:
        return int(_BATCH.value(self.data, 0, "attributes")) if self._is_batch else 0


def load(filters: Filters) -> Sequence[Vector]:
    """Return the vectors of records, and of what brokers do with them, that are chosen."""
    return [*decoder_questions.load(filters), *filters.of(Source.DIRECTIONS).keep(loader.of_family(FAMILY))]


def questions(chosen: Iterable[Vector]) -> Sequence[Question]:
    """Return the vectors as a producer sends them, without those of 0.7."""
    made = (question(vector) for vector in chosen if vector.subject in {Subject.RECORDS, Subject.APPEND})
    return [each for each in made if each is not None]


def question(vector: Vector) -> Question | None:
    """Return a vector as a producer sends it; None if no producer can, as of 0.7."""
    if vector.format == "v07":
        return None
    data = _bytes_to_send(vector.data)
    return Question(vector, data, _settings(vector.document["topic"]) if vector.family == FAMILY else Settings())


def _bytes_to_send(data: bytes) -> bytes:
    if len(data) <= _MAGIC or data[_MAGIC] < 2:
        return data
    sent = bytearray(data)
    _BATCH.write(sent, 0, base_offset=0)
    return bytes(sent)


def _settings(topic: Mapping[str, Any]) -> Settings:
    kind = json_answers.TIMESTAMP_TYPES[1:].index(topic["timestamp_type"])
    return Settings(topic["codec"], kind, _RELEASES.get(topic["magic"], ""))
