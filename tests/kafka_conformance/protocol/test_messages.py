"""The messages, against bytes written out by hand from the description of the protocol."""

import json
import struct

import pytest
from kafka_conformance.errors import ProtocolError
from kafka_conformance.protocol import messages
from kafka_conformance.protocol.frames import FrameKind, frame
from kafka_conformance.protocol.hello import Direction, Hello, hello_reply, hello_request, parse_hello
from kafka_conformance.protocol.messages import BlockReply, DecodeRequest, EncodeInput, EncodeRequest, InputKind, Reply

HELLO = Hello(
    name="toy",
    version="1",
    language="C",
    formats=("v1", "v2"),
    codecs=("none",),
    fields=("offset", "key"),
    checks_crc=False,
    directions=(Direction.DECODE, Direction.ENCODE),
    url="https://example.org",
)
DECODE = b"D" + struct.pack(">ibi", 7, 1, 2) + struct.pack(">i", 2) + b"ab" + struct.pack(">i", 0)
ENCODE = b"E" + struct.pack(">ii", 8, 1) + struct.pack(">bbi", 2, 4, 3) + b"xyz"
REPLY = b"D" + struct.pack(">ii", 7, 2) + struct.pack(">bi", 0, 1) + b"A" + struct.pack(">bi", 1, 2) + b"no"


def test_frames_have_their_length_in_front() -> None:
    assert frame(b"Habc") == b"\0\0\0\4Habc"
    assert hello_request() == b'H{"protocol": 1, "partial": true}'


def test_requests_are_those_of_the_protocol() -> None:
    decode = DecodeRequest(7, InputKind.MESSAGE_SET_07, [b"ab", b""])
    encode = EncodeRequest(8, [EncodeInput(2, 4, b"xyz")])
    assert messages.request(decode) == DECODE
    assert messages.request(encode) == ENCODE
    assert messages.parse_request(DECODE) == decode
    assert messages.parse_request(ENCODE) == encode


def test_replies_are_those_of_the_protocol() -> None:
    reply = BlockReply(FrameKind.DECODE, 7, (Reply(0, b"A"), Reply(1, b"no")))
    assert messages.block_reply(reply) == REPLY
    assert messages.parse_block_reply(REPLY) == reply


def test_hello_is_read_as_it_was_declared() -> None:
    assert parse_hello(hello_reply(HELLO)) == HELLO


@pytest.mark.parametrize("length", range(1, len(REPLY)))
def test_reply_cut_short_is_told(length: int) -> None:
    with pytest.raises(ProtocolError, match="sent a reply that cannot be read"):
        messages.parse_block_reply(REPLY[:length])


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"H{}", "kind 'H' instead of the reply to a block"),
        (b"\n", "kind 0x0a instead of the reply to a block"),
        (REPLY + b"x", "cannot be read"),
        (b"D" + struct.pack(">ii", 7, 2**31 - 1), "cannot be read"),
        (b"D" + struct.pack(">ii", 7, -1), "cannot be read"),
        (b"D" + struct.pack(">ii", 7, 1) + struct.pack(">bi", 0, -1), "cannot be read"),
        (
            b"D" + struct.pack(">ii", 7, 1) + struct.pack(">bi", 4, 0),
            "status 4 for input 0 of block 7; it must be 0, 1, 2 or 3",
        ),
    ],
)
def test_wrong_reply_is_told(body: bytes, words: str) -> None:
    with pytest.raises(ProtocolError, match=words):
        messages.parse_block_reply(body)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"protocol": 2}, r"\$\.protocol: 1 was expected"),
        ({"formats": []}, r"\$\.formats: \[\] should be non-empty"),
        ({"formats": "v2"}, r"\$\.formats: 'v2' is not of type 'array'"),
        ({"codecs": ["brotli"]}, r"\$\.codecs\[0\]: 'brotli' is not one of"),
        ({"fields": ["ofset"]}, r"\$\.fields\[0\]: 'ofset' is not one of"),
        ({"checks_crc": 1}, r"\$\.checks_crc: 1 is not of type 'boolean'"),
        ({"directions": ["sideways"]}, r"\$\.directions\[0\]"),
        ({"version": ""}, r"\$\.version"),
    ],
)
def test_wrong_hello_is_told_by_its_place(change: dict[str, object], words: str) -> None:
    document = json.loads(hello_reply(HELLO)[1:])
    with pytest.raises(ProtocolError, match=words):
        parse_hello(b"H" + json.dumps({**document, **change}).encode())


@pytest.mark.parametrize(
    ("body", "words"),
    [(b"D", "kind 'D', not H"), (b"H\xff", "not JSON"), (b"H", "not JSON"), (b"H[]", "is not of type 'object'")],
)
def test_what_is_no_hello_is_told(body: bytes, words: str) -> None:
    with pytest.raises(ProtocolError, match=words):
        parse_hello(body)


@pytest.mark.parametrize("body", [b"X", DECODE[:-1], ENCODE + b"x", b"D" + struct.pack(">ibi", 1, 0, 2**31 - 1)])
def test_what_is_no_request_is_told(body: bytes) -> None:
    with pytest.raises(ProtocolError, match="sent a request that cannot be read"):
        messages.parse_request(body)
