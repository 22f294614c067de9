"""Files and folders of a run: each file is written whole or not at all, by one run at a time."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from kafka_tools.errors import UsageError

DRAFT = ".draft"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Make a folder, and keep other runs out of it while the `with` lasts, or this process.

    Raises:
        UsageError: it cannot be made, or another run is using it.
    """
    make(folder)
    try:
        lock = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise UsageError(f"cannot read {folder}: {error.strerror}.", "Name another directory with --out.") from None
    try:
        _lock(lock, folder)
        yield
    finally:
        os.close(lock)


def make(folder: Path) -> None:
    """Make a folder and those above it, if it is not there.

    Raises:
        UsageError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make {folder}: {error.strerror}.", "Name another directory with --out.") from None


def write_json(file: Path, document: dict[str, Any]) -> None:
    """Write a JSON file, whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    write_text(file, json.dumps(document, indent=1) + "\n")


def write_text(file: Path, text: str) -> None:
    """Write a file, whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    with whole(file) as draft:
        draft.write_text(text, encoding="utf-8", errors="backslashreplace")  # names of files need not be UTF-8


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """Yield a file to write; it gets its name once it is complete.

    Raises:
        UsageError: it cannot be written.
    """
    draft = file.with_name(f".{file.name}{DRAFT}")
    try:
        yield draft
        draft.replace(file)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        hint = "What was written before is sound: mend it, and go on with --resume."
        raise UsageError(f"cannot write {file}: {error.strerror or error}.", hint) from None


def _lock(lock: int, folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        hint = "Wait for its end, or name another directory with --out."
        raise UsageError(f"another run is using {folder}.", hint) from None
    except OSError:
        return  # a file system that locks no directories
