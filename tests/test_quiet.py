"""A word in a layout changes the pages and types that show it, and no vector and no table."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EDITS = {
    "spec/layouts/batch/record_batch.yaml": ("Offset of the first original record", "Offset of the first record"),
    "spec/layouts/protocol/produce_and_fetch/fetch_request.yaml": ("Id of the cluster;", "Name of the cluster;"),
}
SHOWN = {
    "docs/compiled/record_batch.py",
    "docs/layouts.md",
    "docs/protocol/produce_and_fetch.md",
    "reference/kafka_format/protocol/values.pyi",
    "reference/kafka_format/values.pyi",
}


def files() -> list[str]:
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.whole  # writes all that is generated, which takes a minute; a digest has a test of its own
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="lists the project's files with git")
def test_a_word_in_the_doc_of_a_field_changes_what_shows_it_and_nothing_else(tmp_path: Path) -> None:
    names = files()
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name, (old, new) in EDITS.items():
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (tmp_path / name).write_text(text.replace(old, new), encoding="utf-8")
    subprocess.run([sys.executable, str(tmp_path / "generate.py")], cwd=tmp_path, check=True, capture_output=True)
    changed = {name for name in names if (tmp_path / name).read_bytes() != (ROOT / name).read_bytes()}
    assert changed == SHOWN | EDITS.keys()
