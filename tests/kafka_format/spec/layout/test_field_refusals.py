"""Every mistake in a layout is refused, with the file, the line, what is wrong, and advice."""

from pathlib import Path

import pytest

from tests.kafka_format.spec.layout.specs import refusal

HEAD = "layout: thing\ntitle: Thing\nfields:\n"
"""Three lines; the fields of each case start in line 4."""

FIELDS = {
    "unknown key of a field": ("- {name: a, type: int8, defualt: 1}", 4, "unknown key `defualt`", "`default`"),
    "unknown type": ("- {name: a, type: int33}", 4, "unknown type `int33`", "`int32`"),
    "no type": ("- {name: a}", 4, "`type` must be a name", "array"),
    "no name": ("- {type: int8}", 4, "`name` must be a text", "name: "),
    "name with a capital": ("- {name: Magic, type: int8}", 4, "`Magic` cannot be a name", "lower-case"),
    "name with a hyphen": ("- {name: last-offset, type: int8}", 4, "`last-offset` cannot be a name", "_ between"),
    "name that starts low": ("- {name: _make, type: int8}", 4, "`_make` cannot be a name", "lower-case"),
    "name that ends low": ("- {name: make_, type: int8}", 4, "`make_` cannot be a name", "lower-case"),
    "name of Python's": ("- {name: class, type: int8}", 4, "`class` cannot be a name", "word of Python"),
    "name that is a number": ("- {name: 5, type: int8}", 4, "`name` must be a text", "quotes"),
    "two fields of a name": (
        "- {name: a, type: int8}\n- {name: b, type: int8}\n- {name: a, type: int8}",
        6, "`a` appears twice", "the first is in line 4",
    ),
    "bits with the name of a field": (
        "- {name: a, type: int8}\n- {name: b, type: int8, bits: [{name: a, at: 0}]}", 5, "`a` appears twice", "line 4",
    ),
    "two bits of a name": (
        "- {name: a, type: int8, bits: [{name: x, at: 0}]}\n- {name: b, type: int8, bits: [{name: x, at: 0}]}",
        5, "`x` appears twice", "line 4",
    ),
    "a key twice": ("- {name: a, name: b, type: int8}", 4, "`name` appears twice", "line 4"),
    "doc that is a number": ("- {name: a, type: int8, doc: 5}", 4, "`doc` must be a text", "quotes"),
    "field that is a word": ("- magic", 3, "must be a list of mappings", "- {name"),
    "unknown stage": ("- {name: a, type: int8, stage: frame}", 4, "unknown stage `frame`", "`framing`"),
    "unknown check": ("- {name: a, type: int8, rules: {trunc: x}}", 4, "unknown key `trunc`", "`truncated`"),
    "rule that is a number": ("- {name: a, type: int8, rules: {truncated: 1}}", 4, "must be a text", "quotes"),
    "field since no release": ("- {name: a, type: int8, since: '3.10'}", 4, "there is no Kafka 3.10", "3.0 to 3.9"),
    "bits since no release": (
        "- {name: a, type: int8, bits: [{name: x, at: 0, since: soon}]}", 4, "`soon` is not a release", "quotes",
    ),
    "default that does not fit": ("- {name: a, type: int8, default: 128}", 4, "128 does not fit int8", "-128 to 127"),
    "default below zero": ("- {name: a, type: uint16, default: -1}", 4, "-1 does not fit uint16", "0 to 65535"),
    "default of a varint that does not fit": (
        "- {name: a, type: varint, default: 2147483648}", 4, "2147483648 does not fit varint", "to 2147483647",
    ),
    "default that is a text": ("- {name: a, type: int8, default: one}", 4, "must be a whole number", "one"),
    "default that is a fraction": ("- {name: a, type: int8, default: 1.5}", 4, "must be a whole number", "1.5"),
    "default that is true": ("- {name: a, type: int8, default: true}", 4, "must be a whole number", "True"),
    "default null of a number": ("- {name: a, type: int8, default: null}", 4, "cannot be the default of int8", "null"),
    "default null of what is never null": (
        "- {name: a, type: short_text, default: null}", 4, "cannot be the default of short_text", "null",
    ),
    "default bytes": ("- {name: a, type: maybe, default: x}", 4, "`x` cannot be the default of maybe", "null"),
    "default items": (
        "- {name: n, type: int8, computed: {count: a}}\n- {name: a, type: {array: item, count: n}, default: [1]}",
        5, "cannot be the default of array of item", "[]",
    ),
    "constant that does not fit": ("- {name: a, type: int8, const: 200}", 4, "200 does not fit int8", "-128 to 127"),
    "constant text": ("- {name: a, type: short_text, const: 1}", 4, "short_text is not a number", "`const`"),
    "minimum that does not fit": ("- {name: a, type: uint8, minimum: 256}", 4, "256 does not fit uint8", "0 to 255"),
    "minimum of a text": ("- {name: a, type: short_text, minimum: 1}", 4, "short_text is not a number", "`minimum`"),
    "constant with a default": ("- {name: a, type: int8, const: 1, default: 1}", 4, "needs no default", "leave it out"),
    "computed with a default": (
        "- {name: a, type: int8, computed: bytes_after, default: 1}", 4, "needs no default", "leave it out",
    ),
    "computed constant": ("- {name: a, type: int8, computed: bytes_after, const: 1}", 4, "no constant", "number"),
    "computed text": ("- {name: a, type: short_text, computed: bytes_after}", 4, "only a number can be computed", ""),
    "computed as one likes": (
        "- {name: a, type: int8, computed: length}", 4, "`computed` must be bytes_after", "count",
    ),
    "unknown checksum": (
        "- {name: a, type: uint32, computed: {crc64: [b, end]}}\n- {name: b, type: int8}",
        4, "`crc64` cannot be computed", "`crc32",
    ),
    "checksum without an end": (
        "- {name: a, type: uint32, computed: {crc32: [b, b]}}\n- {name: b, type: int8}",
        4, "takes the field it starts at and `end`", "[FIELD, end]",
    ),
    "checksum from nowhere": (
        "- {name: a, type: uint32, computed: {crc32: [attribute, end]}}\n- {name: attributes, type: int8}",
        4, "starts at `attribute`, which is not after it", "`attributes`",
    ),
    "checksum from a field before it": (
        "- {name: a, type: int8}\n- {name: crc, type: uint32, computed: {crc32: [a, end]}}\n- {name: b, type: int8}",
        5, "starts at `a`, which is not after it", "known: b",
    ),
    "checksum from itself": (
        "- {name: crc, type: uint32, computed: {crc32: [crc, end]}}\n- {name: b, type: int8}",
        4, "starts at `crc`, which is not after it", "known: b",
    ),
    "checksum after what varies": (
        "- {name: crc, type: uint32, computed: {crc32: [b, end]}}\n- {name: a, type: varint}\n- {name: b, type: int8}",
        4, "`a`, between the checksum and `b`, has no fixed size", "",
    ),
    "checksum that is signed": (
        "- {name: crc, type: int32, computed: {crc32: [b, end]}}\n- {name: b, type: int8}",
        4, "a checksum is a uint32, not int32", "",
    ),
    "checksum before its frame": (
        "- {name: crc, type: uint32, computed: {crc32: [n, end]}}\n- {name: n, type: int8, computed: bytes_after}",
        5, "`crc` needs the end, which this field gives", "after this field",
    ),
    "two frames": (
        "- {name: a, type: int8, computed: bytes_after}\n- {name: b, type: int8, computed: bytes_after}",
        5, "two fields say where the structure ends", "`a`",
    ),
    "count of nothing": (
        "- {name: n, type: int8, computed: {count: a}}", 4, "`a` is not an array after this field", "",
    ),
    "count of a number": (
        "- {name: n, type: int8, computed: {count: a}}\n- {name: a, type: int8}", 4, "`a` is not an array", "",
    ),
    "count of two arrays": (
        (
            "- {name: n, type: int8, computed: {count: a}}\n- {name: a, type: {array: item, count: n}}\n"
            "- {name: b, type: {array: item, count: n}}"
        ),
        6, "`n` does not say that it counts this array", "{count: b}",
    ),
    "array with a count that counts nothing": (
        "- {name: n, type: int8}\n- {name: a, type: {array: item, count: n}}",
        5, "`n` does not say that it counts this array", "{count: a}",
    ),
    "array with a later count": (
        "- {name: a, type: {array: item, count: n}}\n- {name: n, type: int8, computed: {count: a}}",
        4, "`n` is not a field before this one", "",
    ),
    "array without a count": ("- {name: a, type: {array: item}}", 4, "`count` must be a text", "count: "),
    "array of what is unknown": (
        "- {name: n, type: int8, computed: {count: a}}\n- {name: a, type: {array: items, count: n}}",
        5, "unknown type `items`", "int16",
    ),
    "array of the rest": (
        "- {name: n, type: int8, computed: {count: a}}\n- {name: a, type: {array: rest, count: n}}",
        5, "`rest` takes all remaining bytes", "",
    ),
    "array with another key": (
        "- {name: n, type: int8, computed: {count: a}}\n- {name: a, type: {array: item, counts: n}}",
        5, "unknown key `counts`", "`count`",
    ),
    "field after the rest": ("- {name: a, type: rest}\n- {name: b, type: int8}", 5, "nothing can follow `a`", ""),
    "bits of a text": ("- {name: a, type: short_text, bits: [{name: x, at: 0}]}", 4, "short_text has no bits", "fixed"),
    "bits of a varint": ("- {name: a, type: varint, bits: [{name: x, at: 0}]}", 4, "varint has no bits", "fixed"),
    "bits that overlap": (
        "- name: a\n  type: int8\n  bits:\n  - {name: x, at: 0..2}\n  - {name: y, at: 2..3}",
        8, "bit 2 belongs to `x` and to `y`", "may not overlap",
    ),
    "bits out of range": (
        "- {name: a, type: int8, bits: [{name: x, at: 8}]}", 4, "bits 8..8 are not in int8", "0 to 7",
    ),
    "bits from high to low": ("- {name: a, type: int8, bits: [{name: x, at: 3..1}]}", 4, "3..1", "low to high"),
    "bits nowhere": ("- {name: a, type: int8, bits: [{name: x}]}", 4, "`at` must be a bit", "at: 3"),
    "bits at a word": ("- {name: a, type: int8, bits: [{name: x, at: low}]}", 4, "`at` must be a bit", "at: 0..2"),
    "bits at a small letter two": (
        "- {name: a, type: int8, bits: [{name: x, at: ²}]}", 4, "`at` must be a bit", "at: 3",
    ),
    "unknown key of bits": ("- {name: a, type: int8, bits: [{name: x, bit: 0}]}", 4, "unknown key `bit`", "known: at"),
    "unknown enumeration": (
        "- {name: a, type: int8, bits: [{name: x, at: 0, enum: codecs}]}", 4, "no enumeration `codecs`", "`codec`",
    ),
    "enumeration wider than its bits": (
        "- {name: a, type: int8, bits: [{name: x, at: 0..2, enum: wide}]}", 4, "9 of `wide` does not fit bits 0..2", "",
    ),
    "compressed number": (
        "- {name: a, type: int8, bits: [{name: x, at: 0, enum: codec}]}\n- {name: b, type: int8, compressed_by: a.x}",
        5, "only an array of a layout can be compressed", "",
    ),
    "compressed by nothing": ("- {name: a, type: int8, compressed_by: b.codec}", 4, "`b` is not an earlier field", ""),
    "compressed by bits without names": (
        "- {name: a, type: int8, bits: [{name: x, at: 0}]}\n- {name: b, type: int8, compressed_by: a.x}",
        5, "`a.x` is not a group of bits with an enumeration", "",
    ),
    "compressed by what is never none": (
        (
            "- {name: a, type: int8, bits: [{name: x, at: 0..1, enum: colour}]}\n"
            "- {name: b, type: int8, compressed_by: a.x}"
        ),
        5, "whose 0 is `none`", "",
    ),
    "last of nothing": (
        "- {name: a, type: int8, default: {last: b.number}}\n- {name: b, type: int8}",
        4, "`b` is not an array of a layout", "",
    ),
    "last of what items do not have": (
        (
            "- {name: a, type: int8, default: {last: b.numbers}}\n- {name: n, type: int8, computed: {count: b}}\n"
            "- {name: b, type: {array: item, count: n}}"
        ),
        4, "have no number `numbers`", "`number`",
    ),
    "last that is a text": (
        (
            "- {name: a, type: int8, default: {last: b.text}}\n- {name: n, type: int8, computed: {count: b}}\n"
            "- {name: b, type: {array: item, count: n}}"
        ),
        4, "have no number `text`", "known: number",
    ),
    "last without a field": (
        "- {name: a, type: int8, default: {last: b}}", 4, "`last` gives a number", "last: records.",
    ),
    "choice without a place": (
        "- {name: a, type: {choose: {1: item}, by: number}}", 4, "needs `at`", "at: 4",
    ),
    "choice before the start": (
        "- {name: a, type: {choose: {1: item}, by: number, at: -1}}", 4, "needs `at`", "at: 4",
    ),
    "choice among none": ("- {name: a, type: {choose: {}, by: number, at: 0}}", 4, "needs layouts", ""),
    "choice of a number": (
        "- {name: a, type: {choose: {0: int8}, by: x, at: 0}}", 4, "`int8` has no int8 field `x`", "",
    ),
    "choice of what is unknown": (
        "- {name: a, type: {choose: {0: itme}, by: x, at: 0}}", 4, "unknown type `itme`", "name of a layout",
    ),
    "choice by a word": (
        "- {name: a, type: {choose: {one: item}, by: number, at: 0}}", 4, "`item` has no int8 field `number`", "one",
    ),
    "choice by what does not decide": (
        "- {name: a, type: {choose: {1: item}, by: number, at: 0}}", 4, "`item` has no int8 field `number` at byte 0",
        "",
    ),
    "a layout that contains itself": ("- {name: a, type: thing}", 1, "`thing` contains itself: thing > thing", ""),
    "type that is a list": ("- {name: a, type: [int8]}", 4, "`type` must be a name", "array"),
    "alias": ("- &a {name: a, type: int8}\n- *a", 4, "an alias", "write it out"),
    "alias of what holds it": ("- &a {name: a, type: [*a]}", 4, "an alias", "write it out"),
    "mapping as a key": ("- {{a: b}: c}", 4, "a key must be a word", ""),
    "foreign tag": ("- {name: !thing a, type: int8}", 4, "`a` cannot be read", "quotes"),
    "tag that lies": ("- {name: !!int a, type: int8}", 4, "`a` cannot be read", "quotes"),
    "deep nesting": ("- " + "[" * 40 + "]" * 40, 4, "nested more than 16 deep", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", FIELDS)
def test_fields(case: str, tmp_path: Path) -> None:
    fields, line, detail, advice = FIELDS[case]
    error = refusal(tmp_path, {"layouts/thing.yaml": HEAD + fields + "\n"})
    assert (error.file, error.line) == ("layouts/thing.yaml", line), str(error)
    assert detail in error.detail
    assert advice in str(error)
    assert str(error).startswith(f"layouts/thing.yaml:{line}: {error.detail}")


def test_a_long_circle_is_told_whole(tmp_path: Path) -> None:
    files = {
        f"layouts/{name}.yaml": f"layout: {name}\ntitle: T\nfields: [{{name: a, type: {inner}}}]\n"
        for name, inner in [("one", "two"), ("two", "three"), ("three", "one")]
    }
    error = refusal(tmp_path, {**files})
    assert "one > three" not in str(error)
    assert any(f"{circle}" in str(error) for circle in ("one > two > three > one", "three > one > two > three"))


def test_an_array_of_an_open_layout_is_refused(tmp_path: Path) -> None:
    """Its first item would take the bytes of the others; a frame gives it an end."""
    array = HEAD + "- {name: n, type: int8, computed: {count: a}}\n- {name: a, type: {array: open, count: n}}\n"
    fields = "- {name: x, type: int8}\n- {name: y, type: rest}\n"
    files = {"layouts/thing.yaml": array, "layouts/open.yaml": "layout: open\ntitle: Open\nfields:\n" + fields}
    assert "`open` takes all remaining bytes" in str(refusal(tmp_path, {**files}))
