"""Tables have the records of the scalar reader, from whole logs and ranges; indexes are used."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.records import Record

from tests.kafka_format.log import real

pytest.importorskip("pyarrow", reason="the arrow extra is not installed")

from kafka_format.log_columns.table_ranges import Wanted, wanted_slices
from kafka_format.log_columns.tables import SCHEMA, DamagedBatch, read_log

PAGE = (Path(__file__).parents[3] / "docs" / "logs.md").read_text(encoding="utf-8")
FIELDS = tuple(name for name in Record._fields if name in SCHEMA.names)
PARTITIONS = ("orders-0", "payments-0", "events-0", "prices-0", "__transaction_state-0", "__cluster_metadata-0")
MIDDLE = "00000000000000000039.log"


@pytest.fixture(scope="module", params=real.NAMES)
def directory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real.unpack(request.param, tmp_path_factory.mktemp("real") / "data")


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    return real.unpack("kafka-3.9.2-stopped", tmp_path / "data") / "orders-0"


def scalar(folder: Path) -> Iterator[tuple[Record, int, str]]:
    with PartitionLog(folder) as log:
        for segment in log.segments:
            for batch in segment.batches():
                for record in batch.records():
                    yield record, batch.position, str(segment.path)


def rows(folder: Path, **options: Any) -> list[dict[str, Any]]:
    return [row for found in read_log(folder, **options) for row in found.to_pylist()]


@pytest.mark.parametrize("name", PARTITIONS)
def test_records_are_those_of_the_scalar_reader(directory: Path, name: str) -> None:
    listed = rows(directory / name)
    expected = list(scalar(directory / name))
    places = [(position, file) for _, position, file in expected]
    assert [(row["position"], row["file"]) for row in listed] == places
    for row, (record, _, _) in zip(listed, expected, strict=True):
        headers = [{"key": header.key.decode(), "value": header.value} for header in record.headers]
        assert [row[field] for field in FIELDS] == [
            headers if field == "headers" else getattr(record, field) for field in FIELDS
        ]
    assert {f"{row['topic']}-{row['partition']}" for row in listed} == {name}


@pytest.mark.parametrize("first", [0, 38, 39, 40, 79, 119, 120, 500])
@pytest.mark.parametrize("end", [0, 39, 60, 120, 1000])
def test_a_range_of_offsets_is_what_a_filter_would_leave(orders: Path, first: int, end: int) -> None:
    expected = [record.offset for record, *_ in scalar(orders) if first <= record.offset < end]
    listed = rows(orders, columns=("offset",), wanted=Wanted(first_offset=first, end_offset=end))
    assert [row["offset"] for row in listed] == expected


def test_a_range_of_times_is_what_a_filter_would_leave(orders: Path) -> None:
    everything = [(record.offset, record.timestamp) for record, *_ in scalar(orders)]
    times = sorted({timestamp for _, timestamp in everything})
    for first in (0, *times[::5], times[-1] + 1):
        listed = rows(orders, columns=("offset", "timestamp"), wanted=Wanted(first_time=first, end_time=first + 9000))
        expected = [(offset, time) for offset, time in everything if first <= time < first + 9000]
        assert [(row["offset"], row["timestamp"]) for row in listed] == expected


def test_indexes_say_what_need_not_be_read(orders: Path) -> None:
    with PartitionLog(orders) as log:
        everything = list(wanted_slices(log))
        late = list(wanted_slices(log, Wanted(first_offset=70, end_offset=79)))
        recent = list(wanted_slices(log, Wanted(first_time=1_700_000_050_000)))
        assert [part.path.name for part in late] == [MIDDLE]
        assert late[0].start == log.segments[1].offset_index.lookup(70).entry.position > 0
        assert [part.path for part in recent] == [everything[-1].path]


def test_only_the_columns_that_are_named_are_there(orders: Path) -> None:
    found = next(read_log(orders, ("position", "offset")))
    assert found.schema.names == ["position", "offset"]
    with pytest.raises(KeyError):
        next(read_log(orders, ("offsets",)))


def test_damage_is_refused_with_its_place_or_left_out(orders: Path) -> None:
    path = orders / MIDDLE
    data = bytearray(path.read_bytes())
    with PartitionLog(orders) as log:
        broken = list(log.segments[1].batches())[3]
        lost = range(broken.base_offset, broken.next_offset)
    data[broken.end - 1] ^= 1
    path.write_bytes(data)
    with pytest.raises(FormatError, match=f"{MIDDLE}, batch at byte {broken.position}"):
        rows(orders)
    seen = list[DamagedBatch]()
    listed = rows(orders, on_damage=seen.append)
    assert [damage.position for damage in seen] == [broken.position]
    assert {row["offset"] for row in listed} == set(range(120)) - set(lost)


def test_the_page_describes_the_columns() -> None:
    described = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE.partition("## As a table")[2], re.MULTILINE)
    kinds = {field.name: str(field.type).replace("item: ", "").replace(" not null", "") for field in SCHEMA}
    expected = {field.name: kinds[field.name] + (", null" if field.nullable else "") for field in SCHEMA}
    assert {name: kind for name, kind in described if name in expected} == expected
