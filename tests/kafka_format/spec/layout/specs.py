"""Small specifications in a folder of their own, for tests of the loader."""

import pathlib
from textwrap import dedent

import pytest
from kafka_format.errors import LayoutError
from kafka_format.spec.layout import Layout, Specification, load

ENUMS = """\
enums:
  codec: {doc: Codec., values: {0: none, 1: gzip}}
  colour: {doc: No zero., values: {1: red, 2: green}}
  wide: {doc: Needs four bits., values: {0: none, 9: nine}}
"""

ITEM = """\
layout: item
title: Item
fields:
  - {name: number, type: int32}
  - {name: text, type: short_text}
"""

SHORT_TEXT = """\
form: short_text
title: Short text
length: int8
content: utf8
rules: {utf8: text.utf8}
"""

MAYBE = """\
form: maybe
title: Bytes or null
length: varint
content: bytes
"null": -1
"""


def write(folder: pathlib.Path, files: dict[str, str | bytes]) -> pathlib.Path:
    """Write a specification: two enumerations, a layout `item`, two forms, and `files` by their
    path below spec/."""
    given = {
        "enums.yaml": ENUMS,
        "flags.yaml": "flags: {}\n",
        "layouts/item.yaml": ITEM,
        "layouts/short_text.yaml": SHORT_TEXT,
        "layouts/maybe.yaml": MAYBE,
    }
    for name, text in (given | files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
    return folder


def loaded(folder: pathlib.Path, **files: str | bytes) -> Specification:
    """Load a specification with these layouts, by name."""
    return load(write(folder, {f"layouts/{name}.yaml": text for name, text in files.items()}))


def thing(folder: pathlib.Path, text: str) -> Layout:
    """Load the layout `thing`."""
    return loaded(folder, thing=text).layouts["thing"]


def refusal(folder: pathlib.Path, files: dict[str, str | bytes]) -> LayoutError:
    """Load a specification that is wrong, and return the error."""
    with pytest.raises(LayoutError) as caught:
        load(write(folder, files))
    return caught.value
