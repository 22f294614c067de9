"""The command line: what it prints, its exit status, and what it says to whoever gets it wrong."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kafka_conformance import cli
from kafka_conformance.commands import smoke
from kafka_conformance.reports import json_report
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.vector import Vector

from tests.command_line import Main
from tests.kafka_conformance.miniature_targets import invalid, valid


@pytest.fixture
def toy_vectors(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Puts three vectors in the place of the shipped ones."""
    folder = tmp_path / "vectors"
    folder.mkdir()
    lines = [json.dumps(document(vector)) for vector in (valid(b"\x01"), valid(b"\x01\x07"), invalid(b"\xff"))]
    (folder / "toy.jsonl").write_text("\n".join(lines), encoding="ascii")
    monkeypatch.setattr(golden, "package_folder", lambda: folder)
    return folder


def document(vector: Vector) -> dict[str, object]:
    fault = vector.fault and {"stage": vector.fault.stage, "rule": vector.fault.rule, "offset": vector.fault.offset}
    texts = {"id": vector.id, "title": vector.title, "format": vector.format, "family": vector.family}
    lists = {"formats": vector.formats, "codecs": vector.codecs, "rules": vector.rules}
    return {
        **texts,
        **lists,
        "verdict": vector.verdict,
        "hex": vector.data.hex(),
        "answer": vector.answer,
        "fault": fault,
    }


def miniature(name: str) -> str:
    return f"cmd:{sys.executable} -S {Path(__file__).with_name('miniatures')} {name}"


def test_help_lists_every_command_and_starts_quickly() -> None:
    """A fifth of a second of processor time; a heavy import (jsonschema, rich, the reference) would
    take more."""
    script = "import sys; sys.argv[1:] = ['--help']; from kafka_conformance.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", script], capture_output=True, text=True, check=True
    )
    assert all(f"  {name} " in done.stdout for name in cli.COMMANDS)
    loaded = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert not loaded & {"jsonschema", "rich", "yaml", "kafka_format.records", "hypothesis", "numpy"}


@pytest.mark.parametrize("command", list(cli.COMMANDS))
def test_every_command_has_help_that_shows_how(main: Main, command: str) -> None:
    status, out, _ = main(command, "--help")
    assert status == 0
    assert "Usage: kafka-conformance" in out
    named = re.findall(r"--(?:vector|vectors|id) '?(v\d+/[^'\s]+)", out)
    assert all(golden.load(patterns=[name]) for name in named)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rnu"], "No such command 'rnu'"),
        (["run"], "name a target, or --all"),
        (["run", "refrence"], "there is no target 'refrence'.\nDid you mean reference?"),
        (["run", "cmd:/no/such/decoder"], "there is no program '/no/such/decoder'"),
        (["run", "reference", "--jobs", "0"], "--jobs"),
        (["run", "reference", "--known-failures", "/none.yaml"], "cannot read /none.yaml: No such file"),
        (["run", "reference", "--update-known-failures"], "--update-known-failures needs one --known-failures FILE"),
        (["run", "reference", "--compare", "/none.json"], "cannot read /none.json: No such file"),
        (["run", "--bench", "cmd:/bin/false"], "cmd:/bin/false: did not come up: it exited with status 1"),
        (["smoke", "nothing-like-it"], "there is no target"),
        (["targets", "aiokafka"], "write --install before their names"),
        (["targets", "--install", "kio@0.1"], "kio is not pinned in version 0.1"),
        (["adapter", "refrence"], "there is no built-in target 'refrence'"),
        (["adapter", "python:no_such_module:f"], "cannot import no_such_module"),
    ],
)
def test_wrong_usage_is_one_message_and_status_2(main: Main, arguments: list[str], words: str) -> None:
    status, out, err = main(*arguments, stdin=b"[]")
    assert status == 2
    assert words in err
    assert "Traceback" not in out + err


def test_vectors_are_listed_shown_and_exported(main: Main, toy_vectors: Path, tmp_path: Path) -> None:
    assert toy_vectors.is_dir()
    assert [line.split()[0] for line in main("vectors")[1].splitlines()] == ["valid/01", "valid/0107", "invalid/ff"]
    assert json.loads(main("vectors", "--id", "invalid/*")[1])["hex"] == "ff"
    status, _, _ = main("vectors", "--verdict", "valid", "--export", str(tmp_path / "out"))
    assert status == 0
    assert (tmp_path / "out" / "bin" / "valid.0107.bin").read_bytes() == b"\x01\x07"
    exported = json.loads((tmp_path / "out" / "json" / "valid.0107.json").read_text(encoding="utf-8"))
    assert (exported["id"], exported["hex"]) == ("valid/0107", "0107")
    assert not list((tmp_path / "out").glob("*/invalid*"))


def test_no_vector_that_fits_is_wrong_usage(main: Main, toy_vectors: Path) -> None:
    assert toy_vectors.is_dir()
    status, _, err = main("vectors", "--id", "nothing/*")
    assert status == 2
    assert "no vector matches" in err


def test_targets_are_listed_with_what_is_missing(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    status, out, _ = main("targets")
    assert status == 0
    assert re.search(r"^kafka-clients, .*: java is not on the PATH; to fix it: install a JDK", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("name", "expected"), [("serve", 0), ("crashes", 1), ("accepts_everything", 1), ("never_starts", 2)]
)
def test_exit_status_of_a_run(main: Main, toy_vectors: Path, name: str, expected: int) -> None:
    assert toy_vectors.is_dir()
    assert main("run", miniature(name))[0] == expected


@pytest.mark.parametrize("direction", ["decode", "encode"])
def test_run_that_tests_nothing_says_so_and_fails(
    main: Main, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, direction: str
) -> None:
    """The miniature declares v2 and no encoder, so the vector of v1 is a gap, and nothing is
    encoded."""
    vectors = {"decode": [valid(b"\x01", formats=("v1",), format="v1")], "encode": [valid(b"\x01")]}[direction]
    (tmp_path / "v1.jsonl").write_text("\n".join(json.dumps(document(vector)) for vector in vectors), encoding="ascii")
    monkeypatch.setattr(golden, "package_folder", lambda: tmp_path)
    status, _, err = main("run", miniature("serve"), "--direction", direction)
    assert status == 2
    assert "serve was not tested: it declares or supports nothing that this run needs, which has 1 vector." in err


def test_known_failures_make_a_run_as_expected(main: Main, toy_vectors: Path, tmp_path: Path) -> None:
    assert toy_vectors.is_dir()
    known = tmp_path / "known.yaml"
    entry = "{vectors: valid/%s, outcome: crashed, reason: a toy, url: 'https://example.com/1'}"
    known.write_text(f"target: cmd:*crashes\nfailures: [{entry % '0107'}]\n", encoding="ascii")
    arguments = ("run", miniature("crashes"), "--known-failures", str(known))
    assert main(*arguments)[0] == 0
    known.write_text(f"target: cmd:*crashes\nfailures: [{entry % '*'}]\n", encoding="ascii")
    status, out, _ = main(*arguments)
    assert status == 1
    assert "failures[0]: stale: valid/01 passed; the entry says that it crashed" in out.replace("\n", "")


def test_known_failures_are_brought_up_to_date(main: Main, toy_vectors: Path, tmp_path: Path) -> None:
    """From no file at all, over one that says no reasons, to one that makes the run as expected."""
    assert toy_vectors.is_dir()
    known = tmp_path / "known.yaml"
    arguments = ("run", miniature("crashes"), "--known-failures", str(known))
    status, out, _ = main(*arguments, "--update-known-failures")
    assert status == 0
    assert "0 taken out, 0 changed, 1 added" in out
    assert main(*arguments)[0] == 1
    known.write_text(known.read_text().replace("reason: ''", "reason: a toy").replace("url: ''", "url: https://a.b/1"))
    assert main(*arguments)[0] == 0


def test_run_that_got_no_worse_is_as_expected(main: Main, toy_vectors: Path, tmp_path: Path) -> None:
    assert toy_vectors.is_dir()
    target, report = miniature("crashes_twice") + f" {tmp_path / 'seen'}", tmp_path / "report"
    assert main("run", target, "--report", str(report))[0] == 1
    old = report / "report.json"
    status, out, _ = main("run", target, "--compare", str(old), "--report", str(report))
    assert status == 0
    assert "1 fixed" in out
    (tmp_path / "seen").unlink()
    status, out, err = main("run", target, "--compare", str(old), "--report", str(report))
    assert status == 1, out + err
    assert "valid/0107: passed before, flaky now" in out.replace("\n", "")
    assert json.loads(old.read_text())["comparison"]["worse"] is True


def test_target_that_is_not_ready_fails_no_run_with_another(
    main: Main, toy_vectors: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert toy_vectors.is_dir()
    monkeypatch.setenv("PATH", "")
    assert main("run", "kafka-clients", miniature("serve"))[0] == 0
    assert main("run", "kafka-clients")[0] == 2


def test_crash_that_no_vector_is_to_blame_for_fails_a_run(main: Main, toy_vectors: Path, tmp_path: Path) -> None:
    assert toy_vectors.is_dir()
    status, out, _ = main("run", miniature("crashes_once") + f" {tmp_path / 'seen'}")
    assert status == 1
    assert "unsteady, 3 of 3 passed" in out.replace("\n", "")


def test_report_is_written(main: Main, toy_vectors: Path, tmp_path: Path) -> None:
    assert toy_vectors.is_dir()
    assert main("run", miniature("serve"), "--report", str(tmp_path / "report"))[0] == 0
    assert any((tmp_path / "report").iterdir())


@pytest.mark.parametrize(("name", "expected"), [("silent", 1), ("logs_on_standard_output", 1)])
def test_smoke_says_what_is_wrong(main: Main, name: str, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    patient = smoke.Limits
    monkeypatch.setattr(smoke, "Limits", lambda **fields: patient(**fields, start_seconds=0.3))
    status, out, _ = main("smoke", miniature(name))
    assert status == expected
    assert out.startswith("WRONG hello: ")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_interrupt_still_prints_the_table(tmp_path: Path, sent: signal.Signals) -> None:
    """Ctrl-C as a terminal sends it, or the end of a job in CI, while a target hangs."""
    script = (
        "import sys; from pathlib import Path; from kafka_conformance import cli;"
        "from kafka_conformance.vectors import golden;"
        "folder = Path(sys.argv.pop(1)); golden.package_folder = lambda: folder; cli.main()"
    )
    lines = [json.dumps(document(vector)) for vector in (valid(b"\x01"), valid(b"\x07"))]
    (tmp_path / "toy.jsonl").write_text("\n".join(lines), encoding="ascii")
    report = ["--report", str(tmp_path / "report")]
    hung = tmp_path / "hung"
    target = miniature("hangs_and_tells") + f" {hung}"
    command = [sys.executable, "-c", script, str(tmp_path), "run", target, "--seconds", "300", *report]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not hung.exists() and child.poll() is None:
        time.sleep(0.05)
    os.kill(child.pid, sent)
    out, err = child.communicate(timeout=1800)
    assert "Interrupted" in out, err
    assert "Traceback" not in out + err
    assert child.returncode == 2
    left = json_report.load(tmp_path / "report" / "report.json")
    assert left.footer.interrupted
    assert left.targets[0].standing == "stopped"
