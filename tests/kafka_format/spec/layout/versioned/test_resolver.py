"""What a version of a versioned layout is, for layouts that are small enough to see it."""

from pathlib import Path

import pytest
from kafka_format.errors import LayoutError
from kafka_format.spec.layout import find, load, specification
from kafka_format.spec.layout.model import (
    BOOLEAN,
    FLOAT64,
    AllDefaults,
    Counted,
    Field,
    Form,
    Layout,
    Nested,
    Optional,
    TagSection,
)
from kafka_format.spec.layout.versioned.resolver import resolve

from tests.kafka_format.spec.layout.specs import write

THING = """\
layout: thing
title: Thing
kafka: ThingRequest
kind: request
api: 7
versions: 0-4
flexible: 2+
since: {0-1: "1.0", 2: "2.0", 3-4: "3.0"}
until: {0: "3.9"}
structures:
  - name: pair
    fields:
      - {name: key, type: string}
      - {name: value, type: bytes, versions: 1+, nullable: 3+}
fields:
  - {name: name, type: string, versions: 0-2}
  - {name: topic_id, type: uuid, versions: 3+}
  - {name: is_new, type: bool, default: true}
  - {name: weight, type: float64, versions: 4}
  - {name: client, type: string, nullable: true, flexible: none}
  - {name: pairs, type: {array: pair}, nullable: 1+}
  - {name: ids, type: {array: int32}, versions: 1-3}
  - {name: one, type: pair, versions: 2+, nullable: 3+}
  - {name: last, type: records, nullable: true}
  - {name: extra, type: int16, versions: 3+, tag: 1, default: -1}
  - {name: other, type: pair, versions: 2+, nullable: 4, tag: 0}
"""


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    forms = {
        f"layouts/primitive/{path.name}": path.read_text()
        for path in (Path(__file__).parents[5] / "spec/layouts/primitive").glob("*.yaml")
    }
    return write(tmp_path, forms | {"layouts/protocol/things/thing.yaml": THING})


def version(specs: Path, number: int) -> Layout:
    loaded = load(specs)
    return resolve(loaded.versioned["thing"], number, loaded.forms)


def words(field: Field) -> str:
    """Say a field as a person would."""
    kind = field.type
    if isinstance(kind, Optional):
        return f"{field.name} {kind.name} after {kind.marker.name}"
    if isinstance(kind, Counted):
        return f"{field.name} {kind.name} after {kind.length.name}{' or null' if kind.nullable else ''}"
    return f"{field.name} {kind.name}"


@pytest.mark.parametrize(
    ("number", "fields"),
    [
        (0, ["name string", "is_new bool", "client nullable_string", "pairs array of thing_v0_pair after int32",
             "last nullable_bytes"]),
        (1, ["name string", "is_new bool", "client nullable_string",
             "pairs array of thing_v1_pair after int32 or null", "ids array of int32 after int32",
             "last nullable_bytes"]),
        (2, ["name compact_string", "is_new bool", "client nullable_string",
             "pairs array of thing_v2_pair after compact_length or null", "ids array of int32 after compact_length",
             "one thing_v2_pair", "last compact_nullable_bytes", "unknown_tagged_fields tagged fields"]),
        (3, ["topic_id uuid", "is_new bool", "client nullable_string",
             "pairs array of thing_v3_pair after compact_length or null", "ids array of int32 after compact_length",
             "one thing_v3_pair after int8", "last compact_nullable_bytes", "unknown_tagged_fields tagged fields"]),
        (4, ["topic_id uuid", "is_new bool", "weight float64", "client nullable_string",
             "pairs array of thing_v4_pair after compact_length or null", "one thing_v4_pair after int8",
             "last compact_nullable_bytes", "unknown_tagged_fields tagged fields"]),
    ],
)  # fmt: skip
def test_the_fields_of_a_version(number: int, fields: list[str], specs: Path) -> None:
    assert [words(field) for field in version(specs, number).fields] == fields


@pytest.mark.parametrize(
    ("number", "fields"),
    [(2, ["other thing_v2_pair"]), (3, ["other thing_v3_pair", "extra int16"]),
     (4, ["other thing_v4_pair after uvarint", "extra int16"])],
)  # fmt: skip
def test_tagged_fields_stand_by_their_tags(number: int, fields: list[str], specs: Path) -> None:
    section = version(specs, number).fields[-1].type
    assert isinstance(section, TagSection)
    assert [words(field) for field in section.fields] == fields
    assert [field.tag for field in section.fields] == list(range(len(fields)))


@pytest.mark.parametrize(
    ("number", "fields"),
    [(0, ["key string"]), (1, ["key string", "value bytes"]),
     (2, ["key compact_string", "value compact_bytes", "unknown_tagged_fields tagged fields"]),
     (3, ["key compact_string", "value compact_nullable_bytes", "unknown_tagged_fields tagged fields"])],
)  # fmt: skip
def test_a_structure_follows_the_version(number: int, fields: list[str], specs: Path) -> None:
    kind = version(specs, number).field("pairs").type
    assert isinstance(kind, Counted)
    assert isinstance(kind.item, Nested)
    assert [words(field) for field in kind.item.layout.fields] == fields
    assert kind.item.layout.type_name == "pair"


def test_defaults_are_those_of_kafka(specs: Path) -> None:
    layout = version(specs, 4)
    defaults = {field.name: field.default for field in layout.fields}
    assert defaults == {
        "topic_id": bytes(16), "is_new": True, "weight": 0.0, "client": "", "pairs": (), "one": AllDefaults(),
        "last": None, "unknown_tagged_fields": (),
    }  # fmt: skip
    assert all(field.has_default for field in layout.fields)
    section = layout.fields[-1].type
    assert isinstance(section, TagSection)
    assert [field.default for field in section.fields] == [AllDefaults(), -1]


def test_texts_are_texts_and_bools_bools(specs: Path) -> None:
    layout = version(specs, 4)
    client = layout.field("client").type
    assert isinstance(client, Form)
    assert client.content == "text"
    assert (layout.field("is_new").type, layout.field("weight").type) == (BOOLEAN, FLOAT64)
    assert layout.field("topic_id").kafka == "topicId"


@pytest.mark.parametrize(("number", "since", "until"), [(0, "1.0", "3.9"), (1, "1.0", ""), (2, "2.0", "")])
def test_a_version_knows_its_releases(number: int, since: str, until: str, specs: Path) -> None:
    layout = version(specs, number)
    assert (layout.since, layout.until, layout.version, layout.kafka) == (since, until, number, "ThingRequest")


def test_a_version_that_there_is_not(specs: Path) -> None:
    with pytest.raises(ValueError, match="thing has no version 5; it has 0-4"):
        version(specs, 5)


@pytest.mark.parametrize(
    ("name", "number", "text"),
    [
        ("fetch_reqest", 3, "there is no layout `fetch_reqest` (did you mean `fetch_request`?)"),
        ("fetch_request", 99, "`fetch_request` has no version 99 (it has 0-18)"),
        ("fetch_request", None, "`fetch_request` needs a version (it has 0-18)"),
        ("record_batch", 2, "`record_batch` has no versions"),
    ],
)
def test_what_cannot_be_found(name: str, number: int | None, text: str) -> None:
    with pytest.raises(LayoutError) as caught:
        find(name, number)
    assert str(caught.value).partition(": ")[2] == text


def test_every_version_of_every_layout_resolves() -> None:
    layouts = specification().versioned
    pairs = [(name, number) for name, layout in layouts.items() for number in layout.versions.numbers]
    assert len(pairs) > 777
    for name, number in pairs:
        assert find(name, number).version == number
