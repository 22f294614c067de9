"""No text and no bytes give the reader of pastes and the recogniser anything but an answer."""

import random
from itertools import islice

import pytest

from tests.fuzz.recognition import SUBJECTS, tried

COUNTS = {"damaged pastes": 900, "random bytes": 200, "damaged and cut things": 300, "the same, explained": 60}


@pytest.mark.parametrize("name", SUBJECTS)
def test_no_input_breaks_a_promise(name: str) -> None:
    subject = SUBJECTS[name]
    source = islice(subject.inputs(random.Random(1)), COUNTS[name])  # noqa: S311 - chance, not secrets
    for one in source:
        subject.check(one)


def test_what_raises_is_found() -> None:
    def check(_: bytes) -> None:
        raise ValueError("no such luck")

    assert "ValueError" in tried(check, b"x")
