import xml.etree.ElementTree as ET

from kafka_conformance.targets.catalogue import Part
from kafka_generator import history_page
from kafka_generator.recorded.changes import Line
from kafka_generator.recorded.results import Row

SVG = "{http://www.w3.org/2000/svg}"


def line(*bugs: int) -> Line:
    rows = tuple(
        Row(f"toy@{version}", Part.DECODER, f"1.{version}<", "C", "", 9, 9, 0, {"met": met})
        for version, met in enumerate(bugs)
    )
    return Line("toy", Part.DECODER, rows, ())


def test_the_line_is_a_stair_and_lower_with_fewer_bugs():
    root = ET.fromstring(history_page.picture([line(4, 2, 0)]))  # noqa: S314 - our own picture
    (path,) = root.iter(f"{SVG}path")
    assert set(path.attrib["d"]) <= set("MHV0123456789 ")
    heights = [int(circle.attrib["cy"]) for circle in root.iter(f"{SVG}circle")]
    assert heights == sorted(heights)
    assert heights[0] < heights[1] < heights[2]


def test_a_library_without_bugs_has_a_flat_line():
    root = ET.fromstring(history_page.picture([line(0, 0, 0)]))  # noqa: S314 - our own picture
    assert len({circle.attrib["cy"] for circle in root.iter(f"{SVG}circle")}) == 1
