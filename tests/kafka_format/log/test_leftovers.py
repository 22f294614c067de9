"""What a start makes of leftover files and folders, as the sources of Kafka's loader say."""

from pathlib import Path

import pytest
from kafka_format.log.leftovers import LeftoverAction, in_directory, in_partition

from tests.kafka_format.log import real

BASE = "000000000000000000{:02}."


def actions(folder: Path, *names: str) -> dict[str, LeftoverAction]:
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(b"12345")
    found = list(in_partition(folder))
    assert {each.size for each in found} <= {5}
    return {each.path.name: each.action for each in found}


def test_a_sound_partition_has_none(tmp_path: Path) -> None:
    names = [BASE.format(0) + ending for ending in ("log", "index", "timeindex", "txnindex")]
    assert actions(tmp_path / "a-0", *names, BASE.format(9) + "snapshot", "partition.metadata") == {}


def test_a_swap_alone_is_completed(tmp_path: Path) -> None:
    names = [BASE.format(0) + f"{ending}.swap" for ending in ("log", "index")]
    assert set(actions(tmp_path / "a-0", *names).values()) == {LeftoverAction.SWAPPED}


@pytest.mark.parametrize(
    ("cleaned", "action"), [(0, LeftoverAction.DROPPED), (5, LeftoverAction.DROPPED), (6, LeftoverAction.SWAPPED)]
)
def test_a_swap_at_or_above_an_unfinished_cleaning_is_dropped(
    cleaned: int, action: LeftoverAction, tmp_path: Path
) -> None:
    """LogLoader.removeTempFilesAndCollectSwapFiles: swap files from the smallest `.cleaned` on are
    not complete."""
    swap, half = BASE.format(5) + "log.swap", BASE.format(cleaned) + "log.cleaned"
    assert actions(tmp_path / "a-0", swap, half) == {swap: action, half: LeftoverAction.REMOVED}


def test_an_index_without_a_segment_is_an_orphan(tmp_path: Path) -> None:
    names = (BASE.format(0) + "log", BASE.format(0) + "index", BASE.format(7) + "timeindex")
    assert actions(tmp_path / "a-0", *names) == {names[2]: LeftoverAction.ORPHAN}


def test_checkpoints_that_were_being_written(tmp_path: Path) -> None:
    part = "00000000000000000042-0000000007.checkpoint.part"
    found = actions(tmp_path / "__cluster_metadata-0", part, "leader-epoch-checkpoint.tmp")
    assert found == {part: LeftoverAction.REMOVED, "leader-epoch-checkpoint.tmp": LeftoverAction.RENEWED}


def test_folders_go_by_their_mark(tmp_path: Path) -> None:
    for marker in ("delete", "stray", "future"):
        folder = tmp_path / f"orders-0.{'0a' * 16}-{marker}"
        folder.mkdir()
        (folder / "partition.metadata").write_text("version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg", encoding="utf-8")
    found = {each.path.name.rpartition("-")[2]: each for each in in_directory(tmp_path)}
    assert {marker: each.action for marker, each in found.items()} == {
        "delete": LeftoverAction.REMOVED_LATER,
        "stray": LeftoverAction.KEPT,
        "future": LeftoverAction.MOVED_ON,
    }
    assert {marker for marker, each in found.items() if each.may_go} == {"delete"}
    assert {each.topic_id for each in found.values()} == {"a2Fma2EtZm9ybWF0LWNvbg"}
    assert {each.size for each in found.values()} == {43}


def test_compaction_of_a_real_broker_leaves_deleted_files(directory: Path) -> None:
    """They wait for file.delete.delay.ms, a minute, which `Fill.java` does not."""
    found = list(in_directory(directory))
    assert {each.action for each in found} == {LeftoverAction.REMOVED}
    assert len(found) == len([name for name in real.files(directory.name) if name.endswith(".deleted")]) == 6
