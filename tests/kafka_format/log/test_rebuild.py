"""What is rebuilt: the files that Kafka's recovery leaves, and nothing in the log's folder."""

import hashlib
from pathlib import Path

import pytest
from kafka_format.log import rebuild
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.partition import PartitionLog
from kafka_format.log.recovery import Fate, recover

from tests.kafka_format.log import real
from tests.kafka_format.log.test_lookups import batch, folder_of
from tests.kafka_format.log.test_recovery import INTERVAL


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_the_files_are_those_of_kafka_and_the_log_stays_as_it_is(directory: Path, tmp_path: Path) -> None:
    before = digests(directory / "payments-0")
    with PartitionLog(directory / "payments-0") as log:
        written = rebuild.write(recover(log, index_interval=INTERVAL), tmp_path / "new", segments=True)
        sizes = {segment.path.name: segment.size for segment in log.segments}
    assert digests(directory / "payments-0") == before
    expected = real.answers(directory.name)["opened"]["payments-0"]["crashed"]["files"]
    actual = {path.name: path.stat().st_size if path.suffix == ".log" else path.read_bytes().hex() for path in written}
    compared = {name for name in actual if not name.endswith(".snapshot")}  # their order is that of a hash map
    assert {name: actual[name] for name in compared} == {name: expected[name] for name in compared}
    assert {name: actual[name] for name in sizes} == sizes


def test_what_is_rescued_loses_nothing_more(tmp_path: Path) -> None:
    """The batch that is broken goes, and what was before it is a sound log with the same
    offsets."""
    data = batch(5, 1000, 3) + batch(8, 2000) + batch(9, 3000)[:-1]
    folder = folder_of(tmp_path, _5=data, _10=batch(10, 4000))
    for base in (5, 10):
        (folder / segment_name(base, FileKind.OFFSET_INDEX)).touch()
    with PartitionLog(folder) as log:
        rebuild.write(recover(log), tmp_path / "rescued-0", segments=True)
    with PartitionLog(tmp_path / "rescued-0") as rescued:
        recovery = recover(rescued)
        assert [each.fate for each in recovery.segments] == [Fate.KEPT]
        assert [found.last_offset for found in rescued.segments[0].batches()] == [7, 8]
        assert recovery.end_offset == 9


def test_a_folder_with_files_is_not_written_to(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, _0=batch(0, 1000))
    with PartitionLog(folder) as log, pytest.raises(FileExistsError, match="orders-0 is not empty"):
        rebuild.write(recover(log), folder)
