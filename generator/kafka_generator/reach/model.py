"""A vector's reach, and how several of them add up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kafka_conformance.vectors.vector import Reach


class Origin(NamedTuple):
    """Where bytes can come from, and the evidence in one sentence."""

    reach: Reach
    evidence: str

    def document(self) -> dict[str, str]:
        """Return it as a vector's `reach`."""
        return {"from": self.reach.value, "evidence": self.evidence}


def rarest(origins: Iterable[Origin]) -> Origin:
    """Return the origin of bytes with all of these features: the rarest one."""
    order = list(Reach)
    return max(origins, key=lambda origin: order.index(origin.reach))


def producer(evidence: str) -> Origin:
    """Return the origin of what a widely used producer or broker writes in ordinary use."""
    return Origin(Reach.PRODUCER, evidence)


def broker(evidence: str) -> Origin:
    """Return the origin of what only a broker makes of what producers sent."""
    return Origin(Reach.BROKER, evidence)


def damage(evidence: str) -> Origin:
    """Return the origin of what a cut, a flipped bit or a torn write leaves."""
    return Origin(Reach.DAMAGE, evidence)


def crafted_origin(evidence: str) -> Origin:
    """Return the origin of what nobody writes who does not mean to."""
    return Origin(Reach.CRAFTED, evidence)
