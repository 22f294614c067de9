"""The dump is that of kafka-dump-log, line for line, of 3.9.2 and 4.3.1, on real directories."""

from pathlib import Path

import pytest
from kafka_format.errors import FormatError
from kafka_format.log.names import FileKind, segment_name
from kafka_tools.logs.dump import DumpOptions, dump

from tests.kafka_format.log import real
from tests.kafka_format.log.test_lookups import batch
from tests.kafka_format.logs import flipped, messages


@pytest.mark.parametrize("tool", ["3.9.2", "4.3.1"])
def test_dump_is_that_of_kafka(directory: Path, tool: str) -> None:
    expected = real.answers(directory.name)["dumps"][tool]
    names = [line.removeprefix("Dumping ") for line in expected if line.startswith("Dumping ")]
    options = DumpOptions(records=True, contents=True, release=tool[:3])
    lines = "\n".join(line for name in names for line in dump(directory / name, name, options)).split("\n")
    assert len(expected) > 700
    assert lines == expected


def test_without_records_there_are_the_lines_of_batches_alone(directory: Path) -> None:
    path = directory / "orders-0" / segment_name(0, FileKind.SEGMENT)
    expected = [line for line in dump(path, path.name, DumpOptions(records=True)) if not line.startswith("|")]
    assert list(dump(path, path.name, DumpOptions())) == expected


def test_bytes_behind_the_last_batch_are_counted(tmp_path: Path) -> None:
    path = tmp_path / segment_name(7, FileKind.SEGMENT)
    path.write_bytes(batch(7, 1000) + b"12345")
    assert list(dump(path, "x", DumpOptions()))[-1] == f"Found 5 invalid bytes at the end of {path.name}"


def test_a_dump_goes_as_far_as_there_are_batches(tmp_path: Path) -> None:
    path = tmp_path / segment_name(7, FileKind.SEGMENT)
    path.write_bytes(batch(7, 1000) + bytes(18))
    lines = dump(path, "x", DumpOptions())
    assert [next(lines) for _ in range(3)][:2] == ["Dumping x", "Log starting offset: 7"]
    with pytest.raises(FormatError) as caught:
        next(lines)
    assert caught.value.rule == "entry.size.minimum"


def test_an_empty_offset_index_says_so(tmp_path: Path) -> None:
    path = tmp_path / segment_name(7, FileKind.OFFSET_INDEX)
    path.write_bytes(b"")
    assert list(dump(path, "x", DumpOptions())) == ["Dumping x", "x is empty."]


LEGACY = """\
Dumping x
Log starting offset: 0
offset: 2 position: 0 CreateTime: 1000 size: 98 magic: 1 compresscodec: gzip crc: 432678404 isvalid: true
| offset: 0 CreateTime: 1000 keySize: -1 valueSize: 1 isValid: true crc: 2517207055} payload: 0
| offset: 1 CreateTime: 1000 keySize: -1 valueSize: 1 isValid: true crc: 3775838361} payload: 1
| offset: 2 CreateTime: 1000 keySize: -1 valueSize: 1 isValid: true crc: 2013784355} payload: 2
offset: 3 position: 98 NoTimestampType: -1 size: 27 magic: 0 compresscodec: none crc: 3568962282 isvalid: true
| offset: 3 NoTimestampType: -1 keySize: -1 valueSize: 1 isValid: true crc: 3568962282} payload: 3
offset: 4 position: 125 CreateTime: 1000 size: 35 magic: 1 compresscodec: none crc: 2439269398 isvalid: true
| offset: 4 CreateTime: 1000 keySize: -1 valueSize: 1 isValid: true crc: 2439269398} payload: 4
offset: 5 position: 160 CreateTime: 1000 size: 35 magic: 1 compresscodec: none crc: 3865279616 isvalid: false
| offset: 5 CreateTime: 1000 keySize: -1 valueSize: 1 isValid: false crc: 3865279616} payload: 4
"""
"""What kafka-dump-log of 3.9.2 prints; that of 4.3.1 prints the same without the brace."""

WRAPPER = (
    "00000000000000020000005619ca2604010100000000000003e8ffffffff000000401f8b08000000000000ff63608003f1699c1dfc8c500e"
    "f38bff400064301a40454032e20ff976ccc454620815610229a9607fa98ca9c40800d02667cd69000000"
)
"""Three messages in gzip, as the tool read them; another zlib may write them otherwise."""


@pytest.mark.parametrize(("release", "expected"), [("3.9", LEGACY), ("4.3", LEGACY.replace("}", ""))])
def test_messages_have_checksums_of_their_own(tmp_path: Path, release: str, expected: str) -> None:
    """Those in wrappers too; and a wrong one keeps no record from being printed."""
    path = tmp_path / segment_name(0, FileKind.SEGMENT)
    path.write_bytes(bytes.fromhex(WRAPPER) + messages(0, 3) + messages(1, 4) + flipped(messages(1, 5)))
    lines = list(dump(path, "x", DumpOptions(records=True, contents=True, release=release)))
    assert lines == expected.splitlines()
