"""What a bug does to data, by the outcomes that vectors had."""

from __future__ import annotations

from collections.abc import Iterable

from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets.catalogue import Part

from kafka_generator.card.rules import UNKNOWN, rules


def harm_of(outcomes: Iterable[Outcome], direction: Direction, part: Part) -> str:
    """Return the name of the worst harm that outcomes of a part tell; `unknown` without one."""
    shown = set(outcomes)
    return next(
        (
            harm.name
            for harm in rules().harms
            if direction in harm.directions and part in harm.parts and shown & harm.outcomes
        ),
        UNKNOWN,
    )
