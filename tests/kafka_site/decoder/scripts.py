"""The scripts of the decoder in Node: the machine's own, or the one that Playwright brings."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
Question = Mapping[str, Any]


def node() -> str:
    """Return the path of a Node; skip where there is none."""
    own = shutil.which("node")
    if own is not None:
        return own
    driver = pytest.importorskip("playwright._impl._driver", reason="no node on the PATH, and no Playwright with one")
    program, _ = driver.compute_driver_executable()
    return str(program)


def ask(folder: Path, questions: Iterable[Question]) -> Sequence[dict[str, Any]]:
    """Return what the scripts in a folder make of bytes; answer.js says what questions and answers
    are."""
    done = subprocess.run(
        [node(), str(HERE / "answer.js"), str(folder)],
        input="".join(f"{json.dumps(question)}\n" for question in questions),
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    assert not done.returncode, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
