"""The dump is that of kafka-dump-log, line for line, of 3.9.2 and 4.3.1, on real directories."""

from pathlib import Path

import pytest
from kafka_conformance.logs.dump import Options, dump
from kafka_format.errors import FormatError
from kafka_format.log.names import FileKind, segment_name

from tests.kafka_format.log import real
from tests.kafka_format.log.test_lookups import batch


@pytest.mark.parametrize("tool", ["3.9.2", "4.3.1"])
def test_dump_is_that_of_kafka(directory: Path, tool: str) -> None:
    expected = real.answers(directory.name)["dumps"][tool]
    names = [line.removeprefix("Dumping ") for line in expected if line.startswith("Dumping ")]
    options = Options(records=True, contents=True, release=tool[:3])
    lines = "\n".join(line for name in names for line in dump(directory / name, name, options)).split("\n")
    assert len(expected) > 700
    assert lines == expected


def test_without_records_there_are_the_lines_of_batches_alone(directory: Path) -> None:
    path = directory / "orders-0" / segment_name(0, FileKind.SEGMENT)
    expected = [line for line in dump(path, path.name, Options(records=True)) if not line.startswith("|")]
    assert list(dump(path, path.name, Options())) == expected


def test_bytes_behind_the_last_batch_are_counted(tmp_path: Path) -> None:
    path = tmp_path / segment_name(7, FileKind.SEGMENT)
    path.write_bytes(batch(7, 1000) + b"12345")
    assert list(dump(path, "x", Options()))[-1] == f"Found 5 invalid bytes at the end of {path.name}"


def test_a_dump_goes_as_far_as_there_are_batches(tmp_path: Path) -> None:
    path = tmp_path / segment_name(7, FileKind.SEGMENT)
    path.write_bytes(batch(7, 1000) + bytes(18))
    lines = dump(path, "x", Options())
    assert [next(lines) for _ in range(3)][:2] == ["Dumping x", "Log starting offset: 7"]
    with pytest.raises(FormatError) as caught:
        next(lines)
    assert caught.value.rule == "entry.size.minimum"


def test_an_empty_offset_index_says_so(tmp_path: Path) -> None:
    path = tmp_path / segment_name(7, FileKind.OFFSET_INDEX)
    path.write_bytes(b"")
    assert list(dump(path, "x", Options())) == ["Dumping x", "x is empty."]
