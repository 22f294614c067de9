"""What a path of the user's is taken for."""

from pathlib import Path

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
