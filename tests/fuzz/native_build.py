"""Builds the layout machine by hand: under sanitizers, or with a mistake put in.

`python -m tests.fuzz.native_build FOLDER` builds it under the sanitizers, and prints what a Python
that loads it must preload.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parents[2] / "native/source"
SANITIZERS: Final = (
    "-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined",
)  # fmt: skip
EXTENSION: Final = "kafka_format_native.abi3.so"


def compiler() -> str | None:
    """Return the path of a C compiler; None if there is none."""
    return shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0])


def build(folder: Path, *options: str, sources: Path = SOURCES) -> None:
    """Build the extension into a folder.

    Raises:
        CalledProcessError: the compiler refuses it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        compiler() or "cc", "-shared", "-fPIC", *options, "-DPy_LIMITED_API=0x030b0000",
        f"-I{sysconfig.get_path('include')}", *map(str, sorted(sources.glob("*.c"))), "-o", str(folder / EXTENSION),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, text=True)


def preload() -> str:
    """Return the library of the address sanitizer; empty if the compiler has none."""
    program = compiler()
    if program is None:
        return ""
    command = [program, "-print-file-name=libasan.so"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return said if Path(said).is_absolute() else ""


def environment(folder: Path, *, sanitized: bool) -> dict[str, str]:
    """Return the variables under which Python loads the extension of a folder."""
    path = {"PYTHONPATH": f"{folder}:{Path(__file__).parents[2]}"}
    if not sanitized:
        return path
    # CPython keeps objects to its end, which are no leaks; its own allocator would hide edges.
    return path | {"LD_PRELOAD": preload(), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}


if __name__ == "__main__":
    target = Path(sys.argv[1])
    build(target, *SANITIZERS)
    print(*(f"{name}={value}" for name, value in environment(target, sanitized=True).items()))
