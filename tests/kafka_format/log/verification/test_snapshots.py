"""Producer snapshots are held against the batches as far as releases, time and compaction allow."""

import os
from pathlib import Path
from typing import Any

import pytest
from kafka_format import structure
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.verification import verify_partition

from tests.kafka_format.logs import ABORT, batch, marker, transactional

STATE = {
    "producer_id": 7,
    "producer_epoch": 0,
    "last_sequence": 1,
    "last_offset": 1,
    "offset_delta": 1,
    "timestamp": 1000,
    "coordinator_epoch": 0,
    "current_transaction_first_offset": -1,
}
"""What a release since 2.4 knows of producer 7 after a batch of two records and its marker."""

TRANSACTION = (transactional(0, 7, (0, 1)), marker(2, 7))


def folder(path: Path, *data: bytes, base: int = 0, at: int = 3, **values: int) -> Path:
    """A segment, and a snapshot at an offset in which producer 7 has these other values."""
    path.mkdir()
    write = structure("producer_snapshot_file")
    entry: Any = structure("producer_state").type(**STATE | values)
    (path / segment_name(base, FileKind.SEGMENT)).write_bytes(b"".join(data))
    (path / segment_name(at, FileKind.PRODUCER_SNAPSHOT)).write_bytes(write.encode(write.type(producers=[entry])))
    return path


def rules(path: Path) -> list[str]:
    return [breach.rule for breach in verify_partition(path) if breach.rule != "log.offset-index.present"]


@pytest.mark.parametrize(
    "values",
    [
        {"last_sequence": 2},
        {"last_offset": 0},
        {"offset_delta": 3},
        {"timestamp": 999},
        {"producer_epoch": 1},
        {"coordinator_epoch": 4},
        {"current_transaction_first_offset": 0},
    ],
)
def test_what_no_release_writes(values: dict[str, int], tmp_path: Path) -> None:
    assert rules(folder(tmp_path / "orders-0", *TRANSACTION, **values)) == ["log.snapshot.state"]


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"last_offset": 2, "offset_delta": 0},  # 0.11
        {"coordinator_epoch": -1},
        {"last_sequence": -1, "last_offset": -1, "offset_delta": 0},
    ],
)
def test_what_some_release_writes(values: dict[str, int], tmp_path: Path) -> None:
    assert rules(folder(tmp_path / "orders-0", *TRANSACTION, **values)) == []


def test_what_was_before_the_first_segment_is_not_known(tmp_path: Path) -> None:
    """2.7 removes the snapshot of the first segment; the producer's batches went before."""
    only_marker = folder(tmp_path / "orders-0", batch(5), marker(6, 7), base=5, at=7, last_offset=4, last_sequence=9)
    assert rules(only_marker) == []
    earlier = folder(tmp_path / "orders-1", batch(5), transactional(6, 7), base=5, at=7, last_offset=6, offset_delta=0)
    assert rules(earlier) == ["log.snapshot.state"]  # the transaction that begins at 6 is not there


def test_a_snapshot_is_told_of_once(tmp_path: Path) -> None:
    """It stands at the end of a segment and at the beginning of the next."""
    path = folder(tmp_path / "orders-0", *TRANSACTION, last_sequence=5)
    (path / segment_name(3, FileKind.SEGMENT)).write_bytes(batch(3))
    assert rules(path) == ["log.snapshot.state"]


def test_an_aborted_transaction_that_compaction_emptied_needs_no_entry(tmp_path: Path) -> None:
    path = tmp_path / "orders-0"
    path.mkdir()
    empty = batch(1, (), last=0, attributes=0x10, producer_id=7, producer_epoch=0, base_sequence=1)
    (path / segment_name(0, FileKind.SEGMENT)).write_bytes(batch(0) + empty + marker(2, 7, ABORT))
    assert rules(path) == []
    (path / segment_name(0, FileKind.SEGMENT)).write_bytes(transactional(1, 7) + marker(2, 7, ABORT))
    assert rules(path) == ["log.transaction-index.aborted"]


def test_a_snapshot_may_only_be_missing_where_the_log_had_its_topic_id(tmp_path: Path) -> None:
    path = tmp_path / "orders-0"
    path.mkdir()
    for base in (0, 1):
        (path / segment_name(base, FileKind.SEGMENT)).write_bytes(batch(base))
        (path / segment_name(base, FileKind.OFFSET_INDEX)).touch()
        os.utime(path / segment_name(base, FileKind.SEGMENT), (1000, 1000))
    times = path / segment_name(0, FileKind.TIME_INDEX)
    times.write_bytes((1000).to_bytes(8, "big") + bytes(4))
    assert rules(path) == []
    (path / "partition.metadata").write_text("version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg", encoding="utf-8")
    os.utime(path / "partition.metadata", (1001, 1001))
    assert rules(path) == []
    os.utime(path / "partition.metadata", (999, 999))
    assert rules(path) == ["log.snapshot.present"]
