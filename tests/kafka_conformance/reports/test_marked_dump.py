from dataclasses import replace

import pytest
from kafka_conformance.reports.marked_dump import Mark, MarkedRow, dump, excerpt
from kafka_conformance.reports.origins import WrongField
from kafka_conformance.vectors.vector import Vector
from kafka_format.explain.lines import Line

from tests.kafka_conformance.reports import runs


def marked(rows: list[MarkedRow]) -> list[tuple[str, Mark]]:
    return [(row.line.path, row.mark) for row in rows if row.mark]


def test_fault_is_marked_with_its_rule() -> None:
    rows = dump(runs.ACCEPTED)
    assert marked(rows) == [("crc", Mark.FAULT)]
    assert "byte 17" in next(row.note for row in rows if row.mark)
    assert "[v2.crc.covers-attributes-to-end]" in next(row.note for row in rows if row.mark)


def test_wrong_field_is_marked_where_it_comes_from() -> None:
    rows = dump(runs.WRONG_ANSWER, [WrongField("records[1].timestamp", ()), WrongField("records[1].offset", ())])
    assert marked(rows) == [
        ("base_offset", Mark.DIFFERS),
        ("base_timestamp", Mark.DIFFERS),
        ("records[1].timestamp_delta", Mark.DIFFERS),
        ("records[1].offset_delta", Mark.DIFFERS),
    ]
    assert rows[0].note == "records[1].offset comes from here"


def overlong() -> Vector:
    """A lenient vector: the last byte, header_count 0, as the overlong varint 80 00."""
    records = runs.PLAIN[61:-1] + b"\x80\x00"
    at = records.index(b"\x12\x00\x0e")  # length of the second record
    grown = records[:at] + b"\x14" + records[at + 1 :]
    body = runs.PLAIN[21:61] + grown
    crc = runs.crc32c(body)
    head = runs.PLAIN[:8] + (len(body) + 9).to_bytes(4, "big") + runs.PLAIN[12:17]
    return replace(runs.LENIENT, data=head + crc.to_bytes(4, "big") + body)


def test_lenient_bytes_are_read_to_the_end_and_the_fault_is_marked() -> None:
    rows = dump(overlong(), [WrongField("records[1].headers", ())])
    assert rows[-1].line.path == "records[1].header_count"
    assert rows[-1].line.raw == b"\x80\x00"
    assert rows[-1].mark is Mark.FAULT
    assert "[varint.minimal]" in rows[-1].note
    assert "records[1].headers comes from here" in rows[-1].note


def row(number: int, mark: Mark = Mark.NONE) -> MarkedRow:
    return MarkedRow(Line(0, f"field{number}", number, b"\0", "0"), mark)


@pytest.mark.parametrize("marks", [[], [0], [99], [50], [10, 90], list(range(100))])
def test_excerpt_keeps_marks_and_counts_the_rest(marks: list[int]) -> None:
    rows = [row(number, Mark.FAULT if number in marks else Mark.NONE) for number in range(100)]
    found = list(excerpt(rows, 20))
    kept = [item for item in found if isinstance(item, MarkedRow)]
    assert 0 < len(kept) <= 20
    assert {f"field{number}" for number in marks[:20]} <= {item.line.path for item in kept}
    left_out = sum(int(item.split()[1]) for item in found if isinstance(item, str))
    assert left_out + len(kept) == 100


def test_excerpt_of_few_rows_is_all_of_them() -> None:
    rows = [row(number) for number in range(5)]
    assert list(excerpt(rows, 5)) == rows


def test_entries_and_payloads_have_headings() -> None:
    rows = dump(replace(runs.WRONG_ANSWER, data=runs.PLAIN + runs.GZIP.data))
    headings = [item for item in excerpt(rows, 1_000) if isinstance(item, str)]
    assert headings == ["entry 0", "entry 1", "in the decompressed payload, counted from its start:"]


def test_long_bytes_are_cut_with_a_note() -> None:
    assert MarkedRow(Line(0, "value", 0, b"\1" * 100, "")).hex(2) == "01 01 +98 bytes"
    assert MarkedRow(Line(0, "value", 0, b"\1" * 2, "")).hex(2) == "01 01"
