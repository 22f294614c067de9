"""Nodes with remote storage: logs whose oldest segments are there alone, and its metadata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kafka_generator.start_vectors import contents, edits
from kafka_generator.start_vectors.cases.case import DATA, NEWEST, QUORUM, Case
from kafka_generator.start_vectors.cases.facts import LOG, Facts
from kafka_generator.start_vectors.contents import metadata

_BASE: Final = "tiered"
_ON: Final = {"remote.log.storage.system.enable": "true"}
_FOLDER: Final = f"{DATA}/tiered-0"
_REMOTE: Final = f"{DATA}/__remote_log_metadata-0/{0:020}.log"
_STARTS: Final = f"{DATA}/log-start-offset-checkpoint"
_CRASHED: Final = (
    edits.remove(f"{DATA}/.kafka_cleanshutdown"),
    edits.write(f"{DATA}/recovery-point-offset-checkpoint", b"0\n0\n"),
)
_CACHE: Final = f"{DATA}/remote-log-index-cache"
_RECORD: Final = "remote_log_segment_metadata_record"
_UPDATE: Final = "remote_log_segment_metadata_update_record"
_WITHOUT: Final = ("sound", "start-below", "start-at-local", "start-beyond-end", "local-none", "crash-cut")
"""Variants of logs that are started without remote storage too."""

_LOCAL: Final = 6
"""The first offset that `tiered-0` has here; remote storage has those from 0 on."""

Change = tuple[str, str, tuple[edits.Edit, ...]]


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants: those whose files matter with remote storage on and off."""
    base = facts[_BASE]
    for name, title, changes in _of_logs():
        yield Case(f"tiered/{name}", title, _BASE, changes, settings=_ON)
        if name in _WITHOUT:
            yield Case(f"tiered/off-{name}", f"{title[:-1]}; remote storage is off.", _BASE, changes)
    for name, title, changes in (*_of_settings(base), *_of_records(base), *_of_metadata_log(), *_of_cache()):
        yield Case(f"tiered/{name}", title, _BASE, changes, settings=_ON, releases=NEWEST)


def _of_logs() -> Iterator[Change]:
    first, last = (f"{_FOLDER}/{base:020}" for base in (_LOCAL, 12))
    yield "sound", "Nothing is changed.", ()
    for name, offset, title in (
        ("start-below", 3, "A log starts in remote storage"),
        ("start-at-local", _LOCAL, "A log starts where its segments here do"),
        ("start-inside", 9, "A log starts in a segment that is here"),
        ("start-beyond-end", 100, "A log starts beyond its end"),
    ):
        yield name, f"{title}.", (edits.write(_STARTS, f"0\n1\ntiered 0 {offset}\n".encode()),)
    yield "start-missing", "There is no checkpoint of log starts.", (edits.remove(_STARTS),)
    yield "start-broken", "The checkpoint of log starts has a row of one word.", (edits.write(_STARTS, b"0\n1\nx\n"),)
    epochs = f"{_FOLDER}/leader-epoch-checkpoint"
    yield "epochs-missing", "There is no leader-epoch-checkpoint.", (edits.remove(epochs),)
    yield "epochs-local", "The leader epochs begin where the segments here do.", (edits.write(epochs, b"0\n1\n0 6\n"),)
    yield "epochs-beyond", "A leader epoch begins beyond the end.", (edits.write(epochs, b"0\n2\n0 0\n3 50\n"),)
    crashed = (*_CRASHED, edits.remove(epochs))
    yield "epochs-missing-crash", "After a crash, there is no leader-epoch-checkpoint.", crashed
    yield "crash", "After a crash, all segments are read.", _CRASHED
    yield "crash-cut", "After a crash, the last batch is cut.", (*_CRASHED, edits.cut(f"{last}.log", -5))
    yield (
        "crash-bit",
        "After a crash, a bit of the first segment here is flipped.",
        (*_CRASHED, edits.flip(f"{first}.log", 90)),
    )
    yield "snapshot-missing", "A producer snapshot is missing.", (edits.remove(f"{first}.snapshot"),)
    gone = tuple(edits.remove(f"{first}.{kind}") for kind in ("log", "index", "timeindex", "snapshot"))
    yield "local-less", "The first segment here is gone.", gone
    none = tuple(
        edits.remove(f"{_FOLDER}/{base:020}.{kind}")
        for base in (_LOCAL, 12)
        for kind in ("log", "index", "timeindex", "snapshot")
    )
    yield "local-none", "No segment is here.", none
    yield "folder-missing", "The folder of a partition is gone.", (edits.remove(_FOLDER),)
    yield "topic-id-missing", "partition.metadata is missing.", (edits.remove(f"{_FOLDER}/partition.metadata"),)


def _of_settings(facts: Facts) -> Iterator[Change]:
    for name, topic, setting, value in (
        ("enable-text", "tiered", "remote.storage.enable", "abc"),
        ("enable-false", "tiered", "remote.storage.enable", "false"),
        ("compacted", "tiered", "cleanup.policy", "compact"),
        ("compacted-too", "tiered", "cleanup.policy", "compact,delete"),
        ("copy-disable", "tiered", "remote.log.copy.disable", "true"),
        ("copy-disable-text", "tiered", "remote.log.copy.disable", "abc"),
        ("delete-on-disable", "tiered", "remote.log.delete.on.disable", "true"),
        ("delete-on-disable-text", "tiered", "remote.log.delete.on.disable", "abc"),
        ("local-retention-low", "tiered", "local.retention.ms", "-3"),
        ("local-retention-text", "plain", "local.retention.bytes", "abc"),
        ("retention-below-local", "tiered", "retention.bytes", "300"),
        ("enable-plain", "plain", "remote.storage.enable", "true"),
    ):
        record = metadata("config_record", 0, resource_type=2, resource_name=topic, name=setting, value=value)
        title = f"{setting} of the topic {topic} is {value}."
        yield name, title, (edits.append(LOG, contents.of_metadata(facts.end(), record)),)


def _of_records(facts: Facts) -> Iterator[Change]:
    """Yield records in the metadata of remote storage."""
    partition = contents.part(
        _RECORD, 0, "topic_id_partition_entry", name="tiered", id=facts.topic_ids["tiered"], partition=0
    )

    def segment(number: int) -> Any:
        return contents.part(
            _RECORD, 0, "remote_log_segment_id_entry", topic_id_partition=partition, id=bytes([number]) * 16
        )

    begun = metadata(
        _RECORD, 0, remote_log_segment_id=segment(1), start_offset=12, end_offset=17, broker_id=1,
        segment_leader_epochs=[contents.part(_RECORD, 0, "segment_leader_epoch_entry", leader_epoch=0, offset=12)],
        segment_size_in_bytes=327, remote_log_segment_state=0,
    )  # fmt: skip

    def update(number: int, state: int) -> bytes:
        name = contents.part(
            _UPDATE, 0, "remote_log_segment_id_entry", topic_id_partition=partition, id=bytes([number]) * 16
        )
        return metadata(_UPDATE, 0, remote_log_segment_id=name, broker_id=1, remote_log_segment_state=state)

    for name, title, values in (
        ("unfinished", "The copy of a segment was begun, and not ended.", [begun]),
        ("finished", "The copy of a segment was begun, and ended.", [begun, update(1, 1)]),
        (
            "deletion-unfinished",
            "The removal of a segment was begun, and not ended.",
            [begun, update(1, 1), update(1, 2)],
        ),
        ("update-of-none", "The copy of a segment ended that was not begun.", [update(2, 1)]),
        ("state-9", "A segment has the state 9.", [begun, update(1, 9)]),
        ("value-cut", "A value is cut short.", [begun[:-9]]),
        ("bytes-behind", "Bytes stand behind a value.", [begun + b"\0\0\0"]),
        ("type-unknown", "A record has the type 9.", [b"\1\x09" + begun[2:]]),
        ("frame-version", "A value has the frame version 2.", [b"\2" + begun[1:]]),
        ("null", "A record has no value.", [None]),
        ("empty", "A value has no bytes.", [b""]),
    ):
        yield (
            f"record-{name}",
            title,
            (edits.append(_REMOTE, contents.of_metadata(facts.end(_REMOTE), *values, epoch=0)),),
        )


def _of_metadata_log() -> Iterator[Change]:
    forgotten = (edits.remove(QUORUM), edits.write(f"{DATA}/replication-offset-checkpoint", b"0\n1\nx\n"))
    title = "The metadata log is gone, and the checkpoint of high watermarks has a row of one word."
    yield "forgotten", title, forgotten
    folder = _REMOTE.rpartition("/")[0]
    yield "metadata-missing", "The metadata of remote storage is gone.", (edits.remove(folder),)
    yield "metadata-bit", "A bit of the metadata of remote storage is flipped.", (edits.flip(_REMOTE, 200),)
    yield (
        "metadata-bit-crash",
        "After a crash, a bit of the metadata of remote storage is flipped.",
        (*_CRASHED, edits.flip(_REMOTE, 200)),
    )
    yield "metadata-cut", "The metadata of remote storage is cut in a batch.", (edits.cut(_REMOTE, -9),)


def _of_cache() -> Iterator[Change]:
    yield "cache-file", "A file is in the place of the cache of remote indexes.", (edits.write(_CACHE, b""),)
    rubbish = edits.write(f"{_CACHE}/0_AAAAAAAAAAAAAAAAAAAABw.index", b"rubbish")
    yield "cache-rubbish", "The cache of remote indexes has a file that is none.", (rubbish,)
    yield (
        "cache-odd",
        "The cache of remote indexes has a file with an odd name.",
        (edits.write(f"{_CACHE}/notes.txt", b""),),
    )
    yield "cache-unreadable", "Nobody may read the cache of remote indexes.", (rubbish, edits.unreadable(_CACHE))
    yield "cache-unwritable", "Nobody may write in the cache of remote indexes.", (rubbish, edits.unwritable(_CACHE))
