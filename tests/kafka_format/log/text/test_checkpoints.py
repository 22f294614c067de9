"""Checkpoints: what CheckpointFile and LeaderEpochFileCache of Kafka read, and what they refuse."""

import pytest
from kafka_format.errors import FormatError
from kafka_format.log.text import checkpoints
from kafka_format.log.text.checkpoints import EpochRow, OffsetRow

from tests.kafka_format.log import real

LOOSE = frozenset({"checkpoint-loose-text"})
RISE = frozenset({"epochs-made-to-rise"})


@pytest.mark.parametrize(
    ("text", "rule", "offset"),
    [
        ("x\n", "log.checkpoint.version", 0),
        ("1\n1\na 0 1\n", "log.checkpoint.version", 0),
        ("\0\0\0\0", "log.checkpoint.version", 0),
        ("\n", "log.checkpoint.version", 0),
        ("99999999999\n", "log.checkpoint.version", 0),
        ("0\nx\n", "log.checkpoint.count", 2),
        ("0\n-1\n", "log.checkpoint.count", 2),
        ("0\n2\na 0 1\n", "log.checkpoint.count", 2),
        ("0\n1\na 0 1\nb 0 1\n", "log.checkpoint.count", 2),
        ("0\n2147483647\n", "log.checkpoint.count", 2),
        ("0\n1\na 0\n", "log.checkpoint.row", 4),
        ("0\n1\na 0 1 2\n", "log.checkpoint.row", 4),
        ("0\n1\n\n", "log.checkpoint.row", 4),
        ("0\n1\na x 1\n", "log.checkpoint.number", 6),
        ("0\n1\na 0 9223372036854775808\n", "log.checkpoint.number", 8),
        ("0\n1\na 2147483648 1\n", "log.checkpoint.number", 6),
    ],
)
@pytest.mark.parametrize("flags", [frozenset(), LOOSE])
def test_what_no_broker_reads(text: str, rule: str, offset: int, flags: frozenset[str]) -> None:
    with pytest.raises(FormatError) as caught:
        checkpoints.decode_offsets(text.encode(), flags)
    assert (caught.value.rule, caught.value.offset) == (rule, offset)


@pytest.mark.parametrize(
    "text", ["0\n1\na 0 +1\n", "0\n1\na 0 01\n", "0\n1\na  0\t1\n", "0\n1\na 0 1", "0\r\n1\r\na 0 1", "+0\n01\na 0 1\n"]
)
def test_what_kafka_reads_and_never_writes(text: str) -> None:
    assert checkpoints.decode_offsets(text.encode(), LOOSE) == (OffsetRow("a", 0, 1),)
    with pytest.raises(FormatError) as caught:
        checkpoints.decode_offsets(text.encode())
    assert caught.value.rule in {
        "log.checkpoint.text",
        "log.checkpoint.number",
        "log.checkpoint.row",
        "log.checkpoint.version",
    }


@pytest.mark.parametrize("text", ["", "0\n", "0\n0\n"])
def test_no_rows(text: str) -> None:
    assert checkpoints.decode_offsets(text.encode()) == ()
    assert checkpoints.decode_epochs(text.encode()) == ()


def test_rows_keep_their_order_and_repeat() -> None:
    rows = (OffsetRow("b", 1, 7), OffsetRow("a", 0, -1), OffsetRow("b", 1, 8))
    assert checkpoints.decode_offsets(b"0\n3\nb 1 7\na 0 -1\nb 1 8\n") == rows
    assert checkpoints.encode(rows) == b"0\n3\nb 1 7\na 0 -1\nb 1 8\n"


def test_epochs_that_do_not_rise_are_mended_by_kafka() -> None:
    """`0 9`, `1 5`: Kafka keeps `1 5` alone, as was seen with 4.3.0."""
    with pytest.raises(FormatError) as caught:
        checkpoints.decode_epochs(b"0\n2\n0 9\n1 5\n")
    assert (caught.value.rule, caught.value.offset) == ("log.epochs.rising", 8)
    assert checkpoints.decode_epochs(b"0\n2\n0 9\n1 5\n", RISE) == (EpochRow(1, 5),)


@pytest.mark.parametrize("row", ["-1 0", "0 -1"])
def test_negative_epochs(row: str) -> None:
    with pytest.raises(FormatError) as caught:
        checkpoints.decode_epochs(f"0\n1\n{row}\n".encode(), RISE)
    assert caught.value.rule == "log.epochs.not-negative"


@pytest.mark.parametrize("directory", real.NAMES)
def test_checkpoints_of_brokers_are_written_again_byte_for_byte(directory: str) -> None:
    found = {
        path: data for path, data in real.files(directory).items() if path.endswith("checkpoint") and "." not in path
    }
    assert len(found) == 11
    for path, data in found.items():
        decode = checkpoints.decode_epochs if "/" in path else checkpoints.decode_offsets
        rows = decode(data)
        assert data in {b"", checkpoints.encode(rows)}
    epochs = {
        path: checkpoints.decode_epochs(data) for path, data in found.items() if path.endswith("epoch-checkpoint")
    }
    assert epochs["events-0/leader-epoch-checkpoint"] == (EpochRow(0, 0),)
    assert epochs["orders-0/leader-epoch-checkpoint"] == (EpochRow(0, 7),)  # cut where the log starts


def test_the_high_watermark_of_a_broker() -> None:
    """`Fill.java` sends 60 batches of one to three records to orders, and deletes the records
    before 7."""
    found = real.files("kafka-4.4.0-stopped")
    marks = {row.topic: row.offset for row in checkpoints.decode_offsets(found["replication-offset-checkpoint"])}
    assert (marks["orders"], marks["events"], marks["prices"]) == (60 * 2, 20, 200)
    assert checkpoints.decode_offsets(found["log-start-offset-checkpoint"]) == (OffsetRow("orders", 0, 7),)
