"""Replicas that differ, and where a follower is cut: KIP-101 and KIP-279, worked out by hand."""

from pathlib import Path

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.comparison import UNKNOWN, DifferenceKind, Replica, differences, most_trusted, replica, truncation
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.text.checkpoints import EpochRow

from tests.kafka_format.logs import batch


def made(*rows: tuple[int, int], end: int, start: int = 0) -> Replica:
    return Replica(tuple(EpochRow(*row) for row in rows), start, end)


@pytest.mark.parametrize(
    ("follower", "leader", "offset"),
    [
        (made((0, 0), end=10), made((0, 0), end=10), 10),
        (made((0, 0), end=8), made((0, 0), end=10), 8),
        (made((0, 0), end=10), made((0, 0), (1, 8), end=12), 8),
        (made((0, 0), (1, 8), end=10), made((0, 0), (2, 5), end=12), 5),
        (made((0, 0), (1, 5), (3, 8), end=12), made((0, 0), (2, 6), (4, 9), end=20), 5),
        (made((1, 0), end=6), made((2, 0), end=9), 0),
        (made(end=7), made((0, 0), end=5), 5),
        (made((5, 0), end=7), made((4, 0), end=5), 5),
    ],
)
def test_where_a_follower_is_cut(follower: Replica, leader: Replica, offset: int) -> None:
    """The fourth is KIP-279: epoch 1 is unknown to the leader, whose epoch 0 ends at 5; the
    follower's ends at 8."""
    assert truncation(follower, leader) == offset


def test_the_end_of_an_epoch() -> None:
    """LeaderEpochFileCache.endOffsetFor: below the first, between two, the last, above all."""
    found = made((2, 10), (5, 20), end=30)
    assert [found.end_of(epoch) for epoch in (1, 2, 3, 5, 6)] == [
        (1, 10),
        (2, 20),
        (2, 20),
        (5, 30),
        (UNKNOWN, UNKNOWN),
    ]


def test_the_newest_epoch_is_trusted_then_the_longest_log() -> None:
    assert most_trusted([made((0, 0), end=90), made((0, 0), (1, 5), end=7), made((0, 0), (1, 5), end=8)]) == 2


def written(folder: Path, *data: bytes) -> Path:
    folder.mkdir()
    (folder / segment_name(0, FileKind.SEGMENT)).write_bytes(b"".join(data))
    return folder


def kinds(left: Path, right: Path) -> list[tuple[DifferenceKind, int]]:
    with PartitionLog(left) as ours, PartitionLog(right) as theirs:
        return [(difference.kind, difference.offset) for difference in differences(ours, theirs)]


def test_the_same_bytes_do_not_differ_nor_does_a_shorter_log(tmp_path: Path) -> None:
    left = written(tmp_path / "a-0", batch(0), batch(1), batch(2))
    right = written(tmp_path / "b-0", batch(0), batch(1))
    assert kinds(left, right) == []


@pytest.mark.parametrize(
    ("other", "kind"),
    [
        (batch(1, producer_id=5), DifferenceKind.CONTENT),
        (batch(1, partition_leader_epoch=3), DifferenceKind.EPOCH),
        (b"", DifferenceKind.MISSING),
        (batch(1, (0, 1)), DifferenceKind.CONTENT),
    ],
    ids=["content", "epoch", "missing", "overlap"],
)
def test_a_batch_that_differs(other: bytes, kind: DifferenceKind, tmp_path: Path) -> None:
    left = written(tmp_path / "a-0", batch(0), batch(1), batch(3))
    right = written(tmp_path / "b-0", batch(0), other, batch(3))
    assert kinds(left, right) == [(kind, 1)]
    assert kinds(right, left) == [(kind, 1)]


def test_compaction_done_otherwise_is_told_apart(tmp_path: Path) -> None:
    left = written(tmp_path / "a-0", batch(0, (0, 1, 2)), batch(3))
    right = written(tmp_path / "b-0", batch(0, (0, 2), last=2), batch(3))
    assert kinds(left, right) == [(DifferenceKind.COMPACTED, 0)]


@pytest.mark.parametrize(("cleaned", "kind"), [(2, DifferenceKind.COMPACTED), (1, DifferenceKind.MISSING)])
def test_a_batch_that_the_cleaner_took_is_not_missing(cleaned: int, kind: DifferenceKind, tmp_path: Path) -> None:
    """As brokers of a cluster have it when one was stopped before its cleaner had been there."""
    left = written(tmp_path / "a-0", batch(0), batch(1), batch(3))
    (tmp_path / "other").mkdir()
    right = written(tmp_path / "other" / "a-0", batch(0), batch(3))
    (tmp_path / "other" / "cleaner-offset-checkpoint").write_text(f"0\n1\na 0 {cleaned}\n", encoding="utf-8")
    assert kinds(left, right) == [(kind, 1)]
    assert kinds(right, left) == [(kind, 1)]


def test_a_folder_without_its_checkpoint_was_cleaned_as_far_as_batches_lack_records(tmp_path: Path) -> None:
    left = written(tmp_path / "a-0", batch(0), batch(1), batch(2, (0, 1, 2)), batch(9))
    right = written(tmp_path / "b-0", batch(0), batch(2, (0,), last=2), batch(9))
    assert kinds(left, right) == [(DifferenceKind.COMPACTED, 1), (DifferenceKind.COMPACTED, 2)]


def test_epochs_come_from_the_checkpoint_and_from_newer_batches(tmp_path: Path) -> None:
    folder = written(tmp_path / "a-0", batch(0, partition_leader_epoch=2), batch(1, partition_leader_epoch=4))
    (folder / "leader-epoch-checkpoint").write_bytes(b"0\n1\n2 0\n")
    with PartitionLog(folder) as log:
        assert replica(log) == made((2, 0), (4, 1), end=2)
