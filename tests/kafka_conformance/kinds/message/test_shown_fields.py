"""Fields as a program shows them to people, held against bytes of Kafka's protocol guide."""

import json
from typing import Any

import pytest
from kafka_conformance.kinds.message.questions import MessageQuestion, frame_question
from kafka_conformance.kinds.message.shown_fields import difference

HEARTBEAT = bytes.fromhex("000c 0000 00000007 0001 63 0001 67 00000003 0001 6d")
"""Heartbeat 0: client c at byte 8, group g at 11, generation 3 at 14, member m at 18."""

FETCHED = bytes.fromhex("00000007000000010001 740000000100000000 0000 0000000000000001 00000004 01020304")
"""Fetch 0: topic t at byte 8, partition 0, high watermark 1, records of four bytes at 33."""


@pytest.fixture
def heartbeat() -> MessageQuestion:
    return frame_question("a Heartbeat request", "request", 12, 0, HEARTBEAT)


def shown(*fields: tuple[str, int, int, Any]) -> bytes:
    names = ("name", "at", "size", "value")
    return json.dumps({"fields": [dict(zip(names, field, strict=True)) for field in fields]}).encode()


def test_nothing_shown_is_nothing_wrong(heartbeat: MessageQuestion) -> None:
    assert difference(heartbeat, b"") is None
    assert difference(heartbeat, shown()) is None


def test_names_are_the_programs_own(heartbeat: MessageQuestion) -> None:
    """A text is shown with its length or without it, and structures are shown as a whole."""
    fields = [("x.consumer_group", 11, 3, "g"), ("x.group", 13, 1, "g"), ("x.round", 14, 4, "3"), ("x.all", 11, 10, "")]
    assert difference(heartbeat, shown(*fields)) is None


@pytest.mark.parametrize(
    ("field", "path", "got"),
    [
        (("x.a", 14, 2, "0"), "a field", "x.a (bytes 14 to 15)"),
        (("x.a", 16, 4, "0"), "a field", "x.a (bytes 16 to 19)"),
        (("x.a", 14, 400, "0"), "a field", "x.a (bytes 14 to 413)"),
        (("x.round", 14, 4, "4"), "body.generation_id (bytes 14 to 17)", "4"),
        (("x.member_id", 14, 4, "3"), "a field", "x.member_id (bytes 14 to 17)"),
    ],
)
def test_what_is_shown_otherwise(heartbeat: MessageQuestion, field: tuple[Any, ...], path: str, got: str) -> None:
    unlike = difference(heartbeat, shown(field))
    assert unlike is not None
    assert (unlike.path, unlike.got) == (path, got)


def test_what_the_place_is_instead_is_said(heartbeat: MessageQuestion) -> None:
    unlike = difference(heartbeat, shown(("x.a", 16, 4, "0")))
    assert unlike is not None
    assert unlike.expected == "body.generation_id (bytes 14 to 17) and body.member_id (bytes 18 to 20)"


def test_how_records_are_read_on_is_not_compared() -> None:
    question = frame_question("a Fetch response", "response", 1, 0, FETCHED)
    assert difference(question, shown(("x.magic", 34, 1, "9"))) is None
    assert difference(question, shown(("x.magic", 30, 4, "9"))) is not None


@pytest.mark.parametrize("content", [b"{", b"[]", b"{}", b'{"fields": [{}]}', b'{"fields": 1}'])
def test_an_answer_that_cannot_be_read(heartbeat: MessageQuestion, content: bytes) -> None:
    unlike = difference(heartbeat, content)
    assert unlike is not None
    assert unlike.path == "the answer"
