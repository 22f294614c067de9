"""What a start makes of leftover files and folders, as the sources of Kafka's loader say."""

from pathlib import Path

import pytest
from kafka_format.log.leftovers import Becoming, in_directory, in_partition

from tests.kafka_format.log import real

BASE = "000000000000000000{:02}."


def becomings(folder: Path, *names: str) -> dict[str, Becoming]:
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(b"12345")
    found = list(in_partition(folder))
    assert {each.size for each in found} <= {5}
    return {each.path.name: each.becoming for each in found}


def test_a_sound_partition_has_none(tmp_path: Path) -> None:
    names = [BASE.format(0) + ending for ending in ("log", "index", "timeindex", "txnindex")]
    assert becomings(tmp_path / "a-0", *names, BASE.format(9) + "snapshot", "partition.metadata") == {}


def test_a_swap_alone_is_completed(tmp_path: Path) -> None:
    names = [BASE.format(0) + f"{ending}.swap" for ending in ("log", "index")]
    assert set(becomings(tmp_path / "a-0", *names).values()) == {Becoming.SWAPPED}


@pytest.mark.parametrize(("cleaned", "becoming"), [(0, Becoming.DROPPED), (5, Becoming.DROPPED), (6, Becoming.SWAPPED)])
def test_a_swap_at_or_above_an_unfinished_cleaning_is_dropped(cleaned: int, becoming: Becoming, tmp_path: Path) -> None:
    """LogLoader.removeTempFilesAndCollectSwapFiles: swap files from the smallest `.cleaned` on are
    not complete."""
    swap, half = BASE.format(5) + "log.swap", BASE.format(cleaned) + "log.cleaned"
    assert becomings(tmp_path / "a-0", swap, half) == {swap: becoming, half: Becoming.REMOVED}


def test_an_index_without_a_segment_is_an_orphan(tmp_path: Path) -> None:
    names = (BASE.format(0) + "log", BASE.format(0) + "index", BASE.format(7) + "timeindex")
    assert becomings(tmp_path / "a-0", *names) == {names[2]: Becoming.ORPHAN}


def test_checkpoints_that_were_being_written(tmp_path: Path) -> None:
    part = "00000000000000000042-0000000007.checkpoint.part"
    found = becomings(tmp_path / "__cluster_metadata-0", part, "leader-epoch-checkpoint.tmp")
    assert found == {part: Becoming.REMOVED, "leader-epoch-checkpoint.tmp": Becoming.RENEWED}


def test_folders_go_by_their_mark(tmp_path: Path) -> None:
    for marker in ("delete", "stray", "future"):
        folder = tmp_path / f"orders-0.{'0a' * 16}-{marker}"
        folder.mkdir()
        (folder / "partition.metadata").write_text("version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg", encoding="utf-8")
    found = {each.path.name.rpartition("-")[2]: each for each in in_directory(tmp_path)}
    assert {marker: each.becoming for marker, each in found.items()} == {
        "delete": Becoming.REMOVED_LATER,
        "stray": Becoming.KEPT,
        "future": Becoming.MOVED_ON,
    }
    assert {marker for marker, each in found.items() if each.may_go} == {"delete"}
    assert {each.topic_id for each in found.values()} == {"a2Fma2EtZm9ybWF0LWNvbg"}
    assert {each.size for each in found.values()} == {43}


def test_compaction_of_a_real_broker_leaves_deleted_files(directory: Path) -> None:
    """They wait for file.delete.delay.ms, a minute, which `Fill.java` does not."""
    found = list(in_directory(directory))
    assert {each.becoming for each in found} == {Becoming.REMOVED}
    assert len(found) == len([name for name in real.files(directory.name) if name.endswith(".deleted")]) == 6
