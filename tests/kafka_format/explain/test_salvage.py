"""What is cut is read to its last byte, and what follows a wrong checksum is shown with a mark."""

import pytest
from kafka_format import compression, protocol, records
from kafka_format.compression.partial import decompress_start
from kafka_format.errors import Stage
from kafka_format.explain.inside import How
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.explain.salvage import salvage
from kafka_format.records import Record

CUT = How(may_be_cut=True)
RECORDS = [Record(offset=at, timestamp_type=0, key=b"k%d" % at, value=b"value %d " % at * 5) for at in range(40)]


@pytest.mark.parametrize("data", [b"", bytes(16), b"\x7f" * 40, bytes(12) + b"\x00\x00\x00\x05\x02" + bytes(9)])
def test_what_is_no_entry_raises_nothing(data: bytes) -> None:
    assert salvage(data).missing == 0


@pytest.mark.parametrize(("there", "missing"), [(1, 25), (11, 15), (12, 88), (16, 84), (17, 83)])
def test_of_an_entry_without_its_size_the_fewest_bytes_are_missing(there: int, missing: int) -> None:
    """Twelve bytes in front of the magic and the size, and 14 of the smallest message; here 88."""
    entry = bytes(8) + (88).to_bytes(4, "big") + bytes(4) + b"\2" + bytes(83)
    assert salvage(entry[:there]).missing == missing


def test_a_response_is_read_to_the_byte_where_it_is_cut() -> None:
    body = {"responses": [{"name": "orders", "partition_responses": [{"index": 3, "base_offset": 7}]}]}
    whole = protocol.encode_response("produce", 9, body, correlation_id=4)
    frame = len(whole).to_bytes(4, "big") + whole
    for length in range(5, len(frame)):
        explained = explain_response(frame[:length], "produce", 9, how=CUT, start=4)
        assert (explained.missing, explained.fault) == (len(frame) - length, None)
        assert b"".join(line.raw for line in explained.lines) == frame[:length]


def test_a_request_without_its_size_says_what_is_missing_at_least() -> None:
    whole = protocol.encode_request(
        "metadata", 1, {"topics": [{"name": "orders"}, {"name": "payments"}]}, client_id="x"
    )
    explained = explain_request(whole[:-3], how=CUT)
    assert (explained.missing, explained.fault) == (3, None)
    assert explained.lines[-1].value == "'payme'; cut here: 3 bytes are missing at least"


def test_a_frame_that_is_whole_and_wrong_is_not_called_cut() -> None:
    wrong = protocol.encode_request("metadata", 1, {"topics": [{"name": "orders"}]})[:-2]
    explained = explain_request(len(wrong).to_bytes(4, "big") + wrong, how=CUT, start=4)
    assert explained.missing == 0
    assert explained.fault is not None


@pytest.mark.parametrize(
    ("codec", "magic"),
    [
        ("none", 0),
        ("none", 1),
        ("none", 2),
        *((codec, magic) for codec in ("gzip", "snappy", "lz4") for magic in (1, 2)),
    ],
)
def test_an_entry_that_is_cut_shows_the_records_that_are_there(codec: str, magic: int) -> None:
    kind = -1 if magic == 0 else 0
    run = [record._replace(timestamp_type=kind) if magic == 0 else record for record in RECORDS]
    whole = records.encode(run[:1] if codec == "none" and magic < 2 else run, magic=magic, codec=codec)
    there = whole[: len(whole) * 3 // 4]
    dump = salvage(whole + there)
    assert (dump.fault, dump.missing) == (None, len(whole) - len(there))
    values = [line for line in dump.lines if line.entry == 1 and line.path.endswith("value")]
    assert len(values) > (10 if codec != "none" or magic == 2 else 0)


def test_what_follows_a_wrong_checksum_is_shown_and_doubted() -> None:
    whole = records.encode(RECORDS, magic=2)
    wrong = whole[:-5] + b"\xff" + whole[-4:]
    dump = salvage(wrong + whole + wrong)
    assert dump.fault is not None
    assert (dump.fault.stage, dump.fault.entry) == (Stage.CHECKSUM, 0)
    assert {line.entry for line in dump.lines if line.is_doubted} == {0, 2}
    assert [line.entry for line in dump.lines if line.fault] == [0, 2]
    last = next(line for line in dump.lines if line.path == "records[39].header_count" and line.entry == 2)
    assert last.start == 3 * len(whole) - 1


def test_many_wrong_checksums_take_no_time_beyond_those_that_are_shown() -> None:
    wrong = records.encode(RECORDS[:1], magic=2)[:-1] + b"\xff"
    dump = salvage(wrong * 2000)
    assert len({line.entry for line in dump.lines if line.is_doubted}) == 100


@pytest.mark.parametrize("codec", compression.NAMES)
def test_the_start_of_a_payload_is_what_its_codec_gives(codec: str) -> None:
    payload = b"".join(b"record %d, and more of it; " % (at * 7) for at in range(200)) + bytes(300)
    packed = compression.compress(codec, payload)
    assert decompress_start(codec, packed, 1 << 20) == payload
    assert decompress_start(codec, packed, 50) == payload[:50]
    for length in range(0, len(packed), 17):
        assert payload.startswith(decompress_start(codec, packed[:length], 1 << 20))
