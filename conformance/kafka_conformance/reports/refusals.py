"""What targets say of wrong bytes: their texts without numbers, each with the vectors it was of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from kafka_tools.text import printable

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports import places
from kafka_conformance.vectors.vector import Vector, Verdict

_NUMBER: Final = re.compile(r"0x[0-9a-fA-F]+|(?<![\w.-])-?(?=[a-f]*\d)[0-9a-f]+(?:\.\d+)?(?!\w)")
_RECORDS: Final = re.compile(r"^\d+ records?, then: | after \d+ records?$")


def documents(results: Iterable[Result], vectors: Mapping[str, Vector]) -> Iterator[dict[str, Any]]:
    """Yield the texts of right refusals, by target, the most frequent first.

    Args:
        results: those of a run.
        vectors: the vectors by id, in the order in which the report lists them.
    """
    at = {identity: place for place, identity in enumerate(vectors)}
    groups: dict[str, dict[str, list[int]]] = {}
    for result in results:
        if _is_refusal(result, vectors[result.vector]):
            texts = groups.setdefault(result.target, {})
            texts.setdefault(general(result.detail), []).append(at[result.vector])
    for target, texts in groups.items():
        for text, found in sorted(texts.items(), key=lambda item: (-len(item[1]), item[0])):
            yield {"target": printable(target), "text": printable(text), "places": places.ranges(sorted(found))}


def _is_refusal(result: Result, vector: Vector) -> bool:
    is_right = result.outcome is Outcome.PASSED and result.direction is Direction.DECODE
    return is_right and bool(result.detail) and vector.verdict is Verdict.INVALID


def general(text: str) -> str:
    """Return a text with N in place of the numbers that differ from case to case."""
    return _NUMBER.sub("N", _RECORDS.sub("", text)).strip()
