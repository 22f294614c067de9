"""What people paste, as the reference reads it: the table that the page is held to, too."""

import time
from contextlib import suppress

import pytest
from kafka_format import paste
from kafka_format.recognition import read_text

from tests.pastes import PASTES, REFUSED

HOSTILE = {
    "quotes that never close": '"\\' * 100_000,
    "comments that never close": "/*" * 200_000,
    "brackets that never close": "{[(<<" * 100_000,
    "rows without end": "0000: " + "00 " * 300_000,
    "stars": "0000: 00\n" + "*\n" * 200_000,
    "blanks": " " * 1_000_000 + "g",
    "casts that never close": "(   " * 200_000,
    "pairs of JSON": '"1":1,' * 100_000,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_bytes_is_refused_with_advice(name: str) -> None:
    text, expected = REFUSED[name]
    with pytest.raises(paste.PasteError) as refused:
        paste.read(text)
    assert expected in str(refused.value)
    assert refused.value.hint or "no byte" in refused.value.detail


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_time_in_proportion_to_its_length(name: str) -> None:
    start = time.process_time()
    with suppress(paste.PasteError):
        paste.read(HOSTILE[name])
    assert time.process_time() - start < 20  # a second at most; with the square of the length, hours


def test_a_star_unfolds_to_no_more_than_a_dump_may_have() -> None:
    with pytest.raises(paste.PasteError, match="do not fit"):
        paste.read("0000:  00\n*\n7fffffff:  00\n")


@pytest.mark.parametrize("name", PASTES)
def test_bytes_are_understood_and_doubts_said(name: str) -> None:
    case = PASTES[name]
    read = read_text(case.text)
    assert read.data.hex() == case.bytes
    assert not case.note or any(case.note in note for note in read.notes)


def test_nothing_stands_for_no_bytes() -> None:
    assert paste.read(" \n").data == b""
