"""Draws agree with published values of splitmix64 and FNV-1a, and with plain integers."""

import numpy as np
import pytest
from kafka_format import sampler, structure
from kafka_format.sampler.hashing import mix, name

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

SPLITMIX64 = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
"""What splitmix64 gives first for the seed 1234567; the test values that its implementations
share."""


def plain_mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def test_mix_is_that_of_splitmix64() -> None:
    states = [(1234567 + step * GOLDEN) & WORD for step in range(1, 6)]
    assert mix(np.array(states, np.uint64)).tolist() == SPLITMIX64
    assert [plain_mix(state) for state in states] == SPLITMIX64


@pytest.mark.parametrize(
    ("text", "word"), [("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C), ("foobar", 0x85944171F73967E8)]
)
def test_names_are_hashed_by_fnv_1a(text: str, word: int) -> None:
    assert name(text) == word


def plain_draw(seed: int, index: int, field: str) -> int:
    seeded = plain_mix((seed + name("tiny")) & WORD)
    key = plain_mix((seeded + (index + 1) * GOLDEN) & WORD)
    return plain_mix((key + name(field)) & WORD)


def plain_whole(word: int, bits: int) -> int:
    """What numbers.py says in words, for those three quarters of the draws that are not from the
    list of edges."""
    assert word >> 20 & 3
    return word >> 64 - bits + (word & 63) % bits


@pytest.mark.parametrize("seed", [0, 1, -1, 1 << 63, 1 << 64])
def test_a_field_follows_from_the_recipe_in_plain_integers(seed: int) -> None:
    block = sampler.block(seed, 1 << 40, 200, "tiny")
    checked = 0
    for place in range(200):
        word = plain_draw(seed, (1 << 40) + place, "record_batch.partition_leader_epoch")
        if word >> 20 & 3:
            batch = structure("record_batch").decode(block.input(place))
            assert batch.partition_leader_epoch == plain_whole(word, 31) - 1
            checked += 1
    assert checked > 100
