"""The further requests: bytes written by hand, and what the reference answers."""

import json
import struct

import pytest
from kafka_conformance.errors import ProtocolError
from kafka_conformance.protocol import messages
from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.hello import hello_reply, parse_hello
from kafka_conformance.protocol.messages import (
    AssignInput,
    BlockReply,
    ConvertInput,
    DeliverInput,
    Input,
    InputRequest,
    Reply,
    Status,
)
from kafka_conformance.serving.reference import answer, reference

from tests.kafka_conformance.targets.sample_batches import V1, V2

ASSIGN = b"A" + struct.pack(">ii", 7, 1) + struct.pack(">qbbbqii", 100, 2, -1, 1, 5000, 3, 2) + b"ab"
CONVERT = b"C" + struct.pack(">ii", 7, 1) + struct.pack(">bqi", 1, 6, 2) + b"ab"
DELIVER = b"L" + struct.pack(">ii", 7, 1) + struct.pack(">qbiqqi", 5, 1, 1, 9, 4, 2) + b"ab"

REQUESTS = {
    ASSIGN: InputRequest(FrameKind.ASSIGN, 7, [AssignInput(100, 2, -1, 1, 5000, 3, b"ab")]),
    CONVERT: InputRequest(FrameKind.CONVERT, 7, [ConvertInput(1, 6, b"ab")]),
    DELIVER: InputRequest(FrameKind.DELIVER, 7, [DeliverInput(5, 1, [(9, 4)], b"ab")]),
}


@pytest.mark.parametrize("body", REQUESTS, ids=lambda body: chr(body[0]))
def test_requests_are_those_of_the_protocol(body: bytes) -> None:
    assert messages.request(REQUESTS[body]) == body
    assert messages.parse_request(body) == REQUESTS[body]


@pytest.mark.parametrize("body", REQUESTS, ids=lambda body: chr(body[0]))
def test_requests_that_are_cut_or_too_long_are_none(body: bytes) -> None:
    for wrong in [*[body[:length] for length in range(1, len(body))], body + b"\0"]:
        with pytest.raises(ProtocolError):
            messages.parse_request(wrong)


def test_no_body_is_no_request() -> None:
    with pytest.raises(ProtocolError):
        messages.parse_request(b"")


@pytest.mark.parametrize("kind", [FrameKind.ASSIGN, FrameKind.CONVERT, FrameKind.DELIVER])
def test_replies_carry_the_letter_of_the_request(kind: FrameKind) -> None:
    reply = BlockReply(kind, 7, (Reply(0, b"x"), Reply(2, b"no")))
    assert messages.parse_block_reply(messages.block_reply(reply)) == reply


@pytest.mark.parametrize("body", [b"H{}", b"X" + bytes(8), b"l" + bytes(8)])
def test_other_letters_are_no_reply(body: bytes) -> None:
    with pytest.raises(ProtocolError, match="D, E, M or F"):
        messages.parse_block_reply(body)


def test_a_hello_says_which_further_requests_it_answers() -> None:
    hello = reference().hello
    assert parse_hello(hello_reply(hello)).requests == ("assign", "convert", "deliver")
    document = json.loads(hello_reply(hello)[1:])
    document["requests"] = ["compact"]
    with pytest.raises(ProtocolError, match="compact"):
        parse_hello(b"H" + json.dumps(document).encode())


def content(asked: Input) -> bytes:
    reply = answer(asked)
    assert reply.status == Status.ANSWER, reply.text
    return reply.content


def test_the_reference_assigns() -> None:
    moved = (7).to_bytes(8, "big") + V2[8:]
    expected = struct.pack(">qqbi", 7, 1000, 1, len(moved)) + moved
    assert content(AssignInput(7, 2, -1, 0, -1, -1, V2)) == expected


def test_the_reference_converts() -> None:
    assert content(ConvertInput(1, 0, V2)) == V1


def test_the_reference_delivers() -> None:
    delivered = content(DeliverInput(0, 0, [], V1))
    assert delivered[:13] == struct.pack(">qbi", 1, 0, -1)
    assert delivered[13:17] == (1).to_bytes(4, "big")
    assert content(DeliverInput(3, 0, [], V1[:9]))[:9] == struct.pack(">qb", 3, 1)
    stopped = content(DeliverInput(0, 0, [], V1[:-1] + b"!"))
    assert stopped[:9] == struct.pack(">qb", 0, 2)
    assert b"legacy.crc" in stopped


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (AssignInput(0, 2, -1, 0, -1, -1, b""), Status.REFUSED),
        (AssignInput(0, 2, 5, 0, -1, -1, V2), Status.UNSUPPORTED),
        (AssignInput(0, 3, -1, 0, -1, -1, V2), Status.UNSUPPORTED),
        (AssignInput(-1, 2, -1, 0, -1, -1, V2), Status.UNSUPPORTED),
        (ConvertInput(3, 0, V2), Status.UNSUPPORTED),
        (DeliverInput(0, 2, [], V2), Status.UNSUPPORTED),
    ],
)
def test_what_cannot_be_answered_is_told(asked: Input, status: Status) -> None:
    assert answer(asked).status == status
