"""The reach of the protocol's vectors: by id, verdict and fault."""

from collections import Counter

import pytest
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.vector import Reach, Verdict

VECTORS = {vector.id: vector for vector in protocol.load(families=("heartbeat", "wild"))}


def test_what_was_captured_is_what_clients_and_brokers_write() -> None:
    captured = [vector for name, vector in VECTORS.items() if name.startswith("wild/")]
    assert captured
    assert {vector.reach for vector in captured} == {Reach.PRODUCER}


@pytest.mark.parametrize(
    ("special", "verdict", "reach"),
    [
        ("typical", Verdict.VALID, Reach.BROKER),
        ("smallest", Verdict.VALID, Reach.BROKER),
        ("highest", Verdict.VALID, Reach.CRAFTED),
        ("unknown-tags", Verdict.VALID, Reach.CRAFTED),
        ("cut", Verdict.INVALID, Reach.DAMAGE),
        ("trailing", Verdict.LENIENT, Reach.CRAFTED),
        ("descending", Verdict.LENIENT, Reach.CRAFTED),
    ],
)
def test_reach_goes_by_what_is_special(special: str, verdict: Verdict, reach: Reach) -> None:
    those = [vector for vector in VECTORS.values() if vector.special == special and vector.verdict is verdict]
    assert those
    assert {vector.reach for vector in those} == {reach}
    assert all(vector.evidence for vector in those)


def test_every_reach_occurs() -> None:
    assert Counter(vector.reach for vector in VECTORS.values()).keys() == set(Reach)
