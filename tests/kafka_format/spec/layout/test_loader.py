"""What is loaded is what the file says, resolved and frozen."""

import dataclasses
import shutil
from pathlib import Path

import pytest
from kafka_format.errors import LayoutError, Stage
from kafka_format.spec import data
from kafka_format.spec.layout import find, load, specification
from kafka_format.spec.layout.model import (
    CHECK_RULES,
    Array,
    BytesAfter,
    Checksum,
    CompressedBy,
    CountOf,
    Field,
    LastItem,
    Layout,
    Nested,
    minimum_size,
)
from kafka_format.spec.layout.types import SCALARS

from tests.kafka_format.spec.layout.specs import loaded, thing

EVERYTHING = """\
layout: thing
title: Thing
doc: What it is for.
since: "0.8"
until: "0.9"
source: KIP-1
fields:
  - {name: size, type: int32, computed: bytes_after, minimum: 9, stage: framing, rules: {within: thing.within}}
  - {name: crc, type: uint32, computed: {crc32: [attributes, end]}}
  - {name: gap, type: uint8, default: 7, doc: Not covered.}
  - name: attributes
    type: int16
    bits: [{name: codec, at: 0..2, enum: codec}, {name: mark, at: 15}, {name: level, at: 3..4}]
  - {name: kind, type: int8, const: -3}
  - {name: last, type: varlong, default: {last: items.number}}
  - {name: text, type: short_text, rules: {negative: thing.text}}
  - {name: maybe, type: maybe, default: null}
  - {name: n, type: varint, computed: {count: items}}
  - {name: items, type: {array: item, count: n}, compressed_by: attributes.codec, default: []}
"""


@pytest.fixture
def everything(tmp_path: Path) -> Layout:
    return thing(tmp_path, EVERYTHING)


def test_the_head_of_a_layout(everything: Layout) -> None:
    head = (everything.name, everything.title, everything.doc, everything.since, everything.until, everything.source)
    assert head == ("thing", "Thing", "What it is for.", "0.8", "0.9", "KIP-1")
    assert everything.file == "layouts/thing.yaml"
    names = "size crc gap attributes kind last text maybe n items"
    assert [field.name for field in everything.fields] == names.split()
    assert [field.line for field in everything.fields] == [8, 9, 10, 11, 14, 15, 16, 17, 18, 19]


def test_computed_fields(everything: Layout) -> None:
    computed = {field.name: field.computed for field in everything.fields if field.computed is not None}
    assert computed == {"size": BytesAfter(), "crc": Checksum("crc32", "attributes"), "n": CountOf("items")}
    assert (everything.field("size").minimum, everything.field("size").stage) == (9, Stage.FRAMING)


def test_defaults_and_constants(everything: Layout) -> None:
    assert everything.field("gap").default == 7
    assert everything.field("kind").const == -3
    assert everything.field("last").default == LastItem("items", "number")
    assert everything.field("maybe").default is None
    assert everything.field("items").default == ()
    unfilled = [field.name for field in everything.fields if not field.is_filled]
    assert unfilled == ["attributes", "text"]


def test_bits(everything: Layout) -> None:
    codec, mark, level = everything.field("attributes").bits
    assert (codec.low, codec.high, codec.mask) == (0, 2, 7)
    assert (mark.low, mark.high, mark.mask) == (15, 15, 1)
    assert (level.low, level.high, level.mask) == (3, 4, 3)
    assert codec.enum is not None
    assert codec.enum.values == {0: "none", 1: "gzip"}
    assert mark.enum is None
    assert everything.field("items").compressed_by == CompressedBy("attributes", codec)


def test_types(everything: Layout) -> None:
    items = everything.field("items").type
    assert isinstance(items, Array)
    assert isinstance(items.item, Nested)
    assert items.item.layout.fields[0].type is SCALARS["int32"]
    words = ", ".join(field.type.name for field in everything.fields)
    assert words == "int32, uint32, uint8, int16, int8, varlong, short_text, maybe, varint, array of item"


def test_each_check_names_a_rule(everything: Layout) -> None:
    """The field's own rule before its form's, the form's before the general one."""
    text = everything.field("text").rules
    assert (text["negative"], text["utf8"], text["truncated"]) == ("thing.text", "text.utf8", "field.truncated")
    assert everything.field("size").rules["within"] == "thing.within"
    assert all(set(field.rules) == set(CHECK_RULES) for field in everything.fields)


def test_items_have_the_rules_of_their_form(tmp_path: Path) -> None:
    array = "- {name: n, type: int8, computed: {count: a}}\n- {name: a, type: {array: short_text, count: n}}\n"
    layout = thing(tmp_path, "layout: thing\ntitle: T\nfields:\n" + array)
    assert layout.field("a").rules["utf8"] == "text.utf8"


def test_the_least_a_structure_can_take(everything: Layout) -> None:
    """4 + 4 + 1 + 2 + 1 bytes of integers, one for each varint and each empty form, none for the
    items."""
    assert minimum_size(Nested(everything)) == 12 + 1 + 1 + 1 + 1


def test_layouts_may_use_what_comes_later(tmp_path: Path) -> None:
    inner = "layout: zebra\ntitle: Z\nfields: [{name: b, type: int8}]\n"
    outer = "layout: ape\ntitle: A\nfields: [{name: a, type: zebra}]\n"
    layouts = loaded(tmp_path, ape=outer, zebra=inner).layouts
    kind = layouts["ape"].fields[0].type
    assert isinstance(kind, Nested)
    assert kind.layout is layouts["zebra"]


@pytest.mark.parametrize("text", ["\ufeff", "# A comment first.\n", "---\n"])
def test_what_may_stand_before_a_layout(text: str, tmp_path: Path) -> None:
    assert thing(tmp_path, text + "layout: thing\ntitle: T\nfields: [{name: a, type: int8}]\n").name == "thing"


def test_lines_may_end_as_on_windows(tmp_path: Path) -> None:
    text = "layout: thing\r\ntitle: T\r\nfields:\r\n- {name: a, type: int8}\r\n"
    assert thing(tmp_path, text).fields[0].line == 4


def test_a_flag_is_found_by_its_rule(tmp_path: Path) -> None:
    (tmp_path / "layouts").mkdir()
    (tmp_path / "enums.yaml").write_text("enums: {}\n")
    (tmp_path / "flags.yaml").write_text("flags:\n  loose: {relaxes: [a.b, c.d], doc: D.}\n  free: {relaxes: []}\n")
    assert load(tmp_path).flags == {"a.b": "loose", "c.d": "loose"}


@pytest.mark.parametrize(
    ("holder", "name"),
    [
        (find("record"), "title"),
        (find("record").fields[0], "doc"),
        (find("record_batch").field("attributes").bits[0], "low"),
        (specification(), "layouts"),
    ],
    ids=["layout", "field", "bits", "specification"],
)
def test_the_model_is_frozen(holder: object, name: str) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(holder, name, "other")


def test_the_mappings_of_the_model_are_frozen() -> None:
    known = specification()
    field: Field = find("record").fields[0]
    for mapping in (known.layouts, known.forms, known.enums, known.flags, field.rules, known.enums["codec"].values):
        with pytest.raises(TypeError):
            mapping["other"] = None


def test_a_field_that_is_not_there() -> None:
    with pytest.raises(KeyError, match="keys"):
        find("record").field("keys")


def test_a_layout_that_is_not_there_suggests_a_near_one() -> None:
    with pytest.raises(LayoutError, match=r"no layout `record_bach`.*did you mean `record_batch`"):
        find("record_bach")


def test_the_shipped_specification_is_loaded_once() -> None:
    assert specification() is specification()


def test_the_shipped_layouts_load_from_any_folder(tmp_path: Path) -> None:
    """Nothing in them depends on where they lie, as in the wheel they lie elsewhere."""
    copy = shutil.copytree(data.path("spec"), tmp_path / "spec")
    assert load(copy).layouts.keys() == specification().layouts.keys()


def test_the_frames_of_our_own_protocol_stand_beside_kafkas_structures() -> None:
    layouts = specification().layouts
    assert layouts["frame"].file == "adapter/frame.yaml"
    assert layouts["record_batch"].file == "layouts/batch/record_batch.yaml"
    assert {layout.file.split("/")[0] for layout in layouts.values()} == {"layouts", "adapter"}


def test_an_enumeration_knows_the_number_of_a_name() -> None:
    """Errors.java of Kafka: FENCED_MEMBER_EPOCH(110, ...)."""
    assert specification().enums["error"].number("fenced_member_epoch") == 110


def test_a_name_that_an_enumeration_lacks_is_refused() -> None:
    with pytest.raises(KeyError, match="error has no `fenced_member`"):
        specification().enums["error"].number("fenced_member")
