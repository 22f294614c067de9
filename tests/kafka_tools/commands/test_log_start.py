"""`kafka-format log start`, on damaged copies of directories of real brokers."""

import json
import re
import shutil
from pathlib import Path

import pytest
from kafka_generator.log_vectors.damages import DAMAGES

from tests.command_line import Main
from tests.kafka_tools.commands.log_data import first, last, lines, mark, one


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
    assert "DOES NOT START: orders-0/leader-epoch-checkpoint\n  Kafka ends with IOException: Is a directory" in out


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


def test_a_start_after_a_clean_stop_reads_nothing_but_the_metadata(main: Main, data: Path) -> None:
    status, said = lines(main, "start", data)
    assert status == 0
    assert said[1].startswith(".kafka_cleanshutdown is there")
    assert said[-1] == "6,586 bytes to read, nothing lost"


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


def test_of_several_faults_all_are_named(main: Main, copy: Path) -> None:
    """Kafka 3.9.2 and 4.4.0 end with the one that the listing of the directory has first."""
    for name in ("backup", "old"):
        (copy / name).mkdir()
    _, said = lines(main, "start", copy)
    assert said[0] == "DOES NOT START: one of these 2, whichever Kafka comes to first"
    assert [line for line in said if line in {"  backup", "  old"}] == ["  backup", "  old"]
    _, out, _ = main("log", "start", "--json", str(copy))
    fault = json.loads(out)["fault"]
    assert [Path(each["file"]).name for each in (fault, *fault["others"])] == ["backup", "old"]


@pytest.mark.parametrize(
    ("kind", "mode", "is_assumed"),
    [("log", 0o000, True), ("index", 0o444, True), ("index", None, False)],
)
def test_that_kafka_is_not_root_is_assumed_where_rights_decide(
    main: Main, copy: Path, kind: str, mode: int | None, is_assumed: bool
) -> None:
    """Java says FileNotFoundException of a folder and of a file that nobody may write."""
    path = last(copy / "orders-0", kind)
    if mode is None:
        path.unlink()
        path.mkdir()
    else:
        path.chmod(mode)
    status, out, _ = main("log", "start", str(copy), "--json")
    said = json.loads(out)
    assert (status, said["verdict"]) == (1, "does not start")
    assert ("no-root" in said["assumed"]) is is_assumed


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


def test_a_partition_in_a_directory_that_was_not_named_is_not_called_empty(main: Main, copy: Path) -> None:
    shutil.rmtree(copy / "payments-0")
    properties = copy / "meta.properties"
    text = properties.read_text(encoding="utf-8")
    properties.write_text(re.sub(r"directory\.id=.*", "directory.id=bm9uZSBvZiB0aGVtIQAAAA", text), encoding="utf-8")
    status, out, _ = main("log", "start", str(copy))
    assert status == 1
    assert "PERHAPS EMPTY: payments-0" in out
    assert "BEGINS EMPTY" not in out
    document = json.loads(main("log", "start", "--json", str(copy))[1])
    (payments,) = (each for each in document["partitions"] if each["folder"].endswith("/payments-0"))
    assert payments["begins_empty"] is None
    assert document["assumed"] == ["release", "role", "voters"]


def test_without_the_metadata_log_it_is_said_that_another_directory_may_have_it(main: Main, copy: Path) -> None:
    """As one of two data directories alone: what would become of its partitions is not known."""
    assert "NO METADATA LOG HERE" not in main("log", "start", str(copy))[1]
    shutil.rmtree(copy / "__cluster_metadata-0")
    assert main("log", "start", str(copy))[1].startswith("NO METADATA LOG HERE: if another data directory has it")
    assert "no-metadata-elsewhere" in json.loads(main("log", "start", "--json", str(copy))[1])["assumed"]


@pytest.mark.parametrize("role", ["combined", "controller", "broker"])
def test_a_role_is_given_as_process_roles_has_it(main: Main, data: Path, role: str) -> None:
    assert f"at its start, as {role};" in main("log", "start", "--role", role, str(data))[1]
    document = json.loads(main("log", "start", "--json", "--role", role, str(data))[1])
    assert ("controllers" in document["assumed"]) is (role == "broker")


@pytest.mark.parametrize(
    ("option", "verdict", "assumed"),
    [
        ((), "starts", ["voters"]),
        (("--static-voters",), "starts", []),
        (("--no-static-voters",), "never ready", []),
    ],
)
def test_settings_name_the_voters_where_the_metadata_log_does_not(
    main: Main, data: Path, option: tuple[str, ...], verdict: str, assumed: list[str]
) -> None:
    """The directory was written with controller.quorum.voters: kraft.version is 0 in it."""
    document = json.loads(main("log", "start", "--json", *option, str(data))[1])
    assert (document["verdict"], document["assumed"]) == (verdict, ["release", "role", *assumed])


@pytest.mark.parametrize("chosen", [("--as-kafka", "4.0"), ("--role", "broker", "--as-kafka", "3.9")])
def test_kraft_does_not_start_without_meta_properties(main: Main, copy: Path, chosen: tuple[str, ...]) -> None:
    """Kafka 4.4.0 and 3.9.2 say so in MetaPropertiesEnsemble.verify."""
    shutil.rmtree(copy / "__cluster_metadata-0")
    (copy / "meta.properties").unlink()
    status, out, _ = main("log", "start", *chosen, str(copy))
    assert status == 1
    assert "DOES NOT START: meta.properties" in out.splitlines()
    assert "No readable meta.properties files found." in out
    status, out, _ = main("log", "start", str(copy))
    assert status == 0
    assert "ASSUMED: a broker with ZooKeeper" in out
    assert "NOT LOOKED AT: what ZooKeeper has" in out


def test_a_segment_that_is_gone_with_its_indexes_is_told(main: Main, copy: Path) -> None:
    for kind in ("log", "index", "timeindex"):
        (copy / "orders-0" / f"{39:020}.{kind}").unlink()
    status, said = lines(main, "start", copy)
    assert status == 1
    assert f"orders-0/{79:020}.log: the offsets 39 to 78 are in no segment" in one(said)


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
    mark(copy, "log-start-offset-checkpoint", "orders 0 99999")
    status, said = lines(main, "start", copy)
    assert status == 1
    assert "the log would end below its start: all of it is removed, and it begins again at 99999" in said
    assert "7,253 bytes lost" in said[-1]


def test_a_broken_batch_that_a_start_does_not_read_is_told(main: Main, copy: Path) -> None:
    DAMAGES["payload-bit-in-first-segment"](copy / "orders-0")
    status, said = lines(main, "start", copy)
    assert status == 1
    assert any(line.startswith(f"STAYS BROKEN: orders-0/{0:020}.log, byte 359, offset 6: crc") for line in said)
    assert said[-1].endswith(", 1 file with broken batches that stay")


def test_of_many_broken_files_the_first_are_told_and_the_others_counted(main: Main, copy: Path) -> None:
    for path in copy.glob("*-0/*.log"):
        path.write_bytes(path.read_bytes()[:-1])
    of_all = [line for line in lines(main, "start", "--all", copy)[1] if "THE MARKER LIES" in line]
    status, said = lines(main, "start", copy)
    assert status == 1
    first = [at for at, line in enumerate(said) if "THE MARKER LIES" in line]
    assert [said[at] for at in first] == of_all[:3]
    assert said[first[-1] + 1] == f"  and {len(of_all) - 3} more files; --all lists each"


def test_a_log_that_ends_below_its_high_watermark_is_told(main: Main, copy: Path) -> None:
    last(copy / "orders-0", "log").unlink()
    status, said = lines(main, "start", copy)
    assert status == 1
    assert "it ends too early: the high watermark was 120, and offsets 79 to 119 are gone" in said
    assert any(line.startswith("NO SEGMENT: orders-0/00000000000000000079.index") for line in said)


def test_a_segment_with_the_transaction_index_of_another_is_read_and_cut(main: Main, copy: Path) -> None:
    index = first(copy / "payments-0", "txnindex")
    index.write_bytes(bytes(34) + index.read_bytes())
    DAMAGES["payload-bit-in-first-segment"](copy / "orders-0")
    segment = index.with_suffix(".log")
    content = segment.read_bytes()
    segment.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    status, said = lines(main, "start", copy)
    assert status == 1
    assert any(f"{segment.name} is read and cut, and its indexes are rebuilt: its .txnindex" in line for line in said)


def test_the_marker_of_a_clean_stop_says_nothing_of_the_metadata_log(main: Main, copy: Path) -> None:
    """Kafka 4.4.0 recovers it at each start, and cuts what is half a batch."""
    log = last(copy / "__cluster_metadata-0", "log")
    log.write_bytes(log.read_bytes()[:-5])
    status, said = lines(main, "start", copy)
    assert status == 1
    assert "__cluster_metadata-0: recovered from offset 0, as at every start" in said
    assert not any("LIES" in line for line in said)


def test_a_start_is_of_a_data_directory(main: Main, data: Path) -> None:
    assert main("log", "start", str(data / "orders-0"))[0] == 2


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
