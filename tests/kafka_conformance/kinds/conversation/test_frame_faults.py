"""What is done to the bytes of an answer, written out by hand."""

import pytest
from kafka_conformance.kinds.conversation.frame_faults import framing

FRAME = bytes.fromhex("00000006 00000007 abcd")
"""Six bytes: correlation id 7, and a body of two."""


@pytest.mark.parametrize(
    ("said", "sent", "hangs_up"),
    [
        ({}, "00000006 00000007 abcd", False),
        ({"cut": 5}, "00000006 00", True),
        ({"hang_up": True}, "", True),
        ({"twice": True}, "00000006 00000007 abcd 00000006 00000007 abcd", False),
        ({"correlation": 1000}, "00000006 000003ef abcd", False),
        ({"size": -1}, "ffffffff 00000007 abcd", True),
        ({"behind": "00ff"}, "00000008 00000007 abcd 00ff", False),
        ({"short": 1}, "00000005 00000007 ab", False),
        ({"late": 1.5}, "00000006 00000007 abcd", False),
        ({"pieces": 0.5}, "00000006 00000007 abcd", False),
    ],
)
def test_what_goes_out(said, sent, hangs_up):
    done = framing(said, {})
    pieces = done.pieces(FRAME)
    assert (b"".join(piece.data for piece in pieces), done.hangs_up) == (bytes.fromhex(sent), hangs_up)


def test_pauses():
    assert [piece.seconds for piece in framing({"late": 1.5}, {}).pieces(FRAME)] == [1.5]
    assert len(framing({"pieces": 0.5}, {}).pieces(FRAME)) > 3


def test_a_tag_goes_into_the_header():
    assert framing({"header_tag": "0102"}, {}).tagged_fields == ((9999, b"\x01\x02"),)
