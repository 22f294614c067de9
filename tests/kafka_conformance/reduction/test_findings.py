"""Findings without a signature are reduced at the end of a run: a target with a bug of its own."""

import json
from functools import partial
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.reduction.findings import add_reduced
from kafka_conformance.reports import causes, folder, json_report
from kafka_conformance.run import runner
from kafka_conformance.run.run import Run
from kafka_conformance.targets import resolve
from kafka_conformance.vectors import golden

VECTORS = golden.load(patterns=["v2/header/*", "v2/key/*"])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A decoder that fails on records that have both two headers and a key."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "picky_decoder.py").write_text(
        "from kafka_format import records\n"
        "def decode(data):\n"
        "    found = list(records.decode(data))\n"
        "    if any(record.key and len(record.headers) == 2 for record in found):\n"
        "        raise RuntimeError('a key and two headers')\n"
        "    return found\n",
        encoding="utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.syspath_prepend(str(folder))
        target = resolve.candidate("python:picky_decoder:decode")
        return runner.run(
            [target], VECTORS, runner.RunOptions(limits=Limits(), reduce=partial(add_reduced, seconds=3600))
        )


def test_what_is_left_says_what_matters(run: Run) -> None:
    (diagnosis,) = run.diagnoses.values()
    assert diagnosis.reduced
    small = next(iter(diagnosis.reduced.values()))
    assert small.finished
    assert any("header_count = 2" in part for part in small.enough)
    assert any(".key = " in part for part in small.enough)


def test_reports_tell_it(run: Run, tmp_path: Path) -> None:
    (diagnosis,) = run.diagnoses.values()
    findings = [*diagnosis.unexplained, *(result for cause in diagnosis.causes for result in cause.findings)]
    words = causes.reduction_text(diagnosis, findings)
    assert words.startswith("still fails on ")
    assert "header_count = 2" in words
    folder.write(run, tmp_path)
    json_report.load(tmp_path / "report.json")
    document = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert [bytes.fromhex(line["hex"]) for line in document["reduced"]] == [
        sample.data for sample in diagnosis.reduced.values()
    ]
    assert "still fails on " in next((tmp_path / "html" / "targets").glob("*.html")).read_text(encoding="utf-8")
