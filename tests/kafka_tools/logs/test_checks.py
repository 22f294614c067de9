"""The rules that a path of the user's breaks: data directories, partitions, single files."""

import shutil
from pathlib import Path

import pytest
from kafka_tools.logs import checks


def test_a_large_partition_breaks_the_same_rules(
    tmp_path: Path, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large ones are read by columns."""
    pytest.importorskip("numpy", reason="numpy is not installed")
    folder = shutil.copytree(directory, tmp_path / "data")
    path = folder / "orders-0" / "00000000000000000039.log"
    path.write_bytes(path.read_bytes()[:-1])
    expected = list(checks.breaches(folder))
    assert expected
    monkeypatch.setattr(checks, "_LARGE", 0)
    assert list(checks.breaches(folder)) == expected


def test_a_folder_of_data_directories_is_each_of_them(tmp_path: Path, directory: Path) -> None:
    for name in ("data1", "data2"):
        folder = shutil.copytree(directory / "orders-0", tmp_path / "all" / name / "orders-0")
        (folder / "partition.metadata").write_bytes(b"")
    found = {breach.path.parent.parent.name for breach in checks.breaches(tmp_path / "all")}
    assert found == {"data1", "data2"}


def test_a_data_directory_without_partitions_has_files_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("version=7\n", encoding="utf-8")
    assert [breach.rule for breach in checks.breaches(tmp_path)] == ["log.meta-properties.version"]


@pytest.mark.parametrize(
    ("name", "at", "rules"),
    [
        ("00000000000000000039.log", 30, ["v2.crc.covers-attributes-to-end"]),
        ("00000000000000000039.index", 7, ["log.offset-index.batch"]),
        ("00000000000000000039.timeindex", 0, ["log.time-index.rising", "log.time-index.batch"]),
        ("00000000000000000039.snapshot", 3, ["log.snapshot.checksum"]),
        ("leader-epoch-checkpoint", 0, ["log.checkpoint.version"]),
        ("partition.metadata", 0, ["log.partition-metadata.keys"]),
    ],
)
def test_a_single_file_is_checked(tmp_path: Path, directory: Path, name: str, at: int, rules: list[str]) -> None:
    """Of an index, against its segment; its neighbours are not blamed."""
    folder = shutil.copytree(directory / "orders-0", tmp_path / "orders-0")
    content = bytearray((folder / name).read_bytes())
    content[at] ^= 0x41
    for path in sorted(folder.iterdir()):
        assert not list(checks.breaches(path))
    (folder / name).write_bytes(content)
    assert list(dict.fromkeys(breach.rule for breach in checks.breaches(folder / name))) == rules
    assert not list(checks.breaches(folder / "00000000000000000079.log"))
