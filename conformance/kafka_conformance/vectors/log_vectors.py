"""Vectors of log directories, of files in them, and of starts: those of vectors/log and start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kafka_conformance.errors import VectorError
from kafka_conformance.vectors.lines import json_lines
from kafka_conformance.vectors.vector import Verdict

FOLDER: Final = "log"

STARTS_FOLDER: Final = "start"

START: Final = "start"
"""The family of the vectors that are starts of a node on a data directory."""

DIRECTORY: Final = "directory"
"""The family of the vectors that are whole directories; the others are single files."""


@dataclass(frozen=True, slots=True)
class LogVector:
    """A log directory, or one file of it, and what a reader must make of it.

    Attributes:
        id: stable name, a path made for wildcards: `directory/sound/plain`.
        title: one sentence that tells what is special.
        family: `directory`, `file` or `start`.
        rules: ids of the rules that it is about.
        verdict: of a file, as it stands there. A directory is valid if it breaks no rule; otherwise
            lenient, for a strict reader may refuse it, though Kafka opens it; or invalid, if the
            newest release of Kafka does not open it either. Of a start likewise: invalid if the
            newest release does not serve.
        flag: for lenient, the leniency of Kafka, if it has a name.
        breaks: the rules that it breaks.
        kafka: what Kafka's own classes answer, by release.
        document: the whole line as JSON had it.
    """

    id: str
    title: str
    family: str
    rules: tuple[str, ...]
    verdict: Verdict
    flag: str
    breaks: tuple[str, ...]
    kafka: Mapping[str, Mapping[str, Any]]
    document: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def newest(self) -> Mapping[str, Any] | None:
        """The answer of the newest release of Kafka; None if none was asked."""
        return self.kafka[max(self.kafka)] if self.kafka else None


def load(folder: Path) -> Iterator[LogVector]:
    """Yield the vectors in a folder, in the order of file and line.

    Raises:
        VectorError: naming file and line, for a line that is no such vector.
    """
    for place, document in json_lines(folder / FOLDER):
        try:
            yield _directory(document) if "files" in document else _file(document)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise VectorError(f"{place}: no vector of a log: {error!r}") from None


def starts(folder: Path) -> Iterator[LogVector]:
    """Yield the starts in a folder: the variants, whose files are those of a base with edits.

    Raises:
        VectorError: naming file and line, for a line that is no such vector.
    """
    for place, document in json_lines(folder / STARTS_FOLDER):
        if "base" not in document:
            continue  # a base, which is no vector by itself
        try:
            yield _start(document)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise VectorError(f"{place}: no vector of a start: {error!r}") from None


def _start(document: Mapping[str, Any]) -> LogVector:
    breaks, kafka = tuple(document["breaks"]), document["kafka"]
    serves = kafka[max(kafka)]["result"] == "starts"
    sound = Verdict.LENIENT if breaks else Verdict.VALID
    return LogVector(
        id=document["id"],
        title=document["title"],
        family=START,
        rules=breaks,
        verdict=sound if serves else Verdict.INVALID,
        flag="",
        breaks=breaks,
        kafka=kafka,
        document=document,
    )


def _directory(document: Mapping[str, Any]) -> LogVector:
    breaks, kafka = tuple(document["breaks"]), document["kafka"]
    is_refused = bool(kafka) and all("error" in answer for answer in kafka[max(kafka)].values())
    broken = Verdict.INVALID if is_refused else Verdict.LENIENT
    return LogVector(
        id=document["id"],
        title=document["title"],
        family=DIRECTORY,
        rules=tuple(document["rules"]),
        verdict=broken if breaks else Verdict.VALID,
        flag="",
        breaks=breaks,
        kafka=kafka,
        document=document,
    )


def _file(document: Mapping[str, Any]) -> LogVector:
    rules = (document["rule"],) if "rule" in document else ()
    return LogVector(
        id=document["id"],
        title=f"The file {document['file']}" if "file" in document else f"The name {document['name']}",
        family="file",
        rules=rules,
        verdict=Verdict(document["verdict"]),
        flag=document.get("flag", ""),
        breaks=rules,
        kafka=document["kafka"],
        document=document,
    )
