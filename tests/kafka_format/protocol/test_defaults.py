"""What is left out of JSON gets its default: in structures, items of arrays, tagged fields."""

from typing import Any

import pytest
from kafka_format import protocol
from kafka_format.codec.compiler import version as compiled_version
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.model import Counted, Field, Layout, Nested, Optional, TagSection

LAYOUTS = [(name, number) for name, one in specification().versioned.items() for number in one.versions.numbers]


def hollow(layout: Layout, depth: int) -> dict[str, Any]:
    """Return JSON with an item in each array, and nothing in it; and tagged structures likewise."""
    return {field.kafka: value for field in members(layout) if (value := _value(field, depth)) is not None}


def members(layout: Layout) -> list[Field]:
    """Return the fields of a structure, tagged ones too."""
    tagged = [field for one in layout.fields if isinstance(one.type, TagSection) for field in one.type.fields]
    return [one for one in layout.fields if not isinstance(one.type, TagSection)] + tagged


def _value(field: Field, depth: int) -> Any:
    match field.type:
        case Counted(item=Nested(layout=layout)):
            return [hollow(layout, depth - 1) if depth else {}]
        case Nested(layout=layout) | Optional(layout=layout):
            return hollow(layout, depth - 1) if depth else {}
        case _:
            return None


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize(("name", "number"), LAYOUTS)
def test_what_is_left_out_has_its_default(name: str, number: int) -> None:
    compiled = compiled_version(name, number)
    for document in ({}, hollow(find(name, number), 0), hollow(find(name, number), 9)):
        data = compiled.encode(protocol.from_json(compiled, document))
        value, end = compiled.read(data, 0)
        assert end == len(data)
        assert compiled.encode(value) == data
