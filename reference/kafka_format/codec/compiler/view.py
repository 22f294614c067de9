"""Templates of other packages, for whoever wants something else than the values of a layout as they stand.

Such a template has the macros of this package at hand, so the fields are read and written as ever, and stands between
the bytes and what is made of them without a step more. It is a quick reader: it returns None at the first doubt, and
its user then turns to the interpreter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kafka_format.codec.compiler import plan as planning
from kafka_format.codec.compiler.structure import compiled, environment, namespace
from kafka_format.spec import data
from kafka_format.spec.layout import find


def view(name: str, template: Path, names: Mapping[str, Any], *, given: str = "limit") -> dict[str, Any]:
    """Compile a template for one layout, and return its functions by their names.

    Args:
        name: the layout.
        template: the file.
        names: what the template uses besides the names of every compiled structure, or in their places.
        given: what the reader of items gets behind their count, as Python source.
    """
    layout = find(name)
    plan = replace(planning.plan(layout), given=given)
    module = {**namespace(layout, plan), **names}
    text = (data.folder(template.parent) / template.name).read_text(encoding="utf-8")
    compiled(layout, plan, module, environment().from_string(text), f"<{template.name} of spec/{layout.file}>")
    return module
