"""Renews the locks beside this file: the newest releases, with their hashes, and no addresses.

One lock holds for every machine: the versions are chosen for Python 3.11 and newer and all systems
at once.
"""

import subprocess
import sys
from pathlib import Path

LOCKS = Path(__file__).resolve().parent
ROOT = LOCKS.parent
SOURCES = {
    "bench.lock": ["requirements/bench.in", "pyproject.toml"],
    "build.lock": ["requirements/build.in"],
    "dev.lock": ["pyproject.toml", "--extra=spark", "--extra=capture", "--extra=schemas", "--extra=dev"],
    "base.lock": ["pyproject.toml", "--constraint=requirements/dev.lock"],  # the same releases, for `make conformance`
    "jdk.lock": ["requirements/jdk.in"],
}
OPTIONS = [
    "--quiet",
    "--upgrade",
    "--universal",
    "--python-version=3.11",
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--custom-compile-command=make lock",
]


def main() -> int:
    """Writes every lock; the exit status is uv's."""
    uv = Path(sys.executable).with_name("uv")
    for lock, source in SOURCES.items():
        command = [uv, "pip", "compile", *OPTIONS, *source, "--output-file", f"requirements/{lock}"]
        status = subprocess.call(command, cwd=ROOT)
        if status != 0:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
