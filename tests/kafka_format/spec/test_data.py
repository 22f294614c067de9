"""Folders of the packages, also where Python imports them from a zip file."""

import zipfile
from pathlib import Path

import pytest
from kafka_format.spec import data


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    file = tmp_path / "a.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("package/_data/spec/a/b.yaml", "1")
        archive.writestr("package/_data/spec.txt", "no part of it")
        archive.writestr("package/other.py", "")
    return file


def test_folder_on_disk_is_itself(tmp_path: Path) -> None:
    assert data.folder(tmp_path) == tmp_path
    assert data.folder(tmp_path / "missing") == tmp_path / "missing"
    assert data.path("spec").is_dir()


def test_folder_in_a_zip_file_is_unpacked_beside_it_and_nothing_else_is(wheel: Path) -> None:
    folder = data.folder(wheel / "package/_data/spec")
    assert folder == wheel.with_name("a.whl.unpacked") / "package/_data/spec"
    files = [path for path in folder.parents[2].rglob("*") if path.is_file()]
    assert [path.relative_to(folder).as_posix() for path in files] == ["a/b.yaml"]


def test_folder_that_another_process_has_unpacked_is_taken(wheel: Path) -> None:
    mine = wheel.with_name("a.whl.unpacked") / "package/_data/spec"
    mine.mkdir(parents=True)
    assert data.folder(wheel / "package/_data/spec") == mine
    assert list(mine.iterdir()) == []


def test_folder_that_is_not_in_the_zip_file_is_no_folder(wheel: Path) -> None:
    assert not data.folder(wheel / "package/_data/vectors").is_dir()


def test_zip_file_where_nobody_may_write_is_unpacked_elsewhere(wheel: Path) -> None:
    wheel.with_name("a.whl.unpacked").write_text("in the way", encoding="ascii")
    assert (data.folder(wheel / "package/_data/spec") / "a/b.yaml").read_text(encoding="ascii") == "1"
