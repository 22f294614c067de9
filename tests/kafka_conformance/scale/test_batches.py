"""What is due for one batch is what the answers of all say of it."""

import pytest
from kafka_conformance.protocol import answers
from kafka_conformance.scale.batches import Batches
from kafka_format import sampler

from tests.kafka_conformance.scale.toybatches import toy_batches


@pytest.mark.parametrize("profile", sampler.PROFILES)
def test_what_is_due_for_one_is_what_its_canonical_bytes_say(profile: str) -> None:
    block = sampler.block(5, 100, 40, profile)
    batches = Batches(100, block)
    found = [answers.to_bytes(batches.due(number)) for number in range(40)]
    assert "answers" not in batches.__dict__
    assert found == [block.answer(number) for number in range(40)]
    assert len({*found}) > 5


def test_blocks_without_columns_tell_what_is_due_too() -> None:
    batches = toy_batches(9, start=3)
    assert [[record.offset for record in batches.due(number)] for number in (0, 8)] == [[4], [2]]
