"""The dump is that of kafka-dump-log, line for line, of 3.9.2 and 4.3.1, on real directories."""

import json
from pathlib import Path

import pytest
from kafka_format import structure
from kafka_format.errors import FormatError
from kafka_format.log.names import FileKind, kraft_snapshot_name, segment_name
from kafka_tools.logs import dump as dumps
from kafka_tools.logs import dumps_json
from kafka_tools.logs.dump import DumpOptions, dump

from tests.kafka_format import logs as others
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


VOTERS = (
    "0000020000000135fec6c3a49d4fd291df3cf6a48987a1020b434f4e54524f4c4c45520a3132372e302e302e3125150000000001000000"
)
"""The voters in a snapshot that `kafka-storage format --standalone` of 4.4.0 wrote."""


def test_control_records_of_kraft_have_kafkas_names(tmp_path: Path) -> None:
    """kafka-dump-log of 4.3.1 prints these lines."""
    path = tmp_path / kraft_snapshot_name(0, 0)
    items = [("00000005", "0000000100"), ("00000006", VOTERS)]
    records = [
        {"offset_delta": at, "key": bytes.fromhex(key), "value": bytes.fromhex(value)}
        for at, (key, value) in enumerate(items)
    ]
    path.write_bytes(structure("record_batch").encode({"attributes": 0x20, "records": records}))
    _, _, _, first, second = dump(path, "x", DumpOptions(records=True))
    assert first.endswith('KRaftVersion {"version":0,"kRaftVersion":1}')
    expected = (
        '{"version":0,"voters":[{"voterId":1,"voterDirectoryId":"Nf7Gw6SdT9KR3zz2pImHoQ","endpoints":[{"name":'
        '"CONTROLLER","host":"127.0.0.1","port":9493}],"kRaftVersionFeature":{"minSupportedVersion":0,'
        '"maxSupportedVersion":1}}]}'
    )
    assert second.endswith(f"KRaftVoters {expected}")
    (line,) = dumps_json.dump(path, DumpOptions(records=True))
    version, voters = (each["read"] for each in json.loads(line)["records"])
    assert version["key"] == {"layout": "control_record_type_schema", "version": 0, "data": {"type": 5}}
    assert version["value"] == {
        "layout": "kraft_version_record",
        "version": 0,
        "data": {"version": 0, "kRaftVersion": 1},
    }
    assert voters["value"]["data"] == json.loads(expected)


OPTIONS = (DumpOptions(), DumpOptions(records=True), DumpOptions(records=True, contents=True))


def by_columns(path: Path, options: DumpOptions, monkeypatch: pytest.MonkeyPatch) -> str:
    """The lines of a segment that counts as a large one."""
    pytest.importorskip("numpy", reason="numpy is not installed")
    with monkeypatch.context() as patch:
        patch.setattr(dumps, "_LARGE", 1)
        return "\n".join(dump(path, "x", options))


@pytest.mark.parametrize("release", ["0.10.0.1", "0.11.0.3", "2.8.2", "4.4.0"])
def test_columns_give_the_same_lines(release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in sorted(real.unpack_sound(release, "stopped", tmp_path).glob("*/*.log")):
        for options in OPTIONS:
            assert by_columns(path, options, monkeypatch) == "\n".join(dump(path, "x", options))


BATCHES = {
    "as they are": batch(0, 1000) + batch(1, 1000),
    "wrong checksum": batch(0, 1000) + flipped(batch(1, 1000), 20) + batch(2, 1000),
    "records that cannot be read": batch(0, 1000) + others.batch(1, record_count=3) + batch(4, 1000),
    "old formats": messages(0, 0) + batch(1, 1000) + messages(1, 2, 3) + batch(4, 1000),
    "old formats alone": messages(1, *range(30)),
    "a tail": batch(0, 1000) + b"12345",
    "text that is not UTF-8": others.batch(0, records=[{"value": b"\xed\xa0\x80 \xff \xc3"}, {"key": b"\xe4"}]),
    "headers": others.batch(0, records=[{"headers": [{"key": b"a", "value": None}, {"key": b"b", "value": b""}]}, {}]),
    "append time and an aborted end": others.batch(0, attributes=0x8) + others.marker(1, 7, others.ABORT),
    "delete horizon": others.batch(0, attributes=0x40),
    "sequences that begin again": others.batch(0, (0, 1), producer_id=1, producer_epoch=0, base_sequence=(1 << 31) - 1),
    "without records": others.batch(3, (), last=2),
    "numbers of many widths": others.batch(
        0,
        base_timestamp=-3,
        records=[
            {"offset_delta": 0, "timestamp_delta": 0, "value": b"1"},
            {"offset_delta": 9, "timestamp_delta": 3},
            {"offset_delta": 10, "timestamp_delta": 10**17, "value": b"12345678901"},
            {"offset_delta": 99999, "timestamp_delta": 20000, "key": b""},
        ],
    ),
    "contents of many sizes": others.batch(
        0,
        records=[
            {
                "offset_delta": at,
                "key": None if size % 3 else b"k" * size,
                "value": None if size % 5 == 4 else b"v" * size,
            }
            for at, size in enumerate((0, 1, 4, 127, 128, 129, 3000, 9, 255, 256, 257, 0, 14, 600, 1))
        ],
    ),
    "text in keys of headers": others.batch(
        0,
        records=[
            {
                "headers": [{"key": "schlüssel".encode(), "value": b"\xff"}, {"key": b"x" * 200, "value": None}],
                "key": b"\xff",
            },
            {"headers": [{"key": b"", "value": None}] * 3, "value": "\U0001f600".encode()},
        ],
    ),
    "control and other batches in turns": b"".join(
        part
        for at in range(0, 12, 2)
        for part in (others.batch(at, attributes=0x10), others.marker(at + 1, 7, others.ABORT))
    ),
}


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("what", BATCHES)
def test_columns_leave_to_the_dump_what_is_in_doubt(
    what: str, options: DumpOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / segment_name(0, FileKind.SEGMENT)
    path.write_bytes(BATCHES[what])
    if what == "records that cannot be read" and options.records:
        with pytest.raises(FormatError):
            by_columns(path, options, monkeypatch)
        return
    assert by_columns(path, options, monkeypatch) == "\n".join(dump(path, "x", options))
