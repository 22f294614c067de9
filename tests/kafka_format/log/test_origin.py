"""The release that wrote a directory is among those named, and a clean stop is no crash."""

from itertools import chain
from pathlib import Path

import pytest
from kafka_format.log.origin import evidence, is_open
from kafka_format.log.partition import PartitionLog
from kafka_format.log.verification.directory import partition_folders
from kafka_format.spec.layout.release_names import numbers

from tests.kafka_format.log import real

CASES = list(chain.from_iterable([(release, state) for state in real.SOUND_STATES] for release in real.SOUND_RELEASES))


@pytest.mark.parametrize(("release", "state"), CASES)
def test_the_release_is_among_those_named(release: str, state: str, tmp_path: Path) -> None:
    data = real.unpack_sound(release, state, tmp_path)
    folders = partition_folders(data)
    found = evidence(folders, data)
    since = max((each.since for each in found), key=numbers)
    until = min((each.until for each in found if each.until), key=numbers, default="99")
    minor = numbers(release)[:3] if release.startswith("0.") else numbers(release)[:2]
    assert numbers(since) <= minor
    assert numbers(until)[: len(minor)] >= minor[: len(numbers(until))]


@pytest.mark.parametrize("state", ["stopped", "recovered"])
@pytest.mark.parametrize("release", real.SOUND_RELEASES)
def test_a_clean_stop_is_no_crash(release: str, state: str, tmp_path: Path) -> None:
    data = real.unpack_sound(release, state, tmp_path)
    for folder in partition_folders(data):
        with PartitionLog(folder) as log:
            assert not is_open(log) or folder.name == "__cluster_metadata-0"


def test_what_is_left_of_a_deleted_topic_tells_nothing(tmp_path: Path) -> None:
    """Nobody closes it, and its producer snapshots go first."""
    folder = real.unpack_sound("4.4.0", "killed", tmp_path) / "plain-0"
    deleted = folder.rename(tmp_path / f"plain-0.{'a' * 32}-delete")
    assert evidence([deleted]) == []
    with PartitionLog(deleted) as log:
        assert not is_open(log)


@pytest.mark.parametrize("release", ["0.11.0.3", "2.8.2", "4.4.0"])
def test_a_log_that_is_written_to_is_open(release: str, tmp_path: Path) -> None:
    with PartitionLog(real.unpack_sound(release, "killed", tmp_path) / "plain-0") as log:
        assert is_open(log)


@pytest.mark.parametrize(("release", "since"), [("0.9.0.1", "0.9"), ("2.4.1", "2.1"), ("4.4.0", "3.4")])
def test_records_of_coordinators_tell_the_least_release(release: str, since: str, tmp_path: Path) -> None:
    """Kafka's schemas of OffsetCommitValue: 0 and 1 since 0.9, 3 since 2.1, 4 since 3.4."""
    offsets = real.unpack_sound(release, "stopped", tmp_path) / "__consumer_offsets-0"
    found = {each.since for each in evidence([offsets]) if "offset commit value" in each.what}
    assert found == {since}


@pytest.mark.parametrize("release", ["0.8.2.2", "2.8.2", "4.4.0"])
def test_what_a_copy_left_out_tells_no_release(release: str, tmp_path: Path) -> None:
    """Segments alone were copied: what is missing beside them says nothing of their age."""
    data = real.unpack_sound(release, "stopped", tmp_path)
    for file in list(data.rglob("*")):
        if file.is_file() and file.suffix != ".log":
            file.unlink()
    assert [each for each in evidence(partition_folders(data), data) if each.until] == []


def test_bytes_that_are_no_batches_tell_no_release(tmp_path: Path) -> None:
    (tmp_path / "orders-0").mkdir()
    (tmp_path / "orders-0" / "00000000000000000000.log").write_bytes(b"nothing of Kafka's" * 9)
    (tmp_path / "replication-offset-checkpoint").write_text("0\n0\n", encoding="utf-8")
    assert evidence([tmp_path / "orders-0"], tmp_path) == []
