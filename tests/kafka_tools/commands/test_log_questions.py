"""The commands that answer operators, on directories of real brokers and on damaged copies."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kafka_generator.log_vectors.damages import DAMAGES

from tests.command_line import Main
from tests.kafka_format.log import real

NEWEST = "kafka-4.4.0-stopped"
STRAY = f"orders-1.{'0a' * 16}-stray"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real.unpack(NEWEST, tmp_path_factory.mktemp("broker"))


@pytest.fixture
def copy(data: Path, tmp_path: Path) -> Path:
    """A copy of the small topics that may be broken."""
    folder = tmp_path / "data"
    left_out = shutil.ignore_patterns("__consumer_offsets-0", "*.deleted", "00000000000000000000.*index")
    shutil.copytree(data, folder, ignore=left_out)
    for name in ("orders-0", "payments-0"):
        shutil.copytree(data / name, folder / name, dirs_exist_ok=True)
    return folder


def lines(main: Main, *arguments: str | Path) -> tuple[int, list[str]]:
    status, out, _ = main("log", *map(str, arguments))
    return status, out.splitlines()


def test_rescue_says_what_is_lost_and_writes_the_rest(main: Main, copy: Path, tmp_path: Path) -> None:
    DAMAGES["payload-bit-in-first-segment"](copy / "orders-0")
    status, said = lines(main, "rescue", copy / "orders-0", "--out", tmp_path / "rescued" / "orders-0")
    assert status == 1
    assert "      offsets 6 to 6 are missing" in said
    assert "rescued: 119 records, 7149 bytes; lost: 104 bytes" in said
    assert "offsets 0 to 6 were deleted before" in said[-2]
    assert lines(main, "verify", tmp_path / "rescued" / "orders-0") == (0, ["no rule is broken"])


def test_rescue_writes_to_no_data_directory_and_over_nothing(main: Main, copy: Path, tmp_path: Path) -> None:
    for out in (copy / "orders-0", copy / "orders-0" / "new", copy / "rescued-0"):
        status, _, err = main("log", "rescue", str(copy / "orders-0"), "--out", str(out))
        assert (status, "is within a data directory" in err) == (2, True)
    out = tmp_path / "full"
    out.mkdir()
    (out / "something").touch()
    status, _, err = main("log", "rescue", str(copy / "orders-0"), "--out", str(out))
    assert (status, "is not empty" in err) == (2, True)


def test_rescue_tells_of_transactions_that_lost_their_end(main: Main, copy: Path, tmp_path: Path) -> None:
    status, said = lines(main, "rescue", copy / "payments-0", "--out", tmp_path / "payments-0")
    assert status == 0
    assert any(line.startswith("producer 3 has a transaction open from offset 32") for line in said)


def test_a_start_after_a_clean_stop_reads_nothing_but_the_metadata(main: Main, data: Path) -> None:
    status, said = lines(main, "start", data)
    assert status == 0
    assert said[1].startswith(".kafka_cleanshutdown is there")
    assert said[-1] == "6586 bytes to read, nothing lost"


def test_a_start_after_a_crash_tells_what_is_lost(main: Main, copy: Path) -> None:
    """The recovery point of `orders` is 120, so the last segment alone is read; its fourth batch is
    broken."""
    (copy / ".kafka_cleanshutdown").unlink()
    DAMAGES["payload-bit-in-last-segment"](copy / "orders-0")
    status, said = lines(main, "start", copy)
    assert status == 1
    assert "orders-0: recovered from offset 120" in said
    assert any("offsets 85 to 119" in line for line in said)


def test_a_marker_that_lies_is_told(main: Main, copy: Path) -> None:
    DAMAGES["last-batch-cut"](copy / "orders-0")
    status, said = lines(main, "start", copy)
    assert status == 1
    assert any(line.startswith("  THE MARKER LIES: orders-0/") for line in said)


@pytest.mark.parametrize(
    ("file", "content", "error"),
    [
        ("orders-0/abc.log", "", "NumberFormatException"),
        ("orders-0/partition.metadata", "", "NullPointerException"),
        ("orders-0/leader-epoch-checkpoint", "0\nx\n", "Malformed line in checkpoint file"),
        ("replication-offset-checkpoint", "\0\0\0", "Malformed line in checkpoint file"),
        ("meta.properties", "version=2\n", "No readable meta.properties files found."),
        ("__cluster_metadata-0/quorum-state", "", "Error while reading the Quorum status from the file"),
    ],
)
def test_the_file_that_keeps_a_broker_from_starting_is_named_with_kafkas_error(
    main: Main, copy: Path, file: str, content: str, error: str
) -> None:
    (copy / file).write_text(content, encoding="utf-8")
    status, said = lines(main, "start", copy)
    assert status == 1
    assert said[0].split(", byte")[0] == f"DOES NOT START: {file}"
    assert error in said[1]
    assert any(line.startswith("  To do: ") for line in said[2:4])


def _first(folder: Path, kind: str) -> Path:
    return min(folder.glob(f"*.{kind}"))


def _last(folder: Path, kind: str) -> Path:
    return max(folder.glob(f"*.{kind}"))


def _mark(data: Path, checkpoint: str, row: str) -> None:
    (data / checkpoint).write_text(f"0\n1\n{row}\n")


@pytest.mark.parametrize("number", ["", "version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg"])
def test_a_partition_without_the_id_of_its_topic_begins_empty(main: Main, copy: Path, number: str) -> None:
    """Kafka 3.9.2 and 4.4.0 rename such a folder to `-stray`, and begin a new one."""
    file = copy / "orders-0" / "partition.metadata"
    expected = file.read_text().split()[-1]
    file.unlink()
    if number:
        file.write_text(number)
    status, said = lines(main, "start", copy)
    assert status == 1
    assert "BEGINS EMPTY: orders-0" in said
    assert any("it is renamed to orders-0.ID-stray" in line for line in said)
    assert any(f"`topic_id: {expected}`" in line for line in said)


def test_a_partition_with_the_id_of_another_topic_is_not_served(main: Main, copy: Path) -> None:
    """Kafka 3.9.2 starts, and says InconsistentTopicIdException in state-change.log."""
    shutil.copy(copy / "payments-0" / "partition.metadata", copy / "orders-0")
    status, said = lines(main, "start", copy)
    assert status == 1
    assert "BEGINS EMPTY: orders-0" not in said
    (line,) = [line for line in said if line.startswith("NOT SERVED: orders-0: InconsistentTopicIdException: ")]
    assert "but log already contained topic ID" in line


def test_a_partition_whose_folder_is_gone_begins_empty(main: Main, copy: Path) -> None:
    shutil.rmtree(copy / "orders-0")
    status, said = lines(main, "start", copy)
    assert (status, said.count("BEGINS EMPTY: orders-0")) == (1, 1)


def test_segments_that_have_exchanged_names_are_told(main: Main, copy: Path) -> None:
    """Kafka 2.8.2 and 3.9.2 start, and a consumer passes over the records of one of them."""
    for kind in ("log", "index", "timeindex"):
        first, other = (copy / "orders-0" / f"{base:020}.{kind}" for base in (0, 39))
        content = first.read_bytes()
        first.write_bytes(other.read_bytes())
        other.write_bytes(content)
    status, said = lines(main, "start", copy)
    assert status == 1
    assert f"NOT FOUND BY CONSUMERS: orders-0/{39:020}.log: a batch begins at 0, below the base offset 39" in _one(said)
    assert said[-1].endswith(", 1 place where consumers miss records")


def test_a_segment_that_is_gone_with_its_indexes_is_told(main: Main, copy: Path) -> None:
    for kind in ("log", "index", "timeindex"):
        (copy / "orders-0" / f"{39:020}.{kind}").unlink()
    status, said = lines(main, "start", copy)
    assert status == 1
    assert f"orders-0/{79:020}.log: the offsets 39 to 78 are in no segment" in _one(said)


def _one(said: list[str]) -> str:
    """Return the one line about records that no consumer finds."""
    (line,) = [line for line in said if line.startswith("NOT FOUND BY CONSUMERS: ")]
    return line


def test_partitions_of_a_broker_with_zookeeper_are_no_strays(main: Main, copy: Path) -> None:
    shutil.rmtree(copy / "__cluster_metadata-0")
    (copy / "meta.properties").write_text("version=0\nbroker.id=1\n")
    (copy / "orders-0" / "partition.metadata").unlink()
    status, said = lines(main, "start", copy)
    assert (status, [line for line in said if "EMPTY" in line]) == (0, [])


@pytest.mark.parametrize(
    ("text", "words"), [("", "No readable"), ("version=1\nnode.id=7\ncluster.id=x\n", "Stored node id 7")]
)
def test_a_broker_does_not_start_with_meta_properties_of_another(main: Main, copy: Path, text: str, words: str) -> None:
    (copy / "meta.properties").unlink()
    if text:
        (copy / "meta.properties").write_text(text)
    status, said = lines(main, "start", copy)
    assert status == 1
    assert said[0] == "DOES NOT START: meta.properties"
    assert words in said[1]
    assert "BEGINS EMPTY: orders-0" not in said


def test_an_index_that_leads_to_no_batch_keeps_a_broker_from_starting(main: Main, copy: Path) -> None:
    """After a clean stop a broker reads the last segment from its last index entry on."""
    earlier, last = sorted((copy / "orders-0").glob("*.log"))[-2:]
    content = earlier.read_bytes()
    earlier.write_bytes(last.read_bytes())
    last.write_bytes(content[:-700] + bytes(700))
    status, said = lines(main, "start", copy)
    assert status == 1
    assert said[0].startswith(f"DOES NOT START: orders-0/{last.name}, byte ")
    assert said[-1].endswith("it does not start")


def test_a_log_start_beyond_the_end_empties_the_log_after_a_clean_stop_too(main: Main, copy: Path) -> None:
    _mark(copy, "log-start-offset-checkpoint", "orders 0 99999")
    status, said = lines(main, "start", copy)
    assert status == 1
    assert "the log would end below its start: all of it is removed, and it begins again at 99999" in said
    assert "7253 bytes lost" in said[-1]


def test_a_broken_batch_that_a_start_does_not_read_is_told(main: Main, copy: Path) -> None:
    DAMAGES["payload-bit-in-first-segment"](copy / "orders-0")
    status, said = lines(main, "start", copy)
    assert status == 1
    assert any(line.startswith(f"STAYS BROKEN: orders-0/{0:020}.log, byte 359, offset 6: crc") for line in said)
    assert said[-1].endswith(", 1 file with broken batches that stay")


def test_a_log_that_ends_below_its_high_watermark_is_told(main: Main, copy: Path) -> None:
    _last(copy / "orders-0", "log").unlink()
    status, said = lines(main, "start", copy)
    assert status == 1
    assert "it ends too early: the high watermark was 120, and offsets 79 to 119 are gone" in said
    assert any(line.startswith("NO SEGMENT: orders-0/00000000000000000079.index") for line in said)


def test_a_segment_with_the_transaction_index_of_another_is_read_and_cut(main: Main, copy: Path) -> None:
    index = _first(copy / "payments-0", "txnindex")
    index.write_bytes(bytes(34) + index.read_bytes())
    DAMAGES["payload-bit-in-first-segment"](copy / "orders-0")
    segment = index.with_suffix(".log")
    content = segment.read_bytes()
    segment.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    status, said = lines(main, "start", copy)
    assert status == 1
    assert any(f"{segment.name} is read and cut, and its indexes are rebuilt: its .txnindex" in line for line in said)


def test_an_offset_in_a_broken_batch_is_found_and_told(main: Main, copy: Path) -> None:
    DAMAGES["payload-bit-in-first-segment"](copy / "orders-0")
    status, said = lines(main, "find", copy / "orders-0", "--offset", "8")
    assert (status, said[-1].startswith("why:")) == (0, False)
    (copy / "log-start-offset-checkpoint").unlink()
    status, said = lines(main, "find", copy / "orders-0", "--offset", "6")
    assert status == 1
    assert said[-2].startswith("why: its batch is broken: checksum error")


def test_an_offset_in_a_hole_that_no_cleaner_made_is_called_lost(main: Main, copy: Path) -> None:
    for file in (copy / "orders-0").glob(f"{39:020}.*"):
        file.unlink()
    _mark(copy, "cleaner-offset-checkpoint", "prices 0 10")
    _, said = lines(main, "find", copy / "orders-0", "--offset", "50")
    assert any("it was not compacted, so bytes are lost" in line for line in said)
    _mark(copy, "cleaner-offset-checkpoint", "orders 0 10")
    _, said = lines(main, "find", copy / "orders-0", "--offset", "50")
    assert any("compaction took its whole batch" in line for line in said)


def test_stat_goes_on_behind_a_partition_that_cannot_be_opened(main: Main, copy: Path) -> None:
    (copy / "orders-0" / "abc.log").touch()
    status, out, err = main("log", "stat", str(copy))
    assert status == 2
    assert "payments-0: offsets" in out
    assert "`abc.log` has no offset" in err
    assert "Copy the folder" in err


def test_names_that_are_not_utf_8_are_no_traceback(copy: Path, tmp_path: Path) -> None:
    """A terminal's encoding is strict, other than that of a test."""
    shutil.copytree(copy / "orders-0", copy / os.fsdecode(b"caf\xe9-0"))
    command = [sys.executable, "-m", "kafka_tools", "log"]
    env = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    for arguments in (["verify", copy], ["start", copy], ["stat", "--svg", tmp_path / "pictures", copy]):
        ran = subprocess.run([*command, *map(str, arguments)], env=env, capture_output=True, text=True, check=False)
        assert "Traceback" not in ran.stderr
        assert ran.returncode in {0, 1}


def test_the_marker_of_a_clean_stop_says_nothing_of_the_metadata_log(main: Main, copy: Path) -> None:
    """Kafka 4.4.0 recovers it at each start, and cuts what is half a batch."""
    log = _last(copy / "__cluster_metadata-0", "log")
    log.write_bytes(log.read_bytes()[:-5])
    status, said = lines(main, "start", copy)
    assert status == 1
    assert "__cluster_metadata-0: recovered from offset 0, as at every start" in said
    assert not any("LIES" in line for line in said)


def test_a_start_is_of_a_data_directory(main: Main, data: Path) -> None:
    assert main("log", "start", str(data / "orders-0"))[0] == 2


def test_leftovers_and_whether_they_may_go(main: Main, copy: Path) -> None:
    stray = copy / STRAY
    stray.mkdir()
    shutil.copy(copy / "orders-0" / "partition.metadata", stray)
    (copy / "events-0" / "00000000000000000000.log.swap").touch()
    status, said = lines(main, "leftovers", copy)
    assert status == 1
    at = said.index(f"{STRAY}: 43 bytes")
    assert "the topic orders has it" in said[at + 2]
    assert said[at + 3] == "  may it go? only if the partition is whole on its other replicas: the topic is still there"
    assert "  may it go? no: it holds the records now, start the broker and it is done" in said


def test_a_stray_of_a_topic_that_is_gone_may_go(main: Main, copy: Path) -> None:
    stray = copy / STRAY
    stray.mkdir()
    (stray / "partition.metadata").write_text("version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg", encoding="utf-8")
    _, said = lines(main, "leftovers", copy)
    assert "  topic id a2Fma2EtZm9ybWF0LWNvbg: no topic in the metadata log has it" in said
    assert "  may it go? yes, while the broker is stopped: its topic is gone" in said


def test_an_ordinary_partition_is_no_quorum(main: Main, data: Path) -> None:
    status, _, err = main("log", "quorum", str(data / "orders-0"))
    assert (status, "is not the folder of a metadata quorum" in err) == (2, True)


def test_a_quorum_that_is_complete_and_one_that_is_not(main: Main, data: Path, copy: Path) -> None:
    status, said = lines(main, "quorum", data / "__cluster_metadata-0")
    assert (status, said[-1]) == (0, "complete: __cluster_metadata can be read from its first record to its last")
    (copy / "__cluster_metadata-0" / f"{0:020}.log").rename(copy / "__cluster_metadata-0" / f"{5:020}.log")
    status, said = lines(main, "quorum", copy / "__cluster_metadata-0")
    assert (status, said[-1]) == (1, "not complete")
    assert "  MISSING: offsets 0 to 4 are in no snapshot and not in the log" in said


@pytest.mark.parametrize(
    ("name", "release", "state"),
    [
        ("kafka-4.4.0-stopped", "written by 4.4 or later", "stopped cleanly"),
        ("kafka-3.9.2-stopped", "written by 3.9", "stopped cleanly"),
        (
            "kafka-3.9.2-killed",
            "written by 3.9",
            "  .lock is missing, which a broker never removes: these files are a copy",
        ),
    ],
)
def test_the_release_that_wrote_a_directory(main: Main, tmp_path: Path, name: str, release: str, state: str) -> None:
    status, said = lines(main, "origin", real.unpack(name, tmp_path / "data"))
    assert (status, said[0], said[-1]) == (0, release, state)


def test_a_pipe_in_place_of_a_file_is_not_waited_for(main: Main, copy: Path) -> None:
    for file in (copy / "meta.properties", copy / "__cluster_metadata-0" / "quorum-state"):
        file.unlink()
        os.mkfifo(file)
    status, said = lines(main, "origin", copy)
    assert status == 0
    assert said[0].startswith("written by ")


def test_an_open_transaction_and_who_began_it(main: Main, data: Path) -> None:
    status, said = lines(main, "transactions", data / "payments-0")
    assert status == 1
    assert said[1].startswith("last stable offset 32: held by an open transaction; 1 offset below")
    assert any(line.startswith("    transactional id `first`: ongoing") for line in said)
    assert said[-1] == "read_committed consumers are shown no aborted record"


def test_aborted_records_that_are_shown(main: Main, copy: Path) -> None:
    (copy / "payments-0" / f"{2:020}.txnindex").unlink()
    _, said = lines(main, "transactions", copy / "payments-0")
    assert sum(line.startswith("  SHOWN to read_committed: ") for line in said) == 6


def test_data_that_is_deleted_too_early(main: Main, copy: Path) -> None:
    """Zeros after a time index that a broker takes for entries: 1970."""
    path = copy / "orders-0" / f"{0:020}.timeindex"
    path.write_bytes(path.read_bytes() + bytes(12))
    arguments = ("--at", "1700000700000", "--retention-ms", "86400000")
    status, said = lines(main, "retention", copy / "orders-0", *arguments)
    assert (status, said[1]) == (1, "  00000000000000000000.log: deleted: older than retention.ms")
    assert "    DELETED TOO EARLY, by 1.0 days" in said
    (copy / ".kafka_cleanshutdown").unlink()
    assert lines(main, "retention", copy / "orders-0", *arguments)[0] == 0


def test_indexes_that_can_be_trusted_and_others(main: Main, copy: Path) -> None:
    status, said = lines(main, "indexes", copy / "orders-0")
    assert (status, said[-1]) == (0, "to be trusted: every entry leads a lookup to where it must")
    DAMAGES["zeros-for-indexes"](copy / "orders-0")
    status, said = lines(main, "indexes", copy / "orders-0")
    assert status == 1
    assert any(line.startswith("  log.offset-index.trimmed: ") for line in said)


def test_replicas_that_diverge(main: Main, data: Path, copy: Path) -> None:
    """A batch that differs, with a checksum that fits; both replicas have the same epochs, so Kafka
    sees nothing."""
    DAMAGES["batch-jumps-ahead"](copy / "orders-0")
    status, said = lines(main, "compare", data / "orders-0", copy / "orders-0")
    assert status == 1
    assert any(line.startswith("  from offset 51: ") for line in said)
    assert any(line.startswith("  KAFKA DOES NOT NOTICE ") for line in said)
    assert lines(main, "compare", data / "orders-0", data / "orders-0")[0] == 0
    assert main("log", "compare", str(data / "orders-0"))[0] == 2


@pytest.mark.parametrize(
    ("partition", "offset", "words"),
    [
        ("orders-0", 6, "why: the log starts at 7, by retention or DeleteRecords; the bytes are still there"),
        ("prices-0", 3, "why: compaction took its whole batch: the next one that is left begins above it"),
        ("prices-0", 3, "  00000000000000000000.log.deleted still has it: key b'product-3', 7 bytes of value"),
        ("prices-0", 3, "  the newest record with its key is at 193, a value"),
        (
            "payments-0",
            2,
            "why: it is a control record, the end of a transaction for example, and no consumer is shown one",
        ),
        ("payments-0", 0, "why: its transaction was aborted at 2; read_committed leaves it out"),
        ("payments-0", 32, "why: read_committed waits at 32, see `log transactions`"),
    ],
)
def test_why_an_offset_is_gone(main: Main, data: Path, partition: str, offset: int, words: str) -> None:
    """`Fill.java` writes ten keys in turn, so offset 3 has `product-3`, last written at 193."""
    assert words in lines(main, "find", data / partition, "--offset", str(offset))[1]


@pytest.mark.parametrize(
    "question",
    [
        ["start", "{data}"],
        ["retention", "{partition}"],
        ["indexes", "{partition}"],
        ["transactions", "{partition}"],
        ["compare", "{partition}", "{partition}"],
        ["leftovers", "{data}"],
        ["quorum", "{partition}"],
        ["origin", "{data}"],
        ["find", "{partition}", "--offset", "3"],
        ["find", "{partition}", "--time", "3"],
        ["verify", "{partition}"],
        ["stat", "{partition}"],
        ["recover", "{partition}"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["orders-0", "__cluster_metadata-0"])
def test_a_segment_that_holds_no_batch_is_no_traceback(
    main: Main, tmp_path: Path, name: str, question: list[str]
) -> None:
    partition = tmp_path / name
    partition.mkdir()
    (partition / "00000000000000000000.log").write_bytes(bytes(range(255, 0, -1)) * 8)
    status, out, err = main("log", *(word.format(data=tmp_path, partition=partition) for word in question))
    assert status in {0, 1, 2}
    assert out or err


def test_indexes_without_an_entry_are_not_called_trusted(main: Main, tmp_path: Path) -> None:
    partition = tmp_path / "orders-0"
    partition.mkdir()
    for kind in ("log", "index", "timeindex"):
        (partition / f"{0:020}.{kind}").write_bytes(b"")
    status, said = lines(main, "indexes", partition)
    assert (status, said[-1]) == (
        0,
        "there is no entry to trust or not: lookups read segments from their first batch on",
    )
