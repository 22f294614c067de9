import subprocess
from pathlib import Path

import pytest
from kafka_conformance.errors import NotReadyError
from kafka_generator import attributes


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a made file that is marked, and one that people write."""
    monkeypatch.setattr(attributes, "RECORDED", ())
    for name, text in {".gitattributes": "/docs/*.json linguist-generated\n*.lock linguist-generated\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    for name in ("docs/results.json", "docs/page.md", "pip.lock"):
        (tmp_path / name).write_text("text\n", encoding="utf-8")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    return tmp_path


def test_what_is_marked_and_made_is_fine(checkout: Path) -> None:
    assert list(attributes.complaints({checkout / "docs/results.json": "text\n"}, checkout)) == []


def test_a_made_file_without_a_mark_is_named(checkout: Path) -> None:
    made = {checkout / "docs/results.json": "text\n", checkout / "docs/page.md": "text\n"}
    (complaint,) = attributes.complaints(made, checkout)
    assert complaint.startswith("docs/page.md is made, and .gitattributes does not mark it")


def test_a_file_that_people_write_is_not_to_be_marked(checkout: Path) -> None:
    (complaint,) = attributes.complaints({}, checkout)
    assert complaint.startswith("docs/results.json is not made, and .gitattributes marks it")
    parts = {checkout / "docs/results.json": "<!-- table: made by generate.py -->\n<!-- end of table -->\n"}
    assert list(attributes.complaints(parts, checkout)) == [complaint]


def test_an_archive_without_git_has_no_marks(tmp_path: Path) -> None:
    assert list(attributes.complaints({tmp_path / "docs/page.md": "text\n"}, tmp_path)) == []


def test_a_repository_that_git_cannot_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("no repository\n", encoding="utf-8")
    with pytest.raises(NotReadyError, match=r"git cannot be asked about \.gitattributes"):
        list(attributes.complaints({}, tmp_path))
