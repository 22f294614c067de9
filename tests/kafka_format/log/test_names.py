"""Names of files and folders, as storage LogFileUtils, LocalLog and raft Snapshots read them."""

import pytest
from kafka_format.errors import FormatError
from kafka_format.log.names import (
    FileKind,
    FileName,
    PartitionName,
    kraft_snapshot_name,
    parse_file,
    parse_partition,
    segment_name,
)

from tests.kafka_format.log import real

LOOSE = frozenset({"log-name-of-any-width"})
ID = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    "name", ["abc.log", ".log", "9223372036854775808.log", "1 .index", "0x10.timeindex", "12_3.log"]
)
def test_a_name_without_a_number_keeps_a_broker_from_starting(name: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_file(name, LOOSE)
    assert caught.value.rule == "log.name.number"


@pytest.mark.parametrize(("name", "offset"), [("7.log", 7), ("+7.log", 7), ("-7.log", -7), ("0" * 25 + ".log", 0)])
def test_kafka_takes_any_number_of_digits(name: str, offset: int) -> None:
    assert parse_file(name, LOOSE) == FileName(FileKind.SEGMENT, offset)
    with pytest.raises(FormatError) as caught:
        parse_file(name)
    assert caught.value.rule == "log.name.digits"


@pytest.mark.parametrize(
    ("name", "kind", "markers"),
    [
        ("00000000000000000042.log", FileKind.SEGMENT, ()),
        ("00000000000000000042.kafka", FileKind.SEGMENT_07, ()),
        ("00000000000000000042.index.deleted", FileKind.OFFSET_INDEX, ("deleted",)),
        ("00000000000000000042.log.swap", FileKind.SEGMENT, ("swap",)),
        ("00000000000000000042.timeindex.cleaned", FileKind.TIME_INDEX, ("cleaned",)),
        ("00000000000000000042.txnindex", FileKind.TRANSACTION_INDEX, ()),
        ("00000000000000000042.snapshot", FileKind.PRODUCER_SNAPSHOT, ()),
    ],
)
def test_a_file_of_a_segment(name: str, kind: FileKind, markers: tuple[str, ...]) -> None:
    assert parse_file(name) == FileName(kind, 42, markers)
    assert segment_name(42, kind, *markers) == name


def test_a_kraft_snapshot_has_an_epoch() -> None:
    name = "00000000000000000042-0000000007.checkpoint"
    assert parse_file(name) == FileName(FileKind.KRAFT_SNAPSHOT, 42, (), 7)
    assert parse_file(f"{name}.part") == FileName(FileKind.KRAFT_SNAPSHOT, 42, ("part",), 7)
    assert kraft_snapshot_name(42, 7) == name


@pytest.mark.parametrize(
    "name", ["leader-epoch-checkpoint", "partition.metadata", "README.txt", "bootstrap.checkpoint"]
)
def test_other_files_are_none_of_a_segment(name: str) -> None:
    assert parse_file(name) is None


@pytest.mark.parametrize(
    ("name", "partition"),
    [
        ("orders-0", PartitionName("orders", 0)),
        ("my-own.orders-12", PartitionName("my-own.orders", 12)),
        (f"orders-0.{ID}-delete", PartitionName("orders", 0, "delete", ID)),
        (f"a.b-3.{ID}-future", PartitionName("a.b", 3, "future", ID)),
        (f"orders-0.{ID}-stray", PartitionName("orders", 0, "stray", ID)),
    ],
)
def test_a_folder_of_a_partition(name: str, partition: PartitionName) -> None:
    assert parse_partition(name) == partition
    assert str(partition) == name.split(f".{ID}", maxsplit=1)[0]


@pytest.mark.parametrize(
    "name",
    ["orders", "-0", "orders-x", "orders-0-delete", f"orders.{ID}-delete", "orders-0.-stray", "orders-2147483648"],
)
def test_another_folder_keeps_a_broker_from_starting(name: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_partition(name)
    assert caught.value.rule == "log.name.partition"


@pytest.mark.parametrize("directory", real.NAMES)
def test_every_name_that_a_broker_gave_is_read_and_written_again(directory: str) -> None:
    kinds = set()
    for path in real.files(directory):
        folder, _, name = path.rpartition("/")
        if not folder:
            continue
        assert str(parse_partition(folder)) == folder
        parsed = parse_file(name)
        if parsed is None:
            assert name in {"leader-epoch-checkpoint", "partition.metadata", "quorum-state"}
        elif parsed.epoch is None:
            kinds.add(parsed.kind)
            assert segment_name(parsed.offset, parsed.kind, *parsed.markers) == name
        else:
            assert kraft_snapshot_name(parsed.offset, parsed.epoch) == name
    assert len(kinds) == 5  # all but those of 0.7 and KRaft's
