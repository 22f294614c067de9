"""The text of the class of a structure's values."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_format.codec.compiler.names import Names
from kafka_format.codec.compiler.python_source import annotation, default, named_bits, part_of, text
from kafka_format.codec.members import class_name, members
from kafka_format.codec.text import Text
from kafka_format.spec.layout.model import Bits, Field, LastItem, Layout


def class_text(made: Text, names: Names, layout: Layout) -> None:
    """Add the class of a structure."""
    with made.block(f"class {class_name(layout)}(NamedTuple):"):
        made.add(f'"""{text(layout.title)}{f", since {layout.since}" if layout.since else ""}.', *_docs(layout), '"""')
        made.add("")
        for field in members(layout):
            null = " | None" if _is_optional(field) else ""
            made.add(f"{field.name}: {annotation(field.type)}{null} = {default(field)}")
        if not layout.type_name:
            made.add("")
            with made.block("def __reduce__(self) -> tuple[Any, ...]:"):
                made.add('"""Pickle it by the name of its layout: whatever loads it compiles this class again."""')
                made.add(f'return unpickled, ("{layout.name}", tuple(self))')
        for field in layout.fields:
            for bits in field.bits:
                _view(made, names, field, bits)


def _docs(layout: Layout) -> Iterator[str]:
    """Yield what the layout says of itself and its fields; versions have it in the stubs."""
    if layout.type_name:
        return
    if layout.doc:
        yield from ("", text(layout.doc))
    yield from ("", "Attributes:")
    for field in layout.fields:
        yield f"    {field.name}: {field.type.name}{f'. {text(field.doc)}' if field.doc else ''}"


def _is_optional(field: Field) -> bool:
    """Tell whether a value may be None, whatever its type says: to be filled in, or absent."""
    return field.computed is not None or isinstance(field.default, LastItem) or bool(field.when)


def _view(made: Text, names: Names, field: Field, bits: Bits) -> None:
    part = part_of(f"self.{field.name}", bits)
    view = f"bool({part})" if bits.low == bits.high else part
    if bits.enum is not None:
        view = f"{names.values(bits.enum)}.get({part}, str({part}))"
    made.add("", "@property")
    with made.block(f"def {bits.name}(self) -> {named_bits(bits)}:"):
        many = f"s {bits.low} to" if bits.low != bits.high else ""
        made.add(f'"""Bit{many} {bits.high} of {field.name}.{f" {text(bits.doc)}" if bits.doc else ""}"""')
        made.add(f"return {view}")
