"""`kafka-conformance messages`: the vectors of the protocol against a target."""

import json
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from kafka_format.sampler import exchanges

from tests.command_line import Main


def test_the_reference_passes(main: Main, tmp_path: Path) -> None:
    status, out, _ = main("messages", "reference", "--api", "heartbeat", "--report", str(tmp_path))
    assert status == 0
    assert "no findings" in out
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["causes"], report["results"]) == ([], [])
    assert set(report["summary"][0]["outcomes"]) == {"passed"}
    assert (tmp_path / "html" / "index.html").exists()


def test_a_target_that_reads_no_requests(main: Main) -> None:
    status, _, err = main("messages", "python:json:loads", "--api", "heartbeat")
    assert status == 2
    assert "it does not read requests and responses" in err


def test_what_goes_wrong_is_told_as_causes(main: Main, tmp_path: Path) -> None:
    """And is expected the next time, when a known-failures file says so; a comparison finds nothing
    that got worse."""
    script, known, folder = tmp_path / "wrong.py", tmp_path / "known.yaml", tmp_path / "report"
    script.write_text(WRONG, encoding="utf-8")
    target = f"cmd:{sys.executable} {script}"
    asked = ("messages", target, "--api", "heartbeat")
    status, out, _ = main(*asked, "--report", str(folder))
    assert status == 1
    assert "the request of heartbeat, versions 0 to 4" in out
    assert f"kafka-conformance messages 'cmd:{sys.executable} {script}' --vectors heartbeat-request/" in out
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert {cause["id"] for cause in report["causes"]} == {"message/heartbeat-request", "message/heartbeat-response"}
    page = next((folder / "html" / "vectors").glob("*.html")).read_text(encoding="utf-8")
    assert "group_id" in page

    entry = "  - {{cause: message/heartbeat-{}, reason: It has no heart., url: 'https://example.org/1'}}\n"
    entries = entry.format("request") + entry.format("response")
    known.write_text(f"target: 'cmd:*'\nfailures:\n{entries}", encoding="utf-8")
    assert main(*asked, "--known-failures", str(known))[0] == 0
    assert main(*asked, "--compare", str(folder / "report.json"))[0] == 0


def test_no_vector_fits(main: Main) -> None:
    status, _, err = main("messages", "reference", "--vectors", "none/*", "--api", "heartbeat")
    assert status == 2
    assert "no vector matches" in err


def test_a_decoder_of_records_is_told_where_it_belongs(main: Main, tmp_path: Path) -> None:
    (tmp_path / "records_only.py").write_text("def decode(data):\n    return []\n", encoding="utf-8")
    with chdir(tmp_path):
        status, _, err = main("messages", "python:records_only:decode", "--api", "heartbeat")
    assert (status, "is not ready: it does not read requests and responses." in err) == (2, True)
    assert "`kafka-conformance run` tests decoders of records" in err


@pytest.mark.parametrize("profile", ["requests", "responses"])
def test_generated_ones_pass_the_reference(main: Main, profile: str) -> None:
    status, out, _ = main("messages", "reference", "--generated", "200", "--profile", profile, "--start", "7")
    assert status == 0
    assert out.strip().endswith("200 passed")


def test_generated_ones_find_a_wrong_codec(main: Main, tmp_path: Path) -> None:
    """One that reads all but Heartbeat and writes it again; the finding says which one it was."""
    script, file = tmp_path / "wrong.py", tmp_path / "report.json"
    script.write_text(WRONG, encoding="utf-8")
    target = f"cmd:{sys.executable} {script}"
    status, out, _ = main("messages", target, "--generated", "600", "--seed", "3", "--report", str(tmp_path))
    assert status == 1
    (document,) = json.loads(file.read_text(encoding="utf-8"))["targets"]
    assert document["findings"]
    for finding in document["findings"]:
        profile, seed, index, name = finding["vector"].split("/")
        assert (profile, seed, name.rsplit("-", 1)[0]) == ("requests", "3", "heartbeat")
        assert exchanges.single("request", 3, int(index)).api == 12
    assert "heartbeat" in out


def test_generated_ones_are_not_chosen(main: Main) -> None:
    status, _, err = main("messages", "reference", "--generated", "5", "--api", "fetch")
    assert status == 2
    assert "are about vectors" in err


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
