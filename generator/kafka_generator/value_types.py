"""Stubs that tell editors and type checkers what a decoded structure has: made from the layouts.

codec/structures.pyi finds the class for a literal name such as `structure("record_batch")`; values.pyi says what each
class has. Nothing imports a stub at run time.
"""

from __future__ import annotations

from pathlib import Path

from kafka_format.codec.compiler import plan
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Field, minimum_size

from kafka_generator.markdown import environment

_STUBS = {"codec/structures.pyi": "structures.pyi.j2", "values.pyi": "values.pyi.j2"}
"""The stubs of the package kafka_format, and the template of each."""


def stubs() -> dict[str, str]:
    """Return the text of every stub by its place in the package kafka_format."""
    made = environment(Path(__file__).parent / "templates")
    made.filters["text"] = plan.text
    made.globals |= {"annotation": _annotation, "class_name": plan.class_name, "named_bits": plan.named_bits}
    layouts = list(specification().layouts.values())
    return {name: made.get_template(template).render(layouts=layouts) for name, template in _STUBS.items()}


def _annotation(field: Field) -> str:
    """Return the type of a field. That of a constant byte is its value: `magic` tells `MessageV0` from `MessageV1`."""
    is_byte = field.const is not None and minimum_size(field.type) == 1
    kind = f"Literal[{field.const!r}]" if is_byte else plan.annotation(field.type)
    return f"{kind} | None" if field.when else kind
