"""Wrong consumers: what is damaged, and what only looks so."""

from __future__ import annotations

from typing import Final

from kafka_format.errors import Stage

from kafka_conformance.kinds.consumer.fetched import Fetched
from kafka_conformance.kinds.consumer.wrong_consumers.ways import (
    Consumed,
    Way,
    flat,
    from_offset,
    not_before,
    wrong_consumer,
)


def _skipping(stages: frozenset[str]) -> Way:
    """Return what passes over an entry that breaks a rule, tells nothing, and goes on behind it."""

    def consume(answer: Fetched) -> Consumed | None:
        wrong = [entry.error for entry in answer.entries if entry.error is not None and not entry.is_aborted]
        if answer.is_sound or not wrong or any(str(error.stage) not in stages for error in wrong):
            return None
        shown = [entry for entry in answer.entries if not entry.is_control and not entry.is_aborted]
        given = flat(from_offset(answer, entry) for entry in shown)
        return Consumed(given, not_before(answer, answer.entries[-1].last + 1))

    return consume


_SWALLOWED: Final = {
    "checksum": ("passes over a batch with a wrong checksum, and tells no error", [{Stage.CHECKSUM}]),
    "payload": (
        "passes over a batch whose content cannot be read, and tells no error",
        [{Stage.DECOMPRESSION}, {Stage.DECOMPRESSION, Stage.STRUCTURE}, {Stage.STRUCTURE}],
    ),
    "magic": ("passes over an entry of an unknown format, and tells no error", [{Stage.FRAMING}]),
    "damaged": ("passes over what is damaged, and tells no error", [set(Stage), set(Stage) - {Stage.FRAMING}]),
}
"""What is passed over: words, and the stages at which it is noticed."""


def _cut_is_error(answer: Fetched) -> Consumed | None:
    """Take an entry that is cut off for damage."""
    is_cut = answer.is_sound and bool(answer.entries) and "entry.cut" in answer.view.vector.rules
    return Consumed(flat(answer.right), answer.next_offset, is_error=True) if is_cut else None


OF_ERRORS: Final = (
    *(
        wrong_consumer(f"{name}-swallowed", does, *(_skipping(frozenset(map(str, each))) for each in stages))
        for name, (does, stages) in _SWALLOWED.items()
    ),
    wrong_consumer("cut-entry-refused", "tells an error of a last entry that the broker has cut off", _cut_is_error),
)
