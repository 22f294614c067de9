"""The text of a layout's module: the class of its values, what reads them, and what writes them."""

from __future__ import annotations

from kafka_format.codec.compiler.plan import Plan, is_optional
from kafka_format.codec.compiler.python_text import annotation, bound, default, named_bits, part_of, text
from kafka_format.codec.compiler.reader_text import BOUND, ReaderText, field_names
from kafka_format.codec.compiler.writer_text import WriterText
from kafka_format.codec.text import Text
from kafka_format.spec.layout.model import Bits, Layout, Nested, minimum_size


def structure_text(plan: Plan) -> Text:
    """Return the text of a layout's module."""
    made = Text()
    made.add(f'"""{text(plan.layout.title)}: compiled from spec/{plan.layout.file}."""', "", "")
    _class(made, plan)
    made.add("", "")
    _readers(made, plan)
    made.add("", "")
    _writers(made, plan)
    return made


def _class(made: Text, plan: Plan) -> None:
    layout = plan.layout
    with made.block(f"class {plan.name}(NamedTuple):"):
        made.add(f'"""{text(layout.title)}{f", since {layout.since}" if layout.since else ""}.')
        if layout.doc:
            made.add("", text(layout.doc))
        made.add("")
        with made.block("Attributes:"):
            for field in layout.fields:
                made.add(f"{field.name}: {field.type.name}{f'. {text(field.doc)}' if field.doc else ''}")
        made.add('"""', "")
        for field in layout.fields:
            null = " | None" if is_optional(field) else ""
            made.add(f"{field.name}: {annotation(field.type)}{null} = {default(field)}")
        made.add("")
        with made.block("def __reduce__(self) -> tuple[Any, ...]:"):
            made.add('"""Pickle it by the name of its layout: whatever loads it compiles this class again."""')
            made.add(f'return unpickled, ("{layout.name}", tuple(self))')
        _views(made, layout)


def _views(made: Text, layout: Layout) -> None:
    for field in layout.fields:
        for bits in field.bits:
            made.add("", "@property")
            with made.block(f"def {bits.name}(self) -> {named_bits(bits)}:"):
                many = f"s {bits.low} to" if bits.low != bits.high else ""
                doc = f" {text(bits.doc)}" if bits.doc else ""
                made.add(f'"""Bit{many} {bits.high} of {field.name}.{doc}"""')
                made.add(f"return {_view(bits, part_of(f'self.{field.name}', bits))}")


def _view(bits: Bits, part: str) -> str:
    if bits.enum is not None:
        return f"NAMES_OF_{bits.name.upper()}.get({part}, str({part}))"
    return f"bool({part})" if bits.low == bits.high else part


def _readers(made: Text, plan: Plan) -> None:
    name, reader, values = plan.layout.name, ReaderText(made, plan), field_names(plan)
    given = "data: bytes, position: int, end: int"
    with made.block(f"def quick({given}, limit: int) -> tuple[{plan.name}, int]:"):
        made.add(f'"""Read one {name}."""')
        reader.body()
        if not plan.frame:
            reader.doubt_if("position > end")
        made.add(f"return new({plan.name}, {values}), position")
    made.add("", "")
    given = f"{given}, count: int, limit: int, {BOUND}"
    with made.block(f"def quick_many({given}) -> tuple[list[{plan.name}], int]:"):
        made.add('"""Read `count` of them in a row."""')
        reader.doubt_if(f"not 0 <= count * {minimum_size(Nested(plan.layout))} <= end - position")
        made.add(f"items: list[{plan.name}] = []", "append = items.append")
        with made.block("for _ in range(count):"):
            reader.body()
            made.add(f"append(new({plan.name}, {values}))")
        reader.doubt_if("position > end")
        made.add("return items, position")


def _writers(made: Text, plan: Plan) -> None:
    writer, values = WriterText(made, plan), field_names(plan)
    with made.block(f"def write(value: {plan.name}) -> bytes:"):
        made.add(f'"""Write one {plan.layout.name}; what is None is filled."""', f"{values} = value")
        writer.body()
        writer.result()
    made.add("", "")
    with made.block(f"def write_many(values: Sequence[{plan.name}], {bound(plan.layout)}) -> bytes:"):
        made.add('"""Write them in a row."""', "found: list[bytes] = []")
        with made.block("for value in values:"):
            made.add(f"{values} = value + ()  # plain tuples are the quickest to take apart")
            writer.body()
            writer.collect()
        made.add('return b"".join(found)')
