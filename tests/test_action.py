"""The GitHub action: its shell steps, run as GitHub runs them, against miniature adapters."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"] if "id" in step}
ADAPTER = f"cmd:{sys.executable} -S {ROOT / 'tests' / 'kafka_conformance' / 'miniatures'} refuses_everything"
KNOWN = """target: cmd:*
failures: [{vectors: v2/size/*, outcome: refused-valid, reason: a toy, url: 'https://example.com/1'}]
"""


class Step:
    """One shell step of the action, in a workspace of its own."""

    def __init__(self, workspace: Path, name: str) -> None:
        self.workspace, self.step = workspace, STEPS[name]
        self.output, self.summary = workspace / "output", workspace / "summary"

    def run(self, **inputs: str) -> tuple[int, str]:
        known = {name: str(declared.get("default", "")) for name, declared in ACTION["inputs"].items()}
        known |= {name.replace("_", "-"): value for name, value in inputs.items()}
        values = {f"inputs.{name}": value for name, value in known.items()}
        values |= {"runner.temp": str(self.workspace), "github.action_path": str(ROOT)}
        own = {name: filled(text, values) for name, text in self.step["env"].items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.step["run"]],  # as GitHub starts bash
            cwd=self.workspace,
            env={**os.environ, **own, "GITHUB_OUTPUT": str(self.output), "GITHUB_STEP_SUMMARY": str(self.summary)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


def filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: values[found[1]], text)


@pytest.fixture
def run_step(tmp_path: Path) -> Step:
    """The step that runs the suite, with the suite of this checkout as the one that is
    installed."""
    (tmp_path / "kafka-conformance").mkdir()
    (tmp_path / "kafka-conformance" / "bin").symlink_to(Path(sys.executable).parent)
    return Step(tmp_path, "run")


def test_shell_gets_inputs_by_environment_alone() -> None:
    """What is put into the text of a script could end its quotes."""
    for step in STEPS.values():
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"


def test_page_names_every_input() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    assert rows == list(ACTION["inputs"])


def test_examples_use_known_inputs() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    workflow = yaml.safe_load(re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)[0])
    used = workflow["jobs"]["conformance"]["steps"][-1]["with"]
    assert set(used) <= set(ACTION["inputs"])


def test_findings_fail_the_step_and_are_told(run_step: Step) -> None:
    status, output = run_step.run(target=ADAPTER, vectors="v2/size/*\nv2/magic/*\n", report="out here")
    assert status == 1, output
    assert run_step.output.read_text(encoding="utf-8") == "status=1\n"
    assert "refused what is valid" in run_step.summary.read_text(encoding="utf-8")
    assert (run_step.workspace / "out here" / "report.junit.xml").is_file()
    assert list((run_step.workspace / "out here" / "badges").glob("*.json"))


def test_known_failures_make_it_green(run_step: Step) -> None:
    (run_step.workspace / "known.yaml").write_text(KNOWN, encoding="ascii")
    status, output = run_step.run(target=ADAPTER, vectors="v2/size/*", known_failures="known.yaml")
    assert status == 0, output
    assert run_step.output.read_text(encoding="utf-8") == "status=0\n"


def test_wrong_usage_fails_and_leaves_no_old_summary(run_step: Step) -> None:
    report = run_step.workspace / "kafka-conformance-report"
    report.mkdir()
    (report / "summary.md").write_text("of yesterday", encoding="ascii")
    status, output = run_step.run(target=ADAPTER, vectors="nothing/*")
    assert status == 2
    assert "no vector matches" in output
    assert not run_step.summary.exists()


def test_unknown_target_fails_before_the_run(run_step: Step) -> None:
    status, output = run_step.run(target="aiokaffa")
    assert status == 2
    assert "Did you mean aiokafka" in output


@pytest.mark.parametrize(
    ("inputs", "installed"),
    [
        ({}, [[str(ROOT)]]),
        ({"version": "0.1.0"}, [["kafka-format-conformance==0.1.0"]]),
        ({"install": ".\n\nlz4>=4\n"}, [[str(ROOT)], [".", "lz4>=4"]]),
    ],
)
def test_installs_the_suite_and_what_was_asked_for(
    tmp_path: Path, inputs: dict[str, str], installed: list[list[str]]
) -> None:
    """A stand-in for Python writes down what it is asked for, and makes `venv` put itself there."""
    stand_in, log = tmp_path / "python", tmp_path / "log"
    stand_in.write_text(
        f'#!/bin/bash\nprintf "%s\\n" "$*" >> {log}\n'
        'if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; fi\n',
        encoding="ascii",
    )
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IXUSR)
    status, output = Step(tmp_path, "install").run(python=str(stand_in), **inputs)
    assert status == 0, output
    asked = [line.split() for line in log.read_text(encoding="ascii").splitlines() if line.startswith("-m pip")]
    assert [line[-len(wanted) :] for line, wanted in zip(asked, installed, strict=True)] == installed
    pins = (tmp_path / "kafka-conformance" / "constraints.txt").read_text(encoding="ascii").splitlines()
    assert "click" in {pin.partition("==")[0] for pin in pins}
    assert all(re.fullmatch(r"[\w.-]+==[\w.+!-]+", pin) for pin in pins)


def test_old_python_is_said_in_words(tmp_path: Path) -> None:
    status, output = Step(tmp_path, "install").run(python="false")
    assert status == 2
    assert "needs Python 3.11 or newer" in output
