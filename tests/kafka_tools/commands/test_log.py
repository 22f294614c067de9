"""`kafka-format log`: its output for directories of real brokers, and for other folders."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from kafka_format import structure
from kafka_format.log.batches import batches
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.verification import verify_partition
from kafka_format.records import Record, encode_v07
from kafka_format.spec.rules import rules
from kafka_generator.log_vectors.damages import DAMAGES
from kafka_tools.commands import log as log_command
from kafka_tools.logs import dump as dumps
from kafka_tools.logs import log_paths
from kafka_tools.logs.effects import effect

from tests.command_line import Main
from tests.kafka_format.log import real
from tests.kafka_format.log.test_lookups import batch


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real.unpack("kafka-4.4.0-stopped", tmp_path_factory.mktemp("broker"))


def test_the_way_to_an_offset(main: Main, data: Path) -> None:
    """`Fill.java` sends batches of one, two and three records in turn.

    Kafka's index begins with (47, 396).
    """
    status, out, _ = main("log", "find", str(data / "orders-0"), "--offset", "50")
    assert status == 0
    assert out.splitlines() == [
        "offset 50 in orders-0, which has offsets 7 to 119",
        "segment 00000000000000000039.log: the last one with a base offset up to 50",
        "  index: entry 0 after 3 looks: offset 47 at 396",
        "  passed over: batch at 396, 125 bytes, offsets 45 to 47, 3 records",
        "  passed over: batch at 521, 94 bytes, offset 48, 1 record",
        "  batch at 615, 120 bytes, offsets 49 to 50, 2 records",
        "  record 1 of the batch has the offset",
        "next offset: 51",
    ]


def test_an_offset_that_compaction_took(main: Main, data: Path) -> None:
    _, out, _ = main("log", "find", str(data / "prices-0"), "--offset", "3")
    assert "no batch reaches the offset: the next segment" in out
    assert "no record has the offset; the next one is 150" in out


def test_an_offset_in_a_log_without_a_whole_batch(main: Main, tmp_path: Path) -> None:
    folder = tmp_path / "torn-0"
    folder.mkdir()
    (folder / segment_name(0, FileKind.SEGMENT)).write_bytes(batch(0, 1000)[:-1])
    status, out, _ = main("log", "find", str(folder), "--offset", "5")
    assert (status, out.splitlines()[0]) == (1, "offset 5 in torn-0, which is empty")


@pytest.mark.parametrize(
    ("offset", "words"), [("6", "below the start"), ("120", "the end of the log"), ("121", "beyond the end")]
)
def test_offsets_that_are_not_there(main: Main, data: Path, offset: str, words: str) -> None:
    status, out, _ = main("log", "find", str(data / "orders-0"), "--offset", offset)
    assert (status, any(words in line for line in out.splitlines()[1:])) == (1, True)


def test_the_way_to_a_time(main: Main, data: Path) -> None:
    """Records of batch 47 are at 1700000047000 and 10 ms later."""
    status, out, _ = main("log", "find", str(data / "orders-0"), "--time", "1700000047003")
    lines = out.splitlines()
    assert status == 0
    assert [line.startswith("segment") for line in lines[1:4]] == [True, True, True]
    assert lines[-1] == "offset 94, 1700000047010 (2023-11-14T22:14:07.010Z), leader epoch 0"


def test_a_time_that_no_record_reaches(main: Main, data: Path) -> None:
    status, out, _ = main("log", "find", str(data / "orders-0"), "--time", "1800000000000")
    assert (status, out.splitlines()[-1]) == (1, "not there: no segment reaches the time")


def test_a_lookup_in_what_is_no_batch_is_one_message(main: Main, tmp_path: Path) -> None:
    folder = tmp_path / "orders-0"
    folder.mkdir()
    (folder / segment_name(0, FileKind.SEGMENT)).write_bytes(batch(0, 1000) + bytes(40))
    index = bytes.fromhex("00000005 00000000")
    (folder / segment_name(0, FileKind.OFFSET_INDEX)).write_bytes(index)
    status, _, err = main("log", "find", str(folder), "--time", "5000")
    assert status == 2
    assert "the lookup stops: framing error" in err


def test_a_pager_that_stops_early_is_no_error(data: Path) -> None:
    command = f"{sys.executable} -m kafka_tools log dump --print-data-log {data / 'orders-0'} | head -1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.stderr, len(done.stdout.splitlines())) == ("", 1)


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
    status, out, _ = main("log", "stat", str(data))
    assert status == 0
    assert sum(": offsets " in line for line in out.splitlines()) == 7
    assert "codecs: none (15), gzip (15), lz4 (15), zstd (15); formats: v2 (60)" in out


def test_a_tail_that_is_no_batch_is_a_finding(main: Main, tmp_path: Path) -> None:
    folder = tmp_path / "orders-0"
    folder.mkdir()
    (folder / segment_name(0, FileKind.SEGMENT)).write_bytes(batch(0, 1000) + b"12345")
    status, out, _ = main("log", "stat", str(folder))
    assert (status, "segment 0: 5 bytes after the last whole batch" in out) == (1, True)


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


def test_a_dump_that_stops_says_where(main: Main, tmp_path: Path) -> None:
    path = tmp_path / segment_name(0, FileKind.SEGMENT)
    path.write_bytes(batch(0, 1000) + bytes(18))
    status, out, err = main("log", "dump", str(path))
    assert (status, len(out.splitlines())) == (1, 3)
    assert "entry.size.minimum" in err


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("orders-0/00000000000000000000.index", "relative_offset"),
        ("orders-0/00000000000000000000.timeindex", "timestamp"),
        ("payments-0/00000000000000000002.txnindex", "last_stable_offset"),
        ("payments-0/00000000000000000002.snapshot", "producers[1].current_transaction_first_offset"),
        ("orders-0/00000000000000000000.log", "records[0].key"),
        ("orders-0/partition.metadata", "topic_id: "),
        ("__cluster_metadata-0/quorum-state", '"leaderId":1'),
        ("recovery-point-offset-checkpoint", "orders 0 120"),
        ("meta.properties", "node.id=1"),
    ],
)
def test_every_file_is_explained(main: Main, data: Path, file: str, words: str) -> None:
    status, out, _ = main("log", "explain", str(data / file))
    assert (status, words in out) == (0, True)


def test_a_broken_line_is_marked(main: Main, tmp_path: Path) -> None:
    path = tmp_path / "recovery-point-offset-checkpoint"
    path.write_bytes(b"0\n2\norders 0 1\nbroken\n")
    status, out, _ = main("log", "explain", str(path))
    lines = out.splitlines()
    at = next(number for number, line in enumerate(lines) if "broken" in line)
    assert status == 1
    assert "log.checkpoint.row" in lines[at + 1]


def test_zeros_behind_an_index_are_one_line(main: Main, tmp_path: Path) -> None:
    path = tmp_path / segment_name(0, FileKind.OFFSET_INDEX)
    path.write_bytes(bytes.fromhex("00000001 00000048") + bytes(8 * 1000) + b"\0\0")
    status, out, _ = main("log", "explain", str(path))
    assert status == 0
    assert "1000 entries of zeros" in out
    assert "no whole entry" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("find", "{data}", "--offset", "1"), "is a data directory"),
        (("find", "{data}/orders-0"), "give either --offset or --time"),
        (("find", "{data}/orders-0", "--offset", "1", "--time", "1"), "give either --offset or --time"),
        (("stat", "{empty}"), "has no folders of partitions"),
        (("stat", "{data}/meta.properties"), "is not a folder"),
        (("explain", "{notes}"), "is not a known file of a data directory"),
        (("dump", "{data}/nothing"), "does not exist"),
    ],
)
def test_wrong_usage_is_one_message(
    main: Main, data: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    notes, empty = tmp_path / "notes.txt", tmp_path / "empty"
    notes.write_text("x", encoding="utf-8")
    empty.mkdir()
    status, _, err = main("log", *(argument.format(data=data, notes=notes, empty=empty) for argument in arguments))
    assert (status, words in err) == (2, True)


def test_what_a_start_after_a_crash_would_cost(main: Main, data: Path, tmp_path: Path) -> None:
    """Seen with 4.4.0: one bit in the first segment, and the log ends at 6."""
    folder = shutil.copytree(data / "orders-0", tmp_path / "copy-0")
    DAMAGES["payload-bit-in-first-segment"](folder)
    status, out, _ = main("log", "recover", str(folder))
    lines = out.splitlines()
    assert status == 1
    assert "342 of 2364 bytes stay, the next offset is 6" in lines[1]
    assert "[v2.crc.covers-attributes-to-end]" in lines[2]
    assert [line.split(": ")[1] for line in lines[3:5]] == ["removed, because an earlier segment was cut"] * 2
    assert lines[5] == "lost: 6911 bytes, offsets 6 to 119, if the batches after the fault are where they seem"


def test_a_sound_log_loses_nothing_and_is_written_anew(main: Main, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "new"
    status, said, _ = main("log", "recover", str(data / "orders-0"), "--out", str(out), "--segments")
    assert (status, said.splitlines()[-2]) == (0, "nothing is lost: offsets 7 to 119")
    assert sorted(path.name for path in out.glob("*.log")) == sorted(
        path.name for path in (data / "orders-0").glob("*.log")
    )
    status, _, err = main("log", "recover", str(data / "orders-0"), "--out", str(out))
    assert (status, "is not empty" in err) == (2, True)
    assert main("log", "recover", str(data / "orders-0"), "--segments")[0] == 2


def test_a_sound_directory_breaks_no_rule(main: Main, data: Path) -> None:
    assert main("log", "verify", str(data))[:2] == (0, "no rule is broken\n")


def test_a_broken_rule_is_told_with_what_to_do(main: Main, data: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    DAMAGES["zeros-for-indexes"](folder)
    status, out, _ = main("log", "verify", str(folder))
    assert (status, out.splitlines()[-1]) == (1, "3 broken rules")
    assert (
        "  log.time-index.trimmed: The time index of a segment that is not the last one has no zeros at its end." in out
    )
    assert "  Kafka: lookups by time find nothing, and retention treats the segment as old" in out
    assert "  To do: If no batch of the segment is broken, stop the broker and remove the file" in out
    status, out, _ = main("log", "verify", "--json", str(folder))
    documents = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert {document["rule"] for document in documents} == {
        "log.offset-index.trimmed",
        "log.time-index.trimmed",
        "log.time-index.last",
    }


def test_every_rule_of_a_log_says_what_it_costs() -> None:
    known = [rule.id for rule in rules().values() if rule.about == "log" and rule.id != "log.remote-snapshot.version"]
    assert [rule for rule in known if effect(rule) is None] == []


def test_a_checkpoint_that_cannot_be_read_is_one_message(main: Main, data: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    (folder / "leader-epoch-checkpoint").write_bytes(b"0\nx\n")
    status, _, err = main("log", "recover", str(folder))
    assert (status, "log.checkpoint.count" in err) == (2, True)
    (tmp_path / "log-start-offset-checkpoint").write_bytes(b"broken")
    assert main("log", "find", str(folder), "--offset", "0")[0] == 0


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


def test_a_start_cuts_a_segment_without_an_index_after_a_clean_stop_too(main: Main, tmp_path: Path, data: Path) -> None:
    shutil.copytree(data / "orders-0", tmp_path / "data" / "orders-0")
    DAMAGES["no-offset-index-and-payload-bit"](tmp_path / "data" / "orders-0")
    (tmp_path / "data" / ".kafka_cleanshutdown").touch()
    status, out, _ = main("log", "start", str(tmp_path / "data"))
    assert status == 1
    assert "  00000000000000000039.log is read and cut, and its indexes are rebuilt: it has no .index" in out
    assert "later segments stay: the gap is never filled" in out


def test_a_start_fails_where_a_folder_stands_for_a_file(main: Main, tmp_path: Path, data: Path) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "data" / "orders-0")
    (folder / "leader-epoch-checkpoint").unlink(missing_ok=True)
    (folder / "leader-epoch-checkpoint").mkdir()
    status, out, _ = main("log", "start", str(tmp_path / "data"))
    assert status == 1
    assert "DOES NOT START: orders-0/leader-epoch-checkpoint\n  Kafka ends with KafkaStorageException" in out


def test_a_segment_that_is_missed_is_told_by_its_index(main: Main, tmp_path: Path, data: Path) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    (folder / "00000000000000000039.log").unlink()
    status, out, _ = main("log", "verify", str(folder))
    assert status == 1
    assert "no other one has the offsets 39 to 78: was it lost?" in out


def test_links_are_called_as_they_are(main: Main, tmp_path: Path, data: Path) -> None:
    shutil.copytree(data / "orders-0", tmp_path / "disk2")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "orders-0").symlink_to(tmp_path / "disk2")
    (tmp_path / "disk2" / "x.log").symlink_to("x.log")
    status, out, _ = main("log", "verify", str(tmp_path / "data"))
    assert (status, out) == (0, "no rule is broken\n")


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("latest", "offset 120"),
        ("-2", "offset 7"),
        ("max-timestamp", "offset "),
        ("2023-11-14T22:14:07.003Z", "offset "),
        ("2023-11-14T23:14:07.003+01:00", "offset "),
        ("1700000047003", "offset "),
    ],
)
def test_times_are_given_as_people_know_them(time: str, expected: str, main: Main, data: Path) -> None:
    status, out, _ = main("log", "find", str(data / "orders-0"), "--time", time)
    assert (status, out.splitlines()[-1][: len(expected)]) == (0, expected)


def test_the_same_time_is_found_however_it_is_written(main: Main, data: Path) -> None:
    words = ("1700000047003", "2023-11-14T22:14:07.003Z", "2023-11-14 22:14:07.003", "2023-11-14T23:14:07.003+01:00")
    assert len({main("log", "find", str(data / "orders-0"), "--time", word) for word in words}) == 1


@pytest.mark.parametrize("time", ["-7", "soon", "2023-13-01", "1900-01-01", "9223372036854775808", ""])
def test_what_is_no_time_is_wrong_usage(time: str, main: Main, data: Path) -> None:
    status, _, err = main("log", "find", str(data / "orders-0"), "--time", time)
    assert (status, "is no time" in err) == (2, True)


def test_a_reader_waits_at_an_open_transaction(main: Main, data: Path) -> None:
    """`Fill.java` leaves one open."""
    folder = str(data / "payments-0")
    status, out, _ = main("log", "find", folder, "--time", "latest", "--isolation", "read_committed")
    stable = int(out.splitlines()[-1].removeprefix("offset ").partition(",")[0])
    assert (status, out.splitlines()[0]) == (0, "latest (-1) of payments-0 below the last stable offset")
    status, out, _ = main("log", "find", folder, "--offset", str(stable), "--isolation", "read_committed")
    assert (status, out.splitlines()[-1]) == (1, f"read_committed: waits, the last stable offset is {stable}")
    assert main("log", "find", folder, "--offset", str(stable), "--isolation", "read_uncommitted")[0] == 0


def test_a_release_that_does_not_know_a_time_is_wrong_usage(main: Main, data: Path) -> None:
    status, _, err = main("log", "find", str(data / "orders-0"), "--time", "-6", "--as-kafka", "3.9")
    assert (status, "4.2 is the first that does" in err) == (2, True)


def test_verify_shows_the_first_of_each_rule_and_all_if_asked(main: Main, data: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    for index in folder.glob("*.timeindex"):
        index.write_bytes(b"")
    status, out, _ = main("log", "verify", str(folder))
    assert (status, out.count("log.time-index.last")) == (1, 2)
    assert "--all lists each" in out.splitlines()[-1]
    status, out, _ = main("log", "verify", "--all", str(folder))
    assert (status, out.count("the segment goes up to")) == (1, int(out.splitlines()[-1].split()[0]))


@pytest.mark.parametrize("words", [("--offsets", "79-80"), ("--offsets", "80"), ("--bytes", "0-3"), ("--bytes", "20")])
def test_explain_takes_a_range(words: tuple[str, str], main: Main, data: Path) -> None:
    """`Fill.java` writes batches of one to three records; the segment begins at 79."""
    file = data / "orders-0" / "00000000000000000079.log"
    first = next(batches(file.read_bytes()))
    status, out, _ = main("log", "explain", *words, str(file))
    inside = words[0] == "--bytes" or first.base_offset <= 80 <= first.last_offset or words[1] == "79-80"
    assert (status, out.splitlines()[0]) == (0, "entry 0" if inside else "entry 1")
    assert 1 <= sum(line.startswith("entry ") for line in out.splitlines()) <= 2


def test_explain_keeps_places_and_numbers_of_the_file(main: Main, data: Path) -> None:
    file = data / "orders-0" / "00000000000000000079.log"
    third = list(batches(file.read_bytes()))[2]
    _, out, _ = main("log", "explain", "--offsets", str(third.base_offset), str(file))
    first, second, *_ = out.splitlines()
    assert (first, second.split()[0]) == ("entry 2", str(third.position))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--offsets", "5-4"), "is no range"),
        (("--offsets", "x"), "is no range"),
        (("--bytes", "-1"), "is no range"),
        (("--offsets", "100000"), "no batch has offsets"),
        (("--offsets", "1", "--bytes", "1"), "either --offsets or --bytes"),
    ],
)
def test_ranges_that_are_none(words: tuple[str, ...], said: str, main: Main, data: Path) -> None:
    status, _, err = main("log", "explain", *words, str(data / "orders-0" / "00000000000000000079.log"))
    assert (status, said in err) == (2, True)


def test_an_empty_partition_is_one_line(main: Main, tmp_path: Path) -> None:
    for name, base in (("orders-0", 0), ("orders-1", 7)):
        (tmp_path / "data" / name).mkdir(parents=True)
        (tmp_path / "data" / name / f"{base:020}.log").write_bytes(b"")
    assert main("log", "stat", str(tmp_path / "data"))[1].splitlines() == [
        "orders-0: empty, at offset 0",
        "orders-1: empty, at offset 7",
    ]


def test_verify_claims_nothing_about_what_it_could_not_read(main: Main, tmp_path: Path) -> None:
    status, out, err = main("log", "verify", str(tmp_path))
    assert (status, out, "has no folders of partitions" in err) == (2, "", True)


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


@pytest.mark.parametrize(
    "name",
    [
        "recovery-point-offset-checkpoint",
        "log-start-offset-checkpoint",
        "cleaner-offset-checkpoint",
        "replication-offset-checkpoint",
    ],
)
def test_no_broker_lives_with_a_broken_checkpoint(main: Main, tmp_path: Path, data: Path, name: str) -> None:
    """Seen of a broker of 4.4.0: "The log dir ... is already offline due to a previous IO
    exception"."""
    shutil.copytree(data / "orders-0", tmp_path / "data" / "orders-0")
    (tmp_path / "data" / name).write_bytes(bytes(64))
    status, out, _ = main("log", "start", str(tmp_path / "data"))
    assert status == 1
    assert f"DOES NOT START: {name}\n" in out


def test_no_folder_is_made_where_a_file_is(main: Main, tmp_path: Path, data: Path) -> None:
    """Seen of a broker of 4.4.0: java.nio.file.FileAlreadyExistsException."""
    shutil.copytree(data / "orders-0", tmp_path / "data" / "orders-0")
    (tmp_path / "data" / "prices-0").touch()
    assert main("log", "start", str(tmp_path / "data"))[0] == 0
    (tmp_path / "data" / "recovery-point-offset-checkpoint").write_bytes(b"0\n1\nprices 0 0\n")
    status, out, _ = main("log", "start", str(tmp_path / "data"))
    assert status == 1
    assert "DOES NOT START: prices-0\n  Kafka ends with FileAlreadyExistsException" in out


def test_zeros_at_the_end_may_be_room(main: Main, tmp_path: Path, data: Path) -> None:
    """As brokers of 2.8.2 and 4.4.0 leave a topic with preallocate=true when they are killed."""
    folder = shutil.copytree(data / "orders-0", tmp_path / "data" / "orders-0")
    file = folder / "00000000000000000079.log"
    sound = file.read_bytes()
    file.write_bytes(sound + bytes(5000))
    words = "preallocate=true"
    assert words in main("log", "verify", str(folder))[1]
    for command in (("start", str(folder.parent)), ("recover", str(folder))):
        _, out, _ = main("log", *command)
        assert "only zeros go, 5000 bytes: " in out
        assert words in out
    file.write_bytes(sound + bytes(5000) + b"\1")
    assert words not in main("log", "verify", str(folder))[1]
    assert words not in main("log", "recover", str(folder))[1]


def test_a_file_that_cannot_be_read_hides_no_other_finding(
    main: Main, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("orders-0", "prices-0"):
        shutil.copytree(data / name, tmp_path / "data" / name)
    (tmp_path / "data" / "prices-0" / "x.log").touch()

    def refuse(path: Path) -> Any:
        raise PermissionError(13, "Permission denied", str(path / "00000000000000000039.log"))

    verify = verify_partition
    monkeypatch.setattr(
        log_paths, "verify_partition", lambda path: refuse(path) if path.name == "orders-0" else verify(path)
    )
    status, out, err = main("log", "verify", str(tmp_path / "data"))
    assert status == 2
    assert "log.name.number" in out
    assert "Cannot read " in err
    assert "00000000000000000039.log (Permission denied)." in err


def test_dump_goes_on_after_a_file_that_cannot_be_read(
    main: Main, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    first, *_, last = sorted(file for file in folder.iterdir() if file.suffix == ".log")
    dump = dumps.dump

    def refuse(file: Path, *rest: Any) -> Any:
        if file == first:
            raise PermissionError(13, "Permission denied", str(file))
        yield from dump(file, *rest)

    monkeypatch.setattr(log_command, "dump", refuse)
    status, out, err = main("log", "dump", str(first), str(last))
    assert status == 1
    assert f"{first} cannot be read: Permission denied." in err
    assert f"Dumping {last}" in out
