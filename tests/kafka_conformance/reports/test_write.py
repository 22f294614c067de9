from pathlib import Path

import pytest
from kafka_conformance.reports.folder import write
from kafka_tools.errors import UsageError

from tests.kafka_conformance.reports import runs


def test_every_report_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    files = write(runs.RUN, folder)
    names = [file.relative_to(folder).as_posix() for file in files]
    assert names[-3:] == ["badges/sound.json", "badges/careless.json", "badges/missing.json"]
    assert names[:4] == ["report.json", "report.junit.xml", "summary.md", "html/index.html"]
    assert {file for file in folder.rglob("*") if file.is_file()} == set(files)


def test_writing_again_replaces(tmp_path: Path) -> None:
    first = {file: file.read_bytes() for file in write(runs.RUN, tmp_path)}
    assert {file: file.read_bytes() for file in write(runs.RUN, tmp_path)} == first


def test_directory_that_is_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError, match=r"cannot write the report to .*taken"):
        write(runs.RUN, tmp_path / "taken")
