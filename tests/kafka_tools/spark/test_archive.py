"""The class-data archive: used only if it is there, and made for one Java and one Spark."""

import shlex
from pathlib import Path

import pytest
from kafka_tools.errors import UsageError
from kafka_tools.spark.java import JavaHome

archive = pytest.importorskip("kafka_tools.spark.archive", reason="the spark extra is not installed")


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_archive_is_used_only_where_there_is_one(tmp_path: Path) -> None:
    home = JavaHome(tmp_path, 17)
    assert archive.use(home) == ""
    draft, options = archive.make(home)
    assert f"-XX:ArchiveClassesAtExit={draft}" in options
    draft.write_bytes(b"half")
    assert archive.use(home) == ""
    archive.file(home).write_bytes(b"")
    assert f"-XX:SharedArchiveFile={archive.file(home)}" in archive.use(home)


def test_folder_with_a_blank_in_its_name_is_one_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark takes the options apart as a shell does."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "my cache"))
    home = JavaHome(tmp_path, 17)
    draft, options = archive.make(home)
    assert shlex.split(options)[0] == f"-XX:ArchiveClassesAtExit={draft}"
    archive.file(home).write_bytes(b"")
    assert shlex.split(archive.use(home))[0] == f"-XX:SharedArchiveFile={archive.file(home)}"


@pytest.mark.parametrize("name", ["file/below", "x" * 300])
def test_cache_folder_that_cannot_be_is_no_trouble_but_for_who_makes_an_archive(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name))
    home = JavaHome(tmp_path, 17)
    assert archive.use(home) == ""
    with pytest.raises(UsageError, match=r"cannot write .*: (Not a directory|File name too long)"):
        archive.make(home)


def test_user_without_a_home_is_told_what_to_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    home = JavaHome(tmp_path, 17)
    assert archive.use(home) == ""
    with pytest.raises(UsageError, match="no home folder") as error:
        archive.make(home)
    assert error.value.hint == "Name one with XDG_CACHE_HOME."


def test_another_java_or_release_has_another_archive(tmp_path: Path) -> None:
    before = archive.file(JavaHome(tmp_path, 17))
    assert before != archive.file(JavaHome(tmp_path, 21))
    (tmp_path / "release").write_text("JAVA_VERSION=17.0.99", encoding="ascii")
    assert archive.file(JavaHome(tmp_path, 17)) != before
