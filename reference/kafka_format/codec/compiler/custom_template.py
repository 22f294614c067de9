"""Compiles templates of other packages, which make something else of a layout than its named tuple.

Such a template uses the macros of this package to read and write the fields, and makes of them what
it likes: records, for example, without a named tuple for each on the way. It is a quick reader too:
it returns None at the first doubt, and its caller then turns to the interpreter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kafka_format.codec.compiler import plan as planning
from kafka_format.codec.compiler.structure import environment, namespace, run_template
from kafka_format.spec import data
from kafka_format.spec.layout import find


def compile_template(name: str, template: Path, names: Mapping[str, Any], *, given: str = "limit") -> dict[str, Any]:
    """Compile a template for one layout, and return its functions by their names.

    Args:
        name: the layout.
        template: the file.
        names: what the template uses besides the names of every compiled structure, or in their
            places.
        given: what the reader of items gets after their count, as Python source.
    """
    layout = find(name)
    plan = replace(planning.plan(layout), given=given)
    module = {**namespace(layout, plan), **names}
    text = environment().get_template(str(data.folder(template.parent) / template.name))
    run_template(layout, plan, module, text, f"<{template.name} of spec/{layout.file}>")
    return module
