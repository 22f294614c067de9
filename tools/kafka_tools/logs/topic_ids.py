"""Topic ids of partitions beside those of the metadata log: which ones begin empty at a start.

A broker of KRaft renames a folder to `-stray` if `partition.metadata` is missing in it, or names an
id that the metadata log does not have, or if the partition is on other brokers (storage
LogManager.isStrayReplica, since 3.7). It then begins with an empty folder if the partition is its
own. With ZooKeeper a missing file is written anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.kraft import FOLDER
from kafka_format.log.leftovers import topic_id
from kafka_format.log.names import PartitionName, parse_partition
from kafka_format.log.text import meta_properties, partition_metadata
from kafka_format.log.topic_names import TopicNames, topics
from kafka_format.log.verification import Breach
from kafka_format.log.verification.directory import partition_folders


class EmptyStart(NamedTuple):
    """A partition that begins empty: its folder, why, and what to do before the start."""

    path: Path
    why: str
    advice: str


class TopicIds:
    """The ids of topics that a data directory and its metadata log have."""

    def __init__(self, data: Path) -> None:
        """Remember the data directory; the metadata log is read when it is asked for."""
        self._data = data

    def other_node(self) -> Breach | None:
        """Return what is wrong with a meta.properties that is missing, or of another broker."""
        path = self._data / meta_properties.NAME
        if self._topics is None:
            return None
        if not path.exists():
            return Breach("", path, "is missing, and a broker of KRaft does not start without it")
        nodes = {node for replicas in self._topics.replicas.values() for node in replicas}
        has_partitions = any(folder.name != FOLDER for folder in partition_folders(self._data))
        if self._node is None or not nodes or self._node in nodes or not has_partitions:
            return None  # a controller has no partition, and a new broker neither
        named = ", ".join(map(str, sorted(nodes)))
        return Breach("", path, f"has the id {self._node}, and the metadata log has all partitions on {named}")

    def strays(self) -> Iterator[EmptyStart]:
        """Yield the partitions that a start renames to `-stray`."""
        for folder in partition_folders(self._data) if self.is_of_kraft and not self.other_node() else ():
            with suppress(FormatError):
                name = parse_partition(folder.name)
                why = "" if name.marker or folder.name == FOLDER else self._why_stray(folder, name)
                if why:
                    said = f"{why}: since 3.7.1 it is renamed to {folder.name}.ID-stray, and a new one is begun"
                    yield EmptyStart(folder, said, self._advice_on_stray(name))

    def absent(self, breach: Breach) -> EmptyStart | None:
        """Return the partition that a checkpoint has and that begins empty.

        None if its topic is not known to be there.

        Args:
            breach: a row of a checkpoint without a folder.
        """
        name = parse_partition(breach.partition)
        if self._id(name.topic) is None or not self._is_own(self._id(name.topic), name.partition):
            return None
        advice = "Bring its folder back, unless it is in another data directory of the broker, or on other replicas."
        return EmptyStart(self._data / str(name), f"it has no folder, and was at offset {breach.offset}", advice)

    def advice(self, file: Path) -> str:
        """Return what is to be in a `partition.metadata`, as the end of a sentence.

        Empty if it is not known.
        """
        with suppress(FormatError):
            expected = self._id(parse_partition(file.parent.name).topic)
            return f"; the metadata log has the topic with the id {expected}" if expected else ""
        return ""

    def _why_stray(self, folder: Path, name: PartitionName) -> str:
        number = topic_id(folder)
        if not number:
            is_there = (folder / partition_metadata.NAME).exists()
            return "" if is_there else f"it has no {partition_metadata.NAME}"
        if self._topics is None or not self._topics.names:
            return ""
        if number not in self._topics.names:
            was_removed = ", whose topic was removed" if number in self._topics.removed else ""
            return f"the metadata log has no topic with its id {number}{was_removed}"
        return "" if self._is_own(number, name.partition) else "the metadata log has it on other brokers"

    def _advice_on_stray(self, name: PartitionName) -> str:
        expected = self._id(name.topic)
        if expected is None:
            return "If you need its records, `log rescue` it first; else none is needed."
        if not self._is_own(expected, name.partition):
            return "Nothing, if the partition is whole on its other replicas."
        lines = f"`version: 0` and `topic_id: {expected}`"
        return f"Write two lines into its {partition_metadata.NAME}, {lines}, if these are the records of that topic."

    def _id(self, topic: str) -> str | None:
        return self._numbers.get(topic)

    def _is_own(self, number: str | None, partition: int) -> bool:
        """Tell whether a partition is on this broker; true if that is not known."""
        replicas = self._topics.replicas.get((number or "", partition)) if self._topics else None
        return self._node is None or (self._node in replicas if replicas is not None else not self._topics)

    @cached_property
    def _numbers(self) -> dict[str, str]:
        """The ids of topics by their names."""
        return {name: number for number, name in self._topics.names.items()} if self._topics else {}

    @cached_property
    def _topics(self) -> TopicNames | None:
        return topics(self._data)

    @cached_property
    def is_of_kraft(self) -> bool:
        """Whether the data directory is that of a broker of KRaft."""
        return self._topics is not None or (self._meta is not None and self._meta.version > 0)

    @property
    def _node(self) -> int | None:
        return self._meta.node_id if self._meta else None

    @cached_property
    def _meta(self) -> meta_properties.MetaProperties | None:
        with suppress(FormatError, OSError):
            return meta_properties.decode((self._data / meta_properties.NAME).read_bytes())
        return None
