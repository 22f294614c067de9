"""Compiled templates are kept, and done without where they are stale or broken or cannot be."""

import sys
from pathlib import Path

import jinja2
import pytest
from kafka_format.codec.compiler.template_cache import TemplateCache


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.j2").write_text("{{ 1 + 1 }} and {{ name }}", encoding="utf-8")
    return tmp_path


def rendered(folder: Path) -> str:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, bytecode_cache=TemplateCache(folder)
    )
    return made.get_template("one.j2").render(name="a name")


def kept(folder: Path) -> list[Path]:
    return list((folder / "__pycache__").glob("*.template"))


@pytest.fixture(autouse=True)
def _may_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def test_what_is_kept_is_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rendered(folder) == "2 and a name"
    assert len(kept(folder)) == 1
    monkeypatch.setattr(jinja2.Environment, "compile", None)
    assert rendered(folder) == "2 and a name"


def test_a_changed_template_is_compiled_anew(folder: Path) -> None:
    rendered(folder)
    (folder / "one.j2").write_text("another", encoding="utf-8")
    assert rendered(folder) == "another"


@pytest.mark.parametrize("content", [b"", b"j2", b"no code at all", bytes(1000)])
def test_a_broken_file_is_compiled_anew(folder: Path, content: bytes) -> None:
    rendered(folder)
    (file,) = kept(folder)
    whole = file.read_bytes()
    for broken in (content, whole[: len(whole) // 2]):
        file.write_bytes(broken)
        assert rendered(folder) == "2 and a name"


def test_nothing_is_kept_where_nothing_can_be(folder: Path) -> None:
    (folder / "__pycache__").write_text("a file in the way", encoding="utf-8")
    assert rendered(folder) == "2 and a name"


def test_nothing_is_kept_if_python_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert rendered(folder) == "2 and a name"
    assert not (folder / "__pycache__").exists()
