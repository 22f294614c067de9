"""The reference as a reader of log directories: a question a line, an answer a line."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

from kafka_format.errors import FormatError

from kafka_conformance.kinds.log_reader import reference_results
from kafka_conformance.kinds.log_reader.hello import AnswerPart
from kafka_conformance.kinds.log_reader.questions import Ask


def serve(questions: TextIO, answers: TextIO) -> None:
    """Answer questions up to the end of input."""
    for line in questions:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a question."""
    if question["ask"] == "hello":
        own = version("kafka-format-conformance")
        return {"name": "kafka-format reference", "version": own, "language": "Python", "parts": list(AnswerPart)}
    if question["ask"] == Ask.VERIFY:
        return {AnswerPart.BREAKS: reference_results.breaks(Path(question["folder"]))}
    if question["ask"] == Ask.READ:
        return _read(Path(question["file"]))
    folder = Path(question["folder"])
    if question["ask"] == Ask.OPEN:
        return reference_results.after_clean_stop(folder, question["offsets"], question["times"])
    recovery = reference_results.after_crash(folder, question["index_interval"])
    return {"unsupported": "a segment is split, which is left to Kafka"} if recovery.get("split") else recovery


def _read(file: Path) -> dict[str, Any]:
    try:
        return {AnswerPart.VALUES: reference_results.single_file(file.name, file.read_bytes())}
    except FormatError as error:
        return {"error": str(error)}
