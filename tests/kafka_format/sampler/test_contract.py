"""A finding is told by seed and index, so these must go on naming the same batches for ever.

The digests below say nothing of whether batches and answers are right: the reference and Kafka's own classes judge
that, and judged these, in the other tests. They hold the recipe still. They were taken once, from the first version
that passed those tests, and there is no right value to derive them from but the recipe itself. If one changes, each
finding that anybody has written down as (profile, seed, index) is lost: make a new profile instead.
"""

import hashlib

import pytest
from kafka_format import sampler

BATCHES = {
    ("tiny", 0, 0): "c1c389e338acad1a 10f90115b0421838",
    ("tiny", 7, 123_456_789): "830e6244ad501951 a9a9a0064908704b",
    ("mixed", 0, 0): "2bd9ff8adda79982 c55b835a0d82cd05",
    ("mixed", 7, 123_456_789): "24972357cad9f769 524de727cf4d7310",
    ("mixed", (1 << 64) - 1, (1 << 63) - 1): "bf953221cc03b658 c2ad9f749e987bef",
    ("large", 0, 0): "2223fbc8385a707c 008f17e86ca47028",
    ("large", 7, 5): "edbff90fb2437b16 21625feb31efcff1",
    ("legacy", 7, 123_456_789): "3856af4e0e575f48 68942369a136c94c",
}
"""Bytes and answer of batches without a codec."""

ANSWERS = {
    ("compressed", 0, 1): "caf75b4064c5b358",
    ("compressed", 7, 123_456_789): "d143d1592ecd435e",
    ("legacy", 0, 0): "fe30a7eeff1e781a",
    ("legacy", 0, 3): "0d917badde7e1c5f",
    ("legacy", 7, 1): "33d6fee6d0440686",
}
"""Answers alone, where the bytes depend on the version of a codec's library."""

BLOCKS = {
    "tiny": "d5a4aa3abb10747c",
    "mixed": "54852f6a3a1e5378",
    "large": "4e1e694ea4731893",
    "compressed": "eb4ea211779fac4b",
    "legacy": "25dac68e13828c67",
}
"""Answers of the batches 0 to 299 of seed 1: together they meet nearly every draw."""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


@pytest.mark.parametrize(("profile", "seed", "index"), BATCHES)
def test_a_batch_stays_what_it_is(profile: str, seed: int, index: int) -> None:
    one = sampler.one(seed, index, profile)
    assert one.codec_of(0) == "none"
    assert f"{digest(one.data)} {digest(one.answers)}" == BATCHES[profile, seed, index]


@pytest.mark.parametrize(("profile", "seed", "index"), ANSWERS)
def test_an_answer_stays_what_it_is(profile: str, seed: int, index: int) -> None:
    one = sampler.one(seed, index, profile)
    assert one.codec_of(0) != "none"
    assert digest(one.answers) == ANSWERS[profile, seed, index]


@pytest.mark.parametrize("profile", BLOCKS)
def test_many_answers_stay_what_they_are(profile: str) -> None:
    assert digest(sampler.block(1, 0, 300, profile).answers) == BLOCKS[profile]
