"""`kafka-format log stat`."""

import json
import shutil
from pathlib import Path

from kafka_format.log.names import FileKind, segment_name

from tests.command_line import Main
from tests.kafka_format.log.test_lookups import batch


def test_statistics_of_a_partition(main: Main, data: Path) -> None:
    """17 batches with data of two producers and 16 markers: eight rounds of two transactions, and
    an open one."""
    status, out, _ = main("log", "stat", str(data / "payments-0"))
    assert status == 0
    assert "33 records in 33 batches" in out
    assert "control batches: 16" in out
    _, out, _ = main("log", "stat", "--json", str(data / "payments-0"))
    [segments] = json.loads(out).values()
    assert [segment["batches"] for segment in segments] == [2, 30, 1]


def test_statistics_of_a_data_directory_name_every_partition(main: Main, data: Path) -> None:
    status, out, _ = main("log", "stat", "--all", str(data))
    assert status == 0
    assert sum(": offsets " in line for line in out.splitlines()) == 7
    assert "codecs: none (15), gzip (15), lz4 (15), zstd (15); formats: v2 (60)" in out


def test_a_tail_that_is_no_batch_is_a_finding(main: Main, tmp_path: Path) -> None:
    folder = tmp_path / "orders-0"
    folder.mkdir()
    (folder / segment_name(0, FileKind.SEGMENT)).write_bytes(batch(0, 1000) + b"12345")
    status, out, _ = main("log", "stat", str(folder))
    assert (status, "segment 0: 5 bytes after the last whole batch" in out) == (1, True)


def test_links_are_called_as_they_are(main: Main, tmp_path: Path, data: Path) -> None:
    shutil.copytree(data / "orders-0", tmp_path / "disk2")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "orders-0").symlink_to(tmp_path / "disk2")
    (tmp_path / "disk2" / "x.log").symlink_to("x.log")
    status, out, _ = main("log", "verify", str(tmp_path / "data"))
    assert (status, out) == (0, "no rule is broken\n")


def test_an_empty_partition_is_one_line(main: Main, tmp_path: Path) -> None:
    for name, base in (("orders-0", 0), ("orders-1", 7), ("prices-0", 0), ("prices-3", 0)):
        (tmp_path / "data" / name).mkdir(parents=True)
        (tmp_path / "data" / name / f"{base:020}.log").write_bytes(b"")
    assert main("log", "stat", str(tmp_path / "data"))[1].splitlines() == [
        "orders-0: empty, at offset 0",
        "orders-1: empty, at offset 7",
        "prices-0 and 1 other partition of the topic: empty, at offset 0",
        "4 partitions, 4 segments, 0 records, 0 bytes",
    ]


def test_stat_goes_on_behind_a_partition_that_cannot_be_opened(main: Main, copy: Path) -> None:
    (copy / "orders-0" / "abc.log").touch()
    status, out, err = main("log", "stat", str(copy))
    assert status == 2
    assert "payments-0 " in out
    assert "`abc.log` has no offset" in err
    assert "Copy the folder" in err
