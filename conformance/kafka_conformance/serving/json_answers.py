"""The reference's answers to questions in JSON: about log directories, keys and values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kafka_format.content import serdes
from kafka_format.errors import FormatError

from kafka_conformance.protocol.logs import AnswerPart, Ask
from kafka_conformance.protocol.messages import JsonInput, Reply, Status
from kafka_conformance.serving import log_results


def answer(asked: JsonInput) -> Reply:
    """Return the answer to a question, or why there is none."""
    question = json.loads(asked.question)
    document = _content(question) if "content" in question else _answer(question)
    if "error" in document:
        return Reply(Status.REFUSED, str(document["error"]).encode())
    if document.get("split"):
        return Reply(Status.UNSUPPORTED, b"a segment is split, which is left to Kafka")
    return Reply(Status.ANSWER, json.dumps(document).encode())


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    if question["ask"] == Ask.VERIFY:
        return {AnswerPart.BREAKS: log_results.breaks(Path(question["folder"]))}
    if question["ask"] == Ask.READ:
        return _read(Path(question["file"]))
    folder = Path(question["folder"])
    if question["ask"] == Ask.OPEN:
        return log_results.after_clean_stop(folder, question["offsets"], question["times"])
    return log_results.after_crash(folder, question["index_interval"])


def _read(file: Path) -> dict[str, Any]:
    try:
        return {AnswerPart.VALUES: log_results.single_file(file.name, file.read_bytes())}
    except FormatError as error:
        return {"error": str(error)}


def _content(question: dict[str, Any]) -> dict[str, Any]:
    try:
        return serdes.read(question["content"], _bytes(question["data"]), _headers(question["headers"]))
    except FormatError as error:
        return {"error": str(error)}


def _headers(pairs: list[tuple[str, str | None]]) -> list[serdes.Header]:
    return [(name, _bytes(value)) for name, value in pairs]


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)
