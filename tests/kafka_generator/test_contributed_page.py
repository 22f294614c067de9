import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.reports import json_file, json_report
from kafka_generator import contributed_page
from kafka_tools.errors import UsageError

from tests.kafka_generator.recorded.test_record import renamed


def send(folder: Path, place: str, command: str = "kafka-conformance run toy") -> Path:
    """Write a report of `toy`, on two vectors of a log, as somebody sent it."""
    run = renamed("x/y", "x/z", target="cmd:./toy", form="log")
    run = replace(run, header=replace(run.header, command=command))
    file = folder / place
    file.parent.mkdir(parents=True)
    json_report.write(run, file)
    return file


def test_a_file_that_is_no_report_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "example.org/toy/1.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match="not a report"):
        list(contributed_page.reports(tmp_path))


def test_a_packed_file_that_is_cut_is_refused(tmp_path: Path) -> None:
    file = send(tmp_path, "example.org/toy/1.json")
    file.with_suffix(".json.gz").write_bytes(gzip.compress(file.read_bytes())[:-20])
    file.unlink()
    with pytest.raises(UsageError, match="gzip"):
        list(contributed_page.reports(tmp_path))


def test_a_packed_file_that_fills_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = send(tmp_path, "example.org/toy/1.json")
    file.with_suffix(".json.gz").write_bytes(gzip.compress(file.read_bytes()))
    file.unlink()
    monkeypatch.setattr(json_file, "MOST", 1000)
    with pytest.raises(UsageError, match="unpacks to more than"):
        list(contributed_page.reports(tmp_path))


def test_a_run_of_some_vectors_is_refused(tmp_path: Path) -> None:
    send(tmp_path, "example.org/toy/1.json", "kafka-conformance run toy --id x/y")
    with pytest.raises(UsageError, match="--id"):
        list(contributed_page.reports(tmp_path))


@pytest.mark.parametrize(
    "place",
    [
        *("1.json", "somebody/1.json", "some/body/1.json", "example.org/1.json"),
        *("example.org/a|b/1.json", "example.org/a](b)/1.json", "example.org/<b>/1.json", "example.org/a b/1.json"),
    ],
)
def test_folders_that_are_no_address_are_refused(tmp_path: Path, place: str) -> None:
    file = tmp_path / "in" / place
    send(tmp_path / "in", place) if file.parent != tmp_path / "in" else _send_flat(tmp_path)
    with pytest.raises(UsageError, match="must be an address"):
        list(contributed_page.reports(tmp_path / "in"))


def _send_flat(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.json").write_text("{}", encoding="utf-8")


def test_a_report_is_shown_with_its_origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = send(tmp_path, "example.org/toy/1.json")
    file.with_suffix(".json.gz").write_bytes(gzip.compress(file.read_bytes()))
    file.unlink()
    monkeypatch.setattr(contributed_page, "FOLDER", tmp_path)
    assert "| [example.org/toy](https://example.org/toy) | cmd:./toy | 0.0.1 | log_reader |" in contributed_page.page()


def test_without_reports_the_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contributed_page, "FOLDER", tmp_path)
    assert "Nobody has sent a report yet." in contributed_page.page()
