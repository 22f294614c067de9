"""Bytes worked out by hand for newer structures, read and written by all four readers and
writers."""

from pathlib import Path
from typing import Any

import pytest
from kafka_format import structure
from kafka_format.codec import interpreter
from kafka_format.codec.compiler import Structure
from kafka_format.errors import EncodeError, FormatError
from kafka_format.spec.layout import Layout, find, specification

from tests.kafka_format.spec.layout.specs import thing

UUID = bytes(range(16))

KINDS: dict[str, tuple[str, list[tuple[Any, str]]]] = {
    "unsigned varint": (
        "{name: a, type: uvarint}",
        [(0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (300, "ac02"), ((1 << 32) - 1, "ffffffff0f")],
    ),
    "compact length": (
        "{name: a, type: compact_length}",
        [(-1, "00"), (0, "01"), (126, "7f"), (127, "8001"), ((1 << 32) - 2, "ffffffff0f")],
    ),
    "UUID": ("{name: a, type: uuid}", [(UUID, UUID.hex())]),
}  # fmt: skip

LITTLE = """\
layout: thing
title: Little
endian: little
fields:
  - {name: small, type: int8}
  - {name: short, type: uint16}
  - {name: wide, type: int64, default: -2}
  - {name: n, type: int32, computed: {count: items}}
  - {name: items, type: {array: uint32, count: n}, default: []}
"""

OPTIONAL = """\
layout: thing
title: Optional
endian: little
fields:
  - {name: flags, type: uint8, bits: [{name: has_a, at: 0}, {name: size, at: 1..2}]}
  - {name: a, type: uint16, default: 258, when: {flags.has_a: 1}}
  - {name: b, type: int8, minimum: 3, when: {flags.size: [1, 3]}}
  - {name: c, type: uint8, const: 7, when: {flags.has_a: 0, flags.size: 2}}
  - {name: d, type: uint8}
"""

NULLABLE = """\
layout: thing
title: Nullable
fields:
  - {name: size, type: int32, computed: bytes_after}
  - {name: n, type: compact_length, computed: {count: a}}
  - {name: a, type: {array: maybe, count: n, nullable: true}, default: null}
  - {name: m, type: int16, computed: {count: b}}
  - {name: b, type: {array: uuid, count: m, nullable: true}, default: []}
"""


def check(layout: Layout, given: dict[str, Any], data: bytes) -> None:
    """All four readers and writers must agree with bytes that were worked out by hand."""
    compiled = Structure(layout)
    assert compiled.encode(compiled.type(**given)) == data
    assert interpreter.encode(layout, given) == data
    value, end = compiled.python.read(data, 0, len(data), 0)
    assert end == len(data)
    assert compiled.interpreter(data, frozenset(), 0).read(layout, 0, len(data)) == (value, end)
    assert interpreter.decode(layout, data) == interpreter.as_mappings(value)
    assert {name: getattr(value, name) for name in given} == given
    assert compiled.encode(value) == data


@pytest.mark.parametrize("kind", KINDS)
def test_scalars(kind: str, tmp_path: Path) -> None:
    declared, values = KINDS[kind]
    layout = thing(tmp_path, f"layout: thing\ntitle: T\nfields:\n  - {declared}\n  - {{name: z, type: int8}}\n")
    for value, text in values:
        check(layout, {"a": value, "z": -1}, bytes.fromhex(text) + b"\xff")


@pytest.mark.parametrize("kind", KINDS)
def test_scalars_that_are_cut(kind: str, tmp_path: Path) -> None:
    declared, values = KINDS[kind]
    layout = thing(tmp_path, f"layout: thing\ntitle: T\nfields:\n  - {declared}\n")
    data = bytes.fromhex(values[-1][1])
    for cut in range(len(data)):
        with pytest.raises(FormatError) as caught:
            Structure(layout).decode(data[:cut])
        assert (caught.value.rule, caught.value.offset, caught.value.path_text) == ("field.truncated", 0, "a")


@pytest.mark.parametrize(
    ("text", "rule"), [("8000", "varint.minimal"), ("ffffffff1f", "varint.range"), ("808080808001", "varint.length")]
)
@pytest.mark.parametrize("kind", ["uvarint", "compact_length"])
def test_unsigned_varints_hold_to_the_rules_of_varints(kind: str, text: str, rule: str, tmp_path: Path) -> None:
    layout = thing(tmp_path, f"layout: thing\ntitle: T\nfields: [{{name: a, type: {kind}}}]\n")
    with pytest.raises(FormatError) as caught:
        Structure(layout).decode(bytes.fromhex(text))
    assert caught.value.rule == rule


def test_little_endian_integers(tmp_path: Path) -> None:
    given = {"small": -2, "short": 258, "wide": -2, "items": [1, 0x01020304]}
    data = bytes.fromhex("fe 0201 feffffffffffffff 02000000 01000000 04030201")
    check(thing(tmp_path, LITTLE), given, data)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"flags": 0, "a": None, "b": None, "c": None, "d": 9}, "00 09"),
        ({"flags": 1, "a": 5, "b": None, "c": None, "d": 9}, "01 0500 09"),
        ({"flags": 2, "a": None, "b": 3, "c": None, "d": 9}, "02 03 09"),
        ({"flags": 4, "a": None, "b": None, "c": 7, "d": 9}, "04 07 09"),
        ({"flags": 7, "a": 1, "b": 4, "c": None, "d": 9}, "07 0100 04 09"),
    ],
    ids=str,
)
def test_fields_that_are_there_only_sometimes(given: dict[str, Any], text: str, tmp_path: Path) -> None:
    check(thing(tmp_path, OPTIONAL), given, bytes.fromhex(text))


@pytest.mark.parametrize(("flags", "text"), [(1, "01 0201 09"), (4, "04 07 09")])
def test_what_is_there_and_has_no_value_is_filled(flags: int, text: str, tmp_path: Path) -> None:
    layout = thing(tmp_path, OPTIONAL)
    compiled = Structure(layout)
    assert compiled.encode(compiled.type(flags=flags, d=9)) == bytes.fromhex(text)
    assert interpreter.encode(layout, {"flags": flags, "d": 9}) == bytes.fromhex(text)


def test_a_value_that_is_given_is_written_also_where_it_should_not_be(tmp_path: Path) -> None:
    compiled = Structure(thing(tmp_path, OPTIONAL))
    assert compiled.encode(compiled.type(flags=0, b=6, d=9)) == bytes.fromhex("00 06 09")
    assert compiled.encode({"flags": 0, "b": 6, "d": 9}) == bytes.fromhex("00 06 09")


@pytest.mark.parametrize("flags", [2, "x"])
def test_a_value_that_is_missing(flags: Any, tmp_path: Path) -> None:
    compiled = Structure(thing(tmp_path, OPTIONAL))
    for value in ({"flags": flags, "d": 9}, compiled.type(flags=flags, d=9)):
        with pytest.raises(EncodeError) as caught:
            compiled.encode(value)
        assert caught.value.path_text == ("flags" if flags == "x" else "b")


@pytest.mark.parametrize(
    ("text", "rule", "path", "offset"),
    [
        ("02 02 09", "frame.length.minimum", "b", 1),
        ("04 06 09", "field.const", "c", 1),
        ("01 05", "field.truncated", "a", 1),
        ("01 0500", "field.truncated", "d", 3),
    ],
)
def test_checks_of_fields_that_are_there(text: str, rule: str, path: str, offset: int, tmp_path: Path) -> None:
    layout = thing(tmp_path, OPTIONAL)
    for decode in (Structure(layout).decode, lambda data: interpreter.decode(layout, data)):
        with pytest.raises(FormatError) as caught:
            decode(bytes.fromhex(text))
        assert (caught.value.rule, caught.value.path_text, caught.value.offset) == (rule, path, offset)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"a": None, "b": None}, "00000003 00 ffff"),
        ({"a": [], "b": []}, "00000003 01 0000"),
        ({"a": [b"x", None], "b": [UUID]}, "00000016 03 02 78 01 0001" + UUID.hex()),
    ],
    ids=["null", "empty", "items"],
)
def test_arrays_that_may_be_null(given: dict[str, Any], text: str, tmp_path: Path) -> None:
    check(thing(tmp_path, NULLABLE), given, bytes.fromhex(text))


def test_a_null_array_is_not_the_same_as_one_that_is_left_out(tmp_path: Path) -> None:
    layout = thing(tmp_path, NULLABLE)
    assert interpreter.encode(layout, {}) == bytes.fromhex("00000003 00 0000")
    assert Structure(layout).encode(Structure(layout).type()) == bytes.fromhex("00000003 00 0000")
    assert interpreter.encode(layout, {"b": None}) == bytes.fromhex("00000003 00 ffff")


@pytest.mark.parametrize(("text", "path"), [("00000003 00 fffe", "m"), ("00000003 06 0000", "n")])
def test_counts_that_no_array_has(text: str, path: str, tmp_path: Path) -> None:
    layout = thing(tmp_path, NULLABLE)
    for decode in (Structure(layout).decode, lambda data: interpreter.decode(layout, data)):
        with pytest.raises(FormatError) as caught:
            decode(bytes.fromhex(text))
        assert caught.value.path_text == path


@pytest.mark.parametrize("value", [b"", UUID[:15], UUID + b"\0", "0" * 16, None, 5])
def test_a_uuid_has_16_bytes(value: Any, tmp_path: Path) -> None:
    compiled = Structure(thing(tmp_path, "layout: thing\ntitle: T\nfields: [{name: a, type: uuid}]\n"))
    for given in ({"a": value}, compiled.type(a=value)):
        with pytest.raises(EncodeError) as caught:
            compiled.encode(given)
        assert caught.value.path_text == "a"


def test_tagged_fields_by_hand() -> None:
    """KIP-482: an unsigned count, and for each an unsigned tag, an unsigned size, and the
    content."""
    data = bytes.fromhex("02 00 01 61 8801 00")
    value = structure("tagged_fields").decode(data)
    assert [(field.tag, field.content) for field in value.fields] == [(0, b"a"), (136, b"")]
    assert structure("tagged_fields").encode(value) == data
    assert interpreter.encode(find("tagged_fields"), {}) == b"\0"


@pytest.mark.parametrize(
    "name", ["compact_string", "compact_nullable_string", "compact_bytes", "compact_nullable_bytes"]
)
def test_compact_forms(name: str) -> None:
    form = specification().forms[name]
    write = interpreter.writer.form_bytes
    assert write(form, b"") == b"\x01"
    assert write(form, b"ab") == b"\x03ab"
    assert write(form, b"a" * 127) == b"\x80\x01" + b"a" * 127
    if "nullable" in name:
        assert write(form, None) == b"\0"
    else:
        with pytest.raises(EncodeError, match="cannot be null"):
            write(form, None)
