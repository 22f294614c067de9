"""The table of what codecs of requests and responses get right, taken from the report of a run."""

import json
from pathlib import Path
from typing import Any

import pytest
from kafka_generator import message_results
from kafka_tools.errors import UsageError

TARGET = {"name": "toy", "hello": {"version": "1.0", "language": "C", "apis": {"form": "json"}}}


def report(folder: Path, **summary: Any) -> Path:
    bugs = {"met": 1, "damage": 0, "crafted": 2, "harmless": 5}
    line = {"target": "toy", "bugs": bugs, "asked": 7, "gaps": 3, "outcomes": {}} | summary
    file = folder / "report.json"
    file.write_text(json.dumps({"targets": [TARGET], "summary": [line]}), encoding="utf-8")
    return file


def test_outcomes_become_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in no column is a process that was lost, two of seven here."""
    monkeypatch.setattr(message_results, "load_messages", lambda _: [None] * 10)
    outcomes = {"passed": 1, "wrong-answer": 1, "refused-valid": 2, "accepted-invalid": 1, "hung": 2, "unsupported": 3}
    document = json.loads(message_results.results(report(tmp_path, outcomes=outcomes)))
    (line,) = document["targets"]
    counts = {name: line[name] for name in ("asked", "right", "misread", "refused", "accepted", "lost")}
    assert document["questions"] == 10
    assert counts == {"asked": 7, "right": 1, "misread": 1, "refused": 2, "accepted": 1, "lost": 2}
    assert line["bugs"] == {"met": 1, "damage": 0, "crafted": 2}


def test_a_run_over_some_vectors_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_results, "load_messages", lambda _: [None] * 11)
    with pytest.raises(UsageError, match="not the result of every vector for toy"):
        message_results.results(report(tmp_path))


def test_a_later_run_of_one_target_leaves_the_other_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_results, "load_messages", lambda _: [None] * 10)
    known = tmp_path / "protocol-results.json"
    others = [{"name": "reference", "asked": 9}, {"name": "toy", "asked": 1}, {"name": "zebra", "asked": 2}]
    known.write_text(json.dumps({"questions": 9, "targets": others}), encoding="utf-8")
    outcomes = {"passed": 7, "unsupported": 1, "not-asked": 2}
    document = json.loads(message_results.results(report(tmp_path, outcomes=outcomes), known))
    assert document["questions"] == 9
    assert [line["name"] for line in document["targets"]] == ["reference", "toy", "zebra"]
    toy = document["targets"][1]
    assert (toy["asked"], toy["right"], toy["questions"], toy["not_asked"]) == (7, 7, 10, 2)
    assert document["targets"][2] == others[2]


def test_a_run_of_all_targets_replaces_what_earlier_runs_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_results, "load_messages", lambda _: [None] * 10)
    known = tmp_path / "protocol-results.json"
    known.write_text(json.dumps({"questions": 9, "targets": [{"name": "toy", "asked": 1}]}), encoding="utf-8")
    document = json.loads(message_results.results(report(tmp_path), known))
    assert (document["questions"], [line["name"] for line in document["targets"]]) == (10, ["toy"])
    assert "questions" not in document["targets"][0]
