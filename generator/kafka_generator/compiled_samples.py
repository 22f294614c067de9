"""Writes down what the compiler makes of some layouts, for people to read: docs/compiled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from kafka_format.codec.compiler import Structure, structure
from kafka_format.codec.compiler.plan import plan
from kafka_format.spec.layout import Layout

FOLDER: Final = "compiled"
LAYOUTS: Final = ("record_batch", "record")
"""One with fixed integers, a frame, a checksum and a compressed array, and one with varints and
items in line."""

_HEAD: Final = """\
# Made by generate.py: what the compiler makes of spec/{file}. Nothing imports this file.
#
# The text is what `kafka_format.structure("{name}").source` holds, made by
# kafka_format.codec.compiler.structure_text. It runs in a module that has more names:
# `kafka_format.codec.compiler.structure.namespace` has them all. The integers that stand
# side by side are read and written by one call:
#
{groups}
#
# A `quick` function raises an error at the first doubt, and the interpreter reads the bytes again.
# A `write` function works backwards: a length or checksum is filled in when what it covers is there.

"""


def files(docs: Path) -> dict[Path, str]:
    """Return the text of each sample by its file."""
    return {docs / FOLDER / f"{name}.py": text(structure(name)) for name in LAYOUTS}


def text(compiled: Structure[Any]) -> str:
    """Return the compiled text of a structure, with a head that says what it is."""
    layout = compiled.layout
    head = _HEAD.format(file=layout.file, name=layout.name, groups="\n".join(_groups(layout)))
    return head + compiled.source.strip() + "\n"


def _groups(layout: Layout) -> Iterator[str]:
    """Yield lines on the runs of integers, which the code reads and writes with one call each."""
    for group in plan(layout).groups:
        if group.kind == "integer":
            yield f'#     GROUP_{group.index} = struct.Struct("{group.code}")'
