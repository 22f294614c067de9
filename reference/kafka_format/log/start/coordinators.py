"""What coordinators cannot load of the partitions that a broker serves."""

from __future__ import annotations

from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log.contents import coordinators
from kafka_format.log.contents.coordinators import REMOTE, Cost
from kafka_format.log.names import parse_partition
from kafka_format.log.partition import PartitionLog
from kafka_format.log.start.configs import is_tiered
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import NotServed, PartitionStart, Start, StartFate


def load(node: Node, start: Start) -> None:
    """Have coordinators load every partition of their topics that is loaded."""
    for each in start.partitions:
        if each.fate is not StartFate.LOADED:
            continue
        name = parse_partition(each.path.name)
        if name.marker or name.topic not in coordinators.TOPICS or (name.topic == REMOTE and not _is_read(node, start)):
            continue
        try:
            with PartitionLog(each.path) as log:
                loaded = coordinators.load(log, name.topic, node.release, kept=_kept(each))
        except (FormatError, OSError):
            start.not_looked_at.append(f"records of {name}")
            continue
        for unloaded in loaded.unloaded:
            if unloaded.cost is not Cost.RECORD or unloaded.error.name != "RemoteResourceNotFoundException":
                start.not_served.append(
                    NotServed(
                        str(name),
                        unloaded.path,
                        unloaded.offset,
                        unloaded.batch.position,
                        unloaded.error,
                        str(unloaded.cost),
                    )
                )


def _is_read(node: Node, start: Start) -> bool:
    """Tell whether a node reads the metadata of remote storage: if a topic has that."""
    if node.has_remote_storage is False or start.image is None:
        return False
    return any(is_tiered(start.image, topic.name) for topic in start.image.topics.values())


def _kept(each: PartitionStart) -> dict[Path, int]:
    """Return how many bytes stay of segments that lose some."""
    if each.recovery is None:
        return {}
    is_emptied = each.recovery.emptied
    return {part.segment.path: 0 if is_emptied else part.valid_bytes for part in each.recovery.segments}
