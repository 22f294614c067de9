"""A finding is told by seed and index, so these must go on naming the same batches for ever.

The digests below say nothing of whether batches and answers are right: the reference and Kafka's
own classes judge that, and judged these, in the other tests. They hold the recipe still. They were
taken once, from the first version that passed those tests, and there is no right value to derive
them from but the recipe itself. If one changes, each finding that anybody has written down as
(profile, seed, index) is lost: make a new profile instead.
"""

import hashlib

import pytest
from kafka_format import sampler

BATCHES = {
    ("tiny", 0, 0): "3c49eef783fbd133 b9fde7084cf1cd0c",
    ("tiny", 7, 123_456_789): "99ae1ec07e166301 edeaa0d30cf3c515",
    ("mixed", 0, 0): "e81e062e4a82f9d7 ab4567a1c40750e5",
    ("mixed", 7, 123_456_789): "05b9d65dd4cfe6bc 524de727cf4d7310",
    ("mixed", (1 << 64) - 1, (1 << 63) - 1): "d6557f2ada0d1f99 644d1715dd44d149",
    ("large", 0, 0): "245846c4ceb2c062 458027bd5d8bd876",
    ("large", 7, 5): "51a690004622af32 90421e652df193a3",
    ("legacy", 7, 123_456_789): "3856af4e0e575f48 68942369a136c94c",
    ("v07", 0, 1): "49be269ce6e5cfe5 1e42971123dcb567",
    ("v07", 7, 123_456_790): "caf34932668d342a 34af03203be88920",
    ("hostile", 0, 7): "2e55a3d487822055 df3f619804a92fdb",
    ("hostile", 0, 8): "090ec40a56f66b58 df3f619804a92fdb",
    ("hostile", 0, 14): "4517aaf5eee5068d df3f619804a92fdb",
    ("hostile", 7, 123_456_789): "eb6a6be88d37a172 df3f619804a92fdb",
    ("hostile", 7, 123_456_790): "7467c73a4e71c57b df3f619804a92fdb",
    ("hostile", 7, 123_456_791): "3f345b66c64f5d2f df3f619804a92fdb",
}
"""Bytes and answer of batches without a codec."""

ANSWERS = {
    ("compressed", 0, 1): "caf75b4064c5b358",
    ("compressed", 7, 123_456_789): "35f7354a93bebafe",
    ("legacy", 0, 0): "fe30a7eeff1e781a",
    ("legacy", 0, 3): "51a477c0278c0ae8",
    ("legacy", 7, 1): "33d6fee6d0440686",
}
"""Answers alone, where the bytes depend on the version of a codec's library."""

BLOCKS = {
    "tiny": "e04f9f7224c15727",
    "mixed": "63e74d60b3e6a6f5",
    "large": "17f98cb5602c3bac",
    "compressed": "0c906c70cf3f0437",
    "legacy": "91c0eb780b2c966e",
}
"""Answers of the batches 0 to 299 of seed 1: together they meet nearly every draw.

Offsets of 0.7 count compressed bytes, so it has no place here.
"""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


@pytest.mark.parametrize(("profile", "seed", "index"), BATCHES)
def test_a_batch_stays_what_it_is(profile: str, seed: int, index: int) -> None:
    sample = sampler.single(seed, index, profile)
    assert sample.codec_of(0) == "none"
    assert f"{digest(sample.data)} {digest(sample.answers)}" == BATCHES[profile, seed, index]


@pytest.mark.parametrize(("profile", "seed", "index"), ANSWERS)
def test_an_answer_stays_what_it_is(profile: str, seed: int, index: int) -> None:
    one = sampler.single(seed, index, profile)
    assert one.codec_of(0) != "none"
    assert digest(one.answers) == ANSWERS[profile, seed, index]


@pytest.mark.parametrize("profile", BLOCKS)
def test_many_answers_stay_what_they_are(profile: str) -> None:
    assert digest(sampler.block(1, 0, 300, profile).answers) == BLOCKS[profile]


def test_faults_keep_their_order() -> None:
    """Which fault a hostile batch gets follows from it."""
    names = " ".join(fault.name for fault in sampler.FAULTS[1:])
    assert digest(names.encode()) == "4b9b30b85dec5b64"
