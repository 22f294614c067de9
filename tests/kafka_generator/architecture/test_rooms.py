from pathlib import Path

import pytest
from kafka_generator.architecture.rooms import Room, essential, rooms, sentence


def house(**imports: str) -> dict[str, Room]:
    """Rooms by what they import: `a="b c"`."""
    return {name: Room(name, 0, "", "", frozenset(below.split())) for name, below in imports.items()}


def test_an_arrow_that_another_way_replaces_is_left_out():
    assert essential(house(a="b c", b="c", c="")) == {"a": {"b"}, "b": {"c"}, "c": frozenset()}


def test_the_other_way_may_be_long():
    assert essential(house(a="b d", b="c", c="d", d=""))["a"] == {"b"}


def test_two_ways_of_two_arrows_both_stay():
    assert essential(house(a="b c", b="d", c="d", d=""))["a"] == {"b", "c"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"""One sentence."""', "One sentence."),
        ('"""One that\ngoes on.\n\nMore.\n"""\nimport os', "One that goes on."),
        ("import os", ""),
    ],
)
def test_the_sentence_is_the_first_paragraph_of_the_docstring(tmp_path: Path, text: str, expected: str):
    (tmp_path / "room.py").write_text(text)
    assert sentence(tmp_path / "room.py") == expected


@pytest.mark.parametrize("package", ["kafka_format", "kafka_tools", "kafka_conformance"])
def test_every_room_says_what_it_is_for_in_a_sentence(package: str):
    for room in rooms(package).values():
        assert room.sentence.endswith("."), room.name
        assert len(room.sentence) < 120, room.name


def test_imports_of_modules_count_for_their_room():
    assert {"spec", "compression", "errors"} <= rooms("kafka_format")["codec"].imports
    assert "codec" not in rooms("kafka_format")["codec"].imports
