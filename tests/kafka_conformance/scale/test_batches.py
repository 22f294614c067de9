"""Answers of some batches are those of all, however they are asked for."""

import pytest
from kafka_conformance.scale.batches import Batches
from kafka_format import sampler


@pytest.mark.parametrize("profile", ["mixed", "legacy"])
def test_some_answers_are_those_of_all(profile: str) -> None:
    block = sampler.block(5, 100, 50, profile)
    batches = Batches(100, block)
    batches.write_answers([3, 40, 7])
    assert [batches.answer(number) for number in (40, 3, 7, 8)] == [block.answer(number) for number in (40, 3, 7, 8)]
    assert "answers" not in batches.__dict__
    batches.write_answers([])
    assert batches.answers == [block.answer(number) for number in range(50)]


def test_answers_written_at_once_are_not_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = Batches(0, sampler.block(5, 0, 9, "tiny"))
    batches.write_answers([2, 4])
    due = batches.block.answer(4)
    monkeypatch.setattr(type(batches.block.columns), "taken", None)
    assert batches.answer(4) == due
