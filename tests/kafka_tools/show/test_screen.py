"""What a terminal shows: columns that fit, nothing cropped, names whole."""

import io
import re

import pytest
from kafka_format import protocol, records
from kafka_format.explain.lines import Explanation, explain
from kafka_format.explain.requests import explain_request
from kafka_format.records import Record
from kafka_tools.show.screen import print_explanation
from rich.console import Console

BATCH = records.encode([Record(7, 1_700_000_000_000, 0, b"k", b"hello, and a value that is longer than a column")])
PARTITION = {"partition": 3, "fetch_offset": 7}
FETCH = protocol.encode_request("fetch", 11, {"topics": [{"topic": "orders", "partitions": [PARTITION] * 2}]})


def screen(explanation: Explanation, width: int) -> list[str]:
    file = io.StringIO()
    print_explanation(explanation, Console(file=file, width=width, force_terminal=True, color_system=None), full=True)
    return file.getvalue().splitlines()


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("data", [BATCH, BATCH[:-3] + b"xyz", BATCH[:50], b""])
def test_no_value_is_cropped_and_no_byte_left_out(data: bytes, width: int) -> None:
    lines = screen(explain(data), width)
    text = "\n".join(lines)
    octets = "".join(found for line in lines for found in re.findall(r"^ *p?\d+  ((?:[0-9a-f]{2} )+)", f"{line} "))
    assert bytes.fromhex(octets) == data
    if data[:50] == BATCH[:50] and len(data) > 50:
        assert f"0x{int.from_bytes(data[17:21], 'big'):08x}" in text
    assert width < 80 or max(map(len, lines), default=0) <= width


@pytest.mark.parametrize("width", [80, 120])
def test_long_paths_become_a_tree_with_whole_names(width: int) -> None:
    lines = screen(explain_request(FETCH).explanation, width)
    assert max(map(len, lines)) <= width
    assert [line.split()[-1] for line in lines if line.split()[-1:] and "partitions[" in line][:2] == [
        "partitions[0]",
        "partitions[1]",
    ] or width > 100
    assert any("partition_max_bytes" in line for line in lines)


def test_a_wide_terminal_has_sixteen_bytes_a_row() -> None:
    [name] = [line for line in screen(explain(BATCH), 200) if "records[0].value  " in line]
    assert len(re.findall(r"\b[0-9a-f]{2}\b", name.split("records")[0][4:])) == 16
