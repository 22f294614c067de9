"""`kafka-format log dump` and `explain`, on files of real brokers and on others."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from kafka_format import structure
from kafka_format.log.names import FileKind, segment_name
from kafka_format.records import Header, Record, encode, encode_v07
from kafka_tools.commands import log_dump
from kafka_tools.logs import dump as dumps

from tests.command_line import Main
from tests.kafka_format.log.test_lookups import batch


def test_a_pager_that_stops_early_is_no_error(data: Path) -> None:
    command = f"{sys.executable} -m kafka_tools log dump --print-data-log {data / 'orders-0'} | head -1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stderr, len(done.stdout.splitlines())) == ("", 1)


def test_a_dump_of_a_folder_and_as_json(main: Main, data: Path) -> None:
    status, out, _ = main("log", "dump", "--as-kafka", "3.9", str(data / "events-0"))
    assert (status, out.count("Dumping ")) == (0, 6)
    _, out, _ = main("log", "dump", "--json", "--print-data-log", str(data / "events-0"))
    documents = [json.loads(line) for line in out.splitlines()]
    values = [bytes.fromhex(record["value"]) for each in documents for record in each.get("records", ())]
    assert values == [f"event {number}".encode() for number in range(20)]


def test_records_of_kafkas_own_topics_are_read(main: Main, data: Path) -> None:
    """`Fill.java` reads all 120 orders as the group `readers`, and commits."""
    _, out, _ = main("log", "dump", "--json", "--deep-iteration", str(data / "__consumer_offsets-0"))
    lines = [record["read"] for line in out.splitlines() for record in json.loads(line).get("records", ())]
    [commit] = [read for read in lines if read["key"]["layout"] == "offset_commit_key"]
    assert commit["key"]["data"] == {"group": "readers", "topic": "orders", "partition": 0}
    assert (commit["value"]["version"], commit["value"]["data"]["offset"]) == (4, 120)
    _, out, _ = main("log", "dump", "--json", "--deep-iteration", str(data / "__cluster_metadata-0"))
    records = [record for line in out.splitlines() for record in json.loads(line).get("records", ())]
    names = {
        r["read"]["value"]["data"]["name"] for r in records if "read" in r and "topic" in r["read"]["value"]["layout"]
    }
    assert {"orders", "payments", "events", "prices"} <= names
    status, out, _ = main("log", "explain", str(data / "__consumer_offsets-0" / f"{0:020}.log"))
    assert (status, "readers" in out) == (0, True)


def test_a_record_that_is_none_of_its_topic_says_why(main: Main, tmp_path: Path) -> None:
    folder = tmp_path / "__cluster_metadata-0"
    folder.mkdir()
    (folder / segment_name(0, FileKind.SEGMENT)).write_bytes(batch(0, 1000))
    status, out, _ = main("log", "dump", "--json", "--deep-iteration", str(folder))
    assert status == 0
    assert all(record["read"]["error"] for record in json.loads(out.splitlines()[0])["records"])


def test_a_dump_says_what_values_are_where_it_is_asked_to(main: Main, tmp_path: Path) -> None:
    folder = tmp_path / "app-store-changelog-0"
    folder.mkdir()
    found = [
        Record(0, 1, key=bytes.fromhex("6b 0000018bcfe56800 00000000"), value=b"{}"),
        Record(1, 1, value=b"x", headers=(Header(b"__value_schema_id", b"\0\0\0\0\x2a"),)),
        Record(2, 1, key=b"k", value=None),
    ]
    (folder / f"{0:020}.log").write_bytes(encode(found))
    words = ("log", "dump", "--json", "--print-data-log")
    _, out, _ = main(*words, str(folder))
    assert "content" not in out
    _, out, _ = main(*words, "--contents", str(folder))
    first, second, third = json.loads(out)["records"]
    key = {"is": "Kafka Streams", "is_sure": False, "evidence": "topic", "by": "app-store-changelog", "payload": "6b"}
    assert first["content"] == {"key": key | {"fields": {"start": "1700000000000", "number": 0}}}
    assert (second["content"]["value"]["is_sure"], second["content"]["value"]["fields"]) == (True, {"schema_id": 42})
    assert "content" not in third
    status, out, err = main("log", "dump", "--print-data-log", "--contents", str(folder))
    assert (status, out, "--json" in err) == (2, "", True)
    _, out, _ = main("log", "explain", str(folder / f"{0:020}.log"))
    assert "perhaps Kafka Streams, by the name of the topic: start 1700000000000" in out


def test_a_dump_that_stops_says_where(main: Main, tmp_path: Path) -> None:
    path = tmp_path / segment_name(0, FileKind.SEGMENT)
    path.write_bytes(batch(0, 1000) + bytes(18))
    status, out, err = main("log", "dump", str(path))
    assert (status, len(out.splitlines())) == (1, 3)
    assert "entry.size.minimum" in err


def test_metadata_of_remote_segments_is_read(main: Main, tmp_path: Path) -> None:
    """Frame version 1, then a record of type 2, the deletion of a partition, in a version that no
    release has."""
    head = bytes.fromhex("0000 00000003 000000000000002a 00000001")
    (tmp_path / "remote_log_snapshot").write_bytes(head + bytes.fromhex("00000003 010263"))
    status, out, _ = main("log", "dump", "--json", str(tmp_path / "remote_log_snapshot"))
    first, second = map(json.loads, out.splitlines())
    assert (status, first["metadata_partition"], first["metadata_offset"]) == (0, 3, 42)
    assert (second["position"], second["size"]) == (22, 3)
    assert "no version 99" in second["read"]["error"]


def test_a_segment_of_07_is_dumped_and_explained(main: Main, tmp_path: Path) -> None:
    """Two messages; an offset of 0.7 is the byte after a message, counted from the start of the
    log."""
    data = encode_v07([Record(0, value=b"one"), Record(0, value=b"three")])
    path = tmp_path / "00000000000000001000.kafka"
    path.write_bytes(data)
    _, out, _ = main("log", "dump", "--json", str(path))
    documents = [json.loads(line) for line in out.splitlines()]
    assert [bytes.fromhex(each["value"]) for each in documents] == [b"one", b"three"]
    assert int(documents[-1]["offset"]) == 1000 + len(data)
    status, out, _ = main("log", "dump", str(path))
    assert (status, [line.rpartition(" payloadsize: ")[2] for line in out.splitlines()[1:]]) == (
        0,
        ["3 compresscodec: none", "5 compresscodec: none"],
    )
    status, out, _ = main("log", "explain", str(path))
    assert (status, "payload" in out or "value" in out) == (0, True)
    path.write_bytes(data[:-1] + b"\0")
    assert main("log", "dump", str(path))[0] == 1


def test_dump_prints_values_whole(main: Main, tmp_path: Path) -> None:
    """kafka-dump-log prints the five bytes of this value; a terminal takes some for a command."""
    path = tmp_path / "00000000000000000000.log"
    path.write_bytes(structure("record_batch").encode({"records": [{"value": b"a\x1b[Hb"}]}))
    status, out, _ = main("log", "dump", "--print-data-log", str(path))
    assert (status, out.splitlines()[-1].partition("payload: ")[2]) == (0, "a\x1b[Hb")


def test_dump_says_that_it_ignores_a_file_as_kafka_dump_log_does(main: Main, tmp_path: Path) -> None:
    """Kafka's DumpLogSegments: `Ignoring unknown file X`, after `Dumping X`."""
    file = tmp_path / "r.bin"
    file.write_bytes(bytes(100))
    status, out, err = main("log", "dump", str(file))
    assert (status, out) == (1, f"Dumping {file}\n")
    assert err.splitlines()[0] == f"Ignoring unknown file {file}"
    assert "00000000000000000042.log" in err
    assert main("log", "dump", "--json", str(file))[0] == 1


def test_files_beside_segments_are_ignored_without_a_finding(main: Main, data: Path) -> None:
    status, _, err = main("log", "dump", str(data / "orders-0"))
    assert status == 0
    assert f"Ignoring unknown file {data / 'orders-0' / 'partition.metadata'}" in err


def test_dump_goes_on_after_a_file_that_cannot_be_read(
    main: Main, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    first, *_, last = sorted(file for file in folder.iterdir() if file.suffix == ".log")
    dump = dumps.dump_lines

    def refuse(file: Path, *rest: Any) -> Any:
        if file == first:
            raise PermissionError(13, "Permission denied", str(file))
        yield from dump(file, *rest)

    monkeypatch.setattr(log_dump, "dump_lines", refuse)
    status, out, err = main("log", "dump", str(first), str(last))
    assert status == 1
    assert f"{first} cannot be read: Permission denied." in err
    assert f"Dumping {last}" in out
