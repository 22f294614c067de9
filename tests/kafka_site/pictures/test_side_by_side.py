"""Two structures side by side: which field became which, drawn to scale."""

import re

from kafka_format.spec.layout import find
from kafka_site.pictures.side_by_side import side_by_side


def test_what_stayed_is_joined_and_what_is_new_or_gone_stands_out() -> None:
    before, now = find("message_v0"), find("message_v1")
    fields = {field.name: field for field in now.fields}
    pairs = [(field, fields.get(field.name)) for field in before.fields[1:]]
    picture = side_by_side(before, now, [*pairs, (before.fields[0], None), (None, fields["timestamp"])])
    assert picture.count('class="band"') == 4
    heights = {fate: re.findall(rf'class="{fate}" [^>]*height="(\d+)"', picture) for fate in ("gone", "new", "kept")}
    assert heights == {"gone": ["20"], "new": ["20", "40"], "kept": ["17"] * 4}


def test_a_field_of_eight_bytes_is_twice_as_high_as_one_of_four() -> None:
    layout = find("record_batch")
    picture = side_by_side(layout, layout, [(field, field) for field in layout.fields])
    heights = re.findall(r'height="(\d+)"', picture)
    assert heights[:3] == ["40", "20", "20"]
