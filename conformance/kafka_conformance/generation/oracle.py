"""What Apache Kafka's own classes say of the vectors' bytes, release by release.

The record is a file beside the vectors, made where a JDK is, and an input everywhere else: so `generate.py --check`
needs no Java, and a vector that no Kafka has judged is not written. Bytes are known by their digest, answers
likewise.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from kafka_format.records import Record

from kafka_conformance import answers
from kafka_conformance.client import AdapterClient
from kafka_conformance.errors import UsageError
from kafka_conformance.launch import Limits
from kafka_conformance.protocol import InputKind, Reply
from kafka_conformance.session import DecodeQuestion, Session
from kafka_conformance.targets.resolve import installation

RELEASES = ("4.4.0", "3.9.2")
"""The kafka-clients releases that judge, newest first."""


def name_of(release: str) -> str:
    """Return the name of a release as vectors have it."""
    return f"kafka-clients {release}"


def digest(data: bytes) -> str:
    """Return the short digest by which the record knows bytes."""
    return hashlib.sha256(data).hexdigest()[:32]


def accepted_as(answer: Sequence[Record]) -> str:
    """Return what the record says of bytes that were decoded to this answer."""
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

    def ask(self, inputs: Sequence[bytes]) -> None:
        """Put all bytes to all releases.

        Raises:
            UsageError: a release is not installed, or dies of some bytes.
        """
        for release in RELEASES:
            self.judgements[name_of(release)] = _ask(release, inputs)


def _ask(release: str, inputs: Sequence[bytes]) -> dict[str, str]:
    found = installation(f"kafka-clients@{release}")
    found.check()
    command = found.command()
    session = Session(lambda: AdapterClient(command, Limits()))
    questions = [DecodeQuestion(InputKind.RECORDS, data) for data in inputs]
    judged = {}
    for word in session.ask(questions):
        if not isinstance(word.reply, Reply):
            raise UsageError(f"kafka-clients {release} was lost on {inputs[word.question].hex()}: {word.reply.detail}")
        judged[digest(inputs[word.question])] = _text(word.reply)
    session.close()
    return judged


def _text(reply: Reply) -> str:
    if reply.status == 0:
        return accepted_as(answers.from_bytes(reply.content))
    return "refused: " + " ".join(reply.content.decode(errors="replace").split())[:200]
