"""What a path of the user's is taken for."""

import shutil
from pathlib import Path

import pytest
from kafka_format.log.names import FileKind, segment_name
from kafka_tools.logs import log_paths


def partition(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / segment_name(0, FileKind.SEGMENT)).write_bytes(b"")
    return folder


def test_a_data_directory_may_be_called_like_a_partition(tmp_path: Path) -> None:
    """Else all that is in kafka-1 would pass for sound, unseen."""
    found = [partition(tmp_path / "kafka-1" / name) for name in ("orders-0", "orders-1")]
    assert log_paths.partitions(tmp_path / "kafka-1") == found


def test_a_partition_is_one_by_its_name_or_by_a_segment(tmp_path: Path) -> None:
    for name in ("orders-0", "copied"):
        folder = partition(tmp_path / name)
        assert log_paths.partitions(folder) == [folder]
    (tmp_path / "empty-0").mkdir()
    assert log_paths.partitions(tmp_path / "empty-0") == [tmp_path / "empty-0"]


def test_a_large_partition_breaks_the_same_rules(
    tmp_path: Path, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large ones are read by columns."""
    pytest.importorskip("numpy", reason="numpy is not installed")
    folder = shutil.copytree(directory, tmp_path / "data")
    path = folder / "orders-0" / "00000000000000000039.log"
    path.write_bytes(path.read_bytes()[:-1])
    expected = list(log_paths.breaches(folder))
    assert expected
    monkeypatch.setattr(log_paths, "_LARGE", 0)
    assert list(log_paths.breaches(folder)) == expected


def test_a_folder_of_data_directories_is_each_of_them(tmp_path: Path, directory: Path) -> None:
    for name in ("data1", "data2"):
        folder = shutil.copytree(directory / "orders-0", tmp_path / "all" / name / "orders-0")
        (folder / "partition.metadata").write_bytes(b"")
    found = {breach.path.parent.parent.name for breach in log_paths.breaches(tmp_path / "all")}
    assert found == {"data1", "data2"}


def test_a_data_directory_without_partitions_has_files_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("version=7\n", encoding="utf-8")
    assert [breach.rule for breach in log_paths.breaches(tmp_path)] == ["log.meta-properties.version"]
