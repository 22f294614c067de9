"""What a producer sent, in lines: of bytes that are put together by hand."""

from kafka_conformance.confirmation import record_lines

from tests.kafka_format import wire

MESSAGES = b"".join(wire.entry(at, wire.message(1, b"ab"[at : at + 1], timestamp=1000 + at)) for at in range(2))
LINES = [
    "offset=0 timestamp=1000 type=create_time key=null value=61",
    "offset=1 timestamp=1001 type=create_time key=null value=62",
]


def test_wrapper_has_a_line_of_its_own_and_a_plain_message_has_none() -> None:
    data = wire.wrapper(1, 1, MESSAGES, timestamp=7) + MESSAGES
    assert list(record_lines.lines(data)) == ["wrapper timestamp=7", *LINES, *LINES]


def test_timestamps_of_the_run_are_told_as_now() -> None:
    data = wire.wrapper(1, 1, MESSAGES, timestamp=1001)
    first, second = LINES
    expected = ["wrapper timestamp=now", first, second.replace("1001", "now")]
    assert list(record_lines.lines(data, now=range(1001, 1002))) == expected
    head = next(record_lines.lines(wire.batch(wire.RECORD, max_timestamp=9), now=range(9, 10)))
    assert head == "batch max_timestamp=now last_offset_delta=0"


def test_wrapper_of_v0_has_no_timestamp() -> None:
    data = wire.wrapper(0, 0, wire.entry(0, wire.message(0, b"", key=b"k")))
    assert list(record_lines.lines(data)) == ["wrapper", "offset=0 timestamp=-1 type=none key=6b value=empty"]


def test_batch_tells_what_no_record_shows() -> None:
    head, *lines = record_lines.lines(wire.batch(wire.RECORD, max_timestamp=9))
    assert head == "batch max_timestamp=9 last_offset_delta=0"
    assert lines == ["offset=0 timestamp=1000 type=create_time key=6b6579 value=76616c7565"]


def test_due_is_what_kafka_makes_of_the_records() -> None:
    record = {"key": None, "value": "61", "headers": [], "producer_id": "-1", "producer_epoch": -1, "sequence": -1}
    flags = {"transactional": False, "control": False, "codec": "gzip", "timestamp_type": "create_time"}
    answer = [
        {**record, **flags, "offset": str(at), "timestamp": str(time)} for at, time in enumerate((1000, 1009, 1004))
    ]
    assert next(record_lines.kafka_lines({"format": "v1", "answer": answer})) == "wrapper timestamp=1009"
