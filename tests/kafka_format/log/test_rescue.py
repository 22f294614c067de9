"""Sound batches are found after any fault, and the rescued log breaks no rule."""

import os
import shutil
from pathlib import Path

import pytest
from kafka_format.log import PartitionLog, recover
from kafka_format.log.batches import batches
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.recovery import Fate
from kafka_format.log.rescue import are_moved, find_sound, missing_offsets, odd_epochs, other_files, write_rescued
from kafka_format.log.verification import verify_partition
from kafka_generator.log_vectors.damages import DAMAGES

from tests.kafka_format.log import real
from tests.kafka_format.logs import batch, marker, messages, transactional

LOST = {
    "sound": [],
    "last-batch-cut": [117, 118, 119],
    "middle-segment-cut": [78],
    "payload-bit-in-last-segment": [85, 86],
    "payload-bit-in-first-segment": [6],
    "header-bit-in-middle-segment": [43, 44],
    "page-of-zeros-behind": [],
    "page-of-ones-behind": [],
    "last-batch-ten-times": [],
    "batch-of-magic-3": [],
    "batch-below-base": [],
    "zeros-for-indexes": [],
}
"""Offsets that each damage takes: `Fill.java` writes batches of one, two and three records in
turn."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real.unpack("kafka-4.4.0-stopped", tmp_path_factory.mktemp("sound") / "data")


def offsets(folder: Path) -> list[int]:
    with PartitionLog(folder) as log:
        return [record.offset for segment in log.segments for each in segment.batches() for record in each.records()]


def rescue(folder: Path, out: Path) -> list[int]:
    with PartitionLog(folder) as log:
        write_rescued(log, find_sound(log), out)
    return offsets(out)


def written(folder: Path, *data: bytes, base: int = 0) -> Path:
    folder.mkdir(parents=True)
    (folder / segment_name(base, FileKind.SEGMENT)).write_bytes(b"".join(data))
    return folder


@pytest.mark.parametrize("damage", LOST)
def test_all_but_the_broken_batches_is_rescued(damage: str, sound: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(sound / "orders-0", tmp_path / "orders-0")
    DAMAGES[damage](folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [offset for offset in range(120) if offset not in LOST[damage]]
    assert list(verify_partition(out)) == []
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    with PartitionLog(out) as log:
        assert {each.fate for each in recover(log).segments} == {Fate.KEPT}


def test_a_sound_log_is_the_same_byte_for_byte(sound: Path, tmp_path: Path) -> None:
    for topic in ("orders-0", "payments-0", "events-0"):
        out = tmp_path / topic
        rescue(sound / topic, out)
        for path in sound.joinpath(topic).glob("*.log"):
            assert (out / path.name).read_bytes() == path.read_bytes()
        assert (out / "partition.metadata").read_bytes() == (sound / topic / "partition.metadata").read_bytes()


@pytest.mark.parametrize("size", [0, 13, 40, 300, 1 << 30, (1 << 31) - 1, (1 << 32) - 1])
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_a_broken_size_costs_one_batch(size: int, magic: int, tmp_path: Path) -> None:
    """The next batch is found by what it begins with; with the checksum of v2 that is its size."""
    entries = [batch(offset) if magic == 2 else messages(magic, offset) for offset in range(5)]
    broken = bytearray(entries[2])
    broken[8:12] = size.to_bytes(4, "big")
    folder = written(tmp_path / "orders-0", *entries[:2], bytes(broken), *entries[3:])
    assert rescue(folder, tmp_path / "rescued" / "orders-0") == ([0, 1, 2, 3, 4] if magic == 2 else [0, 1, 3, 4])


def test_size_and_magic_are_set_right_together_where_the_checksum_fits(tmp_path: Path) -> None:
    broken = bytearray(batch(1, [0, 1]))
    broken[8:12], broken[16] = (5).to_bytes(4, "big"), 77
    folder = written(tmp_path / "orders-0", batch(0), bytes(broken))
    assert rescue(folder, tmp_path / "rescued" / "orders-0") == [0, 1, 2]
    with PartitionLog(folder) as log:
        assert [each.field for each in find_sound(log)[0].mended] == ["batch_length", "magic"]


def test_offsets_of_a_file_that_is_gone_are_told(tmp_path: Path) -> None:
    folder = written(tmp_path / "orders-0", batch(0))
    (folder / segment_name(1, FileKind.SEGMENT)).touch()
    (folder / segment_name(7, FileKind.SEGMENT)).write_bytes(batch(7))
    (tmp_path / "cleaner-offset-checkpoint").write_text("0\n0\n")
    (tmp_path / "replication-offset-checkpoint").write_text("0\n1\norders 0 10\n")
    with PartitionLog(folder) as log:
        assert missing_offsets(log, find_sound(log)) == [(1, 6), (8, 9)]
    (tmp_path / "cleaner-offset-checkpoint").write_text("0\n1\norders 0 8\n")
    with PartitionLog(folder) as log:
        assert missing_offsets(log, find_sound(log)) == [(8, 9)]


def test_what_is_lost_is_told_with_its_bytes_and_offsets(tmp_path: Path) -> None:
    first, second, third = batch(0), batch(1, [0, 1]), batch(3)
    folder = written(tmp_path / "orders-0", first, second[:-1] + b"\xff", third)
    with PartitionLog(folder) as log:
        [found] = find_sound(log)
    [lost] = found.losses
    assert (lost.start, lost.end, lost.after, lost.before) == (len(first), len(first + second), 0, 3)
    assert "v2.crc.covers-attributes-to-end" in lost.reason
    assert (found.batches, found.records, found.size) == (2, 2, len(first + third))


def test_offsets_far_from_the_base_get_a_segment_of_their_own(tmp_path: Path) -> None:
    """A broker would split such a segment, or not start (KAFKA-6264)."""
    far = (1 << 31) + 5
    folder = written(tmp_path / "orders-0", batch(0), batch(far), batch(far + 1))
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [0, far, far + 1]
    assert sorted(path.name for path in out.glob("*.log")) == [
        segment_name(base, FileKind.SEGMENT) for base in (0, far)
    ]


def test_a_batch_below_the_base_of_its_file_is_kept_where_it_fits(tmp_path: Path) -> None:
    """A broker does not start with it after a crash."""
    folder = written(tmp_path / "orders-0", batch(3), batch(12), base=10)
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [3, 12]
    assert sorted(path.name for path in out.glob("*.log")) == [segment_name(base, FileKind.SEGMENT) for base in (3, 10)]


def test_batches_that_changed_places_are_kept_in_order(tmp_path: Path) -> None:
    folder = written(tmp_path / "orders-0", batch(0), batch(3), batch(1, [0, 1]), batch(4))
    with PartitionLog(folder) as log:
        found = find_sound(log)
        assert are_moved(found)
        assert (found[0].losses, found[0].left_out, found[0].batches, found[0].records) == ([], [], 4, 5)
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [0, 1, 2, 3, 4]
    assert list(verify_partition(out)) == []


@pytest.mark.parametrize("bit", [0, 1, 2, 40, 63])
def test_a_flipped_bit_of_an_offset_costs_nothing(bit: int, tmp_path: Path) -> None:
    """The offset is outside the checksum, and 2 is the only one that is missing."""
    flipped = bytearray(batch(2))
    flipped[7 - bit // 8] ^= 1 << bit % 8
    folder = written(tmp_path / "orders-0", batch(0), batch(1), bytes(flipped), *map(batch, range(3, 8)))
    with PartitionLog(folder) as log:
        mended = find_sound(log)[0].mended
        assert [(each.value % (1 << 64), each.right) for each in mended] == [(2 ^ 1 << bit, 2)]
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == list(range(8))
    assert list(verify_partition(out)) == []


def test_two_batches_that_changed_places_keep_their_offsets(tmp_path: Path) -> None:
    """Each would fit where the other was; 1 and 3 differ in one bit."""
    folder = written(tmp_path / "orders-0", batch(0), batch(3), batch(2), batch(1), batch(4))
    with PartitionLog(folder) as log:
        assert find_sound(log)[0].mended == []
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [0, 1, 2, 3, 4]
    assert (out / segment_name(0, FileKind.SEGMENT)).read_bytes() == b"".join(map(batch, range(5)))


def test_a_batch_of_another_segment_goes_where_a_lookup_looks(tmp_path: Path) -> None:
    folder = written(tmp_path / "orders-0", batch(0), batch(3))
    (folder / segment_name(2, FileKind.SEGMENT)).write_bytes(batch(2) + batch(1))
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [0, 1, 2, 3]
    assert (out / segment_name(0, FileKind.SEGMENT)).read_bytes() == batch(0) + batch(1)
    assert list(verify_partition(out)) == []


def test_a_batch_that_stands_in_two_segments_is_kept_once(tmp_path: Path) -> None:
    folder = written(tmp_path / "orders-0", batch(0), batch(1), batch(2))
    (folder / segment_name(2, FileKind.SEGMENT)).write_bytes(batch(1) + batch(2) + batch(3))
    with PartitionLog(folder) as log:
        _, second = find_sound(log)
    (left,) = second.left_out
    assert (left.start, left.end, left.first_offset, left.last_offset) == (0, 2 * len(batch(1)), 1, 2)
    assert (left.kept.base_offset, left.kept_at, left.are_same) == (0, len(batch(0)), True)
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [0, 1, 2, 3]
    assert list(verify_partition(out)) == []


def test_of_two_batches_that_of_the_newer_leader_is_kept(tmp_path: Path) -> None:
    old, new = batch(1, partition_leader_epoch=1), batch(1, [0, 1], partition_leader_epoch=2)
    folder = written(tmp_path / "orders-0", batch(0, partition_leader_epoch=1), old, new)
    with PartitionLog(folder) as log:
        (found,) = find_sound(log)
    (left,) = found.left_out
    assert (left.start, left.batches, left.are_same) == (len(batch(0)), 1, False)
    assert rescue(folder, tmp_path / "rescued" / "orders-0") == [0, 1, 2]


def test_the_end_of_a_log_does_not_step_back(tmp_path: Path) -> None:
    """Else a broker would give offsets out again."""
    folder = written(tmp_path / "orders-0", batch(0))
    (folder / segment_name(9, FileKind.SEGMENT)).write_bytes(b"")
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [0]
    with PartitionLog(out) as log:
        assert log.end_offset == 9


def test_a_lost_end_of_a_segment_is_a_gap_within_one(tmp_path: Path) -> None:
    """A gap between segments of a log that was never compacted tells of a file that is gone."""
    folder = written(tmp_path / "data" / "orders-0", batch(0), batch(1)[:-1])
    (folder / segment_name(2, FileKind.SEGMENT)).write_bytes(batch(2))
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [0, 2]
    (out.parent / "cleaner-offset-checkpoint").write_bytes(b"0\n0\n")
    assert [path.name for path in out.glob("*.log")] == [segment_name(0, FileKind.SEGMENT)]
    assert list(verify_partition(out)) == []


def test_files_of_a_metadata_quorum_are_taken_over(tmp_path: Path) -> None:
    data = real.unpack("kafka-4.4.0-stopped", tmp_path / "data") / "__cluster_metadata-0"
    snapshot = data / "00000000000000000000-0000000000.checkpoint"
    broken = data / "00000000000000000001-0000000001.checkpoint"
    broken.write_bytes(snapshot.read_bytes() + bytes(30))
    cut = data / "00000000000000000003-0000000001.checkpoint"
    last = list(batches(snapshot.read_bytes()))[-1]
    cut.write_bytes(snapshot.read_bytes()[: last.position])
    (data / "00000000000000000002-0000000001.checkpoint.part").write_bytes(b"")
    with PartitionLog(data) as log:
        files = {file.path.name: (file.reason != "", file.is_broken) for file in other_files(log)}
    assert files == {
        snapshot.name: (False, False),
        broken.name: (True, True),
        cut.name: (True, True),
        "00000000000000000002-0000000001.checkpoint.part": (True, False),
        "leader-epoch-checkpoint": (False, False),
        "partition.metadata": (False, False),
        "quorum-state": (False, False),
    }
    out = tmp_path / "rescued" / data.name
    rescue(data, out)
    for name in (snapshot.name, "quorum-state"):
        assert (out / name).read_bytes() == (data / name).read_bytes()
    assert [path.name for path in out.glob("*.checkpoint")] == [snapshot.name]
    assert list(verify_partition(out)) == []


def test_transactions_that_lost_their_marker_stay_open(tmp_path: Path) -> None:
    broken = marker(1, 7)[:-1] + b"\xff"
    folder = written(tmp_path / "orders-0", transactional(0, 7), broken, batch(2))
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [0, 2]
    with PartitionLog(out) as log:
        assert recover(log).producers.open == {7: 0}


def test_leader_epochs_and_producers_of_removed_segments_are_taken_over(tmp_path: Path) -> None:
    """A log from 2 on, after its first segments were removed: what was before stands in snapshot
    and checkpoint."""
    old = written(tmp_path / "old-0", transactional(0, 7), marker(1, 7), base=0)
    with PartitionLog(old) as log:
        snapshot = recover(log).producers.snapshot()
    folder = written(tmp_path / "orders-0", batch(2, partition_leader_epoch=4), base=2)
    (folder / segment_name(2, FileKind.PRODUCER_SNAPSHOT)).write_bytes(snapshot)
    (folder / "leader-epoch-checkpoint").write_bytes(b"0\n1\n3 2\n")
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [2]
    assert (out / segment_name(3, FileKind.PRODUCER_SNAPSHOT)).read_bytes() == snapshot
    assert (out / "leader-epoch-checkpoint").read_bytes() == b"0\n1\n4 2\n"


def test_files_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    folder = written(tmp_path / "orders-0", batch(0, partition_leader_epoch=4))
    (folder / "leader-epoch-checkpoint").write_bytes(bytes(20))
    (folder / "partition.metadata").write_bytes(b"")
    out = tmp_path / "rescued" / "orders-0"
    assert rescue(folder, out) == [0]
    assert (out / "leader-epoch-checkpoint").read_bytes() == b"0\n1\n4 0\n"
    assert not (out / "partition.metadata").exists()


def test_nothing_sound_gives_an_empty_log(tmp_path: Path) -> None:
    folder = written(tmp_path / "orders-0", os.urandom(50_000))
    assert rescue(folder, tmp_path / "rescued" / "orders-0") == []


def test_the_search_ends_though_every_byte_claims_to_begin_a_large_batch(tmp_path: Path) -> None:
    """Each of these heads claims all that follows; checking them all would take the square of the
    size."""
    size = 200_000
    heads = b"".join(
        (1).to_bytes(8, "big") + (size - 17 * at - 40).to_bytes(4, "big") + bytes(4) + b"\2" for at in range(size // 20)
    )
    folder = written(tmp_path / "orders-0", b"\xff" * 20, heads)
    with PartitionLog(folder) as log:
        [found] = find_sound(log)
    assert found.batches == 0


def test_a_cleaned_segment_takes_the_place_of_one_that_is_gone(tmp_path: Path, sound: Path) -> None:
    """A crash between two renamings: a start takes `.swap`, and so does a rescue."""
    folder = shutil.copytree(sound / "orders-0", tmp_path / "orders-0")
    middle = folder / "00000000000000000039.log"
    whole = [batch.data for batch in batches(middle.read_bytes())]
    middle.rename(middle.with_name(f"{middle.name}.swap"))
    with PartitionLog(folder) as log:
        rescued = find_sound(log)
        write_rescued(log, rescued, tmp_path / "out")
    assert [each.segment.path.name for each in rescued if each.segment.base_offset == 39] == [f"{middle.name}.swap"]
    assert [batch.data for batch in batches((tmp_path / "out" / middle.name).read_bytes())] == whole


def test_a_cleaned_segment_is_left_out_where_the_old_one_is_whole(tmp_path: Path, sound: Path) -> None:
    folder = shutil.copytree(sound / "orders-0", tmp_path / "orders-0")
    middle = folder / "00000000000000000039.log"
    shutil.copy(middle, middle.with_name(f"{middle.name}.swap"))
    shutil.copy(middle, middle.with_name(f"{middle.name}.deleted"))
    with PartitionLog(folder) as log:
        assert not any(each.left_out for each in find_sound(log))
        reasons = {file.path.suffix: file.reason for file in other_files(log) if file.reason}
    assert set(reasons) >= {".swap", ".deleted"}


def test_a_leader_epoch_out_of_line_is_set_right(tmp_path: Path, sound: Path) -> None:
    """No checksum covers it, and Kafka's recovery fills leader-epoch-checkpoint from it."""
    folder = shutil.copytree(sound / "orders-0", tmp_path / "orders-0")
    path = folder / "00000000000000000039.log"
    content = bytearray(path.read_bytes())
    third = list(batches(bytes(content)))[2]
    content[third.position + 15] ^= 4
    path.write_bytes(content)
    with PartitionLog(folder) as log:
        rescued = find_sound(log)
        assert [tuple(each) for each in odd_epochs(rescued)] == [(third.base_offset, 4, 0)]
        write_rescued(log, rescued, tmp_path / "out" / "orders-0")
    assert list(verify_partition(tmp_path / "out" / "orders-0")) == []
