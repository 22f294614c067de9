"""Directories of real brokers break no rule, and a small damage breaks each."""

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from kafka_format.log.batches import batches
from kafka_format.log.names import kraft_snapshot_name
from kafka_format.log.verification import verify_directory, verify_partition
from kafka_format.spec.rules import rules
from kafka_generator.log_vectors.damages import DAMAGES

from tests.kafka_format.log import real
from tests.kafka_format.log.test_lookups import batch

Damage = Callable[[Path], object]
ORDERS, PAYMENTS = "orders-0/", "payments-0/"
LOG, INDEX, TIMES = "000000000000000000{:02}.log", "000000000000000000{:02}.index", "000000000000000000{:02}.timeindex"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real.unpack("kafka-3.9.2-stopped", tmp_path_factory.mktemp("sound") / "data")


def test_directories_of_brokers_break_no_rule(directory: Path) -> None:
    """Those that were copied while the broker ran neither."""
    assert list(verify_directory(directory)) == []


def test_nobody_keeps_the_leader_epochs_of_a_deleted_topic(sound: Path, tmp_path: Path) -> None:
    """A start of 3.9.2 leaves them so."""
    folder = shutil.copytree(sound / "orders-0", tmp_path / f"orders-0.{'a' * 32}-delete")
    (folder / "leader-epoch-checkpoint").write_text("0\n0\n")
    assert list(verify_partition(folder)) == []
    assert {each.rule for each in verify_partition(folder.rename(tmp_path / "orders-0"))} == {"log.epochs.batches"}


def put(name: str, at: int, data: str) -> Damage:
    """Write other bytes into a file; `at` counts from the end if it is negative."""

    def damage(root: Path) -> None:
        content = bytearray((root / name).read_bytes())
        start = at % len(content)
        content[start : start + len(bytes.fromhex(data))] = bytes.fromhex(data)
        (root / name).write_bytes(content)

    return damage


def append(name: str, data: bytes) -> Damage:
    return lambda root: (root / name).write_bytes((root / name).read_bytes() + data)


def text(name: str, content: str) -> Damage:
    return lambda root: (root / name).write_text(content, encoding="utf-8", newline="")


def renamed(old: str, new: str) -> Damage:
    return lambda root: (root / old).rename(root / new)


def of_orders(name: str) -> Damage:
    return lambda root: DAMAGES[name](root / "orders-0")


def replaced(name: str, data: bytes) -> Damage:
    return lambda root: (root / name).write_bytes(data)


def kraft_snapshot(root: Path, first: int, last: int) -> None:
    """Write the first three batches of a snapshot, header, records and footer, or some of them."""
    with zipfile.ZipFile(real.FOLDER / "kafka-4.4.0-stopped.zip") as archive:
        data = archive.read(f"__cluster_metadata-0/{kraft_snapshot_name(0, 0)}")
    parts = [each.data for each in batches(data)]
    (root / "__cluster_metadata-0" / kraft_snapshot_name(0, 0)).write_bytes(b"".join(parts[first:last]))


BROKEN: dict[str, Damage] = {
    "log.name.number": text(ORDERS + "abc.log", ""),
    "log.name.digits": renamed(ORDERS + LOG.format(79), ORDERS + "79.log"),
    "log.name.partition": renamed("orders-0", "orders"),
    "log.offset-index.size": append(ORDERS + INDEX.format(0), b"\1"),
    "log.offset-index.offset": put(ORDERS + INDEX.format(39), 0, "ffffffff"),
    "log.offset-index.position": put(ORDERS + INDEX.format(39), 4, "ffffffff"),
    "log.offset-index.rising": put(ORDERS + INDEX.format(0), 8, "00000001"),
    "log.offset-index.batch": put(ORDERS + INDEX.format(0), 4, "00000155"),
    "log.offset-index.covers": put(ORDERS + INDEX.format(0), 0, "00000001"),
    "log.offset-index.trimmed": append(ORDERS + INDEX.format(0), bytes(16)),
    "log.offset-index.present": lambda root: (root / ORDERS / INDEX.format(39)).unlink(),
    "log.time-index.size": append(ORDERS + TIMES.format(0), b"\1"),
    "log.time-index.offset": put(ORDERS + TIMES.format(39), 8, "ffffffff"),
    "log.time-index.rising": put(ORDERS + TIMES.format(0), 12, "0000000000000001"),
    "log.time-index.batch": put(ORDERS + TIMES.format(0), 7, "01"),
    "log.time-index.last": replaced(ORDERS + TIMES.format(39), b""),
    "log.time-index.trimmed": append(ORDERS + TIMES.format(0), bytes(12)),
    "log.transaction-index.version": put(PAYMENTS + "00000000000000000002.txnindex", 0, "0100"),
    "log.transaction-index.size": append(PAYMENTS + "00000000000000000002.txnindex", b"\0"),
    "log.transaction-index.offset": put(PAYMENTS + "00000000000000000002.txnindex", 18, "0000000000000001"),
    "log.transaction-index.rising": put(PAYMENTS + "00000000000000000002.txnindex", 34 + 18, "0000000000000002"),
    "log.transaction-index.aborted": put(PAYMENTS + "00000000000000000002.txnindex", 10, "0000000000000001"),
    "log.transaction-index.last-stable-offset": put(PAYMENTS + "00000000000000000002.txnindex", 26, "0000000000000003"),
    "log.snapshot.version": put(PAYMENTS + "00000000000000000032.snapshot", 0, "0002"),
    "log.snapshot.checksum": put(PAYMENTS + "00000000000000000032.snapshot", -1, "00"),
    "log.snapshot.count": replaced(PAYMENTS + "00000000000000000032.snapshot", bytes.fromhex("0001ba0cc8c400000001")),
    "log.snapshot.state": lambda root: shutil.copy(
        root / PAYMENTS / "00000000000000000002.snapshot", root / PAYMENTS / "00000000000000000032.snapshot"
    ),
    "log.snapshot.present": lambda root: (root / ORDERS / "00000000000000000039.snapshot").unlink(),
    "log.checkpoint.version": text("recovery-point-offset-checkpoint", "x\n"),
    "log.checkpoint.count": text("replication-offset-checkpoint", "0\n2\norders 0 1\n"),
    "log.checkpoint.row": text("log-start-offset-checkpoint", "0\n1\norders 0\n"),
    "log.checkpoint.number": text("cleaner-offset-checkpoint", "0\n1\nprices 0 x\n"),
    "log.checkpoint.text": text("cleaner-offset-checkpoint", "0\n1\nprices 0 1"),
    "log.checkpoint.partition": text("cleaner-offset-checkpoint", "0\n1\nnobody 0 1\n"),
    "log.checkpoint.present": lambda root: (root / "recovery-point-offset-checkpoint").unlink(),
    "log.epochs.not-negative": text(ORDERS + "leader-epoch-checkpoint", "0\n1\n-1 0\n"),
    "log.epochs.rising": text(ORDERS + "leader-epoch-checkpoint", "0\n2\n0 9\n1 5\n"),
    "log.epochs.end": text(ORDERS + "leader-epoch-checkpoint", "0\n2\n0 0\n1 121\n"),
    "log.epochs.batches": text(ORDERS + "leader-epoch-checkpoint", "0\n0\n"),
    "log.partition-metadata.lines": text(ORDERS + "partition.metadata", ""),
    "log.partition-metadata.keys": text(ORDERS + "partition.metadata", "a: 0\nb: a2Fma2EtZm9ybWF0LWNvbg"),
    "log.partition-metadata.version": text(
        ORDERS + "partition.metadata", "version: x\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg"
    ),
    "log.partition-metadata.topic-id": text(ORDERS + "partition.metadata", "version: 0\ntopic_id: short"),
    "log.partition-metadata.known": text(ORDERS + "partition.metadata", "version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg"),
    "log.meta-properties.version": text("meta.properties", "version=2\n"),
    "log.meta-properties.keys": text("meta.properties", "version=1\n"),
    "log.meta-properties.directory-id": text("meta.properties", "version=1\nnode.id=1\ncluster.id=x\ndirectory.id=y\n"),
    "log.quorum-state.json": text("__cluster_metadata-0/quorum-state", ""),
    "log.quorum-state.version": text("__cluster_metadata-0/quorum-state", "{}"),
    "log.quorum-state.keys": text("__cluster_metadata-0/quorum-state", '{"data_version":1}'),
    "log.quorum-state.epoch": text(
        "__cluster_metadata-0/quorum-state",
        '{"leaderId":1,"leaderEpoch":0,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}',
    ),
    "log.kraft-snapshot.header": lambda root: kraft_snapshot(root, 1, 3),
    "log.kraft-snapshot.footer": lambda root: kraft_snapshot(root, 0, 2),
    "log.kraft-snapshot.log": lambda root: [
        renamed(f"__cluster_metadata-0/{0:020}.{kind}", f"__cluster_metadata-0/{1:020}.{kind}")(root)
        for kind in ("log", "index", "timeindex")
    ],
    "log.clean-shutdown.json": text(".kafka_cleanshutdown", "x"),
    "log.clean-shutdown.truth": append(ORDERS + INDEX.format(79), bytes(16)),
    "log.segment.tail": of_orders("last-batch-cut"),
    "log.segment.base": of_orders("batch-below-base"),
    "log.segment.range": append(ORDERS + LOG.format(79), batch((1 << 31) + 79, 1_800_000_000_000)),
    "log.segment.rising": of_orders("last-batch-twice"),
    "log.segment.join": lambda root: [
        renamed(ORDERS + name.format(79), ORDERS + name.format(70))(root) for name in (LOG, INDEX, TIMES)
    ],
    "log.segment.gap": lambda root: [(root / ORDERS / name.format(39)).unlink() for name in (LOG, INDEX, TIMES)],
    "log.segment.epochs": of_orders("epoch-rises"),
    "log.file.orphan": text(ORDERS + "00000000000000000500.index", ""),
    "log.offsets.order": text("recovery-point-offset-checkpoint", "0\n1\norders 0 121\n"),
}
"""A damage for each rule, to a sound data directory."""

ELSEWHERE = {
    "log.remote-snapshot.version",
    "log.contents.metadata",
    "log.contents.image",
    "log.contents.coordinator",
    "log.contents.remote",
}
"""Rules that files or variants of starts break: the tests of the layouts and of the starts."""


def test_each_rule_is_broken_here() -> None:
    expected = {rule.id for rule in rules().values() if rule.about == "log" and rule.broken_by == "bytes"}
    assert set(BROKEN) | ELSEWHERE == expected


@pytest.mark.parametrize("rule", sorted(BROKEN))
def test_a_broken_rule_is_told(rule: str, sound: Path, tmp_path: Path) -> None:
    root = shutil.copytree(sound, tmp_path / "data")
    BROKEN[rule](root)
    breaches = {breach.rule: breach for breach in verify_directory(root)}
    assert rule in breaches
    assert breaches[rule].path.is_relative_to(root)
    assert breaches[rule].detail


@pytest.mark.parametrize("damage", sorted(set(DAMAGES) - {"sound", "no-offset-index"}))
def test_every_damage_is_seen(damage: str, sound: Path, tmp_path: Path) -> None:
    """Also what Kafka starts with as if nothing was: a leader epoch is outside the checksum."""
    folder = shutil.copytree(sound / "orders-0", tmp_path / "orders-0")
    DAMAGES[damage](folder)
    assert list(verify_partition(folder))


def test_files_that_are_built_anew_may_be_missing(sound: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(sound / "orders-0", tmp_path / "orders-0")
    for path in folder.iterdir():
        if path.suffix != ".log":
            path.unlink()
    assert list(verify_partition(folder)) == []


@pytest.mark.parametrize("mark", ["delete", "future"])
def test_a_checkpoint_may_have_a_partition_that_is_deleted_or_moved(sound: Path, tmp_path: Path, mark: str) -> None:
    """Seen of 3.9.2 and 4.4.0, killed before they wrote the file again."""
    root = shutil.copytree(sound, tmp_path / "data")
    text("cleaner-offset-checkpoint", "0\n1\nnobody 0 1\n")(root)
    shutil.copytree(root / ORDERS, root / f"nobody-0.{'0' * 32}-{mark}")
    assert "log.checkpoint.partition" not in {breach.rule for breach in verify_directory(root)}


def test_verifying_changes_nothing(sound: Path) -> None:
    before = state(sound)
    list(verify_directory(sound))
    assert state(sound) == before


def state(folder: Path) -> dict[Path, tuple[int, int, int]]:
    """Sizes and times of change; a first read alters the time of access."""
    wheel_file = {path: path.stat() for path in folder.rglob("*")}
    return {path: (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns) for path, stat in wheel_file.items()}


@pytest.mark.parametrize("content", ["", "version=0\n", "no properties\n"])
def test_a_broker_of_kraft_needs_its_id(tmp_path: Path, content: str) -> None:
    (tmp_path / "meta.properties").write_text(content, encoding="ascii")
    assert list(verify_directory(tmp_path)) == []  # of ZooKeeper's time, and fresh
    (tmp_path / "__cluster_metadata-0").mkdir()
    assert [breach.rule for breach in verify_directory(tmp_path)] == ["log.meta-properties.keys"]
