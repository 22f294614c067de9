"""What random damage found that nobody had thought of, one of a kind (recordings.starts)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kafka_format.log.batches import batches
from kafka_format.protocol.records import decode_value

from kafka_generator.start_vectors import contents, edits
from kafka_generator.start_vectors.cases.case import DATA, NEWEST, QUORUM, Case
from kafka_generator.start_vectors.cases.facts import LOG, Facts

_FOLDER: Final = f"{DATA}/plain-0"
_SECOND: Final = "other"
_TOPIC_ID: Final = f"{_FOLDER}/partition.metadata"
_MARK: Final = "0123456789abcdef0123456789abcdef"
_UNFLUSHED: Final = (
    edits.remove(f"{DATA}/.kafka_cleanshutdown"), edits.write(f"{DATA}/recovery-point-offset-checkpoint", b"0\n0\n"),
)  # fmt: skip
_FAR: Final = 1 << 40

Change = tuple[str, str, tuple[edits.Edit, ...]]


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    static = facts["static"]
    for name, title, changes in (*_texts(), *_partitions(), *_metadata(static)):
        yield Case(f"found/{name}", title, "static", changes)
    for name, title, changes in _of_two(static):
        yield Case(f"found/{name}", title, "static", changes, log_dirs=(DATA, _SECOND))
    for name, title, changes in _voters(facts["dynamic"]):
        yield Case(f"found/{name}", title, "dynamic", changes, releases=NEWEST)
    for name, title, changes in _of_static(static):
        yield Case(f"found/{name}", title, "dynamic", changes, releases=NEWEST)
    for name, title, changes in _broker(facts["broker"]):
        yield Case(f"found/{name}", title, "broker", changes, role="broker")
    for name, title, changes in _broker_of_others(facts["broker"], facts["dynamic"]):
        yield Case(f"found/{name}", title, "broker", changes, role="broker", releases=NEWEST)


def _texts() -> Iterator[Change]:
    yield "topic-id-no-utf-8", "A byte of partition.metadata is no UTF-8.", (edits.overwrite(_TOPIC_ID, 12, b"\xc4"),)
    yield (
        "topic-id-line-gone",
        "partition.metadata lacks its first line.",
        (edits.replace(_TOPIC_ID, "version: 0\n", ""),),
    )
    recovery = f"{DATA}/recovery-point-offset-checkpoint"
    yield "checkpoint-no-utf-8", "A byte of a checkpoint is no UTF-8.", (edits.overwrite(recovery, 20, b"\xc4"),)
    yield "checkpoint-negative", "A checkpoint has less than no rows.", (edits.write(recovery, b"0\n-1\n"),)
    state = f"{QUORUM}/quorum-state"
    yield (
        "epoch-array",
        "The epoch of quorum-state is an array.",
        (edits.replace(state, '"leaderEpoch":1', '"leaderEpoch":[]'),),
    )
    yield "voters-text", "The voters of quorum-state are a text.", (edits.replace(state, '[{"voterId":1}]', '"1"'),)


def _partitions() -> Iterator[Change]:
    middle, last = (f"{_FOLDER}/{base:020}" for base in (6, 12))
    future = edits.copy(f"{DATA}/kept-0", f"{DATA}/kept-0.{_MARK}-future")
    yield "future-beside", "A -future folder stands beside the folder of its partition.", (future,)
    far = edits.overwrite(f"{last}.log", 0, _FAR.to_bytes(8, "big"))
    yield "far-batch", "After a crash, an offset in the middle is too far from the base.", (*_UNFLUSHED, far)
    garbage = edits.append(f"{DATA}/__consumer_offsets-0/{0:020}.log", b"\xff" * 300)
    yield "offsets-garbage", "After a crash, garbage stands behind committed offsets.", (*_UNFLUSHED, garbage)
    index = edits.folder_at(f"{middle}.index")
    yield "index-folder", "After a crash, an index below the recovery point is a folder.", (_UNFLUSHED[0], index)
    aborted = edits.folder_at(f"{DATA}/paid-0/{1:020}.txnindex")
    yield "aborted-folder", "A transaction index is a folder.", (aborted,)
    cleaned = edits.copy(_TOPIC_ID, f"{_TOPIC_ID}.cleaned")
    yield "cleaned-without-number", "A file without a number ends in .cleaned.", (cleaned,)
    renamed = edits.rename(f"{DATA}/plain-1", f"{DATA}/plain-1-delete")
    epochs = edits.write(f"{_FOLDER}/leader-epoch-checkpoint", b"0\n1\n-1 1\n")
    yield "name-before-logs", "A folder is no partition's; the log before it has a negative epoch.", (renamed, epochs)
    odd = edits.folder_at(f"{_FOLDER}/old.index")
    yield "odd-index-folder", "A folder is called old.index.", (odd,)


def _metadata(facts: Facts) -> Iterator[Change]:
    going = next(
        path for path in facts.files if path.startswith(f"{DATA}/gone-0.") and path.endswith("/partition.metadata")
    )
    malformed = edits.write(going, b"version: 0\n#\n")
    yield "topic-id-of-deleted", "partition.metadata of a folder that is to be removed is malformed.", (malformed,)
    odd = edits.write(f"{QUORUM}/{3:020}.checkpoint", b"")
    yield "snapshot-without-epoch", "A snapshot has no epoch in its name.", (odd,)
    yield (
        "metadata-a-file",
        "A file is in the place of the metadata log.",
        (edits.remove(QUORUM), edits.write(QUORUM, b"")),
    )
    topic = facts.topic_ids["plain"]
    renamed = contents.metadata("topic_record", 0, name="renamed", topic_id=topic)
    yield "topic-id-twice", "A second record has the id of a topic, and another name.", _appended(facts, renamed)
    partition: dict[str, Any] = {"topic_id": topic, "partition_id": 7, "replicas": [1], "isr": [1], "leader": 1}
    recovery = contents.metadata("partition_record", 1, **partition, leader_recovery_state=3)
    yield "recovery-state", "A partition has the recovery state 3.", _appended(facts, recovery)
    directories = contents.metadata("partition_record", 1, **partition, directories=[b"\1" * 16, b"\2" * 16])
    yield "directories-too-many", "A partition has more directories than replicas.", _appended(facts, directories)
    state = contents.metadata("zk_migration_state_record", 0, zk_migration_state=9)
    yield "migration-state", "The state of migration is 9.", _appended(facts, state)
    owned = facts.last("register_broker_record")
    other = contents.metadata(
        "register_broker_record", 3, broker_id=7, broker_epoch=facts.end(), log_dirs=owned.log_dirs
    )
    yield "directory-of-other", "A broker registers the directory of another.", _appended(facts, other)
    yield "no-level", "The newest snapshot lacks the level of metadata.version.", (_without_level(facts),)


def _appended(facts: Facts, value: bytes) -> tuple[edits.Edit, ...]:
    return (edits.append(LOG, contents.of_metadata(facts.end(), value)),)


def _without_level(facts: Facts) -> edits.Edit:
    """Return the edit that takes the record of metadata.version out of the newest snapshot."""
    parts = list[bytes]()
    for batch in batches(facts.files[facts.snapshot]):
        values = [] if batch.has("is_control") else [record.value or b"" for record in batch.records()]
        kept = [value for value in values if decode_value("__cluster_metadata", value).layout != "feature_level_record"]
        parts.append(batch.data if kept == values else contents.of_metadata(batch.base_offset, *kept))
    return edits.write(facts.snapshot, b"".join(parts))


def _of_two(facts: Facts) -> Iterator[Change]:
    """Yield damage to a second directory that has a partition."""
    line = next(line for line in facts.properties.splitlines() if line.startswith("directory.id"))
    properties = facts.properties.replace(line, "directory.id=0123456789ABCDEFGHIJKA").encode()
    moved = (edits.write(f"{_SECOND}/meta.properties", properties), edits.rename(_FOLDER, f"{_SECOND}/plain-0"))
    unreadable = edits.unreadable(f"{_SECOND}/plain-0/partition.metadata")
    yield "second-offline", "The second directory goes offline with a partition in it.", (*moved, unreadable)


def _voters(facts: Facts) -> Iterator[Change]:
    parts = [batch.data for batch in batches(facts.files[facts.snapshot])]
    twice = edits.write(facts.snapshot, b"".join([parts[0], *parts]))
    yield "voters-twice", "The newest snapshot names its voters twice.", (twice,)


def _of_static(static: Facts) -> Iterator[Change]:
    """Yield the metadata log of a node whose voters stand in its settings."""
    log = (edits.remove(QUORUM), edits.write(LOG, static.files[LOG]))
    yield "metadata-of-static", "The metadata log is of a node whose settings name the voters; these do not.", log


def _broker(facts: Facts) -> Iterator[Change]:
    half = facts.batches()[len(facts.batches()) // 2].position
    yield "broker-log-cut", "A broker's metadata log is cut; its controllers have all of it.", (edits.cut(LOG, half),)


def _broker_of_others(facts: Facts, dynamic: Facts) -> Iterator[Change]:
    own, foreign = ([batch.data for batch in each.batches(each.snapshot)] for each in (facts, dynamic))
    snapshot = edits.write(facts.snapshot, b"".join([foreign[0], *own[1:]]))
    yield "broker-voters-of-others", "A broker's newest snapshot names the voters of another cluster.", (snapshot,)
