"""What a reader of log directories is asked, and the parts of its answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final


class AnswerPart(StrEnum):
    """A part of an answer. Only what a hello declares in `logs` is asked and compared."""

    RECORDS = "records"
    OFFSETS = "offsets"
    TIMES = "times"
    SEGMENTS = "segments"
    EPOCHS = "epochs"
    BREAKS = "breaks"
    VALUES = "values"


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


def is_asked(ask: Ask, parts: Collection[str]) -> bool:
    """Tell whether a question is put to a reader that declares these parts."""
    return any(part in parts for part in PARTS[ask])
