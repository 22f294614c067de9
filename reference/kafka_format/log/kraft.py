"""The folder of a metadata quorum: snapshots, log and quorum-state, and whether they fit together.

A snapshot begins with a header and ends with a footer, each alone in a control batch (KIP-630; raft
RecordsSnapshotWriter). Since old parts of the log go, its newest snapshot must reach up to where
the log begins; a log that ends below the newest snapshot is thrown away, and begins anew after it
(raft KafkaRaftLog).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.log.batches import Batch, batches
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.names import FileKind, FileName
from kafka_format.log.partition import PartitionLog
from kafka_format.records import control

FOLDER: Final = "__cluster_metadata-0"
HEADER: Final = "snapshot_header"
FOOTER: Final = "snapshot_footer"


class Snapshot(NamedTuple):
    """A KRaft snapshot.

    Attributes:
        path: where it is.
        end_offset: the offset that it stands before, and in `epoch` the epoch of the record before
            that.
        records: its records, header and footer apart.
        control: its control records, in order.
        timestamp: of the newest record that it stands for, as its header says; -1 without a header.
    """

    path: Path
    end_offset: int
    epoch: int
    records: int
    control: tuple[str, ...]
    timestamp: int = -1

    @property
    def is_whole(self) -> bool:
        """Whether it has a header in front and a footer at its end."""
        return self.control[:1] == (HEADER,) and self.control[-1:] == (FOOTER,)


def snapshots(log: PartitionLog) -> list[Snapshot]:
    """Read the snapshots of a metadata quorum, by end offset and epoch.

    Raises:
        FormatError: one has something that is no batch, or a batch that breaks a rule.
    """
    named = [(file.path, file.name) for file in log.files if file.name is not None and is_snapshot(file.name)]
    return [
        read_snapshot(path, name) for path, name in sorted(named, key=lambda pair: (pair[1].offset, pair[1].epoch or 0))
    ]


def is_snapshot(name: FileName) -> bool:
    """Tell whether a file is a KRaft snapshot that is done."""
    return name.kind is FileKind.KRAFT_SNAPSHOT and not name.markers


def read_snapshot(path: Path, name: FileName) -> Snapshot:
    """Read a snapshot.

    Raises:
        FormatError: it has something that is no batch, or a batch that breaks a rule.
    """
    count, kinds, timestamp = 0, list[str](), -1
    with MappedFile(path) as file:
        end = 0
        for batch in batches(file.data):
            batch.check()
            end = batch.end
            control_records = list(_control(batch))
            kinds += [each.type for each in control_records]
            count += 0 if batch.has("is_control") else batch.count or 0
            timestamp = next(
                (each.fields.last_contained_log_timestamp for each in control_records if each.type == HEADER), timestamp
            )
        if end < len(file.data):
            kinds.append("an end that is not a batch")
    return Snapshot(path, name.offset, name.epoch or 0, count, tuple(kinds), timestamp)


def _control(batch: Batch) -> Iterator[control.ControlRecord]:
    if batch.has("is_control"):
        for record in batch.records():
            yield control.read(record.key, record.value)
