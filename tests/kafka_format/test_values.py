"""The classes of decoded values by name, and the stub that editors read."""

import re
from pathlib import Path

import pytest
from kafka_format import structure, values


def test_the_classes_are_those_of_the_structures():
    batch = structure("record_batch").type
    assert values.RecordBatch is batch
    assert "RecordBatch" in dir(values)
    with pytest.raises(AttributeError, match="has no attribute 'Batch'"):
        _ = values.Batch


def test_the_stub_has_every_class_and_every_field():
    stub = Path(values.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    written = re.split(r"^class (\w+)\(NamedTuple\):", stub, flags=re.MULTILINE)
    fields = {
        name: tuple(re.findall(r"^    (\w+): ", body, flags=re.MULTILINE))
        for name, body in zip(written[1::2], written[2::2], strict=True)
    }
    assert fields == {name: getattr(values, name)._fields for name in dir(values)}
