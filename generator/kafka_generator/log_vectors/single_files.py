"""Single files and names: what a reader makes of each, by the rules of a data directory's files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kafka_format.codec.compiler import version
from kafka_format.codec.structures import structure
from kafka_format.log.transaction_index import AbortedTransaction, encode

from kafka_generator.log_vectors import quorum_cases
from kafka_generator.log_vectors.case_logs import TOPIC_ID
from kafka_generator.log_vectors.case_types import FileCase

EPOCHS: Final = "leader-epoch-checkpoint"
OFFSETS: Final = "replication-offset-checkpoint"
METADATA: Final = "partition.metadata"
PROPERTIES: Final = "meta.properties"
QUORUM: Final = "quorum-state"
CLEAN: Final = ".kafka_cleanshutdown"
REMOTE: Final = "remote_log_snapshot"
SNAPSHOT: Final = f"{42:020}.snapshot"
ABORTED: Final = f"{0:020}.txnindex"
_ID: Final = "a2Fma2EtZm9ybWF0LWNvbg"


def cases() -> Iterator[FileCase]:
    """Yield all cases."""
    yield from _texts("epochs", EPOCHS, _EPOCHS)
    yield from _texts("offsets", OFFSETS, _OFFSETS)
    yield from _texts("partition-metadata", METADATA, _METADATA)
    yield from _texts("meta-properties", PROPERTIES, _PROPERTIES)
    yield from _texts("quorum-state", QUORUM, _QUORUM)
    yield from _texts("clean-shutdown", CLEAN, _CLEAN)
    yield from _snapshots()
    yield from _aborted_files()
    yield from quorum_cases.snapshot_files()
    yield from _remote()
    yield from _segments_07()
    yield from _names()


_Row = tuple[str, str, str, str]
"""Id, text, rule and flag."""

_LOOSE: Final = "checkpoint-loose-text"

_EPOCHS: Final[tuple[_Row, ...]] = (
    ("empty", "", "", ""),
    ("version-alone", "0\n", "", ""),
    ("no-rows", "0\n0\n", "", ""),
    ("one-row", "0\n1\n0 0\n", "", ""),
    ("three-rows", "0\n3\n0 0\n2 10\n7 4000000000\n", "", ""),
    ("other-version", "1\n1\n0 0\n", "log.checkpoint.version", ""),
    ("no-version", "x\n1\n0 0\n", "log.checkpoint.version", ""),
    ("nul-bytes", "\0" * 8, "log.checkpoint.version", ""),
    ("too-few-rows", "0\n2\n0 0\n", "log.checkpoint.count", ""),
    ("too-many-rows", "0\n1\n0 0\n1 5\n", "log.checkpoint.count", ""),
    ("no-count", "0\nx\n0 0\n", "log.checkpoint.count", ""),
    ("three-fields", "0\n1\n0 0 0\n", "log.checkpoint.row", ""),
    ("one-field", "0\n1\n0\n", "log.checkpoint.row", ""),
    ("no-number", "0\n1\nx 0\n", "log.checkpoint.number", ""),
    ("epoch-too-large", "0\n1\n2147483648 0\n", "log.checkpoint.number", ""),
    ("largest-epoch", "0\n1\n2147483647 9223372036854775807\n", "", ""),
    ("no-last-newline", "0\n1\n0 0", "log.checkpoint.text", _LOOSE),
    ("two-blanks", "0\n1\n0  0\n", "log.checkpoint.row", _LOOSE),
    ("plus-sign", "0\n1\n+1 0\n", "log.checkpoint.number", _LOOSE),
)

_OFFSETS: Final[tuple[_Row, ...]] = (
    ("empty", "", "", ""),
    ("no-rows", "0\n0\n", "", ""),
    ("two-rows", "0\n2\norders 0 12\norders-eu.v2 31 9223372036854775807\n", "", ""),
    ("other-version", "7\n0\n", "log.checkpoint.version", ""),
    ("too-few-rows", "0\n2\norders 0 12\n", "log.checkpoint.count", ""),
    ("two-fields", "0\n1\norders 12\n", "log.checkpoint.row", ""),
    ("no-number", "0\n1\norders 0 x\n", "log.checkpoint.number", ""),
    ("partition-too-large", "0\n1\norders 2147483648 0\n", "log.checkpoint.number", ""),
    ("offset-too-large", "0\n1\norders 0 9223372036854775808\n", "log.checkpoint.number", ""),
    ("no-last-newline", "0\n1\norders 0 12", "log.checkpoint.text", _LOOSE),
)

_METADATA: Final[tuple[_Row, ...]] = (
    ("usual", TOPIC_ID.decode(), "", ""),
    ("later-version", f"version: 1\ntopic_id: {_ID}", "", ""),
    ("empty", "", "log.partition-metadata.lines", ""),
    ("one-line", "version: 0\n", "log.partition-metadata.lines", ""),
    ("no-version", f"version: x\ntopic_id: {_ID}", "log.partition-metadata.version", ""),
    ("negative-version", f"version: -1\ntopic_id: {_ID}", "log.partition-metadata.version", ""),
    ("short-id", "version: 0\ntopic_id: short", "log.partition-metadata.topic-id", ""),
    ("zero-id", f"version: 0\ntopic_id: {'A' * 22}", "log.partition-metadata.topic-id", ""),
    ("other-keys", f"a: 0\nb: {_ID}", "log.partition-metadata.keys", "partition-metadata-keys-unread"),
)

_PROPERTIES: Final[tuple[_Row, ...]] = (
    ("kraft", f"version=1\nnode.id=1\ncluster.id={_ID}\ndirectory.id={_ID}\n", "", ""),
    ("kraft-without-directory", f"#comment\nversion=1\nnode.id=1\ncluster.id={_ID}\n", "", ""),
    ("zookeeper", f"version=0\nbroker.id=3\ncluster.id={_ID}\n", "", ""),
    ("no-version", "broker.id=1\n", "", ""),
    ("no-broker", f"version=0\ncluster.id={_ID}\n", "", ""),
    ("empty", "", "", ""),
    ("version-empty", "version=\nbroker.id=1\n", "log.meta-properties.version", ""),
    ("version-no-number", f"version=x\nnode.id=1\ncluster.id={_ID}\n", "log.meta-properties.version", ""),
    ("unknown-version", "version=2\nnode.id=1\n", "log.meta-properties.version", ""),
    ("no-node", f"version=1\ncluster.id={_ID}\n", "log.meta-properties.keys", ""),
    ("no-cluster", "version=1\nnode.id=1\n", "log.meta-properties.keys", ""),
    ("node-no-number", f"version=1\nnode.id=x\ncluster.id={_ID}\n", "log.meta-properties.keys", ""),
    (
        "short-directory",
        f"version=1\nnode.id=1\ncluster.id={_ID}\ndirectory.id=y\n",
        "log.meta-properties.directory-id",
        "",
    ),
)

_V1: Final = '"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA"'
_V0: Final = (
    '"clusterId":"","leaderId":1,"leaderEpoch":4,"votedId":-1,"appliedOffset":0,"currentVoters":[{"voterId":1}]'
)

_QUORUM: Final[tuple[_Row, ...]] = (
    ("version-1", f'{{"leaderId":1,"leaderEpoch":4,{_V1},"data_version":1}}', "", ""),
    ("version-0", f'{{{_V0},"data_version":0}}', "", ""),
    ("empty", "", "log.quorum-state.json", ""),
    ("no-json", "x", "log.quorum-state.json", ""),
    ("no-version", "{}", "log.quorum-state.version", ""),
    ("unknown-version", f'{{"leaderId":1,"leaderEpoch":4,{_V1},"data_version":9}}', "log.quorum-state.version", ""),
    ("no-keys", '{"data_version":1}', "log.quorum-state.keys", ""),
)

_CLEAN: Final[tuple[_Row, ...]] = (
    ("empty", "", "", ""),
    ("epoch", '{"version":0,"brokerEpoch":15}', "", ""),
    ("no-json", "x", "log.clean-shutdown.json", _LOOSE),
    ("no-epoch", '{"version":0}', "log.clean-shutdown.json", _LOOSE),
)


def _texts(family: str, file: str, rows: tuple[_Row, ...]) -> Iterator[FileCase]:
    for name, text, rule, flag in rows:
        yield FileCase(f"{family}/{name}", file, text.encode(), rule, flag)


def _snapshots() -> Iterator[FileCase]:
    write = structure("producer_snapshot_file")
    entry = structure("producer_state").type
    producers = [
        entry(producer_id=1, producer_epoch=0, last_sequence=1, last_offset=2, timestamp=1004, coordinator_epoch=3),
        entry(
            producer_id=2,
            producer_epoch=5,
            last_sequence=0,
            last_offset=41,
            timestamp=1005,
            current_transaction_first_offset=40,
        ),
    ]
    usual = write.encode(write.type(producers=producers))
    yield FileCase("snapshot/no-producers", SNAPSHOT, write.encode(write.type(producers=[])))
    yield FileCase("snapshot/two-producers", SNAPSHOT, usual)
    yield FileCase("snapshot/empty", SNAPSHOT, b"", "field.truncated")
    yield FileCase("snapshot/other-version", SNAPSHOT, b"\0\2" + usual[2:], "log.snapshot.version")
    counted = bytes.fromhex("0001ba0cc8c400000001")
    yield FileCase("snapshot/count-too-large", SNAPSHOT, counted, "log.snapshot.count")
    yield FileCase("snapshot/bit", SNAPSHOT, usual[:-1] + bytes([usual[-1] ^ 1]), "log.snapshot.checksum")
    yield FileCase("snapshot/cut", SNAPSHOT, usual[:-5], "log.snapshot.checksum")
    yield FileCase("snapshot/byte-behind", SNAPSHOT, usual + b"\0", "log.snapshot.checksum")


def _aborted_files() -> Iterator[FileCase]:
    entries = encode([AbortedTransaction(1, 0, 1, 2), AbortedTransaction(1, 2, 4, 3)])
    yield FileCase("txnindex/empty", ABORTED, b"")
    yield FileCase("txnindex/two", ABORTED, entries)
    yield FileCase(
        "txnindex/half-an-entry", ABORTED, entries[:-17], "log.transaction-index.size", "transaction-index-tail"
    )
    yield FileCase("txnindex/version-256", ABORTED, b"\1" + entries[1:], "log.transaction-index.version")


def _remote() -> Iterator[FileCase]:
    """Yield snapshots of remote log metadata: a head, and records of `__remote_log_metadata`."""
    head = structure("remote_log_snapshot_header")
    kind, frame = version("remote_log_segment_metadata_snapshot_record", 0), structure("metadata_record_frame")
    value = kind.encode(
        kind.type(
            segment_id=bytes(range(16)),
            start_offset=0,
            end_offset=29,
            broker_id=1,
            max_timestamp_ms=1004,
            event_timestamp_ms=1005,
            segment_leader_epochs=[kind.types["segment_leader_epoch_entry"](leader_epoch=0, offset=0)],
            segment_size_in_bytes=500,
            remote_log_segment_state=1,
        )
    )
    framed = frame.encode(frame.type(number=3, version=0)) + value
    record = len(framed).to_bytes(4, "big") + framed

    def content(count: int) -> bytes:
        return head.encode(head.type(metadata_partition=3, metadata_offset=42, record_count=count))

    yield FileCase("remote/no-records", REMOTE, content(0))
    yield FileCase("remote/two-records", REMOTE, content(2) + record * 2)
    yield FileCase("remote/other-version", REMOTE, b"\0\1" + content(0)[2:], "log.remote-snapshot.version")
    yield FileCase("remote/head-cut", REMOTE, content(0)[:-1], "field.truncated", "remote-snapshot-cut-head")
    yield FileCase("remote/record-cut", REMOTE, content(1) + record[:-1], "field.truncated")
    yield FileCase("remote/record-missing", REMOTE, content(2) + record, "field.truncated")


def _segments_07() -> Iterator[FileCase]:
    """Yield segments of 0.7, whose offsets are bytes; no class of 0.7 is left to ask."""
    entry, message = structure("v07_entry"), structure("v07_message_1").type
    messages = [entry.encode(entry.type(message=message(payload=text))) for text in (b"hello", b"", b"third")]
    name = f"{1000:020}.kafka"
    yield FileCase("segment-07/three-messages", name, b"".join(messages))
    yield FileCase("segment-07/empty", name, b"")
    broken = messages[0][:-1] + b"!"
    yield FileCase("segment-07/payload-bit", name, broken, "v07.crc.covers-payload")


def _names() -> Iterator[FileCase]:
    files = {
        "usual": (f"{42:020}.log", "", ""),
        "largest": (f"{(1 << 63) - 1:020}.log", "", ""),
        "no-number": ("abc.log", "log.name.number", ""),
        "no-offset": (".log", "log.name.number", ""),
        "too-large": (f"{1 << 63}.log", "log.name.number", ""),
        "few-digits": ("42.log", "log.name.digits", "log-name-of-any-width"),
        "plus-sign-in-20-letters": ("+0000000000000000042.log", "log.name.digits", "log-name-of-any-width"),
        "plus-sign": ("+42.log", "log.name.digits", "log-name-of-any-width"),
    }
    for case, (name, rule, flag) in files.items():
        yield FileCase(f"name/file-{case}", name, None, rule, flag)
    folders = {
        "usual": ("orders-0", ""),
        "hyphens": ("a-b-c-12", ""),
        "dots": ("a.b-3", ""),
        "deleted": (f"orders-0.{'0a' * 16}-delete", ""),
        "stray": (f"orders-7.{'0a' * 16}-stray", ""),
        "future": (f"a.b-0.{'0a' * 16}-future", ""),
        "any-id": ("orders-0.abc-delete", ""),
        "no-partition": ("orders", "log.name.partition"),
        "no-topic": ("-0", "log.name.partition"),
        "no-digits": ("orders-x", "log.name.partition"),
        "no-id": ("orders-0-delete", "log.name.partition"),
    }
    for case, (name, rule) in folders.items():
        yield FileCase(f"name/folder-{case}", f"{name}/", None, rule)
