"""Classes that stand for those of all versions, and the stub that editors read."""

import re
from pathlib import Path

import pytest
from kafka_format import structure
from kafka_format.codec.members import layouts, members
from kafka_format.protocol import values
from kafka_format.spec.layout import find, specification


def test_a_value_of_any_version_is_an_instance():
    for version in (4, 12, 18):
        fetch = structure("fetch_request", version)
        assert isinstance(fetch.type(), values.FetchRequest)
        assert isinstance(fetch.types["fetch_topic"](), values.FetchRequestFetchTopic)
        assert not isinstance(fetch.type(), values.FetchRequestFetchTopic | values.FetchResponse)
    assert not isinstance(object(), values.FetchRequest)


def test_no_value_is_made_without_a_version():
    with pytest.raises(TypeError, match=re.escape('structure("fetch_request", VERSION).type')):
        values.FetchRequest(max_wait_ms=500)


def test_there_is_no_other_class():
    with pytest.raises(AttributeError, match="has no attribute 'RecordBatch'"):
        _ = values.RecordBatch


def test_the_stub_has_every_class_and_the_fields_of_all_versions():
    stub = Path(values.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    written = re.split(r"^class (\w+)\(Value\):", stub, flags=re.MULTILINE)
    fields = {
        name: set(re.findall(r"^    (\w+): ", body, flags=re.MULTILINE))
        for name, body in zip(written[1::2], written[2::2], strict=True)
    }
    expected = {}
    for name in dir(values):
        made = getattr(values, name)
        whole = specification().versioned[made.layout]
        versions = [layouts(find(made.layout, version)).values() for version in whole.versions.numbers]
        there = [layout for version in versions for layout in version if made.__name__ == named(layout, made.layout)]
        expected[name] = {field.name for one in there for field in members(one)}
    assert fields == expected


def named(structure, layout):
    """Return the name of the class of a structure of one version, as values.py has it."""
    words = layout if structure.type_name == layout else f"{layout}_{structure.type_name}"
    return "".join(word.capitalize() for word in words.split("_"))
