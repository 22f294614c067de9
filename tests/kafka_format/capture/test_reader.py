"""Captures: messages are found however they were captured, gaps are reported, nothing is lost."""

import io
import random
import struct
import sys
from pathlib import Path

import pytest
from kafka_format import capture, protocol
from kafka_format.capture import CaptureError, Traffic
from kafka_generator.recordings.wild.proxy import Frame
from kafka_generator.recordings.wild.traffic import fault

from tests.kafka_format.capture.other_protocols import PROTOCOLS
from tests.kafka_format.capture.wire import (
    CLIENT,
    FIN,
    LINKS,
    SERVER,
    TUNNELS,
    Packet,
    datagram,
    dialogue,
    framed,
    pcap,
    pcapng,
    read,
    said,
)

CAPTURES = Path(__file__).parents[2] / "captures"
REAL = CAPTURES / "kafka-3.9.2.pcap"


def request(correlation_id: int, api: str = "metadata", version: int = 1, **body: object) -> bytes:
    data = protocol.encode_request(api, version, body, correlation_id=correlation_id, client_id="me")
    return framed(data)


def response(correlation_id: int, api: str = "metadata", version: int = 1, **body: object) -> bytes:
    return framed(protocol.encode_response(api, version, body, correlation_id=correlation_id))


LONG = "t" * 3000
ASKED = request(1, topics=[{"name": LONG}])
ANSWERED = response(1, topics=[{"name": LONG}])
TALK = dialogue((CLIENT, ASKED), (SERVER, ANSWERED), (CLIENT, request(2)), (SERVER, response(2)))
EXPECTED = [("request", 3, 1), ("response", 3, 1), ("request", 3, 2), ("response", 3, 2)]


@pytest.mark.parametrize("v6", [False, True])
@pytest.mark.parametrize("link", LINKS)
def test_any_link_type_and_both_versions_of_ip(link: int, *, v6: bool) -> None:
    found = read(pcap(TALK, link, v6=v6))
    assert said(found) == EXPECTED
    assert {one.connection for one in found} == {1}
    assert (found[0].client.port, found[0].server.port, found[0].client_id) == (CLIENT, SERVER, "me")
    assert [one.from_client for one in found] == [True, False, True, False]
    assert all(one.note == "" for one in found)


@pytest.mark.parametrize("links", [(1,), (1, 113), (0, 101, 276)])
def test_pcapng_with_several_interfaces(links: tuple[int, ...]) -> None:
    found = read(pcapng(TALK, links))
    assert said(found) == EXPECTED
    assert found[0].time == pytest.approx(1_700_000_000 + 4)


@pytest.mark.parametrize("around", TUNNELS)
def test_packets_inside_packets(around: str) -> None:
    found = read(pcap(TALK, around=around))
    assert said(found) == EXPECTED
    assert (found[0].client.address, found[0].client.port) == ("10.0.156.64", CLIENT)


@pytest.mark.parametrize("content", [b"", b"\0", b"\x3f\0\x65\x58", b"\0\0\x86\xdd" + bytes(8), bytes(60)])
@pytest.mark.parametrize("port", [4789, 6081, 53])
def test_datagrams_that_carry_nothing(port: int, content: bytes) -> None:
    traffic = Traffic()
    data = LINKS[1](datagram(port, content))
    head = pcap([])
    record = struct.pack("<IIII", 0, 0, len(data), len(data)) + data
    assert list(capture.read(io.BytesIO(head + record), traffic=traffic)) == []
    assert (traffic.packets, traffic.segments, traffic.connections) == (1, 0, 0)


@pytest.mark.parametrize("v6", [False, True])
@pytest.mark.parametrize("kept", [20, 40, 100])
def test_packets_that_were_cut_short_are_known_at_once(kept: int, *, v6: bool) -> None:
    """`tcpdump -s`: a packet's own length tells what is missing, not those after it."""
    whole = read(pcap(TALK, v6=v6))
    found = read(pcap(TALK, v6=v6, snap=14 + (40 if v6 else 20) + 20 + kept))
    assert [(one.kind, one.correlation_id, one.time) for one in found] == [
        (one.kind, one.correlation_id, one.time) for one in whole
    ]
    assert [one.seconds for one in found] == [one.seconds for one in whole]
    missing = sum(max(0, len(one.content) - kept) for one in TALK if one.content in ASKED and one.source == CLIENT)
    assert found[0].note == f"{missing} of its bytes were not captured"
    assert found[0].data == ASKED[:kept]


def test_a_whole_segment_after_one_that_was_cut_short_is_only_read_once() -> None:
    talk = dialogue((CLIENT, request(1)), (SERVER, response(1)), (CLIENT, request(2)), (SERVER, response(2)))
    cut = pcap(talk[:3], snap=14 + 20 + 20 + 16)
    again = pcap([talk[2], *talk[3:]])[24:]
    assert said(read(cut + again)) == EXPECTED


def test_how_much_a_capture_has_is_counted() -> None:
    traffic = Traffic()
    count = len(list(capture.read(io.BytesIO(pcap(TALK)), traffic=traffic)))
    assert (count, traffic.packets, traffic.segments, traffic.connections) == (4, len(TALK), len(TALK), 1)


def test_bytes_times_and_sizes() -> None:
    first, second, *_ = read(pcap(TALK))
    assert (first.data, first.size, second.data) == (ASKED, len(ASKED), ANSWERED)
    assert second.seconds == pytest.approx(3)  # packets come a second apart


@pytest.mark.parametrize("seed", range(10))
def test_segments_out_of_order_and_sent_twice(seed: int) -> None:
    """Segments of either end come in any order among those of the same end, and some twice."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    packets = dialogue((CLIENT, ASKED + request(2)), (SERVER, ANSWERED + response(2)), step=100)
    head, asked = packets[:2], [packet for packet in packets[2:] if packet.source == CLIENT]
    answered = [packet for packet in packets[2:] if packet.source == SERVER]
    asked += chance.choices(asked, k=10)
    answered += chance.choices(answered, k=10)
    chance.shuffle(asked)
    chance.shuffle(answered)
    assert sorted(said(read(pcap([*head, *asked, *answered])))) == sorted(EXPECTED)


@pytest.mark.parametrize("seed", range(5))
def test_segments_that_overlap(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    packets = dialogue()
    for source, content in ((CLIENT, ASKED), (SERVER, ANSWERED)):
        at = 0
        while at < len(content):
            begin = max(0, at - chance.randrange(200))
            end = at + chance.randrange(1, 500)
            packets.append(Packet(source, begin, content[begin:end]))
            at = end
    assert said(read(pcap(packets))) == EXPECTED[:2]


def test_a_missing_segment_inside_a_frame_costs_that_frame_only() -> None:
    index = next(at for at, one in enumerate(TALK) if one.content and one.source == CLIENT) + 1
    lost = TALK[index]
    found = read(pcap([*TALK[:index], *TALK[index + 1 :]]))
    assert sorted(said(found)) == sorted(EXPECTED)
    (cut,) = [one for one in found if one.note and one.kind == "request"]
    assert cut.note == f"{len(lost.content)} of its bytes were not captured"
    assert cut.data == ASKED[: lost.offset]


def test_what_is_missing_around_a_size_is_told_and_reading_goes_on() -> None:
    talk = dialogue(
        *[pair for number in range(1, 6) for pair in ((CLIENT, request(number)), (SERVER, response(number)))]
    )
    lost = next(one for one in talk if one.content == request(3))
    found = read(pcap([one for one in talk if one is not lost]))
    kinds = [(one.kind, one.correlation_id, one.size) for one in found if one.from_client]
    assert ("lost", None, len(lost.content)) in kinds
    assert [number for kind, number, _ in kinds if kind == "request"] == [1, 2, 4, 5]
    unasked = next(one for one in found if one.kind == "response" and one.correlation_id == 3)
    assert (unasked.api, unasked.note) == (None, "its request was not captured")


def test_a_capture_that_begins_in_the_middle() -> None:
    """Without SYN, and with the end of a response first: who asks is told by what a request looks
    like."""
    found = read(
        pcap([Packet(SERVER, 0, b"\xff" * 50), Packet(CLIENT, 0, request(7)), Packet(SERVER, 50, response(7))])
    )
    assert [one for one in said(found) if one[0] != "lost"] == [("request", 3, 7), ("response", 3, 7)]
    assert found[0].client.port == CLIENT


def test_the_end_of_a_capture_inside_a_frame() -> None:
    found = read(pcap(dialogue((CLIENT, ASKED))[:-1]))
    (cut,) = found
    assert (cut.kind, cut.api, cut.size) == ("request", 3, len(ASKED))
    assert "were not captured" in cut.note


def test_two_connections_of_the_same_ports() -> None:
    found = read(pcap([*TALK, Packet(CLIENT, len(ASKED + request(2)), b"", FIN), *TALK]))
    assert said(found) == EXPECTED * 2
    assert [one.connection for one in found] == [1] * 4 + [2] * 4


def test_other_ports_and_what_is_not_kafka() -> None:
    http = dialogue((CLIENT, b"GET / HTTP/1.1\r\n\r\n"), (SERVER, b"HTTP/1.1 200 OK\r\n\r\n" + bytes(5000)))
    assert read(pcap(http)) == []
    assert read(pcap(TALK), port=9093) == []
    assert said(read(pcap(TALK), port=SERVER)) == EXPECTED


def test_tls_is_recognised() -> None:
    (found,) = read(
        pcap(dialogue((CLIENT, bytes.fromhex("1603010200010001fc0303") + bytes(500)), (SERVER, bytes(900))))
    )
    assert (found.kind, found.note) == ("tls", "encrypted with TLS, not read")


def test_sasl_tokens_without_headers() -> None:
    """SaslHandshake 0: what follows has no header until authentication is done (KIP-152 says why
    that ended)."""
    shake, shook = request(1, "sasl_handshake", 0, mechanism="PLAIN"), response(1, "sasl_handshake", 0)
    token, empty = framed(b"\0user\0secret"), framed(b"")
    found = read(pcap(dialogue(
        (CLIENT, shake), (SERVER, shook), (CLIENT, token), (SERVER, empty), (CLIENT, request(2)), (SERVER, response(2))
    )))  # fmt: skip
    assert [one.kind for one in found] == ["request", "response", "token", "token", "request", "response"]
    assert said(found)[4:] == EXPECTED[2:]
    assert found[2].data == token


def test_api_versions_answered_in_version_0() -> None:
    asked = request(1, "api_versions", 3, client_software_name="a", client_software_version="1")
    answered = framed(bytes.fromhex("00000001 0023 00000001 0012 0000 0002"))
    _, found = read(pcap(dialogue((CLIENT, asked), (SERVER, answered))))
    explained = capture.explain(found)
    assert explained is not None
    assert (explained.version, explained.fault) == (0, None)


def test_produce_with_acks_0_has_no_answer() -> None:
    asked = [request(number, "produce", 3, acks=acks) for number, acks in ((1, 0), (2, 1))]
    found = read(pcap(dialogue((CLIENT, asked[0] + asked[1]), (SERVER, response(2, "produce", 3)))))
    assert said(found) == [("request", 0, 1), ("request", 0, 2), ("response", 0, 2)]


def test_a_frame_larger_than_what_is_kept() -> None:
    size = 6 << 20
    big = (size).to_bytes(4, "big") + request(1)[4:]
    big += bytes(4 + size - len(big))
    found = read(pcap(dialogue((CLIENT, big), (CLIENT, request(2)), step=60000)))
    assert said(found) == [("request", 3, 1), ("request", 3, 2)]
    assert (found[0].size, len(found[0].data)) == (4 + size, 4 << 20)
    assert "bytes were kept" in found[0].note


def test_a_size_that_makes_no_sense() -> None:
    found = read(pcap(dialogue((CLIENT, request(1)), (CLIENT, b"\x7f\xff\xff\xff" + bytes(50)), (CLIENT, request(2)))))
    assert [one for one in said(found) if one[0] == "request"] == [("request", 3, 1), ("request", 3, 2)]
    assert [one.kind for one in found] == ["request", "lost", "request"]


@pytest.mark.parametrize("data", [b"", b"\xa1", b"PK\3\4" + bytes(100), bytes(1000)], ids=len)
def test_what_is_no_capture(data: bytes) -> None:
    with pytest.raises(CaptureError, match="no pcap or pcapng file"):
        read(data)


@pytest.mark.parametrize("make", [pcap, pcapng])
def test_a_cut_capture_gives_all_before_the_cut(make) -> None:
    whole = make(TALK)
    for cut in range(len(whole) - 1, 24, -101):
        try:
            found = read(whole[:cut])
        except CaptureError as error:
            assert error.packets == 0  # noqa: PT017 - some cuts leave nothing
            continue
        complete = [one for one in found if one.kind != "end" and not one.note]
        assert said(complete) == EXPECTED[: len(complete)]


@pytest.mark.sampled(3, of="seeds")
@pytest.mark.parametrize("make", [pcap, pcapng])
@pytest.mark.parametrize("seed", range(150))
def test_damaged_captures_raise_nothing_else(make, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    data = bytearray(make(TALK))
    for _ in range(chance.randrange(1, 20)):
        data[chance.randrange(4 if make is pcap else 24, len(data))] = chance.choice(
            (0, 1, 0x7F, 0xFF, chance.randrange(256))
        )
    try:
        found = read(bytes(data))
    except CaptureError:
        return
    for one in found:
        capture.explain(one)


def test_a_broker_and_two_clients_that_were_captured() -> None:
    """kafka-python 3.0.12 and librdkafka 2.16.0 with a broker of 3.9.2: all is read, each answer
    has its request."""
    found = read(REAL.read_bytes())
    assert {one.kind for one in found} == {"request", "response"}
    asked = [one for one in found if one.kind == "request"]
    assert len(found) == 2 * len(asked)
    assert all(one.seconds is not None for one in found if one.kind == "response")
    assert {one.client_id for one in found} >= {
        "kafka-python-writer",
        "librdkafka-reader",
        "broker-1-txn-marker-sender",
    }
    explained = [capture.explain(one) for one in found]
    assert all(one is not None and one.fault is None for one in explained)
    lines = [(line.path, line.value) for one in explained if one is not None for line in one.lines]
    assert any(path.endswith("value.members[0].subscription.topics[0]") for path, _ in lines)
    assert ("body.responses[0].partitions[0].records[1].records[0].key.type", "1 (commit)") in lines


def test_a_share_group_that_was_captured() -> None:
    """The Java clients of 4.4.0 with a broker of 4.4.0."""
    found = read((CAPTURES / "kafka-4.4.0.pcap").read_bytes())
    assert {78, 79, 68, 85} <= {message.api for message in found}
    explained = [capture.explain(one) for one in found]
    assert all(one is not None and one.fault is None for one in explained)
    lines = [(line.path, line.value) for one in explained if one is not None for line in one.lines]
    assert ("body.responses[0].partitions[0].records[0].records[1].value", "'released'") in lines
    assert ("body.responses[0].partitions[0].acquired_records[0].delivery_count", "2") in lines


@pytest.mark.parametrize("file", sorted(CAPTURES.glob("*.pcap")), ids=lambda file: file.stem)
def test_all_that_was_captured_is_read_strictly_and_written_again_byte_for_byte(file: Path) -> None:
    for message in read(file.read_bytes()):
        assert message.api is not None
        assert message.version is not None
        assert fault(Frame(message.kind, message.api, message.version, message.data[4:])) == ""


@pytest.mark.parametrize("library", ["dpkt", "pcapng"])
def test_without_the_libraries_it_is_said_how_to_get_them(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    data = pcap(TALK)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(CaptureError, match=r"pip install 'kafka-format-conformance\[capture\]'") as caught:
        read(data)
    assert library in caught.value.detail


@pytest.mark.parametrize("port", [SERVER, 5555])
@pytest.mark.parametrize("name", PROTOCOLS)
def test_nothing_is_claimed_of_other_protocols(name: str, port: int) -> None:
    talk = dialogue(*[(CLIENT if who == "c" else SERVER, content) for who, content in PROTOCOLS[name]])
    data = pcap(talk).replace(SERVER.to_bytes(2, "big"), port.to_bytes(2, "big"))
    assert [(one.kind, one.api, one.note) for one in read(data)] == []
    middle = pcap(talk[2:]).replace(SERVER.to_bytes(2, "big"), port.to_bytes(2, "big"))
    assert [(one.kind, one.api, one.note) for one in read(middle)] == []


PREAMBLES = {
    "1": b"PROXY TCP4 192.0.2.1 192.0.2.2 50000 9092\r\n",
    "2": bytes.fromhex("0d0a0d0a000d0a515549540a 21 11 000c c0000201 c0000202 c350 2384"),
}


@pytest.mark.parametrize("version", PREAMBLES)
@pytest.mark.parametrize("is_apart", [False, True])
def test_a_preamble_of_a_proxy_is_no_part_of_a_request(version: str, *, is_apart: bool) -> None:
    front = PREAMBLES[version]
    said_first = [(CLIENT, front), (CLIENT, request(1))] if is_apart else [(CLIENT, front + request(1))]
    found = read(pcap(dialogue(*said_first, (SERVER, response(1)))))
    assert said(found) == EXPECTED[:2]


@pytest.mark.parametrize("step", [1, 3, 4, 5, 7, 13])
def test_sizes_and_headers_in_segments_of_their_own(step: int) -> None:
    talk = dialogue(
        *[(CLIENT, content) for content in (request(1)[:4], request(1)[4:])],
        *[(SERVER, content) for content in (response(1)[:4], response(1)[4:])],
        (CLIENT, request(2)), (SERVER, response(2)), step=step,
    )  # fmt: skip
    assert said(read(pcap(talk))) == EXPECTED
    assert said(read(pcap(talk[2:]))) == EXPECTED  # without SYN


def test_requests_alone_and_answers_alone() -> None:
    brokers = [{"node_id": number, "host": f"kafka-{number}", "port": 9092} for number in range(3)]
    answers = [(SERVER, response(number, brokers=brokers)) for number in (1, 2)]
    talk = dialogue((CLIENT, request(1)), answers[0], (CLIENT, request(2)), answers[1])
    asked = read(pcap([one for one in talk if one.source == CLIENT]))
    assert said(asked) == [EXPECTED[0], EXPECTED[2]]
    answered = read(pcap([one for one in talk if one.source == SERVER]))
    assert [(one.kind, one.api, one.correlation_id, one.from_client) for one in answered] == [
        ("response", None, 1, False),
        ("response", None, 2, False),
    ]
    assert "its request was not captured; it reads as metadata" in answered[0].note


def test_a_capture_that_begins_inside_a_large_request() -> None:
    big = request(1, topics=[{"name": "t" * 30_000}])
    talk = dialogue((CLIENT, big), (SERVER, response(1)), (CLIENT, request(2)), (SERVER, response(2)))
    found = read(pcap(talk[5:]))
    assert [one for one in said(found) if one[0] == "request"] == [EXPECTED[2]]
    assert [one[2] for one in said(found) if one[0] == "response"] in ([1, 2], [2])


def test_a_wrong_request_of_a_named_client_is_kafka() -> None:
    wrong = request(1)[:-1] + b"\xff"
    assert said(read(pcap(dialogue((CLIENT, wrong), (CLIENT, request(2)))))) == [EXPECTED[0], EXPECTED[2]]


def modified(data: bytes) -> bytes:
    """Return a capture as the modified pcap has it: 8 more bytes in front of each packet."""
    parts, position = [bytes.fromhex("34cdb2a1"), data[4:24]], 24
    while position < len(data):
        size = int.from_bytes(data[position + 8 : position + 12], "little")
        parts += [data[position : position + 16], bytes(8), data[position + 16 : position + 16 + size]]
        position += 16 + size
    return b"".join(parts)


def snoop(data: bytes) -> bytes:
    """Return a capture as snoop writes it (RFC 1761)."""
    parts, position = [b"snoop\0\0\0" + struct.pack(">II", 2, 4)], 24
    while position < len(data):
        seconds, part, size, length = struct.unpack_from("<IIII", data, position)
        packet = data[position + 16 : position + 16 + size]
        pad = -size % 4
        parts.append(struct.pack(">IIIIII", length, size, 24 + size + pad, 0, seconds, part) + packet + bytes(pad))
        position += 16 + size
    return b"".join(parts)


@pytest.mark.parametrize("form", [modified, snoop])
def test_other_forms_of_captures(form) -> None:
    found = read(form(pcap(TALK)))
    assert said(found) == EXPECTED
    assert found[0].time == pytest.approx(read(pcap(TALK))[0].time)


def test_a_comment_that_is_no_utf_8() -> None:
    data = bytearray(pcapng(TALK))
    block = next(at for at in range(28, len(data), 4) if data[at : at + 4] == b"\6\0\0\0")
    size = int.from_bytes(data[block + 4 : block + 8], "little")
    comment = struct.pack("<HH", 1, 4) + b"\xff\xfe\xe9x" + bytes(4)
    body = data[block + 8 : block + size - 4]
    longer = struct.pack("<I", size + len(comment))
    changed = data[:block] + b"\6\0\0\0" + longer + body + comment + longer + data[block + size :]
    assert said(read(bytes(changed))) == EXPECTED


def test_a_pipe_is_read_once_from_its_start() -> None:
    class Pipe(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self._data = io.BytesIO(data)

        def readable(self) -> bool:
            return True

        def readinto(self, into) -> int:
            part = self._data.read(min(len(into), 7))
            into[: len(part)] = part
            return len(part)

    for data in (pcap(TALK), pcapng(TALK)):
        assert said(list(capture.read(io.BufferedReader(Pipe(data))))) == EXPECTED
