"""What a broker can take: formats, settings of topics, and versions whose responses can be read."""

from __future__ import annotations

from typing import Final

from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.kinds.broker.broker_link import BrokerLink
from kafka_conformance.kinds.broker.partitions import Partition, Partitions
from kafka_conformance.kinds.broker.probe import broken_versions, kept_magic
from kafka_conformance.kinds.broker.questions import Question, Settings
from kafka_conformance.kinds.broker.versions import USED, Versions
from kafka_conformance.protocol.hello import APPEND, CODECS, FIELDS, Hello
from kafka_conformance.targets.broker_launch import RunningBroker

_DEFAULT: Final = Settings()


class Abilities:
    """What a broker can take, found out by plain records when it is first asked for."""

    def __init__(self, link: BrokerLink, versions: Versions, partitions: Partitions) -> None:
        """Take the broker, its versions, and the partitions that plain records may go to."""
        self._link, self._versions, self._partitions = link, versions, partitions
        self._magics: dict[Settings, int | str] = {}
        self._has_looked = False
        self._broken: dict[tuple[str, int], str] = {}
        self._shown: dict[tuple[str, int], str] = {}

    def forget_topics(self) -> None:
        """Forget what topics keep: the broker was started anew, and has none."""
        self._magics.clear()

    def gap(self, question: Question) -> str:
        """Say why a question cannot be put to this broker; empty if it can."""
        if not self._versions.carrying(question.form):
            return f"has no version of Produce that carries {question.form}"
        magic = self.magic(question.settings)
        if isinstance(magic, str):
            return magic
        if question.settings.release and magic != question.settings.magic:
            return f"keeps no topic in v{question.settings.magic}"
        return ""

    def magic(self, settings: Settings) -> int | str:
        """Return the magic that a topic with these settings keeps, or why there can be none."""
        if settings not in self._magics:
            if settings != _DEFAULT and not self._versions.of("create_topics"):
                self._magics[settings] = "has no CreateTopics, so topics have no settings"
            else:
                self._magics[settings] = self._probe(settings)
        return self._magics[settings]

    def _probe(self, settings: Settings) -> int | str:
        try:
            partition = self._partitions.shared(self._link.ask, settings)
        except TargetLostError as lost:
            if settings == _DEFAULT:
                raise GaveUpError(f"it {lost.detail}") from None
            return lost.detail
        if settings == _DEFAULT and not self._has_looked:
            self._has_looked = True
            self._look(partition)
        return kept_magic(self._link.ask, self._versions, partition)

    def _look(self, partition: Partition) -> None:
        """Find versions whose responses cannot be read at all: one vector is enough for each."""
        self._broken = broken_versions(self._link.ask, self._versions, partition)
        for (api, number), words in self._broken.items():
            self._link.notes.append(f"it {words}: only one vector was put in {api.title()} {number}")

    def takes(self, api: str, number: int, question: Question) -> bool:
        """Tell whether a version is for a vector; one with broken responses is for the first."""
        if (api, number) not in self._broken:
            return True
        return self._shown.setdefault((api, number), question.vector.id) == question.vector.id


def hello(place: RunningBroker, versions: Versions) -> Hello:
    """Return what a broker declares by the versions that it has."""
    words = ", ".join(f"{name} {numbers[0]}-{numbers[-1]}" for name in USED if (numbers := versions.of(name)))
    return Hello(
        name=place.name,
        version=place.version or words,
        language=place.language,
        formats=versions.formats,
        codecs=CODECS,
        fields=FIELDS,
        checks_crc=True,
        requests=(APPEND,),
        url=place.url,
    )
