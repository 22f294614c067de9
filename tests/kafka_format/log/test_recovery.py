"""Recovery agrees with Kafka 4.4, on directories of real brokers, sound and damaged."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from kafka_format.errors import FormatError
from kafka_format.log import transaction_index
from kafka_format.log.indexes import OffsetIndex, TimeIndex
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.offset_lookup import LookupOutcome, find_offset
from kafka_format.log.partition import PartitionLog
from kafka_format.log.producer_states import read_snapshot
from kafka_format.log.recovery import Fate, Recovery, recover
from kafka_format.log.time_lookup import find_time
from kafka_generator.log_vectors.damages import DAMAGES

from tests.kafka_format.log import real
from tests.kafka_format.log.test_lookups import batch, folder_of

INTERVAL = 300
"""index.interval.bytes of the topics, as `OpenLogs.java` has it."""

UNREAD = {"payload-bit-in-last-segment-0", "no-time-index-and-payload-bit-0"}
"""Kafka reads a compressed batch up to the record that it looks for, and does not meet what is
broken after it."""

DAMAGED = "kafka-4.4.0-stopped"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real.unpack(DAMAGED, tmp_path_factory.mktemp("sound"))


@pytest.fixture
def damaged(request: pytest.FixtureRequest, sound: Path, tmp_path: Path) -> Path:
    """A damaged copy of `orders-0`; its topic is the name of the damage."""
    folder = shutil.copytree(sound / "orders-0", tmp_path / f"{request.param}-0")
    DAMAGES[request.param](folder)
    return folder


def outcome(recovery: Recovery) -> dict[str, Any]:
    """What `OpenLogs.java` tells of a log."""
    segments = [each for each in recovery.segments if each.fate is not Fate.REMOVED]
    return {
        "start_offset": recovery.start_offset,
        "end_offset": recovery.end_offset,
        "segments": [[each.segment.base_offset, each.valid_bytes] for each in segments],
        "epochs": [list(row) for row in recovery.epochs],
    }


def files(recovery: Recovery) -> dict[str, str]:
    """The indexes that recovery builds, in hex by their names; a transaction index only where it
    has entries."""
    found = {}
    for each in recovery.segments:
        if each.fate in {Fate.KEPT, Fate.CUT}:
            base = each.segment.base_offset
            found[f"{base:020}.index"] = OffsetIndex.encode(each.offset_entries, base).hex()
            found[f"{base:020}.timeindex"] = TimeIndex.encode(each.time_entries, base).hex()
            if each.aborted:
                found[f"{base:020}.txnindex"] = transaction_index.encode(each.aborted).hex()
    return found


def check(log: PartitionLog, expected: dict[str, Any]) -> None:
    recovery = recover(log, index_interval=INTERVAL)
    actual = outcome(recovery)
    assert actual == {key: expected[key] for key in actual}
    built = files(recovery)
    assert built == {name: expected["files"][name] for name in built}
    snapshots = {name: data for name, data in expected["files"].items() if name.endswith(".snapshot")}
    compared = {int(name[:20]): data for name, data in snapshots.items() if int(name[:20]) in recovery.snapshots}
    assert recovery.end_offset in compared
    for offset, data in compared.items():
        assert sorted(read_snapshot(recovery.snapshots[offset])) == sorted(read_snapshot(bytes.fromhex(data)))


def test_logs_of_brokers_are_recovered_as_kafka_does(directory: Path) -> None:
    for name, openings in real.answers(directory.name)["opened"].items():
        with PartitionLog(directory / name) as log:
            check(log, openings["crashed"])


CUT_BEFORE_READING = {name for name in DAMAGES if name.startswith("no-offset-index-and-")}
"""Kafka's answers about them are those of files that a start has changed."""

_FAILURES = {"IllegalArgumentException": Fate.FAILS, "InvalidOffsetException": Fate.UNINDEXED}


@pytest.mark.parametrize("damaged", sorted(DAMAGES), indirect=True)
def test_damaged_logs_are_recovered_as_kafka_does(damaged: Path) -> None:
    expected = real.answers(DAMAGED)["damaged"][damaged.name]["crashed"]
    with PartitionLog(damaged) as log:
        if "error" in expected:
            fates = {each.fate for each in recover(log, index_interval=INTERVAL).segments}
            assert _FAILURES[expected["error"]] in fates
        elif damaged.name == "last-batch-ten-times-0":
            recovery = recover(log, index_interval=INTERVAL)
            assert outcome(recovery) == {key: expected[key] for key in outcome(recovery)}
        else:
            check(log, expected)


@pytest.mark.parametrize("damaged", sorted(DAMAGES), indirect=True)
def test_a_clean_stop_spares_no_segment_without_an_index(damaged: Path) -> None:
    expected = real.answers(DAMAGED)["damaged"][damaged.name]["clean"]
    if "error" in expected and expected["error"] not in _FAILURES:
        pytest.skip("the last segment cannot be read to its end, so a start fails before all else")
    with PartitionLog(damaged, padded=True) as log:
        recovery = recover(log, index_interval=INTERVAL, is_clean=True)
        stays = {each.segment.base_offset: each.valid_bytes for each in recovery.segments}
        fates = {each.fate for each in recovery.segments}
        if "error" in expected:
            assert _FAILURES[expected["error"]] in fates
        else:
            sizes = [[each.base_offset, stays.get(each.base_offset, each.size)] for each in log.segments]
            assert (sizes, recovery.end_offset) == (expected["segments"], expected["end_offset"])


@pytest.mark.parametrize("damaged", sorted(set(DAMAGES) - CUT_BEFORE_READING), indirect=True)
def test_damaged_logs_are_read_as_kafka_reads_them_after_a_clean_stop(damaged: Path) -> None:
    expected = real.answers(DAMAGED)["damaged"][damaged.name]["clean"]
    with PartitionLog(damaged, padded=True) as log:
        if "error" in expected:
            with pytest.raises(FormatError):
                log.end_offset  # noqa: B018 - it is computed
            return
        assert log.end_offset == expected["end_offset"]
        assert [read(log, target) for target, *_ in expected["reads"]] == expected["reads"]
        times = [time(log, target) for target, *_ in expected["times"]]
        if damaged.name in UNREAD:
            expected["times"] = [
                ours if ours[1:] == ["KafkaException"] else row
                for ours, row in zip(times, expected["times"], strict=True)
            ]
        assert times == expected["times"]


def read(log: PartitionLog, target: int) -> list[object]:
    try:
        lookup = find_offset(log, target)
    except FormatError:
        return [target, "CorruptRecordException"]
    if lookup.batch is not None:
        return [target, lookup.scans[-1].segment.base_offset, lookup.batch.position, lookup.batch.base_offset]
    if lookup.outcome is not LookupOutcome.AT_END:
        return [target, "OffsetOutOfRangeException"]
    return [target, log.segments[-1].base_offset, log.segments[-1].size, target]


def time(log: PartitionLog, target: int) -> list[object]:
    try:
        return [target, *(find_time(log, target).record or ())]
    except FormatError:
        return [target, "KafkaException"]


def test_segments_below_the_recovery_point_are_not_looked_at(tmp_path: Path) -> None:
    broken = batch(0, 1000)[:-1] + b"\1"
    folder = folder_of(tmp_path, _0=broken, _1=batch(1, 1000), _2=batch(2, 1000))
    for base in range(3):
        (folder / segment_name(base, FileKind.OFFSET_INDEX)).touch()
    with PartitionLog(folder) as log:
        assert [each.fate for each in recover(log).segments] == [Fate.CUT, Fate.REMOVED, Fate.REMOVED]
        recovery = recover(log, recovery_point=1)
        assert ([each.fate for each in recovery.segments], recovery.end_offset) == ([Fate.KEPT, Fate.KEPT], 3)
        assert recover(log).lost_bytes == len(broken) + 2 * len(batch(1, 1000))


def test_a_log_that_ends_below_its_start_is_removed(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, _0=batch(0, 1000))
    (tmp_path / "log-start-offset-checkpoint").write_bytes(b"0\n1\norders 0 7\n")
    with PartitionLog(folder) as log:
        recovery = recover(log)
    assert (recovery.emptied, recovery.start_offset, recovery.end_offset, recovery.epochs) == (True, 7, 7, ())


def test_an_empty_folder_needs_no_recovery(tmp_path: Path) -> None:
    with PartitionLog(folder_of(tmp_path)) as log:
        assert recover(log).segments == ()


@pytest.mark.parametrize(
    ("offsets", "goes_back", "emptied_at_0"),
    [((0, 1, 2, 3), None, False), ((0, 1, 3, 2), 2, True), ((3, 2, 4), None, False), ((0, 2, 2), 2, True)],
)
def test_where_offsets_go_back_the_interval_decides(
    tmp_path: Path, offsets: tuple[int, ...], goes_back: int | None, emptied_at_0: bool
) -> None:
    """The first batch has no entry, so nothing is held against it (OffsetIndex.append)."""
    folder = folder_of(tmp_path, _0=b"".join(batch(offset, 1000) for offset in offsets))
    (folder / segment_name(0, FileKind.OFFSET_INDEX)).touch()
    with PartitionLog(folder) as log:
        (usual,) = recover(log).segments
        assert (usual.fate, usual.goes_back) == (Fate.KEPT, goes_back)
        (often,) = recover(log, index_interval=0).segments
        assert (often.fate is Fate.EMPTIED) is emptied_at_0
