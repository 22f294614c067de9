"""The vectors of log directories and files, as questions to a reader."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from kafka_format.log.batches import batches

from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.protocol.logs import PARTS, AnswerPart, Ask, is_asked
from kafka_conformance.vectors import golden, log_vectors
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.log_vectors import LogVector
from kafka_conformance.vectors.vector import Reach, Subject, Vector, Verdict

FORMAT: Final = "log"
"""The format of its vectors in reports."""

_FORMATS: Final = frozenset({"v0", "v1", "v2"})


@dataclass(frozen=True, slots=True)
class LogQuestion:
    """One question about one vector.

    Attributes:
        source: the vector.
        ask: what to do.
        expected: the right answer; empty if the files are to be refused.
        may_refuse: whether a strict reader may refuse them, though Kafka does not.
    """

    source: LogVector
    ask: Ask
    expected: Mapping[str, Any]
    may_refuse: bool

    @property
    def id(self) -> str:
        """The vector, and what is asked."""
        return f"{self.source.id}@{self.ask}"

    @property
    def direction(self) -> Direction:
        """It is read."""
        return Direction.DECODE

    @property
    def is_sound(self) -> bool:
        """Tell whether the files break no rule."""
        return self.source.verdict is Verdict.VALID

    @property
    def vector(self) -> Vector:
        """The vector, as reports show it."""
        return Vector(
            id=self.id,
            title=self.source.title,
            format=FORMAT,
            family=self.source.id.rpartition("/")[0],
            formats=(str(self.ask),),
            codecs=(),
            rules=self.source.breaks or self.source.rules,
            verdict=self._verdict(),
            data=b"",
            reach=Reach.BROKER if self.is_sound else Reach.DAMAGE,
            evidence="what a broker writes" if self.is_sound else "what a crash or a disk makes of it",
            document=self.source.document,
            subject=Subject.LOG,
        )

    def _verdict(self) -> Verdict:
        if not self.expected:
            return Verdict.INVALID
        return Verdict.LENIENT if self.may_refuse else Verdict.VALID

    def formats(self) -> frozenset[str]:
        """Return the formats of the batches in the files."""
        data = (
            bytes.fromhex(text) for path, text in self.source.document.get("files", {}).items() if path.endswith(".log")
        )
        return frozenset(f"v{each.magic}" for content in data for each in _whole(content)) & _FORMATS

    def document(self, folder: Path, parts: Collection[str]) -> dict[str, Any]:
        """Write the files below an empty folder; return what is asked."""
        line = self.source.document
        document: dict[str, Any] = {"ask": self.ask, "parts": [part for part in PARTS[self.ask] if part in parts]}
        if self.ask is Ask.READ:
            file = folder / line["file"]
            file.write_bytes(bytes.fromhex(line["hex"]))
            return document | {"file": str(file)}
        for path, content in line["files"].items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(bytes.fromhex(content))
            os.utime(target, (line["changed"] / 1000,) * 2)
        if self.ask is Ask.VERIFY:
            return document | {"folder": str(folder)}
        document |= {"folder": str(folder / line["partition"])}
        asked = ("start_offset", "offsets", "times") if self.ask is Ask.OPEN else ("start_offset", "index_interval")
        return document | {key: line[key] for key in asked}


def log_questions(folder: Path | None = None) -> Mapping[str, LogQuestion]:
    """Return all questions about the vectors in a folder, by id; by default the shipped ones."""
    return _questions(folder or golden.package_folder())


@cache
def _questions(folder: Path) -> Mapping[str, LogQuestion]:
    return {question.id: question for vector in log_vectors.load(folder) for question in _about(vector)}


def load(filters: Filters) -> Sequence[Vector]:
    """Return the chosen vectors of log directories, one for each thing that is asked of it."""
    return filters.of(Source.LOG).keep(question.vector for question in log_questions().values())


def questions(chosen: Iterable[Vector]) -> Sequence[LogQuestion]:
    """Return the questions about log directories among vectors."""
    return [log_questions()[vector.id] for vector in chosen if vector.subject is Subject.LOG]


def gap(question: LogQuestion, hello: Hello) -> str:
    """Say what a reader does not declare; empty if it declares all."""
    if not is_asked(question.ask, hello.logs):
        return f"does not declare {' or '.join(PARTS[question.ask])}"
    lacking = sorted(question.formats() - set(hello.formats))
    return f"does not declare format {', '.join(lacking)}" if lacking else ""


def _about(vector: LogVector) -> Iterator[LogQuestion]:
    """Yield what is asked about a directory, or about a file that Kafka reads by itself."""
    if vector.family == log_vectors.DIRECTORY:
        answers, damaged = vector.newest or {}, bool(vector.breaks)
        for ask, stop in ((Ask.OPEN, "clean"), (Ask.RECOVER, "crashed")):
            verdict = answers[stop]
            expected: dict[str, Any] = (
                {} if "error" in verdict else {part: verdict[part] for part in PARTS[ask] if part in verdict}
            )
            yield LogQuestion(vector, ask, expected, damaged)
        yield LogQuestion(vector, Ask.VERIFY, {AnswerPart.BREAKS: list(vector.breaks)}, may_refuse=False)
    elif "hex" in vector.document and vector.newest:
        values: dict[str, Any] = {}
        if "accepted" in vector.newest:
            values = {AnswerPart.VALUES: vector.newest["accepted"]}
        yield LogQuestion(vector, Ask.READ, values, vector.verdict is Verdict.LENIENT)


def _whole(content: bytes) -> Iterator[Any]:
    """Yield the batches up to what is none."""
    try:
        yield from batches(content)
    except ValueError:
        return
