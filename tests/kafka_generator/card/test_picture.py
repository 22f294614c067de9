import xml.etree.ElementTree as ET

from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets.catalogue import Part
from kafka_generator.card.bugs import Bug, Found
from kafka_generator.card.clients import Client
from kafka_generator.card.picture import picture
from kafka_generator.recorded.results import Row

SVG = "{http://www.w3.org/2000/svg}"


def cells(found: dict[Part, Found]) -> list[str]:
    """The cells of a client with these findings: kind and content."""
    rows = {part: Row("toy", part, "1", "Go <2>", "", 1, 1, 0, {}) for part in found}
    root = ET.fromstring(picture([Client("toy", "", "Go <2>", rows, found)]))  # noqa: S314 - our own picture
    return [f"{cell.get('class')} {cell.find(f'{SVG}text').text}" for cell in root.iter(f"{SVG}g")]


def bug(moment: str) -> Bug:
    return Bug("b", Part.DECODER, "fails", Direction.DECODE, moment, "fails", "v2/crc/zero")


def test_only_what_was_run_and_has_no_open_question_is_ticked():
    assert cells({Part.DECODER: Found()}) == ["cell passed ✓", *["cell gap -"] * 5]
    assert cells({Part.DECODER: Found(unnamed=1)})[0] == "cell some ?"
    assert cells({Part.DECODER: Found(unexplained=1)})[0] == "cell some ?"


def test_bugs_of_today_are_counted_and_older_ones_named():
    assert cells({Part.DECODER: Found((bug("everyday"), bug("old")))})[0] == "cell many 1"
    assert cells({Part.DECODER: Found((bug("old"),))})[0] == "cell some old"
    assert cells({Part.DECODER: Found((bug("crafted"),))})[0] == "cell passed ✓"
