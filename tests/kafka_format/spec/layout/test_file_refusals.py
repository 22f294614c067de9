"""Every mistake in a file of spec/ as a whole is refused, with the file, the line, and advice."""

from pathlib import Path

import pytest
from kafka_format.errors import LayoutError
from kafka_format.spec.layout import load

from tests.kafka_format.spec.layout.specs import refusal

REST = "title: T\nfields: [{name: a, type: int8}]\n"
FLAG = """\
flags:
  {}:
    doc: D.
    evidence: [{{since: "1.0", class: C, does: it}}]
    relaxes: [some.rule]
"""

FILES: dict[str, tuple[str, str | bytes, int, str, str]] = {
    "empty": ("layouts/thing.yaml", "", 1, "must be a mapping", "layout: NAME"),
    "only a comment": ("layouts/thing.yaml", "# to be written\n", 1, "must be a mapping", "layout: NAME"),
    "a list": ("layouts/thing.yaml", "- layout: thing\n", 1, "must be a mapping", "layout: NAME"),
    "not YAML": ("layouts/thing.yaml", "layout: thing\ntitle: 'Thing\n", 3, "is not YAML", ""),
    "a tab": ("layouts/thing.yaml", "layout: thing\nfields:\n\t- {name: a}\n", 3, "is not YAML", "tab|token"),
    "two documents": ("layouts/thing.yaml", "layout: thing\n---\nlayout: other\n", 2, "is not YAML", ""),
    "not UTF-8": ("layouts/thing.yaml", b"layout: thing\ntitle: \xff\n", 2, "is not UTF-8", "byte 21"),
    "a null byte": ("layouts/thing.yaml", b"layout: thing\x00\n", 1, "is not YAML", ""),
    "a hundred thousand brackets": (
        "layouts/thing.yaml", "layout: thing\nfields: " + "[" * 100_000 + "]" * 100_000, 1, "nested too deeply", "",
    ),
    "no layout and no form": ("layouts/thing.yaml", "title: Thing\n", 1, "says neither `layout: NAME`", "first line"),
    "layout and form": ("layouts/thing.yaml", "layout: thing\nform: thing\n", 1, "says neither", "only one"),
    "another name": ("layouts/thing.yaml", "layout: things\n" + REST, 1, "in a file named thing.yaml", "things.yaml"),
    "no name": ("layouts/Thing.yaml", "layout: Thing\n" + REST, 1, "`Thing` cannot be a name", "lower-case"),
    "no fields": ("layouts/thing.yaml", "layout: thing\ntitle: T\n", 1, "at least one field", "fields:"),
    "empty fields": ("layouts/thing.yaml", "layout: thing\ntitle: T\nfields: []\n", 3, "at least one field", "fields:"),
    "null fields": ("layouts/thing.yaml", "layout: thing\ntitle: T\nfields:\n", 3, "list of mappings", "- {name"),
    "no title": (
        "layouts/thing.yaml", "layout: thing\nfields: [{name: a, type: int8}]\n", 1, "`title` must be", "title",
    ),
    "unknown key": (
        "layouts/thing.yaml", "layout: thing\ntitle: T\nendain: big\nfields: [{name: a, type: int8}]\n",
        3, "unknown key `endain`", "`endian`",
    ),
    "release that is a number": (
        "layouts/thing.yaml", "layout: thing\ntitle: T\nsince: 0.8\nfields: [{name: a, type: int8}]\n",
        3, "`since` must be a text", "in quotes",
    ),
    "release that is a word": (
        "layouts/thing.yaml", "layout: thing\ntitle: T\nsince: new\nfields: [{name: a, type: int8}]\n",
        3, "`new` is not a release", 'in quotes: "0.10.2"',
    ),
    "release that never came": (
        "layouts/thing.yaml", "layout: thing\ntitle: T\nuntil: '2.9'\nfields: [{name: a, type: int8}]\n",
        3, "there is no Kafka 2.9", "2.0 to 2.8",
    ),
    "release of no major one": (
        "layouts/thing.yaml", "layout: thing\ntitle: T\nsince: '5.0'\nfields: [{name: a, type: int8}]\n",
        3, "there is no Kafka 5.0", "4.x",
    ),
    "release of the adapter protocol": (
        "layouts/thing.yaml",
        "layout: thing\ntitle: T\nsince: adapter protocol 1\nfields: [{name: a, type: int8}]\n",
        3, "`adapter protocol 1` is not a release", "quotes",
    ),
    "release that ends before it begins": (
        "layouts/thing.yaml", "layout: thing\ntitle: T\nsince: '0.9'\nuntil: '0.8'\nfields: [{name: a, type: int8}]\n",
        4, "ends with 0.8, before it begins with 0.9", "",
    ),
    "form since no release": (
        "layouts/f.yaml",
        "form: f\ntitle: F\nsince: '1.5'\nlength: int8\ncontent: utf8\n", 3, "no Kafka 1.5", "1.0 to 1.1",
    ),
    "two files of a name": ("layouts/more/item.yaml", "layout: item\n" + REST, 1, "the name of two files", "once"),
    "layout with the name of a form": (
        "layouts/x/maybe.yaml", "layout: maybe\n" + REST, 1, "the name of two files", "once",
    ),
    "form with an unknown length": (
        "layouts/f.yaml", "form: f\ntitle: F\nlength: int9\ncontent: bytes\n", 3, "`int9` cannot be a length", "int",
    ),
    "form with unknown content": (
        "layouts/f.yaml",
        "form: f\ntitle: F\nlength: int8\ncontent: ascii\n", 4, "`ascii` cannot be the content", "utf8",
    ),
    "form without a length": ("layouts/f.yaml", "form: f\ntitle: F\ncontent: utf8\n", 1, "`length` must be a text", ""),
    "form whose null is a length": (
        "layouts/f.yaml",
        "form: f\ntitle: F\nlength: int8\ncontent: utf8\n'null': 0\n", 5, "0 cannot mean null", "int8",
    ),
    "form whose null does not fit": (
        "layouts/f.yaml", "form: f\ntitle: F\nlength: uint8\ncontent: utf8\n'null': -1\n", 5, "-1 cannot mean null", "",
    ),
    "enumerations in a list": ("enums.yaml", "enums: [codec]\n", 1, "`enums` must be a mapping", ""),
    "enumeration that is a word": ("enums.yaml", "enums:\n  codec: none\n", 2, "`codec` must be a mapping", ""),
    "enumeration of words": (
        "enums.yaml", "enums:\n  codec:\n    values: {none: 0}\n", 3, "must be numbers with names", "0: none",
    ),
    "enumeration of numbers": (
        "enums.yaml", "enums:\n  codec:\n    values: {0: 1}\n", 3, "must be numbers with names", "0: none",
    ),
    "enumeration with a word twice": (
        "enums.yaml", "enums:\n  codec:\n    doc: D\n    values: {0: none, 1: none}\n", 4, "none twice", "0: none",
    ),
    "enumeration without values": ("enums.yaml", "enums:\n  codec: {doc: D}\n", 2, "must be numbers with names", ""),
    "unknown key of an enumeration": (
        "enums.yaml", "enums:\n  codec:\n    value: {0: none}\n", 3, "unknown key `value`", "`values`",
    ),
    "unknown key beside enumerations": ("enums.yaml", "enum: {}\n", 1, "unknown key `enum`", "`enums`"),
    "flag that is a word": ("flags.yaml", "flags:\n  loose: yes\n", 2, "`loose` must be a mapping", ""),
    "flag that relaxes a word": (
        "flags.yaml", "flags:\n  loose:\n    relaxes: some.rule\n", 3, "`relaxes` must be a list of texts", "[...]",
    ),
    "two flags for a rule": (
        "flags.yaml", FLAG.format("loose") + FLAG.format("free").removeprefix("flags:\n"), 9,
        "`free` and `loose` both relax some.rule", "one flag a rule",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_files(case: str, tmp_path: Path) -> None:
    file, text, line, detail, advice = FILES[case]
    error = refusal(tmp_path, {file: text})
    assert (error.file, error.line) == (file, line), str(error)
    assert detail in error.detail
    assert any(words in str(error) for words in advice.split("|"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match=r"^enums\.yaml:1: cannot be read: "):
        load(tmp_path)
