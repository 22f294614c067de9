"""The class-data archive: used only if it is there, and made for one Java and one Spark."""

from pathlib import Path

import pytest
from kafka_conformance.java import JavaHome

archive = pytest.importorskip("kafka_conformance.scale.archive", reason="the spark extra is not installed")


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_archive_is_used_only_where_there_is_one(tmp_path: Path) -> None:
    home = JavaHome(tmp_path, 17)
    assert archive.use(home) == ""
    assert f"-XX:ArchiveClassesAtExit={archive.file(home)}" in archive.make(home)
    archive.file(home).write_bytes(b"")
    assert f"-XX:SharedArchiveFile={archive.file(home)}" in archive.use(home)


def test_another_java_or_release_has_another_archive(tmp_path: Path) -> None:
    before = archive.file(JavaHome(tmp_path, 17))
    assert before != archive.file(JavaHome(tmp_path, 21))
    (tmp_path / "release").write_text("JAVA_VERSION=17.0.99", encoding="ascii")
    assert archive.file(JavaHome(tmp_path, 17)) != before
