"""Offsets that no batch covers, in the statistics of a partition: where, and what they mean."""

from pathlib import Path

import pytest
from kafka_format import records
from kafka_format.log import PartitionLog, statistics
from kafka_format.log.builder import LogBuilder
from kafka_format.log.text.checkpoints import CLEANER_FILE
from kafka_format.records import Record
from kafka_tools.logs import holes, tables

SIZE = len(records.encode([Record(0, 5)]))


def lines(folder: Path) -> list[str]:
    with PartitionLog(folder) as log:
        return list(holes.lines(log, statistics.of_log(log)))


def written(folder: Path, *segments: list[int]) -> Path:
    """Write batches of one record each; a segment has the offsets of a list."""
    log = LogBuilder(folder / "orders-0", segments[0][0])
    for number, offsets in enumerate(segments):
        if number:
            log.roll()
        for offset in offsets:
            log.append(records.encode([Record(offset, 5)]))
    log.close()
    return folder / "orders-0"


def test_a_log_without_holes_has_nothing_to_say(tmp_path: Path) -> None:
    assert lines(written(tmp_path, [4, 5], [6, 7])) == []


def test_each_hole_has_its_offsets_and_its_place(tmp_path: Path) -> None:
    assert lines(written(tmp_path, [0, 1, 5], [7, 9])) == [
        "missing offsets, in 3 places:",
        f"  2 to 4: before the batch at byte {2 * SIZE} of segment 0",
        "  6: between the segments 0 and 6",
        f"  8: before the batch at byte {SIZE} of segment 6",
        "  Compaction leaves such holes. If the topic is not compacted, records were lost.",
    ]


def test_many_holes_are_counted(tmp_path: Path) -> None:
    said = lines(written(tmp_path, list(range(0, 40, 2)), list(range(39, 60, 3))))
    assert said[0] == "missing offsets, in 25 places:"
    assert said[-2] == "  and 20 more places"
    assert len(said) == 8


@pytest.mark.parametrize("segments", [([4, 7, 6, 9],), ([4, 5], [5, 9])], ids=["in a segment", "in two segments"])
def test_where_offsets_go_back_none_is_called_missing(tmp_path: Path, segments: tuple[list[int], ...]) -> None:
    folder = written(tmp_path, *segments)
    assert lines(folder) == []
    with PartitionLog(folder) as log:
        assert "offsets go back" in [*tables.lines(statistics.of_log(log))][-1]


def test_the_checkpoint_of_the_cleaner_tells_that_the_broker_did_not_compact(tmp_path: Path) -> None:
    folder = written(tmp_path, [0, 3])
    (tmp_path / CLEANER_FILE).write_text("0\n0\n")
    assert "never compacted" in lines(folder)[-2]
    (tmp_path / CLEANER_FILE).write_text("0\n1\norders 0 3\n")
    assert "Compaction leaves" in lines(folder)[-1]


@pytest.mark.parametrize("magic", [0, 1])
def test_messages_inside_a_compressed_one_are_not_missing(tmp_path: Path, magic: int) -> None:
    log = LogBuilder(tmp_path / "orders-0", 3)
    for first in (3, 6):
        inner = [Record(first + index, 5 if magic else -1, timestamp_type=magic - 1) for index in range(3)]
        log.append(records.encode(inner, magic=magic, codec="gzip"))
    log.close()
    assert lines(log.folder) == []
    with PartitionLog(log.folder) as opened:
        [segment] = statistics.of_log(opened)
    assert (segment.first_offset, segment.last_offset, segment.missing) == (3, 8, 0)
