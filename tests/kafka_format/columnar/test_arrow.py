"""Tables of pyarrow: all that records say, in types that other tools know."""

import subprocess
import sys

import pyarrow as pa
import pytest
from kafka_format import columnar, sampler
from kafka_format.errors import FormatError
from kafka_format.records import Header, Record

from tests.kafka_format import wire
from tests.kafka_format.columnar.agreement import scalar

HEADERS = pa.large_list(pa.struct([("key", pa.string()), ("value", pa.binary())]))
TYPES = {
    "offset": pa.int64(),
    "timestamp": pa.int64(),
    "timestamp_type": pa.int8(),
    "key": pa.binary(),
    "value": pa.binary(),
    "headers": HEADERS,
    "producer_id": pa.int64(),
    "producer_epoch": pa.int16(),
    "sequence": pa.int32(),
    "transactional": pa.bool_(),
    "control": pa.bool_(),
    "codec": pa.int8(),
}


def records_of(table: pa.Table) -> list[Record]:
    """The rows of a table as records."""
    found = []
    for row in table.to_pylist():
        headers = tuple(Header(header["key"].encode(), header["value"]) for header in row["headers"])
        found.append(Record(**row | {"headers": headers}))
    return found


def test_a_table_has_a_column_for_each_field_of_a_record() -> None:
    assert list(TYPES) == list(Record._fields)
    for data in (b"", wire.V0, wire.THREE):
        table = columnar.to_arrow(data)
        table.validate(full=True)
        assert table.schema == pa.schema(TYPES)


@pytest.mark.parametrize("profile", [name for name in sampler.PROFILES if name not in {"v07", "hostile"}])
def test_a_table_says_what_the_records_say(profile: str) -> None:
    block = sampler.block(41, 0, 100 if profile != "large" else 10, profile)
    table = columnar.to_arrow(block.data)
    table.validate(full=True)
    assert records_of(table) == scalar(block.data)


def test_columns_become_a_table_too() -> None:
    found = columnar.decode_many([wire.V1, wire.V2[:-1], wire.THREE])
    assert columnar.to_arrow(found.columns).equals(columnar.to_arrow(wire.V1 + wire.THREE))


def test_bytes_that_break_a_rule_give_no_table() -> None:
    with pytest.raises(FormatError, match=r"v2\.crc"):
        columnar.to_arrow(wire.V2[:-1] + b"\1")
    assert columnar.to_arrow(wire.V2[:17] + bytes(4) + wire.V2[21:], check_crc=False).num_rows == 1


def test_who_has_no_pyarrow_is_told_what_to_install() -> None:
    code = "import sys; sys.modules['pyarrow'] = None; from kafka_format import columnar; columnar.to_arrow(b'')"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True).stderr
    assert "pip install 'kafka-format-conformance[arrow]'" in said
