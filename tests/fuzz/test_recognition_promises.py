"""No text and no bytes give the reader of pastes and the recogniser anything but an answer."""

import random
from itertools import islice

import pytest

from tests.fuzz.recognition import check_bytes, check_cut, check_text, inputs, texts


@pytest.mark.parametrize("seed", range(3))
def test_damaged_texts(seed: int) -> None:
    for text in islice(texts(random.Random(seed)), 300):  # noqa: S311 - chance, not secrets
        check_text(text)


@pytest.mark.parametrize("seed", range(3))
def test_damaged_bytes_are_recognised_or_not(seed: int) -> None:
    for data in islice(inputs(random.Random(seed)), 30):  # noqa: S311 - the same
        check_bytes(data)


@pytest.mark.parametrize("seed", range(3))
def test_damaged_bytes_are_explained_as_cut(seed: int) -> None:
    for data in islice(inputs(random.Random(seed)), 60):  # noqa: S311 - the same
        check_cut(data)
