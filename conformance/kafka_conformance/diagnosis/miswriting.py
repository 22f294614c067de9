"""Fields that an encoder writes wrong: what judging saw in its bytes, as habits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kafka_tools.text import plural

from kafka_conformance.diagnosis.habits import ALWAYS, Habit
from kafka_conformance.judging.result import Result

_MUTANTS: Final = {
    "writes CRC-32 where batches have CRC-32C": "encode/crc-of-the-old-formats",
    "computes the checksum of batches from last_offset_delta on, not from attributes on": (
        "encode/crc-without-attributes"
    ),
}
"""The mutants that do the same."""


def habits(findings: Iterable[Result]) -> list[Habit]:
    """Return what an encoder writes wrong, each with all findings that it explains."""
    by_words: dict[str, set[str]] = {}
    for result in findings:
        if result.miswritten:
            by_words.setdefault(result.miswritten, set()).add(result.vector)
    return [Habit(_id(words), words, _note(len(names)), frozenset(names)) for words, names in by_words.items()]


def _id(words: str) -> str:
    return _MUTANTS.get(words, ALWAYS + re.sub("[^a-z0-9]+", "-", words.lower()).strip("-"))


def _note(count: int) -> str:
    return f"with that mended, {plural(count, 'input')} {'gives' if count == 1 else 'give'} the right records"
