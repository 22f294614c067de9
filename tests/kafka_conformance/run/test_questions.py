"""The vectors that a run is about, and what is said of patterns that choose none of them."""

import pytest
from kafka_conformance.errors import UsageError
from kafka_conformance.kinds.table import ABOUT
from kafka_conformance.run.questions import load
from kafka_conformance.targets import resolve
from kafka_conformance.vectors.loader import Filters

REFERENCE = [resolve.candidate("reference")]


@pytest.mark.parametrize(
    "pattern",
    [
        "v2/gzip/plain",
        "heartbeat-request/0/typical",
        "heartbeat-request/0/typical@1",
        "directory/sound/plain",
        "log/directory/sound/plain",
        "file/epochs/*",
    ],
)
def test_a_pattern_chooses_what_it_names(pattern: str) -> None:
    vectors, notes = load(REFERENCE, ABOUT, Filters((pattern,)))
    assert vectors
    assert notes == []


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("orders/*", "is not asked: it is about records of a producer"),
        ("deliver/*", "is not asked: it is about records of a consumer"),
        ("request-header/*", "no target is asked about"),
        ("convert/*", "no target is asked about"),
        ("v2/gzip/plian", "Did you mean v2/gzip/plain"),
        ("conversatoins/*", "Did you mean conversations/*"),
    ],
)
def test_what_a_pattern_names_elsewhere_is_said(pattern: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(REFERENCE, ABOUT, Filters((pattern,)))
    assert words in caught.value.message
    _, notes = load(REFERENCE, ABOUT, Filters((pattern, "v2/gzip/plain")))
    assert len(notes) == 1
    assert words in notes[0]
