"""Files that each segment of a log has beside it: its offset index, and its producer snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kafka_format.log.kraft import FOLDER
from kafka_format.log.names import FileKind, folder_name
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log.text import partition_metadata
from kafka_format.log.verification.breach import Breach


def verify(log: PartitionLog) -> Iterator[Breach]:
    """Yield the segments that lack a file; none of a folder that has nothing but segments.

    Such a folder is somebody's copy of the records.
    """
    if not is_bare(log):
        yield from _offset_indexes(log)
        yield from _snapshots(log)


def is_bare(log: PartitionLog) -> bool:
    """Tell whether a folder has nothing but segments: what should stand beside them is unknown."""
    return all(file.name is not None and file.name.kind is FileKind.SEGMENT for file in log.files)


def _offset_indexes(log: PartitionLog) -> Iterator[Breach]:
    """2.3 to 3.1 make the index of a segment with the first batch (KAFKA-13603)."""
    for segment in log.segments:
        if not segment.has_index and segment.path.stat().st_size:
            detail = f"{segment.path.name} has no offset index"
            path = segment.file(FileKind.OFFSET_INDEX)
            yield Breach("log.offset-index.present", path, detail, None, segment.base_offset)


def _snapshots(log: PartitionLog) -> Iterator[Breach]:
    """Since 2.8 each segment but the first keeps the snapshot that is written when it begins.

    Older releases remove old ones, and a log may be from an upgrade. So a snapshot is only missing
    where the segment before was written to when 2.8 or later had given the log its topic id. The
    metadata log's snapshots are removed at each start.
    """
    path = log.folder / partition_metadata.NAME
    if folder_name(log.folder) == FOLDER or (log.name is not None and log.name.marker) or not path.is_file():
        return
    began = path.stat().st_mtime_ns
    for before, segment in pairwise(log.segments):
        snapshot = segment.file(FileKind.PRODUCER_SNAPSHOT)
        if _is_written_since(before, began) and not segment.is_made and not snapshot.is_file():
            detail = f"segment {segment.base_offset} has no producer snapshot"
            yield Breach("log.snapshot.present", snapshot, detail, None, segment.base_offset)


def _is_written_since(segment: Segment, time: int) -> bool:
    return not segment.is_made and segment.path.stat().st_mtime_ns >= time
