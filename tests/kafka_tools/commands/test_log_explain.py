"""`kafka-format log explain`, on files of real brokers and on others."""

from pathlib import Path

import pytest
from kafka_format.log.batches import batches
from kafka_format.log.names import FileKind, segment_name

from tests.command_line import Main


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
