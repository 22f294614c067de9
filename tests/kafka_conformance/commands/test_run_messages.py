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


@pytest.mark.parametrize(
    ("taken", "id_", "said"),
    [
        ("wide(asked)", "layout/heartbeat_request/generation_id/as-int64", "reads `generation_id` as int64"),
        pytest.param(
            "wide(asked) and os._exit(1)",
            "reads/int32-as-int64",
            "reads numbers of 4 bytes from 8",
            marks=pytest.mark.xfail(strict=True, reason="lengths of strings are guessed first, which refuse as much"),
        ),
    ],
)
def test_what_is_refused_is_asked_about(taken: str, id_: str, said: str, main: Main, tmp_path: Path) -> None:
    """A target takes what its own wrong rule writes; one that dies of it is told as before."""
    script, folder = tmp_path / "wide.py", tmp_path / "report"
    script.write_text(WIDE.replace("TAKEN", taken), encoding="utf-8")
    status, out, _ = main("run", f"cmd:{sys.executable} {script}", "--api", "heartbeat", "--report", str(folder))
    (cause,) = json.loads((folder / "report.json").read_text(encoding="utf-8"))["causes"]
    assert (status, cause["id"], said in out) == (1, id_, True)


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

WIDE = """
import json, os
from dataclasses import replace
from kafka_conformance.protocol.messages import MessageInput
from kafka_conformance.serving import loop, message, reference
from kafka_format import protocol
from kafka_format.codec.interpreter import Reader
from kafka_format.codec.compiler import version
from kafka_format.protocol.json_form import EXACT
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned.resolver import resolve

whole = specification().versioned["heartbeat_request"]
group, generation, *others = whole.body.fields
fields = (group, replace(generation, type="int64"), *others)
whole = replace(whole, body=replace(whole.body, fields=fields))

def wide(asked):
    header = version("request_header", protocol.header_version(12, asked.version, "request"))
    layout, body = resolve(whole, asked.version, specification().forms), asked.message[header.read(asked.message)[1]:]
    values, end = Reader(body, make=lambda _, values: values).read(layout, 0, len(body))
    if end != len(body):
        raise ValueError("more bytes follow")
    return json.dumps({"header": {}, "body": EXACT.write(layout, values)}).encode()

def wrong(asked):
    return message.read(asked) if asked.api != 12 or asked.message_kind else TAKEN

reference._ANSWERS = {**reference._ANSWERS, MessageInput: wrong}
loop.serve_standard_streams(reference.reference)
"""
