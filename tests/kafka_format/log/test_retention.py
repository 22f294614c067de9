"""Retention by time, size and start, by UnifiedLog.deleteOldSegments, worked out by hand."""

import os
from pathlib import Path

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.builder import LogBuilder
from kafka_format.log.retention import RetentionReason, Source, judge

from tests.kafka_format.logs import batch

DAY = 86_400_000
NOW = 20_000 * DAY


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three segments of one record each, of 9, 5 and 1 days ago; the batches have 69 bytes each."""
    path = tmp_path / "data" / "orders-0"
    builder = LogBuilder(path)
    for offset, days in enumerate((9, 5, 1)):
        stamp = NOW - days * DAY
        builder.append(batch(offset, base_timestamp=stamp, max_timestamp=stamp))
        if offset < 2:
            builder.roll()
    builder.close()
    return path


def reasons(
    folder: Path, *, padded: bool = False, retention_ms: int = -1, retention_bytes: int = -1
) -> list[RetentionReason]:
    with PartitionLog(folder, padded=padded) as log:
        judgement = judge(log, NOW, retention_ms=retention_ms, retention_bytes=retention_bytes)
        return [each.reason for each in judgement]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (9, [RetentionReason.YOUNG, RetentionReason.BEHIND, RetentionReason.BEHIND]),
        (7, [RetentionReason.TIME, RetentionReason.YOUNG, RetentionReason.BEHIND]),
        (2, [RetentionReason.TIME, RetentionReason.TIME, RetentionReason.YOUNG]),
        (0, [RetentionReason.TIME, RetentionReason.TIME, RetentionReason.TIME]),
    ],
)
def test_by_time(days: int, expected: list[RetentionReason], folder: Path) -> None:
    """A segment of exactly the limit stays: older is more than the limit."""
    assert reasons(folder, retention_ms=days * DAY) == expected


def test_by_size(folder: Path) -> None:
    """Segments go while the rest is at least as large as the limit."""
    size = (folder / f"{0:020}.log").stat().st_size
    assert reasons(folder, retention_bytes=3 * size - 1) == [
        RetentionReason.YOUNG,
        RetentionReason.BEHIND,
        RetentionReason.BEHIND,
    ]
    assert reasons(folder, retention_bytes=2 * size) == [
        RetentionReason.SIZE,
        RetentionReason.YOUNG,
        RetentionReason.BEHIND,
    ]
    assert reasons(folder, retention_bytes=2 * size - 1) == [
        RetentionReason.SIZE,
        RetentionReason.YOUNG,
        RetentionReason.BEHIND,
    ]
    assert reasons(folder, retention_bytes=0) == [RetentionReason.SIZE] * 3


def test_no_limit_keeps_all(folder: Path) -> None:
    assert reasons(folder) == [RetentionReason.YOUNG, RetentionReason.BEHIND, RetentionReason.BEHIND]


def test_what_is_below_the_start_goes(folder: Path) -> None:
    (folder.parent / "log-start-offset-checkpoint").write_bytes(b"0\n1\norders 0 1\n")
    assert reasons(folder) == [RetentionReason.START, RetentionReason.YOUNG, RetentionReason.BEHIND]


def test_nothing_goes_above_the_high_watermark(folder: Path) -> None:
    (folder.parent / "replication-offset-checkpoint").write_bytes(b"0\n1\norders 0 1\n")
    assert reasons(folder, retention_ms=0) == [RetentionReason.TIME, RetentionReason.WATERMARK, RetentionReason.BEHIND]


def test_zeros_behind_a_time_index_look_like_1970(folder: Path) -> None:
    """KAFKA-10207, KAFKA-19200: the last entry counts, and it is all zeros."""
    path = folder / f"{2:020}.timeindex"
    path.write_bytes(path.read_bytes() + bytes(12))
    with PartitionLog(folder, padded=True) as log:
        last = judge(log, NOW, retention_ms=2 * DAY)[-1]
    assert (last.reason, last.largest, last.in_batches) == (RetentionReason.TIME, 0, NOW - DAY)
    assert reasons(folder, retention_ms=2 * DAY) == [RetentionReason.TIME, RetentionReason.TIME, RetentionReason.YOUNG]


def test_without_a_time_index_the_age_of_the_file_counts(folder: Path) -> None:
    (folder / f"{0:020}.timeindex").unlink()
    path = folder / f"{0:020}.log"
    os.utime(path, (NOW // 1000, NOW // 1000))
    with PartitionLog(folder) as log:
        first = judge(log, NOW, retention_ms=7 * DAY)[0]
    assert (first.source, first.largest, first.reason) == (Source.FILE, NOW, RetentionReason.YOUNG)
