"""What a run was asked, in `run.json` of its folder: a run is resumed only with the very same."""

import json
from pathlib import Path
from typing import Any

from kafka_tools.errors import UsageError
from kafka_tools.spark import files
from kafka_tools.spark.parquet import DONE

RUN = "run.json"

_OTHER_SETTINGS = "Resume with the settings of the first command (see run.json), or name another --out."

_ANOTHER = {
    "suite_version": (
        "of version {} of kafka-format-conformance; this is version {}.",
        "Go on with the version that began it, since others may count otherwise, or name another --out.",
    ),
    "versions": (
        "of {}; what would go on is {}.",
        "Install again what it began with, or name another --out.",
    ),
}
"""What to say of a run that another version began, and what to do about it."""


def take_up(folder: Path, asked: dict[str, Any], *, resume: bool) -> None:
    """Make the folder of a run and write its settings there, or check them to resume the run in it.

    Args:
        folder: where it is.
        asked: what is asked; `kind` says of what kind the run is.
        resume: go on with what is there.

    Raises:
        UsageError: the folder is in use and `resume` is not asked for, or it holds another run or
            something else.
    """
    if not _is_empty(folder):
        _check_resumable(folder, asked, resume=resume)
    files.make(folder)
    files.write_json(folder / RUN, asked)


def _is_empty(folder: Path) -> bool:
    try:
        return not folder.exists() or all(file.name.endswith(files.DRAFT) for file in folder.iterdir())
    except OSError as error:
        raise UsageError(f"cannot use {folder}: {error.strerror}.", "Name another directory with --out.") from None


def _check_resumable(folder: Path, asked: dict[str, Any], *, resume: bool) -> None:
    try:
        document = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        document = {}
    if not isinstance(document, dict) or document.get("kind") != asked["kind"]:
        raise UsageError(
            f"{folder} is not empty, and is not the folder of a run.", "Name another directory with --out."
        )
    if not any((folder / DONE).glob("*.parquet")):
        return  # nothing came of it
    if not resume:
        raise UsageError(
            f"{folder} has a run already.", "Go on with it: --resume. Or name another directory with --out."
        )
    for name, value in asked.items():
        if document.get(name) != value:
            story, hint = _ANOTHER.get(name, (f"with {name} {{}}, not {{}}.", _OTHER_SETTINGS))
            raise UsageError(f"{folder} holds a run {story.format(_words(document.get(name)), _words(value))}", hint)


def _words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
