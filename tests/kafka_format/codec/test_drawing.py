"""The walk over the types of a layout: a chooser sees each once, with its depth."""

from collections.abc import Sequence

import pytest
from kafka_format.codec.compiler import version
from kafka_format.codec.drawing import Depth, draw
from kafka_format.codec.members import members
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Field, Layout, TagSection, Type


class Names:
    """Says what it was asked, in words."""

    def structure(self, _layout: Layout, fields: Sequence[str]) -> str:
        return f"{{{' '.join(fields)}}}"

    def field(self, field: Field, drawn: str) -> str:
        return f"{field.name}={drawn}"

    def or_null(self, _kind: Type, drawn: str, _depth: Depth) -> str:
        return f"{drawn}?"

    def items(self, item: str, depth: Depth) -> str:
        return f"[{item}]{depth.levels}{depth.arrays}"

    def unknown(self, _section: TagSection) -> str:
        return "tags"

    def scalar(self, _field: Field, kind: Type) -> str:
        return str(kind.name)


def test_types_are_met_with_their_depth() -> None:
    drawn = draw(version("produce_request", 3).layout, Names())
    assert drawn == (
        "{transactional_id=nullable_string? acks=int16 timeout_ms=int32 "
        "topic_data=[{name=string partition_data=[{index=int32 records=nullable_bytes?}]21}]00}"
    )


@pytest.mark.sampled(20, of="layouts")
@pytest.mark.parametrize("name", list(specification().versioned))
def test_every_version_is_walked_to_its_end(name: str) -> None:
    for number in specification().versioned[name].versions.numbers:
        layout = version(name, number).layout
        drawn = draw(layout, Names())
        assert all(f"{field.name}=" in drawn for field in members(layout))
