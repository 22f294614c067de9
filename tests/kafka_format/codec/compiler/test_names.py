"""Fields may have any name and any documentation: the compiled text does not stumble over them."""

import inspect
from pathlib import Path
from typing import Any

import pytest
from kafka_format.codec import interpreter
from kafka_format.codec.compiler import Structure
from kafka_format.codec.compiler import structure as find_structure
from kafka_format.spec.layout import Layout

from tests.kafka_format.spec.layout.specs import loaded, thing

# Names that the compiled functions use themselves: variables, parameters, functions, builtins,
# methods of a tuple.
NAMES = [
    "append", "at_number", "bytes", "bytes_things", "case", "codec", "compression", "computed", "count", "crc32",
    "crc32c", "data", "deciding", "end", "faults", "fields", "found", "index", "isinstance", "item",
    "items", "last", "left", "len", "limit", "list", "more", "new", "number", "one", "one_key", "outer", "parts",
    "path", "plain", "position", "quick", "quick_many", "quick_varint", "range", "read", "run", "runtime", "self",
    "size", "size_things", "start", "stop", "tail", "tuple", "type", "value", "values", "write", "write_many",
    "write_varint",
]  # fmt: skip

HEAD = """\
layout: thing
title: Thing
fields:
- {{name: before, type: int32, computed: bytes_after}}
- {{name: sum, type: uint32, computed: {{crc32: [{first}, end]}}}}
"""

KINDS: dict[str, tuple[str, Any]] = {
    "integers": ("type: int16", -300),
    "one byte": ("type: int8, bits: [{name: low_NAME, at: 0}]", -1),
    "varint": ("type: varlong, minimum: 5", 1 << 40),
    "form": ("type: maybe", b"some bytes"),
}


def check(layout: Layout, given: dict[str, Any]) -> None:
    """All four readers and writers must agree."""
    structure = Structure(layout)
    data = interpreter.encode(layout, given)
    value = structure.decode(data)
    assert interpreter.as_mappings(value) == interpreter.decode(layout, data)
    assert {name: getattr(value, name) for name in given} == given
    assert structure.python.read(data, 0, len(data), 0) == (value, len(data))
    assert structure.interpreter(data, frozenset(), 0).read(layout, 0, len(data)) == (value, len(data))
    assert structure.python.write(structure.type(**given)) == data


@pytest.mark.parametrize("kind", KINDS)
def test_fields_may_have_any_name(kind: str, tmp_path: Path) -> None:
    declared, value = KINDS[kind]
    fields = [f"- {{name: {name}, {declared.replace('NAME', name)}}}\n" for name in NAMES]
    check(thing(tmp_path, HEAD.format(first=NAMES[0]) + "".join(fields)), dict.fromkeys(NAMES, value))


HEADER = """\
layout: header
title: Header
fields: [{name: key, type: maybe}, {name: value, type: maybe}]
"""


def test_items_that_are_read_in_line_get_into_nobodys_way(tmp_path: Path) -> None:
    """Their fields are variables beside those of the structure that has them."""
    pair = (
        "- {{name: {0}_count, type: varint, computed: {{count: {0}}}}}\n"
        "- {{name: {0}, type: {{array: header, count: {0}_count}}}}\n"
    )
    text = HEAD.format(first="append_count") + "".join(pair.format(name) for name in NAMES)
    layout = loaded(tmp_path, header=HEADER, thing=text).layouts["thing"]
    header = find_structure("header").type
    items = [header(key=b"key", value=None), header(key=b"", value=b"value")]
    check(layout, dict.fromkeys(NAMES, items))


@pytest.mark.parametrize(
    ("kind", "items"), [("maybe", [b"a", None]), ("varlong", [-1, 1 << 62]), ("uint16", [0, 65535])]
)
@pytest.mark.parametrize(("array", "counter"), [("{}", "{}_count"), ("{}_items", "{}")], ids=["array", "count"])
def test_arrays_and_counts_may_have_any_name(
    array: str, counter: str, kind: str, items: list[Any], tmp_path: Path
) -> None:
    pair = (
        f"- {{{{name: {counter}, type: int32, computed: {{{{count: {array}}}}}}}}}\n"
        f"- {{{{name: {array}, type: {{{{array: {kind}, count: {counter}}}}}}}}}\n"
    )
    fields = "".join(pair.format(*[name] * 4) for name in NAMES)
    layout = thing(tmp_path, HEAD.format(first=counter.format(NAMES[0])) + fields)
    check(layout, {array.format(name): items for name in NAMES})


@pytest.mark.parametrize(
    "words",
    ['ends in a quote"', 'has """ in it', "has a \\d in it", "ends in a \\", "has {braces} and {{more}}", "ünï"],
)
def test_a_layout_may_have_any_words(words: str, tmp_path: Path) -> None:
    quoted = "'" + words + "'"
    bits = f"bits: [{{name: low, at: 0, doc: {quoted}}}]"
    text = f"layout: thing\ntitle: {quoted}\ndoc: {quoted}\nfields: [{{name: a, type: int8, {bits}, doc: {quoted}}}]\n"
    structure = Structure(thing(tmp_path, text))
    assert words in (structure.type.low.__doc__ or "")
    assert (structure.type.__doc__ or "").count(words) == 3
    assert inspect.getsource(structure.python.read).startswith("def read(")


@pytest.mark.parametrize(
    ("kind", "items", "data"), [("varint", [0, 1], b"\4\0\2"), ("int16", [1, -1], b"\4\0\1\xff\xff")]
)
def test_numbers_of_an_array_may_be_given_as_their_bytes(
    kind: str, items: list[int], data: bytes, tmp_path: Path
) -> None:
    text = "layout: thing\ntitle: Thing\nfields:\n- {name: n, type: varint, computed: {count: numbers}}\n"
    structure = Structure(thing(tmp_path, f"{text}- {{name: numbers, type: {{array: {kind}, count: n}}}}\n"))
    for given in (items, tuple(items)):
        assert structure.encode(structure.type(numbers=given)) == data
    assert structure.encode(structure.type(n=2, numbers=data[1:])) == data
