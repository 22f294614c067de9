"""A decode function that signals to the processes that watch it, while the suite is that process."""

import subprocess
import sys
from pathlib import Path

FATAL = """
import os


def decode(data):
    os.kill(os.getppid(), 9)
    return []
"""


def test_suite_outlives_a_function_that_kills_its_parent(tmp_path: Path) -> None:
    (tmp_path / "fatal.py").write_text(FATAL)
    words = (sys.executable, "-m", "kafka_conformance", "run", "python:fatal:decode", "--vectors", "v2/gzip/plain")
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 1
    assert "was killed by SIGKILL" in ran.stdout
