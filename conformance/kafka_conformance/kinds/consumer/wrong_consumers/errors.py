"""Wrong consumers: what is damaged, and what only looks so."""

from __future__ import annotations

from typing import Final

from kafka_format.broker.consumer import deliver
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


_CUT: Final = frozenset({"entry.cut", "consumer.cut"})
"""Rules of an entry that is cut off."""


def _cut_is_error(answer: Fetched) -> Consumed | None:
    """Take an entry that is cut off for damage."""
    is_cut = answer.is_sound and bool(answer.entries) and not _CUT.isdisjoint(answer.view.vector.rules)
    return Consumed(flat(answer.right), answer.next_offset, is_error=True) if is_cut else None


def _rest_skipped(answer: Fetched) -> Consumed | None:
    """Give what is in front of the damage, tell nothing, and go on behind the answer."""
    wrong = [index for index, entry in enumerate(answer.entries) if entry.error is not None]
    if not wrong or not any(entry.records and not entry.is_control for entry in answer.entries[wrong[0] + 1 :]):
        return None  # nothing is lost that a consumer would give that only passes over the damage
    return Consumed(flat(answer.right), not_before(answer, answer.entries[-1].last + 1))


def _from_the_start(answer: Fetched) -> Consumed | None:
    """Give what is in front of the damage, tell nothing, and go on at offset 0."""
    return None if answer.is_sound or not answer.view.fetch_offset else Consumed(flat(answer.right), 0)


def _nothing_before(answer: Fetched) -> Consumed | None:
    """Give nothing of an answer in which something is damaged."""
    return None if answer.is_sound else Consumed((), answer.view.fetch_offset, is_error=True)


def _too_small(step: int) -> Way:
    """Return what tells nothing where an entry is larger than what was asked for.

    It goes on so many offsets further.
    """

    def consume(answer: Fetched) -> Consumed | None:
        seen = answer.view
        is_small = deliver(seen.vector.data, seen.fetch_offset, seen.isolation, seen.aborted).too_small
        return Consumed((), seen.fetch_offset + step) if is_small else None

    return consume


OF_ERRORS: Final = (
    *(
        wrong_consumer(f"{name}-swallowed", does, *(_skipping(frozenset(map(str, each))) for each in stages))
        for name, (does, stages) in _SWALLOWED.items()
    ),
    wrong_consumer(
        "rest-skipped",
        "passes over the rest of an answer when something in it is damaged, and tells no error",
        _rest_skipped,
    ),
    wrong_consumer(
        "reset-after-error",
        "goes back to offset 0 when something is damaged, and tells no error",
        _from_the_start,
    ),
    wrong_consumer(
        "nothing-before-error",
        "delivers nothing of an answer in which something is damaged, what comes before the damage neither",
        _nothing_before,
    ),
    wrong_consumer(
        "too-small-swallowed",
        "tells no error where an answer has no whole entry, and seems to wait for records",
        _too_small(0),
    ),
    wrong_consumer(
        "too-small-skipped",
        "skips what does not fit into an answer, and tells no error",
        _too_small(1),
    ),
    wrong_consumer("cut-entry-refused", "tells an error of a last entry that the broker has cut off", _cut_is_error),
)
