"""`kafka-conformance run --about messages`: the vectors of the protocol against a target."""

import json
import sys
from pathlib import Path

import pytest

from tests.command_line import Main


def test_the_reference_passes(main: Main, tmp_path: Path) -> None:
    status, out, _ = main("run", "reference", "--api", "heartbeat", "--report", str(tmp_path))
    assert status == 0
    assert "no findings" in out
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["causes"], report["results"]) == ([], [])
    assert set(report["summary"][0]["outcomes"]) == {"passed"}
    assert (tmp_path / "html" / "index.html").exists()


def test_a_target_that_reads_no_requests(main: Main) -> None:
    status, _, err = main("run", "python:json:loads", "--api", "heartbeat")
    assert status == 2
    assert "it does not read requests and responses" in err


def test_what_goes_wrong_is_told_as_causes(main: Main, tmp_path: Path) -> None:
    """And is expected the next time, when a known-failures file says so; a comparison finds nothing
    that got worse."""
    script, known, folder = tmp_path / "wrong.py", tmp_path / "known.yaml", tmp_path / "report"
    script.write_text(WRONG, encoding="utf-8")
    target = f"cmd:{sys.executable} {script}"
    asked = ("run", target, "--api", "heartbeat")
    status, out, _ = main(*asked, "--report", str(folder))
    assert status == 1
    assert "the request of heartbeat, versions 0 to 4" in out
    assert f"kafka-conformance run 'cmd:{sys.executable} {script}' --vectors heartbeat-request/4/typical" in out
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert {cause["id"] for cause in report["causes"]} == {"message/heartbeat-request", "message/heartbeat-response"}
    pages = [page.read_text(encoding="utf-8") for page in (folder / "html" / "vectors").glob("*.html")]
    assert any("group_id" in page for page in pages)

    entry = "  - {{cause: message/heartbeat-{}, reason: It has no heart., url: 'https://example.org/1'}}\n"
    entries = entry.format("request") + entry.format("response")
    known.write_text(f"target: 'cmd:*'\nfailures:\n{entries}", encoding="utf-8")
    assert main(*asked, "--known-failures", str(known))[0] == 0
    assert main(*asked, "--compare", str(folder / "report.json"))[0] == 0


def test_no_vector_fits(main: Main) -> None:
    status, _, err = main("run", "reference", "--vectors", "none/*", "--api", "heartbeat")
    assert status == 2
    assert "no vector matches" in err


def test_an_api_is_of_messages_alone(main: Main) -> None:
    status, _, err = main("run", "reference", "--api", "heartbeat", "--about", "records")
    assert (status, "--api chooses among messages alone" in err) == (2, True)


@pytest.mark.parametrize("about", ["letters", "", "records,,"])
def test_a_run_is_about_what_there_is(about: str, main: Main) -> None:
    status, _, err = main("run", "reference", "--about", about)
    assert (status, "There are records, messages, logs, contents, conversations, scenarios." in err) == (2, True)


def test_frames_of_real_traffic_are_of_their_api(main: Main, tmp_path: Path) -> None:
    """They stand in a file of their own, and `--api` finds them there."""
    status, _, _ = main("run", "reference", "--api", "metadata", "--vectors", "wild/*", "--report", str(tmp_path))
    assert status == 0
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert len(report["vectors"]) > 10
    assert {vector["family"] for vector in report["vectors"]} == {"metadata"}


WRONG = """
from kafka_conformance.protocol.messages import MessageInput
from kafka_conformance.serving import loop, message, reference
from kafka_format.errors import FormatError, Stage

def wrong(asked):
    if asked.api == 12:
        raise FormatError("no heart", rule="field.truncated", stage=Stage.STRUCTURE, offset=0)
    return message.read(asked)

reference._ANSWERS = {**reference._ANSWERS, MessageInput: wrong}
loop.serve_standard_streams(reference.reference)
"""
