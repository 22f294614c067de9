"""Every example of docs/your-decoder.md runs as it stands there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kafka_conformance.targets.folders import TEMPLATES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "your-decoder.md").read_text(encoding="utf-8")
NEEDED = {"python": "python3", "java": "javac", "go": "go", "rust": "rustc", "javascript": "node", "c": "cc"}
EXAMPLES = dict(re.findall(r"^## (\w+)\n\n```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_every_language_has_an_example_and_a_row() -> None:
    assert [name.lower() for name in EXAMPLES] == list(TEMPLATES) == list(NEEDED)
    for name, files in TEMPLATES.items():
        file = files["decoder"]
        printed = f"`kafka-conformance adapter --template decoder --language {name}`"
        link = f"(../{file.relative_to(ROOT).as_posix()}) | {printed} |"
        assert f"[{file.name}]{link}" in PAGE


@pytest.mark.parametrize("language", EXAMPLES)
def test_example_passes_the_first_look(tmp_path: Path, language: str) -> None:
    needed = NEEDED[language.lower()]
    if shutil.which(needed) is None:
        pytest.skip(f"{needed} is not on the PATH")
    done = run(EXAMPLES[language], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    steps = [line.split(":")[0].split() for line in done.stdout.splitlines()]
    assert steps == [["ok", *name.split()] for name in ("hello", "one batch", "one refusal", "three blocks", "end")]


def test_example_of_requests_and_responses(tmp_path: Path) -> None:
    """It finds what it says: vectors that its decoder has right, and none that it has wrong."""
    (example,) = re.findall(r"^## Requests and responses\n.*?^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    done = run(example, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok    one message: an ApiVersions response came back as it should, and cut was refused" in done.stdout
    passed = r"^mine 1.0 \(Python, cmd:python3 mine.py\): (\d\d+) of \1 passed, \d+ gaps$"
    assert re.search(passed, done.stdout, re.MULTILINE)


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["sh", "-e"],
        input=script,
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
