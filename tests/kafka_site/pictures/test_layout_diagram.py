"""Byte diagrams: sound SVG, every field in it, offsets as long as they are known."""

import re
from xml.etree import ElementTree as ET

import pytest
from kafka_format.spec.layout import find, specification
from kafka_site.model import OURS
from kafka_site.pictures.layout_diagram import diagram

LAYOUTS = [name for name, layout in specification().layouts.items() if not layout.file.startswith(OURS)]


def texts(svg: str) -> list[str]:
    """Return the texts of a picture; the page around it is HTML, which is XML here."""
    root = ET.fromstring(f"<div>{svg}</div>")  # noqa: S314 - ours
    return [element.text or "" for element in root.iter() if element.tag.endswith("text")]


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_field_has_its_name_in_the_picture(name: str) -> None:
    shown = re.sub(r"_ +", "_", " ".join(texts(diagram(find(name)))))  # a long name has two lines
    assert [field.name for field in find(name).fields if field.name not in shown] == []


def test_rows_say_where_they_begin_as_long_as_that_is_known() -> None:
    shown = texts(diagram(find("record_batch")))
    assert [text for text in shown if text.isdigit()][:9] == ["0", "8", "16", "24", "32", "40", "48", "56", "61"]
    assert texts(diagram(find("message_v1"))).count("…") == 1  # the value, after a key of any length
