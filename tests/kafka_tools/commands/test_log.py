"""`kafka-format log`: what all its commands have in common."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka_format.log.names import FileKind, segment_name

from tests.command_line import Main


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("find", "{data}/orders-0"), "give either --offset or --time"),
        (("find", "{data}/orders-0", "--offset", "1", "--time", "1"), "give either --offset or --time"),
        (("stat", "{empty}"), "has no folders of partitions"),
        (("stat", "{data}/meta.properties"), "is not a segment"),
        (("explain", "{data}/orders-0"), "is a folder"),
        (("producers", "{empty}"), "has no folders of partitions"),
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


def test_a_segment_that_is_missed_is_told_by_its_index(main: Main, tmp_path: Path, data: Path) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    (folder / "00000000000000000039.log").unlink()
    status, out, _ = main("log", "verify", str(folder))
    assert status == 1
    assert "no other one has the offsets 39 to 78: was it lost?" in out


NONE = "has no partition"
PLACES = ("data", "nodes", "bare", "partition", "segment")
ANSWERS = {
    "verify": ((0, "no rule"), (0, "no rule"), (1, "has no folder"), (0, "no rule"), (0, "no rule")),
    "stat": ((0, "7 partitions"), (0, "14 partitions"), (0, "0 partitions"), (0, "codecs"), (0, "codecs")),
    "origin": ((0, "by 4.4"), (0, "two:\n"), (0, "by 3.7"), (0, "by 2.8"), (0, "by 2.8")),
    "leftovers": ((0, "6 left"), (0, "12 left"), (0, "nothing is left"), (0, "nothing is left"), (2, "is a file")),
    "recover": ((0, "orders-0: n"), (0, "two/orders-0: n"), (0, NONE), (0, "nothing is lost"), (0, "nothing is lost")),
    "rescue": ((0, "orders-0: r"), (0, "two/orders-0: r"), (0, NONE), (0, "120 records"), (0, "39 records")),
    "retention": ((0, "segments would"), (0, "segments would"), (0, NONE), (0, "segments would"), (0, "segment would")),
    "indexes": ((0, "to be trusted"), (0, "to be trusted"), (0, NONE), (0, "to be trusted"), (0, "to be trusted")),
    "transactions": ((1, "`first`"), (1, "`first`"), (0, NONE), (0, "no transaction"), (0, "no transaction")),
    "producers": ((0, "nothing is odd"), (0, "11 others"), (0, NONE), (0, "nothing is odd"), (0, "nothing is odd")),
    "find --offset 9": ((0, "orders-0: 0"), (0, "two/orders-0: 0"), (0, NONE), (0, "offset 9"), (0, "offset 9")),
    "find --time 1": ((0, "offset 7"), (0, "offset 7"), (0, NONE), (0, "offset 7"), (0, "offset 0")),
    "dump": ((0, "Dumping"), (0, "Dumping"), (0, NONE), (0, "Dumping"), (0, "Dumping")),
    "explain": ((2, "is a folder"), (2, "is a folder"), (2, "is a folder"), (2, "is a folder"), (0, "base_offset")),
    "quorum": (
        (0, "complete"),
        (0, "two/__cl"),
        (2, "no metadata log"),
        (2, "no metadata log"),
        (2, "no metadata log"),
    ),
    "metadata": (
        (0, "orders"),
        (0, "two/__cl"),
        (2, "no metadata log"),
        (2, "no metadata log"),
        (2, "no metadata log"),
    ),
    "groups": ((0, "readers"), (0, "readers"), (2, "no partition of"), (2, "no partition of"), (2, "is a file")),
    "remote": ((2, "no partition of"),) * 4 + ((2, "is a file"),),
    "start": ((0, "nothing lost"), (0, "nothing lost"), (1, "DOES NOT START"), (2, "is a partition"), (2, "is a file")),
}
"""What each command answers about each kind of place: its exit status, and words that it says."""


@pytest.fixture(scope="module")
def places(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A data directory, a folder of two, one without partitions, a partition, and a segment."""
    folder = tmp_path_factory.mktemp("places")
    for name in ("one", "two"):
        shutil.copytree(data, folder / "nodes" / name)
    (folder / "bare").mkdir()
    for file in (each for each in data.iterdir() if each.is_file()):
        shutil.copy(file, folder / "bare")
    partition = data / "orders-0"
    return {
        "data": data,
        "nodes": folder / "nodes",
        "bare": folder / "bare",
        "partition": partition,
        "segment": partition / segment_name(0, FileKind.SEGMENT),
    }


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", ANSWERS)
def test_every_command_answers_about_every_place(main: Main, places: dict[str, Path], command: str, place: str) -> None:
    status, out, err = main("log", *command.split(), str(places[place]))
    expected, words = ANSWERS[command][PLACES.index(place)]
    assert (status, words in out + err) == (expected, True), out + err


@pytest.mark.parametrize("command", [name for name in ANSWERS if name not in {"start", "explain", "groups", "remote"}])
def test_a_partition_that_cannot_be_read_hides_no_other(
    main: Main, copy: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root may read all, the refusal is played."""
    listed = Path.iterdir

    def refuse(path: Path) -> Iterator[Path]:
        if path.name == "orders-0":
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    status, out, err = main("log", *command.split(), str(copy))
    if command not in {"metadata", "quorum"}:  # these do not look at it
        assert status == 2
    if command == "origin":
        assert "by 4.4" in out
    elif command not in {"metadata", "quorum"}:
        assert "orders-0" in err
        assert "Permission denied" in err
        assert "payments-0" in out or command in {"verify", "leftovers", "producers"}


def test_replicas_in_data_directories_are_compared_by_name(main: Main, places: dict[str, Path]) -> None:
    two = places["nodes"] / "two"
    status, out, _ = main("log", "compare", str(places["nodes"] / "one"), str(two))
    assert (status, out) == (0, "7 partitions without a difference; in one directory alone: 0\n")
