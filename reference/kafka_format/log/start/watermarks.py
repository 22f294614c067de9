"""High watermarks of partitions: what a broker has shown to consumers, by the checkpoint.

ReplicaManager reads the file when a partition becomes a leader or follower; one that cannot be read
takes the directory offline.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.names import parse_partition
from kafka_format.log.start.outcome import DirectoryFault, PartitionStart, StartFate
from kafka_format.log.start.text_files import read_offsets
from kafka_format.log.start.unloadable import IO_ERRORS, Unloadable
from kafka_format.log.text.checkpoints import WATERMARK_FILE

FILE: Final = WATERMARK_FILE

Watermarks = dict[tuple[str, int], int]


def read(directory: Path) -> Watermarks | KafkaError:
    """Return the high watermarks in a data directory, or the error that Kafka logs."""
    path = directory / FILE
    try:
        rows = read_offsets(path)
    except Unloadable as unloadable:
        return unloadable.error
    except OSError:
        return KafkaError("IOException", f"Error while reading checkpoint file {path}")
    return {(row.topic, row.partition): row.offset for row in rows}


def add(partitions: list[PartitionStart]) -> Iterator[DirectoryFault]:
    """Add their high watermarks to partitions that are loaded; yield directories that go offline.

    Where a number is none the partitions are not served.
    """
    for directory in dict.fromkeys(each.path.parent for each in partitions if each.fate is StartFate.LOADED):
        known = read(directory)
        if isinstance(known, KafkaError) and known.name in IO_ERRORS:
            yield DirectoryFault(directory, directory / FILE, known)
        else:
            partitions[:] = [_with(each, known) if each.path.parent == directory else each for each in partitions]


def _with(each: PartitionStart, known: Watermarks | KafkaError) -> PartitionStart:
    if each.fate is not StartFate.LOADED:
        return each
    if isinstance(known, KafkaError):
        return each._replace(fate=StartFate.NOT_SERVED, why="watermark-unreadable", error=known)
    name = parse_partition(each.path.name)
    return each._replace(high_watermark=known.get((name.topic, name.partition)))
