"""A log that is built of a broker's batches is the broker's, file for file."""

from pathlib import Path

import pytest
from kafka_format.log.builder import LogBuilder
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.offset_lookup import find_offset
from kafka_format.log.partition import PartitionLog
from kafka_format.log.producer_states import read_snapshot
from kafka_format.log.verification import verify_partition

from tests.kafka_format.log import real
from tests.kafka_format.log.test_lookups import batch


@pytest.mark.parametrize("release", real.RELEASES)
@pytest.mark.parametrize("topic", ["orders-0", "events-0"])
def test_the_files_are_those_of_the_broker(release: str, topic: str, tmp_path: Path) -> None:
    """`Fill.java` sends a batch a request, to topics with segments of 2500 bytes and an index
    interval of 300."""
    root = real.unpack(f"kafka-{release}-stopped", tmp_path / "real")
    builder = LogBuilder(tmp_path / topic, release=release, index_interval=300, segment_bytes=2500)
    with PartitionLog(root / topic) as log:
        for found in (found for segment in log.segments for found in segment.batches()):
            builder.append(found.data)
    builder.close()
    expected = {path.name: path.read_bytes() for path in (root / topic).iterdir() if path.name != "partition.metadata"}
    actual = {path.name: path.read_bytes() for path in (tmp_path / topic).iterdir()}
    if topic == "orders-0":
        expected["leader-epoch-checkpoint"] = b"0\n1\n0 0\n"  # it was cut when records were deleted
    snapshots = {name for name in expected if name.endswith(".snapshot")}
    assert actual.keys() == expected.keys()
    assert {name for name in actual if actual[name] != expected[name]} - snapshots == set()
    assert all(sorted(read_snapshot(actual[name])) == sorted(read_snapshot(expected[name])) for name in snapshots)


@pytest.mark.parametrize(
    ("release", "offset", "position"),
    [("1.1", 103, 0), ("2.0", 108, 0), ("3.9.0", 108, 0), ("3.9.1", 105, 0), ("4.0.0", 108, 0), ("4.1", 105, 0)],
)
def test_the_offset_of_an_index_entry_is_that_of_the_release(
    release: str, offset: int, position: int, tmp_path: Path
) -> None:
    """Seen with 3.9.0: an append of the batches 103 to 105 and 106 to 108 gave (108, the place of
    the first one)."""
    first = batch(100, 1000, 3)
    builder = LogBuilder(tmp_path / "orders-0", 100, release=release, index_interval=10)
    builder.append(first)
    builder.append(batch(103, 2000, 3) + batch(106, 3000, 3))
    builder.close()
    with PartitionLog(tmp_path / "orders-0") as log:
        assert log.segments[0].offset_index[0] == (offset, len(first) + position)
        assert len(log.segments[0].offset_index) == (2 if offset == 105 else 1)
        assert [find_offset(log, target).next_offset for target in (102, 103, 106)] == [103, 106, 109]
    assert list(verify_partition(tmp_path / "orders-0")) == []


def test_a_segment_that_would_be_too_large_is_closed(tmp_path: Path) -> None:
    size = len(batch(0, 1000))
    builder = LogBuilder(tmp_path / "orders-0", segment_bytes=2 * size)
    for offset in range(5):
        builder.append(batch(offset, 1000 + offset))
    builder.close()
    names = {path.name for path in (tmp_path / "orders-0").glob("*.log")}
    assert names == {segment_name(base, FileKind.SEGMENT) for base in (0, 2, 4)}


def test_a_folder_with_files_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(FileExistsError):
        LogBuilder(tmp_path)
