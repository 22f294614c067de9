"""`kafka-format log find`, on directories of real brokers."""

from pathlib import Path

import pytest
from kafka_format.log.names import FileKind, segment_name
from kafka_generator.log_vectors.damages import DAMAGES

from tests.command_line import Main
from tests.kafka_format.log.test_lookups import batch
from tests.kafka_tools.commands.log_data import lines, mark


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


def test_an_offset_whose_batch_stands_out_of_order(main: Main, tmp_path: Path) -> None:
    folder = tmp_path / "swapped-0"
    folder.mkdir()
    (folder / segment_name(0, FileKind.SEGMENT)).write_bytes(batch(0, 1000) + batch(5, 1000) + batch(4, 1000))
    _, said = lines(main, "find", folder, "--offset", "4")
    assert "its batch is not in its place (00000000000000000000.log, byte" in said[-1]


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
    mark(copy, "cleaner-offset-checkpoint", "prices 0 10")
    _, said = lines(main, "find", copy / "orders-0", "--offset", "50")
    assert any("it was not compacted, so bytes are lost" in line for line in said)
    mark(copy, "cleaner-offset-checkpoint", "orders 0 10")
    _, said = lines(main, "find", copy / "orders-0", "--offset", "50")
    assert any("compaction took its whole batch" in line for line in said)
    (copy / "cleaner-offset-checkpoint").unlink()
    _, said = lines(main, "find", copy / "orders-0", "--offset", "50")
    assert any("in a topic that is not compacted, they are lost" in line for line in said)


@pytest.mark.parametrize(
    ("partition", "offset", "words"),
    [
        ("orders-0", 6, "why: the log starts at 7, by retention or DeleteRecords; the bytes are still there"),
        ("prices-0", 3, "why: compaction took its whole batch: the next one that is left begins above it"),
        ("prices-0", 3, "  00000000000000000000.log.deleted still has it: key b'product-3', a value of 7 bytes"),
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
