"""Folders `-future`: copies of logs that are moved to another data directory.

At a start one whose directory is the one that the metadata has for the partition takes the place of
the log that is there (LogManager.recoverAbandonedFutureLogs, since 3.7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from kafka_format.log.contents.image import Image
from kafka_format.log.contents.releases import Release
from kafka_format.log.names import parse_partition
from kafka_format.log.start.outcome import SAME_CONTENT, PartitionStart, StartFate, stopped
from kafka_format.log.text.meta_properties import MetaProperties

SINCE: Final[Release] = (3, 7)


def replace(
    partitions: Sequence[PartitionStart], image: Image, broker: int, properties: Mapping[Path, MetaProperties]
) -> list[PartitionStart]:
    """Return the partitions after futures took the places of logs.

    Raises:
        Stopped: a folder is in the way of one, and the process ends.
    """
    made = list(partitions)
    for at, each in enumerate(partitions):
        name = parse_partition(each.path.name)
        if name.marker != "future" or each.fate is not StartFate.LOADED:
            continue
        if _assigned(image, name.topic, name.partition, broker) != properties[each.path.parent].directory_id:
            continue
        place = each.path.with_name(str(name))
        if place.is_dir() and any(place.iterdir()):
            message = f"Error while renaming dir for {name} in log dir {each.path.parent}"
            raise stopped("future-in-the-way", each.path, "KafkaStorageException", message)
        made[at] = each._replace(fate=StartFate.REPLACES)
        made = [_replaced(other, each) if other.path.name == str(name) else other for other in made]
    return made


def _assigned(image: Image, topic: str, number: int, broker: int) -> str | None:
    """Return the directory that the metadata has for a partition on a broker."""
    partition = image.topics[image.topic_id(topic) or ""].partitions[number]
    return dict(zip(partition.replicas, partition.directories, strict=False)).get(broker)


def _replaced(log: PartitionStart, future: PartitionStart) -> PartitionStart:
    has_all = (future.start_offset, future.end_offset) == (log.start_offset, log.end_offset)
    return log._replace(fate=StartFate.REPLACED, why=SAME_CONTENT if has_all else "replaced")
