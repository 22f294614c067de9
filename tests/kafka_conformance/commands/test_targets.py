"""The command that lists and installs targets, with targets that cost nothing to install."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance import cli
from kafka_conformance.targets import installation, manifest, resolve
from kafka_conformance.targets.manifest import Manifest
from kafka_conformance.targets.target_kind import TargetKind
from kafka_tools.errors import UsageError

NOT_READY = ["sound@1.0", "needy", "tooled"]
ADVICE = "install no-such-program, 2 or newer"


def toy(folder: Path, name: str, script: str = "pass", needs: dict[str, str] | None = None) -> Manifest:
    (folder / name).mkdir()
    return Manifest(
        folder=folder / name,
        library=name,
        name=name,
        kind=TargetKind.DECODER,
        language="Python",
        url="https://example.org",
        issues="https://example.org",
        version="2.0",
        versions=("1.0",) if name == "sound" else (),
        needs=needs or {},
        install=(("{python}", "-c", script),),
        run=("{python}", "-c", "pass"),
        env={},
        formats=("v2",),
        codecs=("none",),
    )


@pytest.fixture(autouse=True)
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = [
        toy(tmp_path, "sound"),
        toy(tmp_path, "needy", needs={"no-such-program": ADVICE}),
        toy(tmp_path, "tooled", needs={Path(sys.executable).name: "install Python"}),
    ]
    known.append(replace(toy(tmp_path, "client"), install=(), kind=TargetKind.CONSUMER))
    monkeypatch.setattr(manifest, "load_all", lambda: {target.name: target for target in known})
    monkeypatch.setattr(installation, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))


def main(*arguments: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["kafka-conformance", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    return int(ended.value.code or 0)


def test_list_shows_every_version_and_what_mends_the_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("targets", "--install", "sound") == 0
    capsys.readouterr()
    assert main("targets") == 0
    shown = capsys.readouterr().out.splitlines()
    lines = [line for line in map(str.rstrip, shown) if line.endswith("ready") and " of " not in line]
    rows = {line.split()[0]: "not ready" in line for line in lines}
    assert rows == {"reference": False, "sound": False, "client": False} | dict.fromkeys(NOT_READY, True)
    assert f"needy: no-such-program is not on the PATH; to fix it: {ADVICE}" in shown
    mend = "kafka-conformance targets --install sound@1.0 tooled"
    assert f"sound@1.0, tooled: not installed; to fix it: {mend}" in shown
    assert "Decoders and encoders: 2 of 5 ready" in shown
    assert "Consumers: 1 of 1 ready" in shown
    assert "Brokers: 0 of 0 ready" in shown


def test_a_kind_is_named_by_its_group_and_everything_has_all() -> None:
    assert main("targets", "--install", "sound") == 0
    names = [candidate.name for candidate in resolve.candidates(["consumers"])]
    assert names == ["client"]
    assert [candidate.name for candidate in resolve.candidates([], everything=True)] == [
        "reference",
        "sound",
        "client",
    ]
    with pytest.raises(UsageError, match="none of brokers is ready"):
        resolve.candidates(["brokers"])


@pytest.mark.parametrize("words", [[], ["--all"], ["all"], ["--all", "sound"]])
def test_all_that_can_be_is_installed_and_what_lacks_its_toolchain_is_told(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main("targets", "--install", *words) == 0
    out, err = capsys.readouterr()
    assert sorted(out.splitlines()) == ["sound: ready", "sound@1.0: ready", "tooled: ready"]
    assert f"needy: left out, no-such-program is not on the PATH; {ADVICE}" in err
    assert resolve.ready_names() == ["reference", "sound", "sound@1.0", "tooled"]
    assert resolve.ready_names(["messages"]) == ["reference"]


def test_what_needs_nothing_but_python_is_installed_by_that_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("targets", "--install", "python", "reference") == 0
    assert capsys.readouterr().out.splitlines() == ["sound: ready", "sound@1.0: ready"]


def test_those_of_python_alone_are_installed_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each waits until the other has begun."""
    begun = [tmp_path / "one-begun", tmp_path / "other-begun"]
    wait = "import pathlib, time\npathlib.Path({!r}).touch()\nwhile not pathlib.Path({!r}).exists(): time.sleep(0.01)"
    scripts = [wait.format(*map(str, begun)), wait.format(*map(str, reversed(begun)))]
    known = {name: toy(tmp_path, name, script) for name, script in zip(("one", "other"), scripts, strict=True)}
    monkeypatch.setattr(manifest, "load_all", lambda: known)
    assert main("targets", "--install", "python") == 0
    assert capsys.readouterr().out.splitlines() == ["one: ready", "other: ready"]


def test_target_that_was_asked_for_and_cannot_be_installed_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("targets", "--install", "needy@2.0", "sound") == 2
    out, err = capsys.readouterr()
    assert "needy: left out" in err
    assert out == "sound: ready\n"


def test_installation_that_fails_is_told_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = toy(tmp_path, "broken", "raise SystemExit('no such package')")
    known = {"broken": broken, **manifest.load_all()}
    monkeypatch.setattr(manifest, "load_all", lambda: known)
    assert main("targets", "--install", "--all") == 2
    out, err = capsys.readouterr()
    assert "no such package" in err
    assert "tooled: ready" in out


def test_run_of_all_that_is_ready_leaves_out_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("run", "--ready", "--vectors", "v2/codec/5") == 0
    out = capsys.readouterr().out
    assert "reference" in out
    assert "needy" not in out
