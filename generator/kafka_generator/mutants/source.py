"""The source of the reference: its modules, what each imports, and its text with edits."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import kafka_format
from kafka_conformance.errors import UsageError
from kafka_format.spec import data

PACKAGE: Final = "kafka_format"
ROOT: Final = Path(kafka_format.__file__).parent
"""The folder of the reference, which files of edits count from."""


class Edit(NamedTuple):
    """One text in one file that is replaced by another; it must stand there exactly once."""

    file: str
    old: str
    new: str


def spec_root() -> Path:
    """Return the folder that holds spec/, which files of edits of the specification count from."""
    return data.path("spec").parent


def apply(edits: Iterable[Edit], root: Path, fault: str = "") -> dict[str, str]:
    """Return the text of the edited files, by their path from `root`; `fault` is whose edits they are, for the error.

    Raises:
        UsageError: a file does not have the old text exactly once.
    """
    texts: dict[str, str] = {}
    for edit in edits:
        text = texts.get(edit.file) or (root / edit.file).read_text(encoding="utf-8")
        if (times := text.count(edit.old)) != 1:
            raise UsageError(
                f"{fault or 'an edit'}: {edit.file} has {edit.old!r} {times} times, not once.",
                "Let the fault in vectors/faults follow the file as it is now.",
            )
        texts[edit.file] = text.replace(edit.old, edit.new)
    return texts


def module_of(file: str) -> str:
    """Return the name of the module in a file, given from `ROOT`."""
    parts = Path(file).with_suffix("").parts
    return ".".join([PACKAGE, *(parts[:-1] if parts[-1] == "__init__" else parts)])


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """Return the modules of the reference that each of them takes something from."""
    files = {module_of(str(path.relative_to(ROOT))): path for path in ROOT.rglob("*.py")}
    return {name: frozenset(_imported(path, files)) for name, path in files.items()}


def _imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module in known:
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                yield below if below in known else node.module


def dependents(changed: Iterable[str]) -> set[str]:
    """Return these modules and all that take something from them, directly or not."""
    found = set(changed)
    while more := {name for name, taken in imports().items() if name not in found and taken & found}:
        found |= more
    return found
