"""What Apache Kafka's own classes say of the vectors' bytes, release by release.

The record is a file beside the vectors, made where a JDK is, and an input everywhere else: so
`generate.py --check` needs no Java, and a vector that no Kafka has judged is not written. Bytes are
known by their digest, answers likewise.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import AdapterSession, DecodeInput
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.protocol.messages import InputKind, Reply
from kafka_conformance.targets.resolve import installation
from kafka_format.records import Record
from kafka_format.spec.releases import Release, releases
from kafka_tools.errors import UsageError

_OF_V0 = ("offset", "key", "value")
_OF_V1 = ("offset", "timestamp", "timestamp_type", "key", "value")


class Questions(NamedTuple):
    """Bytes that releases are asked about, with all formats and codecs that occur in them."""

    data: bytes
    formats: Sequence[str]
    codecs: Sequence[str]

    def suits(self, release: Release) -> bool:
        """Tell whether the release reads all that occurs."""
        return set(self.formats) <= set(release.formats) and set(self.codecs) <= set(release.codecs)


def name_of(release: Release) -> str:
    """Return the name of a release as vectors have it."""
    return f"kafka-clients {release.version}"


def deciding() -> list[Release]:
    """Return the releases that no vector may contradict, newest first."""
    return [release for release in releases().values() if release.decides]


def fields_of(release: Release) -> tuple[str, ...]:
    """Return the fields that a release's record classes give: those of its newest format."""
    return {"v0": _OF_V0, "v1": _OF_V1}.get(release.formats[-1], FIELDS)


def digest(data: bytes) -> str:
    """Return the short digest of bytes that is their key in the record."""
    return hashlib.sha256(data).hexdigest()[:32]


def record_text(answer: Sequence[Record], fields: Sequence[str] = FIELDS) -> str:
    """Return the record's text for bytes with this answer, as far as a release gives it."""
    if len(fields) < len(FIELDS):
        answer = [Record(**{field: getattr(record, field) for field in fields}) for record in answer]
    return "accepted " + digest(answers.to_bytes(answer))


class OracleRecord:
    """The judgements of every release, by the digest of the bytes."""

    def __init__(self, file: Path) -> None:
        """Read the file; no file is an empty record."""
        self._file = file
        self.judgements: dict[str, dict[str, str]] = (
            json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        )

    def of(self, data: bytes) -> Mapping[str, str]:
        """Return the judgement of each release: `accepted DIGEST-OF-ANSWER`, or `refused: TEXT`."""
        key = digest(data)
        return {name: known[key] for name, known in self.judgements.items() if key in known}

    def save(self, used: Sequence[bytes]) -> None:
        """Write the record back, without the judgements of bytes that no vector has any more."""
        keys = sorted({digest(data) for data in used})
        kept = {
            name: {key: known[key] for key in keys if key in known} for name, known in sorted(self.judgements.items())
        }
        self._file.write_text(json.dumps(kept, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")

    def ask(self, all_asked: Sequence[Questions], judges: Iterable[Release]) -> None:
        """Run releases on all bytes that each can read, and forget those that are none any more.

        Raises:
            UsageError: a release is not installed, or dies of some bytes.
        """
        known = set(map(name_of, releases().values()))
        self.judgements = {name: said for name, said in self.judgements.items() if name in known}
        for release in judges:
            inputs = [asked.data for asked in all_asked if asked.suits(release)]
            self.judgements[name_of(release)] = _ask(release, inputs)


def _ask(release: Release, inputs: Sequence[bytes]) -> dict[str, str]:
    judge = installation(target_of(release))
    judge.check()
    command = judge.command()
    session = AdapterSession(lambda: AdapterClient(command, Limits()))
    questions = [DecodeInput(InputKind.RECORDS, data) for data in inputs]
    judged = {}
    for word in session.ask(questions):
        if not isinstance(word.reply, Reply):
            raise UsageError(f"{name_of(release)} was lost on {inputs[word.question].hex()}: {word.reply.detail}")
        judged[digest(inputs[word.question])] = text_of(word.reply, release)
    session.close()
    return judged


def target_of(release: Release) -> str:
    """Return the target that runs the classes of a release."""
    return f"{release.target}@{release.version}"


def text_of(reply: Reply, release: Release) -> str:
    """Return the text of a reply in the record."""
    if reply.status == 0:
        return record_text(answers.from_bytes(reply.content), fields_of(release))
    return "refused: " + " ".join(reply.text.split())[:200]
