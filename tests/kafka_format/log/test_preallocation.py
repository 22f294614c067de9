"""Zeros at the end of a log are room where something tells that the file was preallocated."""

from pathlib import Path

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.kraft import FOLDER
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.recovery import recover
from kafka_format.log.rescue import find_sound
from kafka_format.log.verification import verify_partition

from tests.kafka_format.logs import batch

MIB = 1 << 20
SIZE = len(batch(0))
FILLED = {f"_{base}": batch(base) + batch(base + 1) for base in (0, 2, 4)}
"""Three segments that ended since a third batch would have made them longer than 2 * SIZE."""


def segments(folder: Path, **contents: bytes) -> Path:
    folder.mkdir(parents=True)
    for base, content in contents.items():
        (folder / segment_name(int(base[1:]), FileKind.SEGMENT)).write_bytes(content)
        (folder / segment_name(int(base[1:]), FileKind.OFFSET_INDEX)).touch()
    return folder


def broken(folder: Path) -> list[str]:
    return [each.rule for each in verify_partition(folder) if each.rule != "log.time-index.last"]


def lost(folder: Path) -> int:
    with PartitionLog(folder) as log:
        return recover(log).lost_bytes


def padded(content: bytes, size: int) -> bytes:
    return content + bytes(size - len(content))


@pytest.mark.parametrize(
    "contents",
    [
        {"_0": padded(batch(0), MIB)},
        {"_0": padded(batch(0), 20_000)},  # as 2.8.2 leaves a log of segment.bytes=20000
        {**FILLED, "_6": padded(batch(6), 2 * SIZE)},
        {**FILLED, "_6": padded(batch(6), 3 * SIZE - 1)},
    ],
)
def test_room_breaks_no_rule_and_is_no_loss(tmp_path: Path, contents: dict[str, bytes]) -> None:
    folder = segments(tmp_path / "orders-0", **contents)
    assert (broken(folder), lost(folder)) == ([], 0)
    with PartitionLog(folder) as log:
        assert [each for rescue in find_sound(log) for each in rescue.losses] == []


@pytest.mark.parametrize(
    "contents",
    [
        {"_0": padded(batch(0), MIB - 1)},
        {"_0": padded(batch(0), 20_001)},
        {"_0": padded(batch(0), MIB - 1) + b"1"},
        {"_0": padded(batch(0), MIB), "_9": batch(9)},
        {**FILLED, "_6": padded(batch(6), 3 * SIZE)},
        {**FILLED, "_6": padded(batch(6)[:40], 2 * SIZE)},
        {"_0": batch(0) + batch(1), "_2": padded(batch(2), 2 * SIZE)},
    ],
)
def test_other_zeros_are_told(tmp_path: Path, contents: dict[str, bytes]) -> None:
    folder = segments(tmp_path / "orders-0", **contents)
    assert broken(folder)
    assert lost(folder) > 0


def test_two_logs_that_are_as_long_and_end_in_zeros_were_preallocated(tmp_path: Path) -> None:
    folders = [segments(tmp_path / f"orders-{number}", _0=padded(batch(0), 3000)) for number in range(2)]
    assert [broken(folder) for folder in folders] == [[], []]
    (folders[1] / segment_name(0, FileKind.SEGMENT)).write_bytes(padded(batch(0), 3001))
    assert [broken(folder) for folder in folders] == [["entry.size.minimum"], ["entry.size.minimum"]]


def test_a_clean_stop_leaves_no_room(tmp_path: Path) -> None:
    folder = segments(tmp_path / "orders-0", _0=padded(batch(0), MIB))
    (tmp_path / ".kafka_cleanshutdown").touch()
    assert broken(folder) == ["entry.size.minimum"]


@pytest.mark.parametrize(("value", "rules"), [("true", []), ("false", ["entry.size.minimum"])])
def test_metadata_tells_which_topics_are_preallocated(tmp_path: Path, value: str, rules: list[str]) -> None:
    folder = segments(tmp_path / "orders-0", _0=padded(batch(0), 3000))
    texts = b"".join(bytes([len(each) + 1]) + each.encode() for each in ("orders", "preallocate", value))
    config_record = b"\x01\x04\x00\x02" + texts + b"\x00"
    segments(tmp_path / FOLDER, _0=batch(0, records=[{"value": config_record}]))
    assert broken(folder) == rules
