"""`kafka-conformance messages`: the vectors of the protocol against a target."""

import json
from pathlib import Path

from tests.kafka_conformance.command_line import Main


def test_the_reference_passes(main: Main, tmp_path: Path) -> None:
    file = tmp_path / "messages.json"
    status, out, _ = main("messages", "reference", "--api", "heartbeat", "--report", str(file))
    assert status == 0
    assert out.startswith("reference ")
    (target,) = json.loads(file.read_text(encoding="utf-8"))["targets"]
    assert set(target["outcomes"]) == {"passed"}
    assert target["findings"] == []


def test_a_target_that_reads_no_requests(main: Main) -> None:
    status, out, _ = main("messages", "python:json:loads", "--api", "heartbeat")
    assert status == 2
    assert "it does not read requests and responses" in out


def test_no_vector_fits(main: Main) -> None:
    status, _, err = main("messages", "reference", "--vectors", "none/*", "--api", "heartbeat")
    assert status == 2
    assert "no vector fits" in err
