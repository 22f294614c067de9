"""What is due for one batch is what the answers of all say of it."""

import pytest
from kafka_conformance.protocol import answers
from kafka_conformance.scale.batches import Batches
from kafka_format import sampler

from tests.kafka_conformance.scale.miniature_batches import miniature_batches


@pytest.mark.parametrize("profile", sampler.PROFILES)
def test_what_is_due_for_one_is_what_its_canonical_bytes_say(profile: str) -> None:
    block = sampler.block(5, 100, 40, profile)
    batches = Batches(100, block)
    found = [answers.to_bytes(batches.expected_records(number)) for number in range(40)]
    assert found == [block.answer(number) for number in range(40)]
    assert len({*found}) > 5


def test_sorts_are_counted_by_what_they_have_in_common() -> None:
    [(sort, number)] = miniature_batches(9, start=3).sorts.items()
    assert (sort.format, sort.codec, sort.fault, sort.rule, number) == ("v2", "none", "", "", 9)
    assert miniature_batches(9).sort(4) == sort
