"""Writes down what the compiler makes of some layouts, for people to read: docs/compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from kafka_format.codec.compiler import Structure, structure

FOLDER: Final = "compiled"
LAYOUTS: Final = ("record_batch", "record")
"""One with fixed integers, a frame, a checksum and a compressed array, and one with varints and
items in line."""

_HEAD: Final = """\
# Made by generate.py: what the compiler makes of spec/{file}. Nothing imports this file.
#
# The text is what `kafka_format.structure("{name}").source` holds, made by
# kafka_format.codec.compiler. It runs in a module that has more names: those of
# `kafka_format.codec.runtime.NAMES`, and tables and functions of `struct` that have the name of
# their codes: `unpack_qi` is `struct.Struct(">qi").unpack_from`.
#
# Both functions raise an error at the first doubt, and the interpreter reads or writes instead.

"""


def files(docs: Path) -> dict[Path, str]:
    """Return the text of each sample by its file."""
    return {docs / FOLDER / f"{name}.py": text(structure(name)) for name in LAYOUTS}


def text(compiled: Structure[Any]) -> str:
    """Return the compiled text of a structure, with a head that says what it is."""
    head = _HEAD.format(file=compiled.layout.file, name=compiled.layout.name)
    return head + compiled.source.strip() + "\n"
