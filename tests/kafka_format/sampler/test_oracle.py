"""Kafka's own classes accept every batch, and answer what the sampler says."""

import pytest
from kafka_format import sampler

from tests.kafka_conformance.targets.adapter_client import Adapter

pytestmark = pytest.mark.oracle

BATCHES = {"tiny": (5, 1000), "mixed": (5, 1000), "large": (4, 40), "compressed": (5, 300), "legacy": (5, 500)}
"""Blocks, and batches of each."""

HOSTILE = 3_000
"""Batches with a fault: some fifteen of each. A whole run has 23,000."""


@pytest.mark.parametrize("profile", BATCHES)
def test_kafka_gives_every_answer(kafka: Adapter, profile: str) -> None:
    blocks, count = BATCHES[profile]
    for start in range(0, blocks * count, count):
        block = sampler.block(40, start, count, profile)
        results = kafka.decode(*(block.input(index) for index in range(count)))
        wrong = {start + i: result for i, result in enumerate(results) if result != (0, block.answer(i))}
        assert wrong == {}


def test_kafka_refuses_what_must_be_refused_and_gives_every_answer_that_is_left(
    newest_kafka: Adapter, pytestconfig: pytest.Config
) -> None:
    """The newest release alone, since leniencies differ between releases; without 0.7, which it
    does not read."""
    wrong = []
    for start in range(0, 23_000 if pytestconfig.getoption("whole") else HOSTILE, 500):
        block = sampler.block(41, start, 500, "hostile")
        places = [place for place in range(500) if block.format_of(place) != "v07"]
        results = newest_kafka.decode(*(block.input(place) for place in places))
        for place, (status, content) in zip(places, results, strict=True):
            fault = block.fault_of(place)
            answered = (status, content) == (0, block.answer(place))
            refused = status in {1, 3}  # refused, or records of the entries before the fault
            fine = {"valid": answered, "invalid": refused, "lenient": answered or refused}[fault.verdict]
            wrong += [] if fine else [(start + place, fault.name, status, content)]
    assert wrong == []
