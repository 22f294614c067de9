"""What a bug does to data, by the outcomes that vectors had."""

from __future__ import annotations

from collections.abc import Iterable

from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets.catalogue import Part

from kafka_generator.card.rules import UNKNOWN, rules


def harm_of(outcomes: Iterable[Outcome], direction: Direction, part: Part, *, in_requests: bool = False) -> str:
    """Return the name of the worst harm that outcomes of a part tell; `unknown` without one.

    Args:
        outcomes: what the vectors came to.
        direction: whether it read or wrote.
        part: what of a library was asked.
        in_requests: whether only requests of conversations went wrong.
    """
    shown = set(outcomes)
    return next(
        (
            harm.name
            for harm in rules().harms
            if direction in harm.directions
            and part in harm.parts
            and shown & harm.outcomes
            and harm.requests in {None, in_requests}
        ),
        UNKNOWN,
    )
