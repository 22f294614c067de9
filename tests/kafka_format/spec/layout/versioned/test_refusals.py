"""Versioned layouts that the loader refuses: which line, what is wrong, what to write instead."""

from pathlib import Path

import pytest
from kafka_format.errors import LayoutError
from kafka_format.spec.layout import load

from tests.kafka_format.spec.layout.specs import write

HEAD = """\
layout: thing
title: Thing
kafka: Thing
kind: data
versions: 0-5
flexible: 3+
since: {0-5: "1.0"}
"""

FIELDS = {
    "unknown key": ("{name: a, type: int8, tagged: 3+}", "unknown key `tagged` (did you mean `tag`?)"),
    "unknown type": ("{name: a, type: int7}", "`int7` is not a type, and has no fields here (did you mean `int8`?)"),
    "a varint": ("{name: a, type: varint}", "`varint` is not a type, and has no fields here (did you mean"),
    "array of arrays": ("{name: a, type: {array: {array: int8}}}", "`array` must be a text"),
    "a count that is none": ("{name: a, type: {array: int8, count: int64}}", "`int64` counts no array"),
    "fields of a scalar": ("{name: a, type: int8, fields: []}", "int8 has no fields"),
    "a range that is none": ("{name: a, type: int8, versions: 2..3}", "`2..3` is not a range of versions"),
    "a range from high to low": ("{name: a, type: int8, versions: 3-2}", "`3-2` ends before it begins"),
    "a range that opens beyond": ("{name: a, type: int8, versions: 6+}", "`6+` ends before it begins"),
    "versions beyond": (
        "{name: a, type: int8, versions: 4-6}",
        "`versions` 4-6 goes beyond 0-5, the versions of `thing`",
    ),
    "all versions": ("{name: a, type: int8, versions: 0+}", "these are all versions, or none (leave `versions` out)"),
    "no versions": ("{name: a, type: int8, versions: none}", "these are all versions, or none (leave `versions` out)"),
    "nullable beyond": (
        "{name: a, type: string, versions: 2+, nullable: 1+}",
        "`nullable` 1-5 goes beyond 2-5, the versions of the field",
    ),
    "a number that may be null": (
        "{name: a, type: int8, nullable: true}",
        "int8 cannot be null (strings, bytes, arrays and structures can)",
    ),
    "a tag before flexible versions": (
        "{name: a, type: int8, tag: 0}",
        "only flexible versions have tagged fields; 0-5 are not all among 3-5",
    ),
    "a negative tag": ("{name: a, type: int8, versions: 3+, tag: -1}", "a tag is 0 or more"),
    "a tag too high": (
        "{name: a, type: int8, versions: 3+, tag: 1}",
        "tag 1 leaves a gap (1 tagged fields have the tags 0 to 0)",
    ),
    "records with a tag": ("{name: a, type: records, versions: 3+, tag: 0}", "records cannot be tagged"),
    "a default that does not fit": ("{name: a, type: int8, default: 128}", "128 does not fit int8 (-128 to 127)"),
    "a default below zero": ("{name: a, type: uint16, default: -1}", "-1 does not fit uint16 (0 to 65535)"),
    "a default of another type": ("{name: a, type: bool, default: 1}", "`1` cannot be the default of bool"),
    "a default that is no number": (
        "{name: a, type: float64, default: .nan}",
        "nan cannot be the default of float64 (write a finite number)",
    ),
    "a default without an end": ("{name: a, type: float64, default: -.inf}", "-inf cannot be the default of float64"),
    "a default beyond all floats": (
        f"{{name: a, type: float64, default: 1{'0' * 400}}}",
        f"1{'0' * 19} cannot be the default",
    ),
    "a field since no release": ("{name: a, type: int8, since: '4.9'}", "there is no Kafka 4.9"),
    "a map key since no release": (
        "{name: a, type: {array: inner}, fields: [{name: b, type: int8, map_key: soon}]}",
        "`soon` is not a release",
    ),
    "a former name until no release": (
        "{name: a, type: int8, formerly: {b: 3.1 to 3.12}}", "there is no Kafka 3.12 (releases of 3.x are 3.0 to 3.9",
    ),
    "a default of a text": ("{name: a, type: string, default: 5}", "`5` cannot be the default of string"),
    "a default of an array": ("{name: a, type: {array: int8}, default: []}", "`[]` cannot be the default"),
    "a UUID of other letters": (
        "{name: a, type: uuid, default: AAAA}",
        "`AAAA` is not a UUID (write it as 22 characters of base64)",
    ),
    "a default that is one anyway": ("{name: a, type: int8, default: 0}", "`0` is the default anyway (leave it out)"),
    "a default null of what cannot be null": (
        "{name: a, type: string, nullable: 3+, default: null}",
        "null is not allowed in all versions, so it cannot be the default",
    ),
    "flexible of a number": ("{name: a, type: int8, flexible: none}", "int8 has no length (strings and bytes have)"),
    "flexible before the layout is": (
        "{name: a, type: string, flexible: 2+}",
        "`flexible` 2-5 goes beyond 3-5, the versions of the field that are flexible",
    ),
    "nullable in no version": (
        "{name: a, type: string, nullable: none}",
        "a field without `nullable` is never null (leave it out)",
    ),
    "the name of unknown tags": (
        "{name: unknown_tagged_fields, type: int8}",
        "`unknown_tagged_fields` is what readers call the tags that no layout knows",
    ),
    "content of a layout that there is not": ("{name: a, type: bytes, holds: record}", "there is no layout `record`"),
    "numbers that hold something by a text": (
        "{name: a, type: int8, held_by: {fields: [b], layouts: {x: thing}}}",
        "int8 holds nothing else (bytes do)",
    ),
    "content by a text of a layout that there is not": (
        "{name: a, type: bytes, held_by: {fields: [b], layouts: {x: record}}}",
        "there is no layout `record`",
    ),
    "content by no text": (
        "{name: a, type: bytes, held_by: {fields: [b], layouts: {}}}",
        "says neither where the text stands",
    ),
    "a map key outside arrays": (
        "{name: a, type: int8, map_key: true}",
        "`thing` is not in an array, so it has no map keys (take `map_key` from `a`, in line",
    ),
    "a map key in a structure that is no item": (
        "{name: a, type: inner, fields: [{name: b, type: int8, map_key: true}]}",
        "`inner` is not in an array, so it has no map keys (take `map_key` from `b`, in line",
    ),
    "an array as a map key": (
        "{name: a, type: {array: inner}, fields: [{name: b, type: {array: int8}, map_key: true}]}",
        "an array or a structure is no map key",
    ),
    "no map key": ("{name: a, type: int8, map_key: false}", "`map_key` must be a text"),
    "names of a text": ("{name: a, type: string, names: codec}", "the numbers of `codec` do not fit string"),
    "names that do not fit": ("{name: a, type: int8, names: huge}", "the numbers of `huge` do not fit int8"),
    "names that there are not": (
        "{name: a, type: int8, names: codek}",
        "there is no enumeration `codek` (did you mean `codec`?)",
    ),
    "a needless name of Kafka": (
        "{name: max_wait, type: int8, kafka: maxWait}",
        "`maxWait` is what Kafka calls `max_wait` anyway (leave it out)",
    ),
    "a structure without fields": (
        "{name: a, type: quorum_state}",
        "`quorum_state` is not a type, and has no fields here (known: bool, bytes,",
    ),
    "inner versions beyond": (
        "{name: a, type: inner, versions: 2-3, fields: [{name: b, type: int8, versions: 3-4}]}",
        "`versions` 3-4 goes beyond 2-3, the versions of `inner`",
    ),
}  # fmt: skip

PAIRS = {
    "a name twice": (["{name: a, type: int8}", "{name: a, type: int16}"], "`a` appears twice in version 0-5"),
    "a name twice in one version": (
        ["{name: a, type: int8, versions: 0-3}", "{name: a, type: int16, versions: 3+}"],
        "`a` appears twice in version 3",
    ),
    "one name in Kafka's JSON": (
        ["{name: a, type: int8}", "{name: b, type: int8, kafka: a}"],
        "`b` appears twice in version 0-5",
    ),
    "a tag twice": (
        ["{name: a, type: int8, versions: 3+, tag: 0}", "{name: b, type: int8, versions: 3+, tag: 0}"],
        "tag 0 appears twice",
    ),
    "a structure twice": (
        ["{name: a, type: inner, fields: [{name: x, type: int8}]}", "{name: b, type: inner, fields: []}"],
        "the structure `inner` appears twice",
    ),
}

HEADS = {
    "no versions": ("versions: 0-5\n", "", 1, "says nothing of `versions`"),
    "versions that are open": ("versions: 0-5", "versions: 0+", 5, "a layout has a first and a last version"),
    "flexible left out": ("flexible: 3+\n", "", 1, "says nothing of `flexible`"),
    "flexible that ends": ("flexible: 3+", "flexible: 3-4", 6, "versions stay flexible once they are"),
    "flexible beyond": ("flexible: 3+", "flexible: 3-6", 6, "`flexible` 3-6 goes beyond 0-5"),
    "unknown kind": ("kind: data", "kind: date", 4, "`date` is not a kind of layout (did you mean `data`?)"),
    "a request of no API": ("kind: data", "kind: request", 4, "has no `api` (write `api: NUMBER`)"),
    "data of an API": ("kind: data", "kind: data\napi: 3", 5, "a layout of this kind has no `api`"),
    "an API above all": ("kind: data", "kind: request\napi: 32768", 5, "32768 is not a number of 0 to 32767"),
    "an API below 0": ("kind: data", "kind: response\napi: -1", 5, "-1 is not a number of 0 to 32767"),
    "a variant of nothing": ("kind: data", "kind: data\nvariant_of: thong", 5, "there is no layout `thong`"),
    "surplus of what is no request": (
        "kind: data",
        'kind: data\nsurplus: [{versions: 0, hex: ["00"], writer: w, doc: d.}]',
        5,
        "a data has no `surplus`",
    ),
    "surplus without bytes": (
        "kind: data",
        'kind: request\napi: 3\nsurplus: [{versions: 0, hex: [""], writer: w, doc: d.}]',
        6,
        "`hex` has no bytes",
    ),
    "surplus that is no bytes": (
        "kind: data",
        'kind: request\napi: 3\nsurplus: [{versions: 0, hex: ["0"], writer: w, doc: d.}]',
        6,
        "`hex` is no bytes",
    ),
    "surplus of a version that there is not": (
        "kind: data",
        'kind: request\napi: 3\nsurplus: [{versions: 6, hex: ["00"], writer: w, doc: d.}]',
        6,
        "`versions` 6 goes beyond 0-5",
    ),
    "a control character": ("kind: data", "kind: data\ndoc: \0", 5, "is not YAML: control characters are not allowed"),
    "a version of no release": ('since: {0-5: "1.0"}', 'since: {0-4: "1.0"}', 7, "`since` says nothing of version 5"),
    "a version that there is not": ('since: {0-5: "1.0"}', 'since: {0-6: "1.0"}', 7, "version 6 is none of 0-5"),
    "a version twice": ('since: {0-5: "1.0"}', 'since: {0-5: "1.0", 5: "2.0"}', 7, "is none of 0-5, or appears twice"),
    "a release that never came": ('since: {0-5: "1.0"}', 'since: {0-5: "1.7"}', 7, "there is no Kafka 1.7"),
    "a version that ends early": (
        'since: {0-5: "1.0"}', 'since: {0-5: "1.0"}\nuntil: {2: "0.9"}', 8, "ends with 0.9, before it begins with 1.0",
    ),
    "an unstable version of no release": (
        'since: {0-5: "1.0"}', 'since: {0-5: "1.0"}\nunstable: {5: "1.0 to x"}', 8, "`x` is not a release",
    ),
    "no range": ('since: {0-5: "1.0"}', 'since: {all: "1.0"}', 7, "`all` is not a range of versions"),
    "another name": ("layout: thing", "layout: thong", 1, "`thong` stands in a file named thing.yaml"),
    "an unknown key": ("kind: data", "kind: data\nendian: big", 5, "unknown key `endian`"),
    "no name in Kafka": ("kafka: Thing\n", "", 1, "`kafka` must be a text"),
    "a structure that nobody uses": (
        "kind: data",
        "kind: data\nstructures: [{name: inner, fields: []}]",
        5,
        "no field has the type `inner`",
    ),
}  # fmt: skip


def refusal(folder: Path, text: str, line: int = 0) -> LayoutError:
    """Load the layout `thing`, which is wrong, and return the error."""
    enums = "enums:\n  codec: {doc: C, values: {0: none, 1: gzip}}\n  huge: {doc: H, values: {0: none, 128: much}}\n"
    write(folder, {"enums.yaml": enums, "layouts/protocol/things/thing.yaml": text})
    with pytest.raises(LayoutError) as caught:
        load(folder).versioned["thing"]
    assert caught.value.file == "layouts/protocol/things/thing.yaml"
    assert line in (0, caught.value.line)
    return caught.value


@pytest.mark.parametrize("case", FIELDS)
def test_fields(case: str, tmp_path: Path) -> None:
    field, text = FIELDS[case]
    error = refusal(tmp_path, f"{HEAD}fields:\n  - {field}\n", 9)
    assert str(error).partition(": ")[2].startswith(text)


@pytest.mark.parametrize("case", PAIRS)
def test_fields_beside_each_other(case: str, tmp_path: Path) -> None:
    fields, text = PAIRS[case]
    error = refusal(tmp_path, f"{HEAD}fields:\n" + "".join(f"  - {field}\n" for field in fields), 10)
    assert error.detail == text
    assert "the first is in line 9" in error.advice


@pytest.mark.parametrize("case", HEADS)
def test_heads(case: str, tmp_path: Path) -> None:
    old, new, line, text = HEADS[case]
    assert old in HEAD
    error = refusal(tmp_path, HEAD.replace(old, new) + "fields: [{name: a, type: int8}]\n", line)
    assert text in str(error)


@pytest.mark.parametrize(
    ("structures", "way"),
    [
        ("[{name: inner, fields: [{name: x, type: {array: inner}}]}]", "inner > inner"),
        (
            "[{name: inner, fields: [{name: x, type: y}]}, {name: y, fields: [{name: z, type: inner}]}]",
            "inner > y > inner",
        ),
    ],
)
def test_a_structure_in_itself(structures: str, way: str, tmp_path: Path) -> None:
    error = refusal(tmp_path, f"{HEAD}structures: {structures}\nfields: [{{name: a, type: inner}}]\n", 8)
    assert error.detail == f"`inner` contains itself: {way}"


def test_a_layout_without_fields(tmp_path: Path) -> None:
    assert refusal(tmp_path, HEAD).detail == "`thing` has no fields"


@pytest.mark.parametrize("other", ["layouts/protocol/others/thing.yaml", "layouts/thing.yaml"])
def test_a_name_of_two_files(other: str, tmp_path: Path) -> None:
    plain = "layout: thing\ntitle: Thing\nfields: [{name: a, type: int8}]\n"
    write(tmp_path, {"layouts/protocol/things/thing.yaml": HEAD + "fields: []\n", other: plain})
    with pytest.raises(LayoutError, match="`thing` is the name of two files"):
        load(tmp_path)
