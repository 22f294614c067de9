"""Small damages of many kinds, planted into a real broker's directory: each is named, and no sound
file is blamed.

The partition is txn-0 of the stopped 3.9.2, with segments 0, 1, 61, 64 and so on; the damage is in
segment 1 mostly, which has 34 batches, ten index entries and seven aborted transactions.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from kafka_format.codec.prefix import prefix
from kafka_format.log.batches import Batch, batches
from kafka_format.log.verification import verify_directory

from tests.kafka_format.log import real

Damage = Callable[[Path], object]

BATCH = prefix("record_batch")
MIDDLE, NEXT, LAST = f"{1:020}", f"{61:020}", f"{307:020}"
CRC = "v2.crc.covers-attributes-to-end"
EPOCHS = "leader-epoch-checkpoint"
METADATA = "partition.metadata"
CHECKPOINTS = ("recovery-point-offset-checkpoint", "replication-offset-checkpoint")
BEYOND = {f"log.offsets.order {name}" for name in CHECKPOINTS}


def edit(name: str, change: Callable[[bytes], bytes]) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / name
        before = path.read_bytes()
        path.write_bytes(change(before))
        assert path.read_bytes() != before

    return damage


def flip(name: str, at: int) -> Damage:
    def change(data: bytes) -> bytes:
        changed = bytearray(data)
        changed[at] ^= 1
        return bytes(changed)

    return edit(name, change)


def flip_in_batch(at: int) -> Damage:
    """Flip a bit of the fourth batch of the middle segment."""
    return lambda folder: flip(f"{MIDDLE}.log", of(folder, MIDDLE)[3].position + at)(folder)


def of(folder: Path, base: str) -> list[Batch]:
    return list(batches((folder / f"{base}.log").read_bytes()))


def header(field: str, extra: int = 0) -> Damage:
    return flip_in_batch(BATCH.places[field] + extra)


def cut(name: str, count: int) -> Damage:
    return edit(name, lambda data: data[:-count])


def behind(name: str, tail: bytes) -> Damage:
    return edit(name, lambda data: data + tail)


def write(name: str, content: bytes) -> Damage:
    return edit(name, lambda _: content)


def remove(*names: str) -> Damage:
    return lambda folder: [path.unlink() for name in names for path in folder.glob(name)]


def exchange(kind: str) -> Damage:
    def damage(folder: Path) -> None:
        one, other = folder / f"{MIDDLE}.{kind}", folder / f"{NEXT}.{kind}"
        content = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(content)

    return damage


def copy(kind: str) -> Damage:
    return lambda folder: shutil.copy(folder / f"{MIDDLE}.{kind}", folder / f"{NEXT}.{kind}")


def rearrange(order: Callable[[list[bytes]], list[bytes]]) -> Damage:
    """Write the batches of the middle segment in another order, or others."""

    def damage(folder: Path) -> None:
        whole = [batch.data for batch in of(folder, MIDDLE)]
        (folder / f"{MIDDLE}.log").write_bytes(b"".join(order(whole)))

    return damage


def beside(name: str, damage: Callable[[str], Damage]) -> Damage:
    """Damage a file of the data directory."""
    return lambda folder: damage(name)(folder.parent)


def own(name: str) -> list[tuple[str, Damage, set[str]]]:
    rows = b"0\n1\ntxn 0 99999\n"
    return [
        (f"{name}-zeros", beside(name, lambda each: write(each, bytes(40))), {f"log.checkpoint.version {name}"}),
        (f"{name}-beyond", beside(name, lambda each: write(each, rows)), {f"log.offsets.order {name}"}),
    ]


LOG, INDEX, TIME, TXN, SNAPSHOT = (f"{MIDDLE}.{kind}" for kind in ("log", "index", "timeindex", "txnindex", "snapshot"))
NO_BATCH = {f"log.offset-index.batch {INDEX}", f"log.time-index.batch {TIME}"}
ORPHANS = {f"log.file.orphan {name}" for name in (INDEX, TIME, TXN)}
LAST_GONE = {f"log.offset-index.batch {LAST}.index", f"log.time-index.batch {LAST}.timeindex", *BEYOND}

PLANTED: list[tuple[str, Damage, set[str]]] = [
    ("length", header("batch_length"), {f"log.segment.tail {LOG}", *NO_BATCH}),
    ("base-offset-high", header("base_offset"), {f"log.segment.range {LOG}"}),
    ("base-offset-low", header("base_offset", 7), {f"log.segment.rising {LOG}"}),
    ("leader-epoch-high", header("partition_leader_epoch"), {f"log.segment.epochs {LOG}"}),
    ("leader-epoch-low", header("partition_leader_epoch", 3), {f"log.segment.epochs {LOG}"}),
    ("magic", header("magic"), {f"entry.magic.known {LOG}"}),
    *(
        (name, header(name), {f"{CRC} {LOG}"})
        for name in (
            "crc",
            "attributes",
            "last_offset_delta",
            "base_timestamp",
            "max_timestamp",
            "producer_id",
            "producer_epoch",
            "base_sequence",
            "record_count",
        )
    ),
    ("record", flip_in_batch(61), {f"{CRC} {LOG}"}),
    ("last-byte-gone", cut(f"{LAST}.log", 1), {f"log.segment.tail {LAST}.log", *LAST_GONE}),
    ("byte-gone", cut(LOG, 1), {f"log.segment.tail {LOG}", f"log.time-index.batch {TIME}"}),
    (
        "last-batch-gone",
        rearrange(lambda whole: whole[:-1]),
        {f"log.time-index.batch {TIME}", f"log.segment.gap {NEXT}.log"},
    ),
    (
        "batch-gone",
        rearrange(lambda whole: whole[:4] + whole[5:]),
        {f"log.offset-index.covers {INDEX}", f"log.time-index.batch {TIME}", f"log.offset-index.batch {INDEX}"},
    ),
    (
        "batch-twice",
        rearrange(lambda whole: whole[:5] + whole[4:]),
        {f"log.segment.rising {LOG}", f"log.offset-index.batch {INDEX}"},
    ),
    (
        "batches-swapped",
        rearrange(lambda whole: [*whole[:3], whole[4], whole[3], *whole[5:]]),
        {f"log.segment.rising {LOG}", *NO_BATCH},
    ),
    ("zeros-at-end", behind(f"{LAST}.log", bytes(512)), {f"entry.size.minimum {LAST}.log"}),
    ("zeros-behind", behind(LOG, bytes(512)), {f"entry.size.minimum {LOG}"}),
    ("garbage-behind", behind(f"{LAST}.log", b"garbage garbage garbage"), {f"log.segment.tail {LAST}.log"}),
    ("page-of-zeros", edit(LOG, lambda data: bytes(512) + data[512:]), {f"entry.size.minimum {LOG}", *NO_BATCH}),
    ("segment-lost", remove(f"{MIDDLE}.*"), {f"log.segment.gap {NEXT}.log"}),
    ("log-lost", remove(LOG), {f"log.segment.gap {NEXT}.log", *ORPHANS}),
    ("last-segment-lost", remove(f"{LAST}.*"), BEYOND),
    ("indexes-exchanged", exchange("index"), {f"log.offset-index.batch {NEXT}.index"}),
    (
        "time-indexes-exchanged",
        exchange("timeindex"),
        {f"log.time-index.batch {TIME}", f"log.time-index.last {TIME}", f"log.time-index.batch {NEXT}.timeindex"},
    ),
    (
        "snapshots-exchanged",
        exchange("snapshot"),
        {f"log.snapshot.state {SNAPSHOT}", f"log.snapshot.state {NEXT}.snapshot"},
    ),
    ("index-gone", remove(INDEX), {f"log.offset-index.present {INDEX}"}),
    ("index-of-last-gone", remove(f"{LAST}.index"), {f"log.offset-index.present {LAST}.index"}),
    ("index-cut", cut(INDEX, 1), {f"log.offset-index.size {INDEX}"}),
    ("index-offset", flip(INDEX, 3), {f"log.offset-index.covers {INDEX}"}),
    ("index-position", flip(INDEX, 7), {f"log.offset-index.batch {INDEX}"}),
    ("index-with-zeros", behind(INDEX, bytes(120)), {f"log.offset-index.trimmed {INDEX}"}),
    ("index-all-zeros", edit(INDEX, lambda data: bytes(len(data))), {f"log.offset-index.trimmed {INDEX}"}),
    ("index-of-before", copy("index"), {f"log.offset-index.batch {NEXT}.index"}),
    ("time-index-gone", remove(TIME), {f"log.time-index.last {TIME}"}),
    ("time-index-of-last-gone", remove(f"{LAST}.timeindex"), {f"log.time-index.last {LAST}.timeindex"}),
    ("time-index-of-last-empty", write(f"{LAST}.timeindex", b""), {f"log.time-index.last {LAST}.timeindex"}),
    ("time-index-empty", write(TIME, b""), {f"log.time-index.last {TIME}"}),
    ("time-index-cut", cut(TIME, 1), {f"log.time-index.size {TIME}", f"log.time-index.last {TIME}"}),
    ("time-index-entry-gone", cut(TIME, 12), {f"log.time-index.last {TIME}"}),
    ("time-index-time", flip(TIME, 7), {f"log.time-index.batch {TIME}"}),
    ("time-index-offset", flip(TIME, -1), {f"log.time-index.batch {TIME}"}),
    ("time-index-with-zeros", behind(TIME, bytes(120)), {f"log.time-index.trimmed {TIME}"}),
    ("time-index-of-before", copy("timeindex"), {f"log.time-index.batch {NEXT}.timeindex"}),
    ("snapshot-gone", remove(SNAPSHOT), {f"log.snapshot.present {SNAPSHOT}"}),
    ("snapshot-of-last-gone", remove(f"{LAST}.snapshot"), {f"log.snapshot.present {LAST}.snapshot"}),
    ("snapshot-empty", write(SNAPSHOT, b""), {f"field.truncated {SNAPSHOT}"}),
    ("snapshot-cut", cut(SNAPSHOT, 1), {f"log.snapshot.checksum {SNAPSHOT}"}),
    ("snapshot-bit", flip(SNAPSHOT, 20), {f"log.snapshot.checksum {SNAPSHOT}"}),
    ("snapshot-zeros", edit(SNAPSHOT, lambda data: bytes(len(data))), {f"log.snapshot.version {SNAPSHOT}"}),
    ("snapshot-of-before", copy("snapshot"), {f"log.snapshot.state {NEXT}.snapshot"}),
    ("transaction-index-gone", remove(TXN), {f"log.transaction-index.aborted {TXN}"}),
    ("transaction-index-of-last-gone", remove(f"{LAST}.txnindex"), {f"log.transaction-index.aborted {LAST}.txnindex"}),
    ("transaction-index-empty", write(TXN, b""), {f"log.transaction-index.aborted {TXN}"}),
    ("transaction-index-entry-gone", cut(TXN, 34), {f"log.transaction-index.aborted {TXN}"}),
    (
        "transaction-index-cut",
        cut(TXN, 1),
        {f"log.transaction-index.aborted {TXN}", f"log.transaction-index.size {TXN}"},
    ),
    ("transaction-index-producer", flip(TXN, 9), {f"log.transaction-index.aborted {TXN}"}),
    ("transaction-index-stable", flip(TXN, -1), {f"log.transaction-index.last-stable-offset {TXN}"}),
    ("epochs-gone", remove(EPOCHS), {f"log.epochs.batches {EPOCHS}"}),
    ("epochs-empty", write(EPOCHS, b""), {f"log.epochs.batches {EPOCHS}"}),
    ("epochs-beyond", write(EPOCHS, b"0\n2\n0 0\n7 99999\n"), {f"log.epochs.end {EPOCHS}"}),
    ("epochs-count", write(EPOCHS, b"0\n3\n0 0\n"), {f"log.checkpoint.count {EPOCHS}"}),
    ("epochs-falling", write(EPOCHS, b"0\n2\n1 0\n0 50\n"), {f"log.epochs.rising {EPOCHS}"}),
    ("topic-id-gone", remove(METADATA), {f"log.partition-metadata.known {METADATA}"}),
    ("topic-id-zeros", write(METADATA, bytes(43)), {f"log.partition-metadata.lines {METADATA}"}),
    (
        "topic-id-of-another",
        write(METADATA, b"version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg"),
        {f"log.partition-metadata.known {METADATA}"},
    ),
    ("no-offset-in-a-name", lambda folder: (folder / "x.log").touch(), {"log.name.number x.log"}),
    *own(CHECKPOINTS[0]),
    *own(CHECKPOINTS[1]),
    ("meta-gone", beside("meta.properties", remove), {"log.meta-properties.keys meta.properties"}),
    (
        "meta-cut",
        beside("meta.properties", lambda name: edit(name, lambda data: data[: len(data) // 2])),
        {"log.meta-properties.directory-id meta.properties"},
    ),
]
"""Name, damage, and each broken rule with its file."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with that partition and the metadata log."""
    whole = real.unpack_sound("3.9.2", "stopped", tmp_path_factory.mktemp("sound"))
    for folder in (each for each in whole.iterdir() if each.is_dir()):
        if folder.name not in {"txn-0", "__cluster_metadata-0"}:
            shutil.rmtree(folder)
    for path in whole.glob("*-offset-checkpoint"):
        rows = [row for row in path.read_text().splitlines()[2:] if row.startswith("txn ")]
        path.write_text("\n".join(["0", str(len(rows)), *rows, ""]))
    return whole


def test_nothing_is_broken_before(sound: Path) -> None:
    assert list(verify_directory(sound)) == []


@pytest.mark.parametrize(("damage", "expected"), [each[1:] for each in PLANTED], ids=[each[0] for each in PLANTED])
def test_a_small_damage_is_named_and_nothing_sound_is_blamed(
    sound: Path, tmp_path: Path, damage: Damage, expected: set[str]
) -> None:
    data = shutil.copytree(sound, tmp_path / "data")
    damage(data / "txn-0")
    assert {f"{breach.rule} {breach.path.name}" for breach in verify_directory(data)} == expected
