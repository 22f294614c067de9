"""What people paste, as the page reads it: the table that the command line is held to, too."""

from pathlib import Path
from typing import Any

import pytest

from tests.kafka_site.decoder.scripts import ask
from tests.pastes import PASTES, REFUSED


@pytest.fixture(scope="module")
def answers(folder: Path) -> dict[str, dict[str, Any]]:
    texts = [*(paste.text for paste in PASTES.values()), *(text for text, _ in REFUSED.values())]
    return dict(zip(texts, ask(folder, [{"text": text} for text in texts]), strict=True))


@pytest.mark.parametrize("name", PASTES)
def test_bytes_are_understood_and_doubts_said(name: str, answers: dict[str, dict[str, Any]]) -> None:
    paste = PASTES[name]
    assert answers[paste.text].get("hex") == paste.bytes
    assert not paste.note or any(paste.note in note for note in answers[paste.text]["notes"])


def test_a_literal_has_all_escapes_and_letters_that_are_hex_digits_too(folder: Path) -> None:
    data = bytes(range(256)) + b"'abc\" \\x00"
    assert ask(folder, [{"text": repr(data)}]) == [{"hex": data.hex(), "notes": []}]


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_bytes_is_refused_with_advice(name: str, answers: dict[str, dict[str, Any]]) -> None:
    text, expected = REFUSED[name]
    assert expected in answers[text]["complaint"]
