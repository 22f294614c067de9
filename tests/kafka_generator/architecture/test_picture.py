import itertools
import re
import xml.etree.ElementTree as ET

import pytest
from kafka_generator.architecture.picture import BOX_HEIGHT, Picture, draw, svg
from kafka_generator.architecture.rooms import Room, rooms

SVG = "{http://www.w3.org/2000/svg}"


def picture(*lines: str) -> Picture:
    """A picture of rooms, each as `floor name: what it imports`."""
    house = {}
    for line in lines:
        name, below = line.split(": ") if ": " in line else (line, "")
        floor, name = name.split()
        house[name] = Room(name, int(floor), "", "", frozenset(below.split()))
    return draw(house)


def columns(path: str) -> set[float]:
    """Where the straight strokes of an arrow are."""
    return {float(x) for x in re.findall(r"L (\S+)", path)}


def test_a_floor_is_a_row():
    top, left, right = picture("0 top: left right", "1 left", "1 right").boxes
    assert top.y < left.y == right.y


def test_rooms_of_a_floor_do_not_touch():
    boxes = picture("0 top: one two three", "1 one", "1 two", "1 three").boxes[1:]
    edges = sorted((box.x, box.x + box.width) for box in boxes)
    assert all(end < start for (_, end), (start, _) in itertools.pairwise(edges))


def test_an_arrow_goes_beside_the_rooms_that_it_passes():
    drawn = picture("0 top: between bottom", "1 between", "2 bottom")
    between = drawn.boxes[1]
    [lane] = set.union(*map(columns, drawn.arrows))
    assert not between.x <= lane <= between.x + between.width


def test_an_arrow_begins_below_its_room_and_ends_above_the_other():
    drawn = picture("0 top: bottom", "1 bottom")
    top, bottom = drawn.boxes
    [path] = drawn.arrows
    assert path.startswith(f"M {top.x + top.width / 2:.1f} {top.y + BOX_HEIGHT:g}")
    assert path.endswith(f" {bottom.y:g}")


@pytest.mark.parametrize("package", ["kafka_format", "kafka_conformance"])
def test_the_file_shows_every_room(package: str):
    house = rooms(package)
    root = ET.fromstring(svg({package: draw(house)}))  # noqa: S314 - our own picture
    assert {text.text for text in root.iter(f"{SVG}text")} == {package, *house}
