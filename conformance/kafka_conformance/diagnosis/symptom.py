"""How a target fails a vector, in a word. Signatures and findings are compared by it."""

from __future__ import annotations

import re
from typing import Final

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome

REFUSED: Final = "refused"
ACCEPTED: Final = "accepted"
LOST: Final = "lost"
"""The target crashed, hung, or answered in no way that can be read."""

ANY: Final = "any"
"""In a signature: whatever the failure is."""

ANY_FIELD: Final = "any field"
"""In a signature: whatever field is wrong."""

_OF_OUTCOME: Final = {
    Outcome.REFUSED_VALID: REFUSED,
    Outcome.PARTIAL_ANSWER: REFUSED,
    Outcome.ACCEPTED_INVALID: ACCEPTED,
}
_NO_FIELDS: Final = (REFUSED, ACCEPTED, LOST)
_INDEX: Final = re.compile(r"\[\d+\]")


def field_of(path: str) -> str:
    """Return a difference's field: `headers.value` for `records[2].headers[0].value`.

    A difference in the number of records is one of `records`.
    """
    return _INDEX.sub("", path).removeprefix("records.") or "records"


def of_outcome(outcome: Outcome) -> str:
    """Return how a target failed that gave no wrong answer."""
    return _OF_OUTCOME.get(outcome, LOST)


def symptom(result: Result) -> str:
    """Return how a target failed a vector: the field that it got wrong, or what it did."""
    return field_of(result.path) if result.outcome is Outcome.WRONG_ANSWER else of_outcome(result.outcome)


def agree(expected: str, seen: str) -> bool:
    """Tell whether a failure is the one that a signature has."""
    return expected in (seen, ANY) or (expected == ANY_FIELD and seen not in _NO_FIELDS)
