"""remote_log_snapshot: metadata of remote segments, as brokers of 3.1 to 3.7 kept it (KIP-405).

A head, and then records of `__remote_log_metadata` with their frames, each after its length
(storage RemoteLogMetadataSnapshotFile). `kafka_format.protocol.records` reads the records.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.counts import byte_count
from kafka_format.spec.flags import NO_FLAGS

NAME: Final = "remote_log_snapshot"
TOPIC: Final = "__remote_log_metadata"
"""The topic whose records these are."""

_HEAD: Final = "remote_log_snapshot_header"
_HEAD_SIZE: Final = prefix(_HEAD).size
_CUT_HEAD: Final = "remote-snapshot-cut-head"
_LENGTH: Final = 4


class RemoteSnapshot(NamedTuple):
    """The content of the file.

    Attributes:
        metadata_partition: the partition of `__remote_log_metadata` that it stands for.
        metadata_offset: up to which offset of it.
        records: the values of the records.
        places: where each of them begins in the file.
    """

    metadata_partition: int
    metadata_offset: int
    records: tuple[bytes, ...]
    places: tuple[int, ...]


def decode(data: bytes, flags: frozenset[str] = NO_FLAGS) -> RemoteSnapshot:
    """Read the file; bytes after the last record are not looked at.

    Raises:
        FormatError: its version is unknown, or a record is cut.
    """
    if _CUT_HEAD in flags:
        data = data.ljust(_HEAD_SIZE, b"\0")
    head, at = structure(_HEAD).read(data, 0, len(data), flags=NO_FLAGS)
    records, places = list[bytes](), list[int]()
    for number in range(head.record_count):
        length = int.from_bytes(data[at : at + _LENGTH], "big", signed=True)
        start = at + _LENGTH
        if start > len(data) or not 0 <= length <= len(data) - start:
            detail = f"record {number} has {byte_count(length)}, {max(len(data) - start, 0)} of them are there"
            path = ("records", number)
            raise FormatError(detail, rule="field.truncated", stage=Stage.STRUCTURE, offset=at, path=path)
        records.append(data[start : start + length])
        places.append(start)
        at = start + length
    return RemoteSnapshot(head.metadata_partition, head.metadata_offset, tuple(records), tuple(places))
