"""The negative times of ListOffsets, as Kafka's sources answer them (UnifiedLog, Partition)."""

from pathlib import Path

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.special_times import (
    Isolation,
    SpecialTime,
    UnknownTimeError,
    find_special,
    upper_limit,
)
from kafka_format.log.transaction_index import encode

from tests.kafka_format.logs import ABORT, batch, marker, messages, transactional

MARKED = {"replication-offset-checkpoint": b"0\n1\norders 0 4\n"}


def log(root: Path, *data: bytes, base: int = 0, **files: bytes) -> PartitionLog:
    folder = root / "orders-0"
    folder.mkdir()
    (folder / segment_name(base, FileKind.SEGMENT)).write_bytes(b"".join(data))
    for name, content in files.items():
        (root / name).write_bytes(content)
    return PartitionLog(folder)


def times(folder: Path, base: int, *entries: tuple[int, int]) -> None:
    content = b"".join(time.to_bytes(8, "big") + offset.to_bytes(4, "big") for time, offset in entries)
    (folder / segment_name(base, FileKind.TIME_INDEX)).write_bytes(content)


def test_readers_wait_at_different_offsets(tmp_path: Path) -> None:
    """A transaction that ends at the high watermark or above counts as open."""
    data = (batch(0), transactional(1, 7), batch(2), batch(3), marker(4, 7, ABORT), batch(5))
    with log(tmp_path, *data, **MARKED) as found:
        limits = {each: upper_limit(found, each) for each in Isolation}
        latest = {each: find_special(found, SpecialTime.LATEST, each).offset for each in Isolation}
    assert limits == latest == {Isolation.READ_UNCOMMITTED: 4, Isolation.READ_COMMITTED: 1, Isolation.LOG_END: 6}


def test_a_transaction_that_ended_below_the_high_watermark_holds_nobody(tmp_path: Path) -> None:
    with log(tmp_path, transactional(0, 7), marker(1, 7), batch(2), batch(3), batch(4), **MARKED) as found:
        assert upper_limit(found, Isolation.READ_COMMITTED) == 4


@pytest.mark.parametrize("mark", [b"", b"0\n1\norders 0 9\n", b"0\n0\n", b"x"])
def test_a_high_watermark_that_is_not_known_is_the_end(mark: bytes, tmp_path: Path) -> None:
    with log(tmp_path, batch(0), batch(1), **{"replication-offset-checkpoint": mark}) as found:
        assert upper_limit(found, Isolation.READ_UNCOMMITTED) == 2


def test_the_earliest_offset_is_the_start_of_the_log(tmp_path: Path) -> None:
    start = {"log-start-offset-checkpoint": b"0\n1\norders 0 8\n"}
    with log(tmp_path, batch(7, [0, 1, 2]), base=7, **start) as found:
        (found.folder / "leader-epoch-checkpoint").write_bytes(b"0\n2\n3 7\n5 9\n")
        assert find_special(found, SpecialTime.EARLIEST) == (-1, 8, 3)
        assert find_special(found, SpecialTime.EARLIEST_LOCAL) == (-1, 8, 3)
        assert find_special(found, SpecialTime.LATEST) == (-1, 10, 5)


def test_the_largest_timestamp_is_that_of_a_record(tmp_path: Path) -> None:
    """KAFKA-16310: before 3.8 it was the offset in the time index."""
    items = [{"offset_delta": at, "timestamp_delta": delta} for at, delta in enumerate((0, 50, 20))]
    stamped = batch(1, records=items, max_timestamp=1050, last_offset_delta=2, partition_leader_epoch=4)
    with log(tmp_path, batch(0), stamped, batch(4)) as found:
        times(found.folder, 0, (1050, 3))
        assert find_special(found, SpecialTime.MAX_TIMESTAMP) == (1050, 2, 4)
        assert find_special(found, SpecialTime.MAX_TIMESTAMP, release="3.7").offset == 3


def test_of_append_time_it_is_the_first_offset_of_the_batch(tmp_path: Path) -> None:
    """Seen of brokers of 3.9.2 and 4.4.0: each record has the largest timestamp, and the first is
    taken."""
    with log(tmp_path, batch(0, [0, 1], attributes=8)) as found:
        times(found.folder, 0, (1000, 1))
        assert find_special(found, SpecialTime.MAX_TIMESTAMP).offset == 0


def test_the_largest_timestamp_is_hidden_above_the_limit_of_the_reader(tmp_path: Path) -> None:
    data = (batch(0), batch(1), batch(2), batch(3), batch(4, max_timestamp=2000, base_timestamp=2000))
    with log(tmp_path, *data, **MARKED) as found:
        times(found.folder, 0, (2000, 4))
        assert find_special(found, SpecialTime.MAX_TIMESTAMP).offset == -1
        assert find_special(found, SpecialTime.MAX_TIMESTAMP, Isolation.LOG_END).offset == 4


def test_without_timestamps_there_is_no_largest(tmp_path: Path) -> None:
    with log(tmp_path, messages(0, 0, 1)) as found:
        assert find_special(found, SpecialTime.MAX_TIMESTAMP).offset == -1


@pytest.mark.parametrize("time", [SpecialTime.LATEST_TIERED, SpecialTime.EARLIEST_PENDING_UPLOAD])
def test_what_is_in_remote_storage_is_not_here(time: SpecialTime, tmp_path: Path) -> None:
    with log(tmp_path, batch(0)) as found:
        assert find_special(found, time) == (-1, -1, -1)


@pytest.mark.parametrize(("time", "before"), [(-3, "2.8"), (-4, "3.4"), (-5, "3.8"), (-6, "4.1")])
def test_a_release_does_not_know_later_times(time: int, before: str, tmp_path: Path) -> None:
    with log(tmp_path, batch(0)) as found, pytest.raises(UnknownTimeError):
        find_special(found, SpecialTime(time), release=before)


def test_the_index_of_transactions_is_not_asked(tmp_path: Path) -> None:
    with log(tmp_path, batch(0)) as found:
        (found.folder / segment_name(0, FileKind.TRANSACTION_INDEX)).write_bytes(encode([])[:3] + b"\1\2")
        assert upper_limit(found, Isolation.READ_COMMITTED) == 1
