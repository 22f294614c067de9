"""The suite under pytest, run as a user runs it, in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MINIATURES = Path(__file__).with_name("miniatures")


def run(*arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "conformance", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_reference_is_the_default_and_passes() -> None:
    status, output = run("--vectors", "v2/header/*")
    assert status == 0
    assert " passed" in output
    assert "skipped" not in output


def test_finding_is_a_failure_in_words_and_the_end_says_what_the_findings_come_from() -> None:
    target = f"cmd:{sys.executable} -S {MINIATURES} refuses_everything"
    status, output = run("--target", target, "--vectors", "v2/size/*", "--vectors", "v2/header/*")
    assert status == 1
    assert "refused what is valid: ToyError: no" in output
    _, _, end = output.rpartition("what the findings come from")
    assert "bugs that users meet" in end
    assert "FAILED" not in end


def test_known_failure_is_an_expected_failure(tmp_path: Path) -> None:
    entry = "{vectors: v2/size/*, outcome: refused-valid, reason: a toy, url: 'https://example.com/1'}"
    known = tmp_path / "known.yaml"
    known.write_text(f"target: cmd:*\nfailures: [{entry}]\n", encoding="ascii")
    target = f"cmd:{sys.executable} -S {MINIATURES} refuses_everything"
    status, output = run("--target", target, "--vectors", "v2/size/*", "--known-failures", str(known))
    assert status == 0
    assert "xfailed" in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--target", "refrence"), "there is no target 'refrence'. Did you mean reference?"),
        (("--vectors", "nothing/*"), "no vector matches"),
        (
            ("--target", "cmd:/bin/false", "--vectors", "v2/header/*"),
            "cmd:/bin/false did not come up: it exited with status 1",
        ),
    ],
)
def test_wrong_usage_is_one_message(arguments: tuple[str, ...], words: str) -> None:
    status, output = run(*arguments)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert words in output
    assert "Traceback" not in output
