"""What a reader of log directories says of itself when it is asked."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from kafka_conformance.errors import ProtocolError


class AnswerPart(StrEnum):
    """A part of an answer. Only what a reader declares is asked and compared."""

    RECORDS = "records"
    OFFSETS = "offsets"
    TIMES = "times"
    SEGMENTS = "segments"
    EPOCHS = "epochs"
    BREAKS = "breaks"
    VALUES = "values"


class ReaderHello(NamedTuple):
    """What a reader declares.

    Attributes:
        name: the library; `version` as it tells it itself, and the `language` it is written in.
        parts: what its answers have.
        formats: formats of batches that it reads, of `v0`, `v1`, `v2`; vectors with others are not
            asked.
    """

    name: str
    version: str
    language: str
    parts: tuple[AnswerPart, ...]
    formats: tuple[str, ...]


def parse(document: Any) -> ReaderHello:
    """Read the answer to the first question.

    Raises:
        ProtocolError: it lacks something.
    """
    try:
        name, version, language = (str(document[key]) for key in ("name", "version", "language"))
        formats = tuple(map(str, document.get("formats", ("v0", "v1", "v2"))))
        parts = tuple(AnswerPart(each) for each in document["parts"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        words = (
            f"said a hello that is wrong: {error!r}; it has name, version, language and parts: {', '.join(AnswerPart)}"
        )
        raise ProtocolError(words) from None
    return ReaderHello(name, version, language, parts, formats)
