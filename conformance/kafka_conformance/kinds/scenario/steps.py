"""A scenario as data: what is made before it, its steps, and what Kafka answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Final

from kafka_format import protocol

from kafka_conformance.vectors.vector import Vector

ALWAYS_MASKED: Final = frozenset({"throttleTimeMs", "errorMessage"})
"""Fields that say how busy a broker is, or a thing in its own words."""

_MOST: Final = 1 << 15


class End(StrEnum):
    """Which versions of those that a broker and the specification have in common are asked."""

    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True)
class Step:
    """One request.

    Attributes:
        api: its API, as layouts name it.
        body: its body in Kafka's names, with placeholders.
        versions: the versions that can say it.
        until: fields that the answer must have; until it does, the step is repeated.
        keep: paths in the answer by the placeholder that has the value from then on.
        only: a path in a row by the name of the rows: those are left out that have no name of the
            scenario there, because they are about what others made.
        given: fields that the answer has where a broker is set up as the scenario wants it: it is
            a gap for any other.
        says: a version that no broker has, which the request is said to have; None for its own.
        mask: fields of its answer that are not compared, beside those of the scenario.
        always: True if it takes away what a step before it made: it is asked though the broker
            turned out to be set up otherwise.
    """

    api: str
    body: Mapping[str, Any]
    versions: range
    until: Mapping[str, Any]
    keep: Mapping[str, str]
    only: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, Any] = field(default_factory=dict)
    says: int | None = None
    always: bool = False
    mask: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The API, as people write it."""
        return self.api.title().replace("_", "")


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """What came of one step: the version that was asked, and the answer in Kafka's names."""

    version: int
    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Scenario:
    """Requests that are put one after the other.

    Attributes:
        topics: how many partitions there are, by the placeholder of the topic.
        names: placeholders of names that nothing has yet.
        groups: placeholders of ids of groups.
        transactions: placeholders of transactional ids.
        mask: fields that are not compared.
        steps: the requests.
        kafka: what a release answered, by its name.
    """

    topics: Mapping[str, int]
    names: Sequence[str]
    groups: Sequence[str]
    transactions: Sequence[str]
    mask: frozenset[str]
    steps: Sequence[Step]
    kafka: Mapping[str, Mapping[End, Sequence[StepAnswer]]]


@cache
def scenario(vector: Vector) -> Scenario:
    """Return the scenario of a vector.

    Raises:
        LayoutError: a step asks an API that there is not.
    """
    document = vector.document
    return Scenario(
        topics=document.get("topics", {}),
        names=document.get("names", ()),
        groups=document.get("groups", ()),
        transactions=document.get("transactions", ()),
        mask=ALWAYS_MASKED.union(document.get("mask", ())),
        steps=[_step(step) for step in document["steps"]],
        kafka={
            release: {End(end): [StepAnswer(**answer) for answer in answers] for end, answers in ends.items()}
            for release, ends in document["kafka"].items()
        },
    )


def _step(document: Mapping[str, Any]) -> Step:
    low, high = document.get("versions", (0, _MOST))
    return Step(
        api=protocol.api_name(document["ask"]),
        body=document.get("body", {}),
        versions=range(low, high + 1),
        until=document.get("until", {}),
        keep=document.get("keep", {}),
        only=document.get("only", {}),
        given=document.get("given", {}),
        says=document.get("says"),
        always=document.get("always", False),
        mask=frozenset(document.get("mask", ())),
    )
