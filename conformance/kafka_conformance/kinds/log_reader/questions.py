"""The vectors of log directories and files, as questions to a reader."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from kafka_format.log.batches import batches

from kafka_conformance.kinds.log_reader.hello import AnswerPart
from kafka_conformance.vectors import golden

FOLDER: Final = "log"


class Ask(StrEnum):
    """What a reader must do with the files."""

    OPEN = "open"
    RECOVER = "recover"
    VERIFY = "verify"
    READ = "read"


PARTS: Final[Mapping[Ask, tuple[AnswerPart, ...]]] = {
    Ask.OPEN: (AnswerPart.RECORDS, AnswerPart.OFFSETS, AnswerPart.TIMES),
    Ask.RECOVER: (AnswerPart.SEGMENTS, AnswerPart.EPOCHS),
    Ask.VERIFY: (AnswerPart.BREAKS,),
    Ask.READ: (AnswerPart.VALUES,),
}
"""The parts of the answer to each question."""


@dataclass(frozen=True, slots=True)
class LogQuestion:
    """One question about one vector.

    Attributes:
        vector: the vector, as its line has it.
        ask: what to do.
        expected: the right answer; empty if the files are to be refused.
        may_refuse: whether a strict reader may refuse them, though Kafka does not.
    """

    vector: Mapping[str, Any]
    ask: Ask
    expected: Mapping[str, Any]
    may_refuse: bool

    @property
    def id(self) -> str:
        """The vector, and what is asked."""
        return f"{self.vector['id']} {self.ask}"

    @property
    def is_sound(self) -> bool:
        """Tell whether the files break no rule."""
        return not self.vector.get("breaks") and self.vector.get("verdict", "valid") == "valid"

    def formats(self) -> set[str]:
        """Return the formats of the batches in the files."""
        data = (bytes.fromhex(text) for path, text in self.vector.get("files", {}).items() if path.endswith(".log"))
        return {f"v{each.magic}" for content in data for each in _whole(content)} & {"v0", "v1", "v2"}

    def document(self, folder: Path, parts: Collection[AnswerPart]) -> dict[str, Any]:
        """Write the files below an empty folder; return what is asked."""
        document: dict[str, Any] = {"ask": self.ask, "parts": [part for part in PARTS[self.ask] if part in parts]}
        if self.ask is Ask.READ:
            file = folder / self.vector["file"]
            file.write_bytes(bytes.fromhex(self.vector["hex"]))
            return document | {"file": str(file)}
        for path, content in self.vector["files"].items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(bytes.fromhex(content))
            os.utime(target, (self.vector["changed"] / 1000,) * 2)
        if self.ask is Ask.VERIFY:
            return document | {"folder": str(folder)}
        document |= {"folder": str(folder / self.vector["partition"])}
        asked = ("start_offset", "offsets", "times") if self.ask is Ask.OPEN else ("start_offset", "index_interval")
        return document | {key: self.vector[key] for key in asked}


def questions(folder: Path | None = None) -> Iterator[LogQuestion]:
    """Yield all questions about the vectors in a folder; by default those that are shipped."""
    place = (folder or golden.package_folder()) / FOLDER
    for vector in _lines(place / "directories.jsonl"):
        [answers] = [answer for release, answer in vector["kafka"].items() if release == max(vector["kafka"])]
        damaged = bool(vector["breaks"])
        for ask, stop in ((Ask.OPEN, "clean"), (Ask.RECOVER, "crashed")):
            verdict = answers[stop]
            expected: dict[str, Any] = (
                {} if "error" in verdict else {part: verdict[part] for part in PARTS[ask] if part in verdict}
            )
            yield LogQuestion(vector, ask, expected, damaged)
        yield LogQuestion(vector, Ask.VERIFY, {AnswerPart.BREAKS: vector["breaks"]}, may_refuse=False)
    for vector in _lines(place / "files.jsonl"):
        if "hex" in vector and vector["kafka"]:
            verdict = vector["kafka"][max(vector["kafka"])]
            values: dict[str, Any] = {AnswerPart.VALUES: verdict["accepted"]} if "accepted" in verdict else {}
            yield LogQuestion(vector, Ask.READ, values, vector["verdict"] == "lenient")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _whole(content: bytes) -> Iterator[Any]:
    """Yield the batches up to what is none."""
    try:
        yield from batches(content)
    except ValueError:
        return
