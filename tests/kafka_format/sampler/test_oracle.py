"""Apache Kafka's own classes accept every batch, and answer what the sampler says: the outside judge of both."""

import pytest
from kafka_format import sampler

from tests.kafka_conformance.targets.adapter_client import Adapter

pytestmark = pytest.mark.oracle

BATCHES = {"tiny": (5, 1000), "mixed": (5, 1000), "large": (4, 40), "compressed": (5, 300), "legacy": (5, 500)}
"""Blocks, and batches of each."""


@pytest.mark.parametrize("profile", BATCHES)
def test_kafka_gives_every_answer(kafka: Adapter, profile: str) -> None:
    blocks, count = BATCHES[profile]
    for start in range(0, blocks * count, count):
        block = sampler.block(40, start, count, profile)
        results = kafka.decode(*(block.input(index) for index in range(count)))
        wrong = {start + i: result for i, result in enumerate(results) if result != (0, block.answer(i))}
        assert wrong == {}
