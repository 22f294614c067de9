"""Folders of metadata quorums: snapshots, their log, quorum-state; sound and damaged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kafka_format.codec.compiler import version
from kafka_format.codec.structures import structure
from kafka_format.log.kraft import FOLDER
from kafka_format.log.text.lines import id_text

from kafka_generator.log_vectors.case_logs import CONTROL, START, Files, batch, log, sound_log
from kafka_generator.log_vectors.case_types import DirectoryCase, FileCase

_CONTROL_TYPES: Final = {"snapshot_header": 3, "snapshot_footer": 4}
SNAPSHOT: Final = f"{10:020}-{1:010}.checkpoint"
_TOPIC_ID: Final = b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"
"""The topic id that the metadata log has everywhere; a quorum opens no other."""

_TOPIC, _REMOVE_TOPIC = 2, 9
"""Numbers of records of metadata."""

_NUMBERS: Final = (b"\7" * 16, b"\11" * 16)
"""Ids of topics."""

_STATE: Final = (
    '{"leaderId":1,"leaderEpoch":%d,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}'
)


def cases() -> Iterator[DirectoryCase]:
    """Yield directories of quorums."""
    kept = frozenset({
        "log.kraft-snapshot.header", "log.kraft-snapshot.footer", "log.kraft-snapshot.log", "log.quorum-state.epoch",
    })  # fmt: skip
    yield _case("sound", "A snapshot at 10, and the log from 5 on.", _folder(), keeps=kept)
    yield _case("log-from-its-start", "The log is whole, and there is no snapshot.", _folder(0, None), keeps=kept)
    no_header, no_footer = snapshot(header=False), snapshot(footer=False)
    yield _case("no-header", "The snapshot has no header.", _folder(5, no_header), "log.kraft-snapshot.header")
    yield _case("no-footer", "The snapshot has no footer.", _folder(5, no_footer), "log.kraft-snapshot.footer")
    yield _case(
        "log-after-snapshot",
        "The log begins at 12, past the end of the snapshot.",
        _folder(12),
        "log.kraft-snapshot.log",
    )
    yield _case("old-epoch", "quorum-state is older than the log.", _folder(5, epoch=0), "log.quorum-state.epoch")

    known = "log.partition-metadata.known"
    yield _beside("same-topic-id", "The metadata log has the topic, by the same id.", keeps=frozenset({known}))
    yield _beside("other-topic-id", "The metadata log has the topic, by another id.", known, number=_NUMBERS[1])
    yield _beside("removed-topic-id", "The metadata log says that the topic was removed.", known, removed=True)
    yield _beside("no-topic-id", "There is no partition.metadata beside a metadata log.", known, has_file=False)


def snapshot_files() -> Iterator[FileCase]:
    """Yield snapshots by themselves."""
    whole = snapshot()
    yield FileCase("checkpoint/whole", SNAPSHOT, whole)
    yield FileCase("checkpoint/no-records", SNAPSHOT, snapshot(records=0))
    yield FileCase("checkpoint/no-header", SNAPSHOT, snapshot(header=False), "log.kraft-snapshot.header")
    yield FileCase("checkpoint/empty", SNAPSHOT, b"", "log.kraft-snapshot.header")
    yield FileCase(
        "checkpoint/no-footer", SNAPSHOT, snapshot(footer=False), "log.kraft-snapshot.footer", "snapshot-without-footer"
    )
    yield FileCase("checkpoint/payload-bit", SNAPSHOT, whole[:-40] + b"\1" + whole[-39:], _CRC)


_CRC: Final = "v2.crc.covers-attributes-to-end"


def snapshot(records: int = 2, *, header: bool = True, footer: bool = True) -> bytes:
    """Return a snapshot: a header, a batch of metadata records, a footer."""
    parts, offset = list[bytes](), 0
    if header:
        parts.append(_control(offset, "snapshot_header", last_contained_log_timestamp=START))
        offset += 1
    if records:
        parts.append(batch(offset, partition_leader_epoch=1, records=[_metadata(at) for at in range(records)],
                           last_offset_delta=records - 1, time=START, max_timestamp=START))  # fmt: skip
        offset += records
    if footer:
        parts.append(_control(offset, "snapshot_footer"))
    return b"".join(parts)


def _control(offset: int, name: str, **values: Any) -> bytes:
    key = structure("control_record_key")
    schema = structure(name)
    content = {
        "key": key.encode(key.type(version=0, type=_CONTROL_TYPES[name])),
        "value": schema.encode(schema.type(version=0, **values)),
    }
    return batch(offset, attributes=CONTROL, partition_leader_epoch=1, time=START, records=[content])


def _beside(
    name: str,
    title: str,
    *breaks: str,
    number: bytes = _NUMBERS[0],
    removed: bool = False,
    has_file: bool = True,
    keeps: frozenset[str] = frozenset(),
) -> DirectoryCase:
    """Return a partition beside a metadata log that has its topic by that id, and another one."""
    topics = [("orders", number), ("payments", bytes(15) + b"\5")]
    contents = [_record("topic_record", _TOPIC, name=topic, topic_id=topic_id) for topic, topic_id in topics]
    contents += [_record("remove_topic_record", _REMOVE_TOPIC, topic_id=number)] if removed else []
    appends = [
        batch(at, partition_leader_epoch=1, records=[{"key": None, "value": content}], time=START)
        for at, content in enumerate(contents)
    ]
    files = sound_log()
    files["orders-0/partition.metadata"] = b"version: 0\ntopic_id: " + id_text(_NUMBERS[0]).encode()
    if not has_file:
        del files["orders-0/partition.metadata"]
    quorum = log([appends], name=FOLDER)
    quorum[f"{FOLDER}/leader-epoch-checkpoint"] = b"0\n1\n1 0\n"
    quorum[f"{FOLDER}/partition.metadata"] = _TOPIC_ID
    return DirectoryCase(f"topic-ids/{name}", title, files | quorum, frozenset(breaks), keeps)


def _record(layout: str, number: int, /, **values: Any) -> bytes:
    """Return a record of `__cluster_metadata` in version 0."""
    frame, kind = structure("metadata_record_frame"), version(layout, 0)
    return frame.encode(frame.type(number=number, version=0)) + kind.encode(kind.type(**values))


def _metadata(at: int) -> dict[str, Any]:
    """Return a record of `__cluster_metadata`: the id of a topic is set aside."""
    framed = _record("topic_record", _TOPIC, name=f"topic-{at}", topic_id=bytes(15) + bytes([at + 6]))
    return {"offset_delta": at, "timestamp_delta": 0, "key": None, "value": framed}


def _folder(base: int = 5, content: bytes | None = b"", epoch: int = 1) -> Files:
    """Return the folder of a quorum whose log begins at an offset; None is no snapshot."""
    appends = [batch(at, partition_leader_epoch=1, records=[_metadata(at)], time=START) for at in range(base, base + 9)]
    files = log([appends], base=base, name=FOLDER)
    files[f"{FOLDER}/leader-epoch-checkpoint"] = b"0\n1\n1 %d\n" % base
    files[f"{FOLDER}/partition.metadata"] = _TOPIC_ID
    files[f"{FOLDER}/quorum-state"] = (_STATE % epoch).encode()
    if content is not None:
        files[f"{FOLDER}/{SNAPSHOT}"] = content or snapshot()
    return files


def _case(name: str, title: str, files: Files, *breaks: str, keeps: frozenset[str] = frozenset()) -> DirectoryCase:
    return DirectoryCase(f"quorum/{name}", title, files, frozenset(breaks), keeps)
