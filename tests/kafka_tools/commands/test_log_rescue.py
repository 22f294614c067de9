"""`kafka-format log recover` and `rescue`."""

import shutil
from pathlib import Path

from kafka_format.log.batches import batches
from kafka_format.log.names import FileKind, segment_name
from kafka_generator.log_vectors.damages import DAMAGES

from tests.command_line import Main
from tests.kafka_format.log.test_lookups import batch
from tests.kafka_tools.commands.log_data import first, lines


def test_what_a_start_after_a_crash_would_cost(main: Main, data: Path, tmp_path: Path) -> None:
    """Seen with 4.4.0: one bit in the first segment, and the log ends at 6."""
    folder = shutil.copytree(data / "orders-0", tmp_path / "copy-0")
    DAMAGES["payload-bit-in-first-segment"](folder)
    status, out, _ = main("log", "recover", str(folder))
    lines = out.splitlines()
    assert status == 1
    assert "342 of 2,364 bytes stay, the next offset is 6" in lines[1]
    assert "[v2.crc.covers-attributes-to-end]" in lines[2]
    assert [line.split(": ")[1] for line in lines[3:5]] == ["removed, because an earlier segment was cut"] * 2
    assert lines[5] == "lost: 6,911 bytes, offsets 6 to 119, if the batches after the fault are where they seem"


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


def test_a_checkpoint_that_cannot_be_read_is_one_message(main: Main, data: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    (folder / "leader-epoch-checkpoint").write_bytes(b"0\nx\n")
    status, _, err = main("log", "recover", str(folder))
    assert (status, "log.checkpoint.count" in err) == (2, True)
    (tmp_path / "log-start-offset-checkpoint").write_bytes(b"broken")
    assert main("log", "find", str(folder), "--offset", "0")[0] == 0


def test_rescue_says_what_is_lost_and_writes_the_rest(main: Main, copy: Path, tmp_path: Path) -> None:
    DAMAGES["payload-bit-in-first-segment"](copy / "orders-0")
    status, said = lines(main, "rescue", copy / "orders-0", "--out", tmp_path / "rescued" / "orders-0")
    assert status == 1
    assert "      offsets 6 to 6 are missing" in said
    segments = len(list((copy / "orders-0").glob("*.log")))
    assert said[1].startswith(f"  {segments - 1} segments whole: ")
    assert "rescued: 119 records, 7,149 bytes; lost: 104 bytes" in said
    assert "offsets 0 to 6 were deleted before" in said[-2]
    assert lines(main, "verify", tmp_path / "rescued" / "orders-0") == (0, ["no rule is broken"])


def test_rescue_tells_of_the_first_broken_batches_unless_all_are_asked_for(main: Main, copy: Path) -> None:
    path = first(copy / "orders-0", "log")
    content = bytearray(path.read_bytes())
    for each in list(batches(bytes(content)))[1:10:2]:
        content[each.end - 1] ^= 1
    path.write_bytes(content)
    of_all, said = lines(main, "rescue", "--all", copy / "orders-0")[1], lines(main, "rescue", copy / "orders-0")[1]
    assert [sum(" are lost: " in line for line in each) for each in (of_all, said)] == [5, 3]
    assert "  and 2 more places; --all lists each" in said
    assert of_all[-1] == said[-1]


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


def test_of_offsets_that_go_back_nothing_is_promised(main: Main, tmp_path: Path) -> None:
    """Whether Kafka empties the segment is decided by index.interval.bytes (OffsetIndex.append)."""
    folder = tmp_path / "swapped-0"
    folder.mkdir()
    (folder / segment_name(0, FileKind.SEGMENT)).write_bytes(b"".join(batch(offset, 1000) for offset in (0, 5, 4)))
    status, out, _ = main("log", "recover", str(folder))
    assert (status, "nothing is lost" in out) == (1, False)
    assert "perhaps lost: 00000000000000000000.log, in which offsets go back at 4" in out
