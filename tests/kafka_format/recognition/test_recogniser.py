"""What bytes are: what nobody can know is not claimed, what can be known is named with evidence."""

import json
import random
import zlib
from pathlib import Path

import pytest
from kafka_format import capture, protocol, records
from kafka_format.recognition import LEAST, Kind, recognise
from kafka_format.records import Record

CAPTURES = Path(__file__).parents[2] / "captures"
BATCH = records.encode([Record(offset=7, timestamp=1_700_000_000_000, timestamp_type=0, value=b"hello")])
METADATA = protocol.encode_request("metadata", 1, {"topics": [{"name": "orders"}]}, client_id="orders-app")
ANSWER = protocol.encode_response(
    "metadata", 1, {"brokers": [{"node_id": 1, "host": "kafka", "port": 9092}], "topics": [{"name": "orders"}]}
)


def framed(content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + content


@pytest.mark.parametrize("size", [1, 4, 8, 12, 16, 20, 40, 100, 1000])
def test_random_bytes_are_nothing(size: int) -> None:
    generator = random.Random(size)  # noqa: S311 - the same ones each time
    found = [recognise(generator.randbytes(size)) for _ in range(20)]
    assert not [one.candidates for one in found if one.candidates]
    assert all(one.why for one in found)


NOTHING = {
    "no bytes": (b"", "there are no bytes"),
    "a byte": (b"\xff", "1 byte can be anything"),
    "zeros": (bytes(400), ""),
    "prose": (b"Any bytes: what is this? Nobody knows, and this says so." * 3, ""),
    "an entry that would swallow everything": (bytes.fromhex("0012000300000001 00066369 64000000 00 02 00000000"), ""),
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_nothing_says_why(name: str) -> None:
    data, why = NOTHING[name]
    found = recognise(data)
    assert found.best is None
    assert why in found.why
    assert found.why


BYTES = {
    "a batch": (BATCH, Kind.RECORDS, "a record batch (v2)"),
    "a batch that is cut": (BATCH[:-3], Kind.RECORDS, "the start of records"),
    "a batch with a wrong checksum": (BATCH[:-1] + b"x", Kind.RECORDS, "a record batch (v2)"),
    "the header of a batch": (BATCH[:40], Kind.RECORDS, "the start of records"),
    "messages of v1": (records.encode([Record(offset=7, timestamp_type=0, value=b"x")], magic=1), Kind.RECORDS, "v1"),
    "0.7": (records.encode_v07([Record(offset=0, timestamp_type=-1, value=b"x")]), Kind.RECORDS_07, "0.7"),
    "a request": (framed(METADATA), Kind.REQUEST, "metadata, version 1"),
    "requests": (framed(METADATA) * 3, Kind.REQUEST, "3 requests, the first of metadata"),
    "a request without its size": (METADATA, Kind.REQUEST, "metadata, version 1"),
    "a request that is cut": (framed(METADATA)[:-3], Kind.REQUEST, "the start of a request of metadata"),
    "a request whose client id is cut": (framed(METADATA)[:20], Kind.REQUEST, "the start of a request of metadata"),
    "ApiVersions without size and body": (
        bytes.fromhex("00120003000000010003666f6f00"), Kind.REQUEST,
        "the start of a request of api_versions, version 3",
    ),
    "a response": (framed(ANSWER), Kind.RESPONSE, "as of metadata"),
    "a response without its size": (ANSWER, Kind.RESPONSE, "as of metadata"),
    "a response that is cut": (framed(ANSWER)[:-3], Kind.RESPONSE, "the start of a response"),
    "frames of somebody": (framed(b"hello, world") + framed(b"and more"), Kind.FRAMES, "2 payloads with sizes"),
    "leader epochs": (b"0\n2\n0 0\n2 400\n", Kind.FILE, "leader-epoch-checkpoint"),
    "offsets": (b"0\n1\norders 0 12\n", Kind.FILE, "a checkpoint of offsets"),
    "meta.properties": (b"version=1\nnode.id=1\ncluster.id=x\n", Kind.FILE, "meta.properties"),
    "partition.metadata": (b"version: 0\ntopic_id: Nf7Gw6SdT9KR3zz2pImHoQ", Kind.FILE, "partition.metadata"),
    "a clean stop": (b'{"version":0,"brokerEpoch":15}', Kind.FILE, ".kafka_cleanshutdown"),
    "an offset index": (
        b"".join((at * 9).to_bytes(4, "big") + (at * 4200).to_bytes(4, "big") for at in range(1, 8)) + bytes(80),
        Kind.FILE, "an offset index",
    ),
    "a time index": (
        b"".join((1_700_000_000_000 + at).to_bytes(8, "big") + at.to_bytes(4, "big") for at in range(1, 8)),
        Kind.FILE, "a time index",
    ),
    "a committed offset": (
        bytes.fromhex("0003 000000000000002a ffffffff 0002 6869 0000018bcfe56800"), Kind.SCHEMA_RECORD,
        "offset_commit_value",
    ),
    "the key of a committed offset": (
        bytes.fromhex("0001 0003 617070 0006 6f7264657273 00000002"), Kind.SCHEMA_RECORD, "offset_commit_key",
    ),
    "a text": (framed(METADATA).hex(" ").encode(), Kind.TEXT, "hex digits that say a request of metadata"),
    "a capture": ((CAPTURES / "kafka-4.4.0.pcap").read_bytes()[:200], Kind.CAPTURE, "a capture"),
    "TLS": (bytes.fromhex("16030100c8010000c40303") + bytes(40), Kind.OTHER, "TLS"),
    "HTTP": (b"GET /topics HTTP/1.1\r\nHost: kafka\r\n\r\n", Kind.OTHER, "HTTP"),
    "an answer of HTTP": (b"HTTP/1.1 400 Bad Request\r\n\r\n", Kind.OTHER, "HTTP"),
    "gzip": (zlib.compress(b"x" * 99, wbits=31), Kind.OTHER, "gzip"),
    "JSON": (json.dumps({"orders": [1, 2]}).encode(), Kind.OTHER, "JSON"),
    "RocketMQ": (bytes.fromhex("0000009fdaa320a7") + bytes(90), Kind.OTHER, "RocketMQ"),
    "BookKeeper": (b"BKLE" + bytes(90), Kind.OTHER, "BookKeeper"),
    "a schema's id in front": (b"\0\0\0\0\x2a" + b'{"id": 7, "name": "x"', Kind.OTHER, "the id of its schema"),
}  # fmt: skip


@pytest.mark.parametrize("name", BYTES)
def test_bytes_are_named_with_evidence(name: str) -> None:
    data, kind, title = BYTES[name]
    best = recognise(data).best
    assert best is not None
    assert (best.kind, title in best.title) == (kind, True), best
    assert best.evidence
    assert best.score >= LEAST


def test_what_is_missing_is_counted() -> None:
    assert [recognise(framed(METADATA)[:-at]).candidates[0].missing for at in range(1, 8)] == [*range(1, 8)]


def test_a_request_behind_the_headers_of_a_packet_is_found() -> None:
    ip = (
        bytes.fromhex("4500")
        + (40 + 4 + len(METADATA)).to_bytes(2, "big")
        + bytes.fromhex("0000400040060000 0a000001 0a000002")
    )
    tcp = bytes.fromhex("c350 2384 00000001 00000001 5018 0200 0000 0000")
    best = recognise(ip + tcp + framed(METADATA)).best
    assert best is not None
    assert (best.kind, best.start, best.api) == (Kind.REQUEST, 40, 3)


@pytest.mark.parametrize("lost", [1, 2, 3])
@pytest.mark.parametrize(("data", "kind"), [(METADATA, Kind.REQUEST), (ANSWER, Kind.RESPONSE)])
def test_a_frame_whose_first_bytes_were_not_copied_is_found_behind_the_rest_of_its_size(
    lost: int, data: bytes, kind: Kind
) -> None:
    best = recognise(framed(data)[lost:]).best
    assert best is not None
    assert (best.kind, best.start, best.api) == (kind, 4 - lost, 3)


def test_responses_of_which_the_last_is_cut_are_named_and_its_bytes_counted() -> None:
    best = recognise((framed(ANSWER) * 3)[:-5]).best
    assert best is not None
    assert (best.kind, best.framed, best.missing) == (Kind.RESPONSE, True, 5)


SMALL_NUMBERS = [[*range(start, start + 24)] for start in (0, 1, 3)] + [[1, 0, 2, 0, 0, 5] * 5, [100, 3, 0, 8] * 8]


@pytest.mark.parametrize("numbers", SMALL_NUMBERS)
def test_small_numbers_of_somebody_are_no_response(numbers: list[int]) -> None:
    data = b"".join(number.to_bytes(4, "big") for number in numbers)
    assert [one for one in recognise(data).candidates if one.kind is Kind.RESPONSE] == []


@pytest.mark.parametrize("start", [1, 7, 100])
def test_what_begins_later_is_found_there(start: int) -> None:
    best = recognise(b"\xee" * start + BATCH).best
    assert best is not None
    assert (best.kind, best.start) == (Kind.RECORDS, start)


def test_a_name_speaks_for_a_file_and_against_another() -> None:
    named = recognise(b"0\n1\norders 0 12\n", "replication-offset-checkpoint").best
    assert named is not None
    assert named.title.startswith("replication-offset-checkpoint, ")
    other = recognise(BATCH, "00000000000000000000.index").best
    assert other is not None
    assert other.kind is Kind.RECORDS


def test_every_request_and_response_of_a_capture_is_named() -> None:
    wrong = []
    with (CAPTURES / "kafka-4.4.0.pcap").open("rb") as file:
        for message in list(capture.read(file))[:40]:
            if message.kind in ("request", "response"):
                best = recognise(message.data).best
                named = best is not None and best.kind == message.kind and best.framed
                wrong += [] if named else [message]
    assert not wrong


def test_a_producer_snapshot_is_known_by_its_checksum() -> None:
    best = recognise(bytes.fromhex("0001 48674bc7 00000000")).best
    assert best is not None
    assert best.title == "a producer snapshot"
