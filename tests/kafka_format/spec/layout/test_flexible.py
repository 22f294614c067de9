"""What newer structures need: unsigned varints, UUIDs, null arrays, little-endian numbers, options.

What is wrong in such a layout is refused like everything else, by the schema too where it can.
"""

from pathlib import Path

import pytest
from kafka_format.spec.layout.model import AllDefaults, Array, Integer, minimum_size
from kafka_format.spec.layout.model import Nested as NestedType

from tests.kafka_format.spec.layout.specs import loaded, refusal, thing, write
from tests.kafka_format.spec.layout.test_schema import is_valid

HEAD = "layout: thing\ntitle: Thing\nfields:\n"
"""Three lines; the fields of each case start in line 4."""

BITS = "- {name: flags, type: uint8, bits: [{name: has_size, at: 0}, {name: level, at: 1..2}]}\n"

COUNT = "- {name: n, type: int8, computed: {count: a}}\n"
CODEC = "- {name: c, type: int8, bits: [{name: codec, at: 0, enum: codec}]}\n"

REFUSED = {
    "count that cannot be -1": (
        "- {name: n, type: uvarint, computed: {count: a}}\n- {name: a, type: {array: item, count: n, nullable: true}}",
        5, "`n` cannot be -1", "uvarint has no negative numbers",
    ),
    "nullable that is a word": (
        COUNT + "- {name: a, type: {array: item, count: n, nullable: often}}",
        5, "`nullable` must be true or false", "often",
    ),
    "null for an array that is never null": (
        COUNT + "- {name: a, type: {array: item, count: n}, default: null}",
        5, "`None` cannot be the default of array of item", "[]",
    ),
    "null array that is compressed": (
        CODEC + COUNT + "- {name: a, type: {array: item, count: n, nullable: true}, compressed_by: c.codec}",
        6, "an array that is compressed cannot be null", "",
    ),
    "all defaults of a number": ("- {name: a, type: int8, default: {}}", 4, "`{}` cannot be the default", "layouts"),
    "all defaults of a layout that has none": (
        "- {name: a, type: item, default: {}}", 4, "`number` of item has no default itself", "",
    ),
    "constant UUID": ("- {name: a, type: uuid, const: 1}", 4, "uuid is not a number", "`const`"),
    "default of a UUID": ("- {name: a, type: uuid, default: x}", 4, "`x` cannot be the default of uuid", "nothing"),
    "negative default of an unsigned varint": (
        "- {name: a, type: uvarint, default: -1}", 4, "-1 does not fit uvarint", "0 to 4294967295",
    ),
    "default below null": (
        "- {name: a, type: compact_length, default: -2}", 4, "-2 does not fit compact_length", "-1 to 4294967294",
    ),
    "names of a text": ("- {name: a, type: short_text, names: colour}", 4, "short_text is not a number", "`names`"),
    "names that there are not": (
        "- {name: a, type: int8, names: color}", 4, "there is no enumeration `color`", "`colour`",
    ),
    "condition on what comes later": (
        "- {name: a, type: int8, when: {flags.has_size: 1}}\n" + BITS,
        4, "`flags.has_size` is not a group of bits of an earlier field", "",
    ),
    "condition on a whole field": (
        BITS + "- {name: a, type: int8, when: {flags: 1}}",
        5, "`flags` is not a group of bits of an earlier field", "`flags.level`",
    ),
    "condition on a field that may be missing": (
        BITS + "- {name: b, type: int8, bits: [{name: x, at: 0}], when: {flags.has_size: 1}}\n"
        "- {name: a, type: int8, when: {b.x: 1}}",
        6, "`b.x` is not a group of bits of an earlier field that is always present", "",
    ),
    "condition that its bits cannot fulfil": (
        BITS + "- {name: a, type: int8, when: {flags.has_size: 2}}", 5, "`flags.has_size` cannot be 2", "0 to 1",
    ),
    "condition that is a word": (
        BITS + "- {name: a, type: int8, when: {flags.has_size: often}}", 5, "cannot be 'often'", "a list of them",
    ),
    "condition that is true": (
        BITS + "- {name: a, type: int8, when: {flags.has_size: true}}", 5, "cannot be True", "a number of 0 to 1",
    ),
    "condition that never holds": (
        BITS + "- {name: a, type: int8, when: {flags.level: []}}", 5, "`flags.level` decides nothing", "",
    ),
    "condition that always holds": (
        BITS + "- {name: a, type: int8, when: {flags.level: [0, 1, 2, 3]}}", 5, "`flags.level` decides nothing", "",
    ),
    "condition of a text": (
        BITS + "- {name: a, type: short_text, when: {flags.has_size: 1}}",
        5, "only a fixed integer that is not computed can be left out", "a layout of its own",
    ),
    "condition of a length": (
        BITS + "- {name: a, type: int8, computed: bytes_after, when: {flags.has_size: 1}}",
        5, "only a fixed integer that is not computed can be left out", "a layout of its own",
    ),
    "codec in a field that may be missing": (
        BITS + "- {name: c, type: int8, bits: [{name: codec, at: 0, enum: codec}], when: {flags.has_size: 1}}\n"
        "- {name: n, type: int8, computed: {count: a}}\n"
        "- {name: a, type: {array: item, count: n}, compressed_by: c.codec}",
        7, "`c` is not an earlier field that is always present", "",
    ),
    "checksum over a field that may be missing": (
        BITS + "- {name: sum, type: uint32, computed: {crc32: [b, end]}}\n"
        "- {name: a, type: int8, when: {flags.has_size: 1}}\n- {name: b, type: int8}",
        5, "`a`, between the checksum and `b`, has no fixed size", "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str, tmp_path: Path) -> None:
    fields, line, detail, advice = REFUSED[case]
    error = refusal(tmp_path, {"layouts/thing.yaml": HEAD + fields + "\n"})
    assert (error.file, error.line) == ("layouts/thing.yaml", line), str(error)
    assert detail in error.detail
    assert advice in str(error)


# About other fields, other files, or two values at once.
BEYOND_A_SCHEMA = {
    "count that cannot be -1",
    "null for an array that is never null",
    "all defaults of a number",
    "all defaults of a layout that has none",
    "negative default of an unsigned varint",
    "default below null",
    "names that there are not",
    "condition on what comes later",
    "condition on a field that may be missing",
    "condition that its bits cannot fulfil",
    "condition that always holds",
    "codec in a field that may be missing",
    "checksum over a field that may be missing",
}


@pytest.mark.parametrize("case", REFUSED)
def test_the_schema_refuses_what_it_can_see(case: str, tmp_path: Path) -> None:
    write(tmp_path, {"layouts/thing.yaml": HEAD + REFUSED[case][0] + "\n"})
    assert is_valid(tmp_path / "layouts/thing.yaml", "layouts/thing.yaml") == (case in BEYOND_A_SCHEMA)


def test_an_order_of_bytes_that_there_is_not(tmp_path: Path) -> None:
    text = "layout: thing\ntitle: Thing\nendian: middle\nfields: [{name: a, type: int8}]\n"
    error = refusal(tmp_path, {"layouts/thing.yaml": text})
    assert str(error) == "layouts/thing.yaml:3: `middle` is not a byte order (write `endian: little`, or nothing)"


def test_a_choice_cannot_be_decided_behind_a_field_that_may_be_missing(tmp_path: Path) -> None:
    case = BITS + "- {name: a, type: int8, when: {flags.has_size: 1}}\n- {name: magic, type: int8, const: 0}\n"
    chosen = HEAD + "- {name: c, type: {choose: {0: case}, by: magic, at: 1}}\n"
    error = refusal(tmp_path, {"layouts/thing.yaml": chosen, "layouts/case.yaml": HEAD.replace("thing", "case") + case})
    assert "`case` has no int8 field `magic` at byte 1" in error.detail


def test_the_order_of_bytes_is_that_of_the_layout_in_which_an_integer_stands(tmp_path: Path) -> None:
    fields = "[{name: n, type: int16, computed: {count: a}}, {name: a, type: {array: uint32, count: n}}, \
{name: b, type: item}]"
    text = f"layout: thing\ntitle: T\nendian: little\nfields: {fields}\n"
    layouts = loaded(tmp_path, thing=text).layouts
    count, array, inner = layouts["thing"].fields
    assert isinstance(count.type, Integer)
    assert isinstance(array.type, Array)
    assert isinstance(array.type.item, Integer)
    assert (count.type.order, array.type.item.order) == ("little", "little")
    assert isinstance(inner.type, NestedType)
    (number, _) = inner.type.layout.fields
    assert isinstance(number.type, Integer)
    assert (layouts["thing"].endian, layouts["item"].endian, number.type.order) == ("little", "big", "big")


def test_what_may_be_missing_does_not_count_for_the_least_size(tmp_path: Path) -> None:
    layout = thing(tmp_path, HEAD + BITS + "- {name: a, type: int64, when: {flags.has_size: 1, flags.level: [1, 2]}}\n")
    assert minimum_size(NestedType(layout)) == 1
    conditions = layout.field("a").when
    assert [(condition.by, condition.bits.name, condition.values) for condition in conditions] == [
        ("flags", "has_size", {1}),
        ("flags", "level", {1, 2}),
    ]
    assert [number for number in range(8) if all(condition.holds(number) for condition in conditions)] == [3, 5]


def test_a_layout_in_place_may_have_all_its_defaults(tmp_path: Path) -> None:
    inner = (
        "layout: inner\ntitle: I\nfields: [{name: a, type: int8, default: 5}, {name: b, type: maybe, default: null}]\n"
    )
    layouts = loaded(tmp_path, inner=inner, thing=HEAD + "- {name: x, type: inner, default: {}}\n").layouts
    assert layouts["thing"].field("x").default == AllDefaults()
