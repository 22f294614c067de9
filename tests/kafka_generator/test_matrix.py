import xml.etree.ElementTree as ET

from kafka_conformance.targets.catalogue import Part
from kafka_generator import matrix
from kafka_generator.recorded.results import Row

SVG = "{http://www.w3.org/2000/svg}"


def row(target: str, **cells: tuple[int, int]) -> Row:
    return Row(target, Part.DECODER, "1.0", "Go <2>", "", 9, 1, 0, {}, cells=cells)


def texts(*rows: Row) -> list[list[str]]:
    """The texts of the cells, row by row: kind and content."""
    root = ET.fromstring(matrix.picture(rows))  # noqa: S314 - our own picture
    cells = [(cell.get("class", ""), cell.find(f"{SVG}text").text) for cell in root.iter(f"{SVG}g")]
    width = len(matrix._COLUMNS)
    return [[f"{kind} {text}" for kind, text in cells[at : at + width]] for at in range(0, len(cells), width)]


def test_a_cell_shows_a_tick_the_number_of_findings_or_a_dash():
    [cells] = texts(row("toy", v0=(20, 0), v1=(20, 1), v2=(20, 2)))
    assert cells[:5] == ["cell gap -", "cell passed ✓", "cell some 1", "cell many 2", "cell gap -"]


def test_older_releases_of_a_library_are_left_out():
    assert len(texts(row("toy"), row("toy@0.9"))) == 1


def test_names_of_targets_are_escaped():
    assert "Go &lt;2&gt;" in matrix.picture([row("toy")])
