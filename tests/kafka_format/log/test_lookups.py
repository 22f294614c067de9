"""Lookups and their steps, on bytes made here, with indexes that 4.3.0 wrote for six batches."""

from pathlib import Path

import pytest
from kafka_format import structure
from kafka_format.errors import FormatError
from kafka_format.log.batches import batches
from kafka_format.log.index_search import search
from kafka_format.log.indexes import OffsetEntry, OffsetIndex, TimeEntry, TimeIndex
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.offset_lookup import LookupOutcome, find_offset
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log.time_lookup import find_time
from kafka_format.log.transaction_index import AbortedTransaction, aborted_transactions, encode

INDEX = bytes.fromhex("0000000100000048 0000000200000096 00000003000000de 0000000400000126 0000000500000174")
TIMES = b"".join(bytes.fromhex(f"{1000 + at:016x}{at:08x}") for at in range(1, 6))
ABORTED = (
    "0000 0000000000000001 0000000000000000 0000000000000001 0000000000000002",
    "0000 0000000000000001 0000000000000002 0000000000000004 0000000000000003",
)


def batch(offset: int, timestamp: int, count: int = 1) -> bytes:
    """A batch of v2 with `count` records, a millisecond apart."""
    write = structure("record_batch")
    record = structure("record").type
    records = [record(timestamp_delta=at, offset_delta=at, key=None, value=b"v") for at in range(count)]
    value = write.type(
        base_offset=offset, base_timestamp=timestamp, max_timestamp=timestamp + count - 1, records=records
    )
    return write.encode(value)


def folder_of(path: Path, **segments: bytes) -> Path:
    """A folder of a partition with segments, called by base offset after an underscore."""
    folder = path / "orders-0"
    folder.mkdir()
    for name, data in segments.items():
        (folder / segment_name(int(name[1:]), FileKind.SEGMENT)).write_bytes(data)
    return folder


def test_entries_of_an_offset_index() -> None:
    index = OffsetIndex(INDEX, 100)
    assert list(index) == [(101, 72), (102, 150), (103, 222), (104, 294), (105, 372)]
    assert (index[-1], index.last_offset, index.zeros, index.trailing) == ((105, 372), 105, 0, 0)
    assert OffsetIndex.encode(index, 100) == INDEX
    assert [index.lookup(offset).slot for offset in (99, 100, 101, 103, 200)] == [-1, -1, 0, 2, 4]
    assert index.lookup(100).entry == OffsetEntry(100, 0)
    with pytest.raises(IndexError):
        index[5]


def test_entries_of_a_time_index() -> None:
    index = TimeIndex(TIMES, 0)
    assert list(index)[:2] == [(1001, 1), (1002, 2)]
    assert TimeIndex.encode(index, 0) == TIMES
    assert index.lookup(1000).entry == TimeEntry(-1, 0)
    assert index.lookup(5000).entry == index.last == TimeEntry(1005, 5)
    assert TimeIndex(b"", 7).last == TimeEntry(-1, 7)


@pytest.mark.parametrize("zeros", [0, 8, 16, 1 << 16, (1 << 20) + 8])
def test_zeros_behind_an_index_are_entries_only_where_a_broker_opens_it(zeros: int) -> None:
    data = INDEX + bytes(zeros)
    assert (len(OffsetIndex(data, 0)), OffsetIndex(data, 0).zeros) == (5, zeros // 8)
    assert len(OffsetIndex(data, 0, padded=True)) == 5 + zeros // 8


def test_bytes_behind_the_last_entry_are_counted_and_not_read() -> None:
    index = OffsetIndex(INDEX + b"\1\2\3", 0)
    assert (len(index), index.trailing) == (5, 3)
    assert len(OffsetIndex(b"\1\2\3", 0)) == len(OffsetIndex(b"", 0)) == 0


def test_aborted_transactions() -> None:
    data = bytes.fromhex("".join(ABORTED))
    entries = [AbortedTransaction(1, 0, 1, 2), AbortedTransaction(1, 2, 4, 3)]
    assert list(aborted_transactions(data)) == list(aborted_transactions(data + bytes(33))) == entries
    assert encode(entries) == data
    with pytest.raises(FormatError) as caught:
        list(aborted_transactions(data[:34] + b"\1\0" + bytes(32)))
    assert (caught.value.rule, caught.value.offset) == ("log.transaction-index.version", 34)


@pytest.mark.parametrize("release", ["0.8", "2.0", "2.1", "4.4"])
def test_every_release_finds_the_same_in_what_rises(release: str) -> None:
    keys = list(range(0, 9000, 3))
    for target in (-1, 0, 1, 2999, 3000, 5926, 8997, 10_000):
        expected = max((slot for slot, key in enumerate(keys) if key <= target), default=-1)
        assert search(len(keys), keys.__getitem__, target, 8, release).slot == expected
    assert search(0, keys.__getitem__, 7, 8, release) == (-1, ())


def test_the_warm_end_is_searched_first_since_2_1() -> None:
    """storage AbstractIndex: 8192 bytes of entries at the end; with 3000 entries of 8 bytes it
    begins at 1975."""
    keys = list(range(3000))
    assert search(3000, keys.__getitem__, 2999, 8, "2.1").probes[0] == 1975
    assert search(3000, keys.__getitem__, 2999, 8, "2.0").probes[0] == 0
    assert len(search(3000, keys.__getitem__, 2990, 8, "2.1").probes) <= 11


@pytest.mark.parametrize("size", [0, 13, -1])
def test_a_size_that_no_entry_has_is_a_corrupt_record(size: int) -> None:
    data = batch(0, 1000) + (7).to_bytes(8) + size.to_bytes(4, signed=True) + bytes(20)
    found = batches(data)
    assert next(found).last_offset == 0
    with pytest.raises(FormatError) as caught:
        next(found)
    assert (caught.value.rule, caught.value.offset) == ("entry.size.minimum", len(batch(0, 1000)) + 8)


@pytest.mark.parametrize("tail", [b"", bytes(17), batch(1, 1001)[:-1], b"\xff" * 17])
def test_a_tail_that_is_no_whole_batch_is_not_there(tail: bytes) -> None:
    """Up to 17 bytes of anything are passed over, as was seen with 4.3.0."""
    assert [found.last_offset for found in batches(batch(0, 1000) + tail)] == [0]


def test_a_batch_says_what_its_header_says() -> None:
    [found] = batches(batch(40, 1000, 3))
    assert (found.base_offset, found.last_offset, found.next_offset, found.max_timestamp) == (40, 42, 43, 1002)
    assert (found.codec, found.count, found.producer_id, found.leader_epoch) == ("none", 3, -1, -1)
    assert not found.has("is_control")
    found.check()


@pytest.mark.parametrize("place", [20, 30, -1])
def test_a_flipped_bit_is_seen_by_the_checksum(place: int) -> None:
    data = bytearray(batch(0, 1000))
    data[place] ^= 1
    [found] = batches(bytes(data))
    with pytest.raises(FormatError) as caught:
        found.check()
    assert caught.value.rule == "v2.crc.covers-attributes-to-end"


def test_messages_of_v0_and_v1_are_batches() -> None:
    message = structure("message_set_entry")
    value = message.type(offset=7, message=structure("message_v0").type(key=None, value=b"value"))
    [found] = batches(message.encode(value))
    assert (found.magic, found.base_offset, found.last_offset, found.max_timestamp) == (0, 7, 7, -1)
    assert (found.count, found.producer_id, found.leader_epoch, found.codec) == (None, -1, -1, "none")
    found.check()


def test_outcomes_of_a_lookup(tmp_path: Path) -> None:
    """A hole at the end of a segment leads to the next one; its base offset is in its name
    alone."""
    folder = folder_of(tmp_path, _5=batch(5, 1000, 2) + batch(9, 2000), _20=batch(23, 3000))
    with PartitionLog(folder) as log:
        outcomes = {target: find_offset(log, target) for target in range(3, 27)}
        assert {target: found.outcome for target, found in outcomes.items() if found.batch is None} == {
            3: LookupOutcome.BELOW_START,
            4: LookupOutcome.BELOW_START,
            24: LookupOutcome.AT_END,
            25: LookupOutcome.BEYOND_END,
            26: LookupOutcome.BEYOND_END,
        }
        assert [(scan.segment.base_offset, scan.batch is None) for scan in outcomes[15].scans] == [
            (5, True),
            (20, False),
        ]
        assert (outcomes[15].next_offset, outcomes[7].next_offset, outcomes[24].next_offset) == (24, 10, 24)


def test_the_first_segment_that_promises_a_time_is_the_only_one(tmp_path: Path) -> None:
    """Without a time index the age of the file counts, which promises everything; Kafka then finds
    nothing."""
    folder = folder_of(tmp_path, _0=batch(0, 1000), _1=batch(1, 9_000_000))
    with PartitionLog(folder) as log:
        lookup = find_time(log, 5000)
        assert (lookup.passed, lookup.record) == ((), None)
        assert find_time(log, 1000).record == (1000, 0, -1)
        assert find_time(log, 1 << 62).scan is None


def test_a_folder_without_segments(tmp_path: Path) -> None:
    with PartitionLog(folder_of(tmp_path)) as log:
        assert find_offset(log, 0).outcome is LookupOutcome.NO_SEGMENT
        assert find_time(log, 0).record is None


def test_a_file_that_is_no_segment(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"")
    with pytest.raises(ValueError, match=r"notes.txt is not a segment, whose name is like 0{20}.log"):
        Segment(path)


def test_a_segment_whose_last_index_entry_points_at_a_cut_batch_passes_for_empty(tmp_path: Path) -> None:
    """As was seen with 4.3.0: five bytes are cut off the last batch, and the next append begins at
    the base offset."""
    data = batch(15, 1000, 3) + batch(18, 2000, 3)
    folder = folder_of(tmp_path, _15=data[:-5])
    index = OffsetIndex.encode([OffsetEntry(20, len(batch(15, 1000, 3)))], 15)
    (folder / segment_name(15, FileKind.OFFSET_INDEX)).write_bytes(index)
    with PartitionLog(folder) as log:
        assert log.end_offset == 15
    (folder / segment_name(15, FileKind.OFFSET_INDEX)).unlink()
    with PartitionLog(folder) as log:
        assert log.end_offset == 18


def test_a_negative_position_in_an_index_counts_as_0_and_stops_a_search_by_time(tmp_path: Path) -> None:
    """Kafka 4.3 and 4.4 find the offset, and answer IllegalArgumentException to the time."""
    folder = folder_of(tmp_path, _0=batch(0, 1000) + batch(1, 2000))
    (folder / segment_name(0, FileKind.OFFSET_INDEX)).write_bytes(bytes.fromhex("00000001 ffffffff"))
    (folder / segment_name(0, FileKind.TIME_INDEX)).write_bytes((2000).to_bytes(8, "big") + bytes.fromhex("00000001"))
    with PartitionLog(folder) as log:
        assert find_offset(log, 1).next_offset == 2
        with pytest.raises(FormatError) as caught:
            find_time(log, 2000)
    assert caught.value.rule == "log.offset-index.position"
