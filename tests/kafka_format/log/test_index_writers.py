"""Which releases write entries so: logs of the builder, and directories of real brokers."""

from collections import Counter
from pathlib import Path

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.builder import LogBuilder
from kafka_format.log.index_writers import EntryStyle, Writing, writing
from kafka_format.log.verification import verify_partition

from tests.kafka_format.logs import batch


def written(folder: Path, release: str) -> Writing:
    """Two appends of two batches with two records each; every append after the first is due for an
    entry."""
    builder = LogBuilder(folder, release=release, index_interval=0)
    for base in (0, 4):
        builder.append(batch(base, (0, 1), max_timestamp=base + 1) + batch(base + 2, (0, 1), max_timestamp=base + 2))
    builder.close()
    assert list(verify_partition(folder)) == []
    with PartitionLog(folder) as log:
        return writing(log.segments[0])


@pytest.mark.parametrize(
    ("release", "style", "count", "alarms"),
    [
        ("0.11.0", EntryStyle.FIRST, 1, 1),
        ("1.1.1", EntryStyle.FIRST, 1, 1),
        ("2.0.0", EntryStyle.LATER, 1, 1),
        ("3.9.0", EntryStyle.LATER, 1, 1),
        ("4.0.0", EntryStyle.LATER, 1, 1),
        ("3.9.1", EntryStyle.LAST, 3, 0),
        ("4.1.0", EntryStyle.LAST, 3, 0),
    ],
)
def test_the_offset_of_an_entry_tells(release: str, style: EntryStyle, count: int, alarms: int, tmp_path: Path) -> None:
    """KAFKA-6530 in 2.0, KAFKA-806 in 3.9.1, 4.0.1 and 4.1."""
    found = written(tmp_path / "orders-0", release)
    assert (found.offsets, found.dump_alarms) == (Counter({style: count}), alarms)


def test_an_offset_within_its_batch_is_from_an_old_leader(tmp_path: Path) -> None:
    """Leaders up to 3.6 named the record with the largest timestamp (KAFKA-16310)."""
    folder = tmp_path / "orders-0"
    builder = LogBuilder(folder)
    builder.append(batch(0, (0, 1, 2), max_timestamp=2000))
    builder.close()
    (folder / f"{0:020}.timeindex").write_bytes((2000).to_bytes(8, "big") + (1).to_bytes(4, "big"))
    with PartitionLog(folder) as log:
        assert writing(log.segments[0]).times == Counter({EntryStyle.RECORD: 1})


def test_an_entry_that_fits_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "orders-0"
    builder = LogBuilder(folder)
    builder.append(batch(0, (0, 1)))
    builder.close()
    (folder / f"{0:020}.index").write_bytes(bytes.fromhex("0000000100000007"))
    with PartitionLog(folder) as log:
        assert writing(log.segments[0]).offsets == Counter({EntryStyle.NOT_THERE: 1})


def test_real_brokers_of_today_name_the_last_offset(directory: Path) -> None:
    with PartitionLog(directory / "orders-0") as log:
        found = [writing(segment) for segment in log.segments]
    assert {style for each in found for style in each.offsets + each.times} == {EntryStyle.LAST, EntryStyle.ONLY}
    assert sum(each.dump_alarms for each in found) == 0
