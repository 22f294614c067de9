import pytest
from kafka_format import records
from kafka_format.explain.lines import explain
from kafka_format.records import Record
from kafka_tools.show import hexdump
from kafka_tools.show.hexdump import Row

PLAIN = records.encode([Record(7, 5, 0, b"k", b"hello")])
LONG = records.encode([Record(7, 5, 0, None, bytes(range(200)))])
ZIPPED = records.encode([Record(7, 5, 0, None, b"z" * 50)], magic=1, codec="gzip")


def shown(found: list[Row], *, payload: bool = False) -> bytes:
    return b"".join(bytes.fromhex(row.octets) for row in found if row.place.startswith("p") == payload)


@pytest.mark.parametrize("data", [PLAIN, LONG, ZIPPED, PLAIN + LONG, PLAIN + LONG[:30], PLAIN[:-1], PLAIN[:5], b""])
def test_full_dump_has_every_byte_once_and_in_order(data: bytes) -> None:
    assert shown(hexdump.rows(explain(data), full=True)) == data


def test_rows_stand_where_they_say() -> None:
    data = PLAIN + LONG
    for row in hexdump.rows(explain(data), full=True):
        start = int(row.place)
        octets = bytes.fromhex(row.octets)
        assert data[start : start + len(octets)] == octets


def test_long_values_are_cut_and_the_rest_is_counted() -> None:
    [cut] = [row for row in hexdump.rows(explain(LONG)) if "more bytes" in row.octets]
    assert cut.octets == "... 136 more bytes"
    assert LONG[int(cut.place)] == 64


def test_payload_counts_from_its_own_start() -> None:
    payload = [row for row in hexdump.rows(explain(ZIPPED), full=True) if row.place.startswith("p")]
    assert payload[0].place == "p0"
    assert b"z" * 50 in shown(payload, payload=True)


def test_fault_stands_with_its_bytes_and_the_sentence_of_its_rule() -> None:
    broken = PLAIN[:17] + b"\0\0\0\0" + PLAIN[21:]
    [row] = [row for row in hexdump.rows(explain(broken)) if row.fault]
    assert (row.place, row.path) == ("17", "crc")
    assert "checksum error at byte 17" in row.fault
    assert "CRC-32C" in row.fault.splitlines()[1]


def test_plain_text_names_entries_and_keeps_columns() -> None:
    lines = list(hexdump.text_lines(hexdump.rows(explain(PLAIN + PLAIN))))
    assert [line for line in lines if line.startswith("entry")] == ["entry 0", "entry 1"]
    fields = [line for line in lines if "base_offset" in line]
    assert len({line.index("base_offset") for line in fields}) == 1
