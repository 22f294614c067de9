"""The topic ids of partitions, held against the metadata log in the same data directory.

A broker of KRaft looks a partition up by the id in `partition.metadata`, and takes a folder whose
id its metadata does not have, or that has none, for one that stayed behind (KIP-516; storage
LogManager.isStrayReplica). Without a metadata log in the directory nothing is known, and nothing
told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log.kraft import FOLDER
from kafka_format.log.names import PartitionName, parse_partition
from kafka_format.log.text import partition_metadata
from kafka_format.log.topic_names import TopicNames, topics
from kafka_format.log.verification.breach import Breach


def verify(data: Path, folders: Iterable[Path]) -> Iterator[Breach]:
    """Yield the partitions that have another topic id than their topic has in the metadata log.

    Args:
        data: the data directory.
        folders: the folders of partitions in it.
    """
    known = topics(data)
    if known is None or not known.names:
        return
    numbers = {topic: number for number, topic in known.names.items()}
    for folder in folders:
        try:
            name = parse_partition(folder.name)
        except FormatError:
            continue  # reported where the partition is verified
        if not name.marker and folder.name != FOLDER:
            yield from _verify(folder, name, known, numbers.get(name.topic))


def _verify(folder: Path, name: PartitionName, known: TopicNames, expected: str | None) -> Iterator[Breach]:
    path = folder / partition_metadata.NAME
    own = f"{name.topic} has the id {expected} there" if expected else f"it has no topic {name.topic}"
    if not path.exists():
        yield Breach("log.partition-metadata.known", path, f"the file is missing; in the metadata log: {own}")
        return
    try:
        number = partition_metadata.decode(path.read_bytes()).topic_id
    except FormatError:
        return  # reported where texts are verified
    if number != expected:
        yield Breach("log.partition-metadata.known", path, f"its id {number} {_owner(number, known)}, and {own}")


def _owner(number: str, known: TopicNames) -> str:
    if number in known.names:
        return f"is that of {known.names[number]} in the metadata log"
    if number in known.removed:
        return "is that of a topic which the metadata log says was removed"
    return "is that of no topic in the metadata log"
