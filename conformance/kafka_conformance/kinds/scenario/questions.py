"""Scenarios, as they are put to a broker: in the newest versions, and in the oldest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kafka_conformance.kinds.scenario.steps import End, Scenario, scenario
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors import loader
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.scenarios import FAMILY
from kafka_conformance.vectors.vector import Subject, Vector

AT: Final = "@"
"""Stands between the id of a scenario and the end of the versions."""


@dataclass(frozen=True, slots=True)
class ScenarioQuestion:
    """A scenario at one end of the versions.

    Attributes:
        vector: the scenario, by its id and the end: `scenario/offsets/commit@newest`.
        scenario: its steps.
        end: which versions are asked.
    """

    vector: Vector
    scenario: Scenario
    end: End

    @property
    def direction(self) -> Direction:
        """Its answers are read."""
        return Direction.DECODE


def load(filters: Filters) -> Sequence[Vector]:
    """Return the chosen scenarios, one for each end that Kafka was asked at."""
    return filters.of(Source.SCENARIOS).keep(each for vector in loader.of_family(FAMILY) for each in ends_of(vector))


def ends_of(vector: Vector) -> Iterator[Vector]:
    """Yield a scenario once for each end of the versions that Kafka was asked at."""
    known = scenario(vector).kafka.values()
    for end in End:
        if any(end in ends for ends in known):
            yield replace(vector, id=f"{vector.id}{AT}{end}")


def questions(vectors: Iterable[Vector]) -> Sequence[ScenarioQuestion]:
    """Return the scenarios among vectors."""
    return [
        ScenarioQuestion(vector, scenario(vector), End(vector.id.rpartition(AT)[2]))
        for vector in vectors
        if vector.subject is Subject.SCENARIO
    ]
