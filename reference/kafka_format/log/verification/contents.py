"""The rules of the records in Kafka's own topics: what a node or a coordinator cannot load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.contents import coordinators, metadata
from kafka_format.log.contents.releases import NEWEST, Release
from kafka_format.log.kraft import FOLDER
from kafka_format.log.names import folder_name, parse_partition
from kafka_format.log.partition import PartitionLog
from kafka_format.log.verification.breach import Breach

_COORDINATOR: Final = "log.contents.coordinator"
_REMOTE: Final = "log.contents.remote"
_PASSED_OVER: Final = "RemoteResourceNotFoundException"
"""A segment of remote storage that was never begun: retention of the topic does that too."""


def verify(log: PartitionLog, release: Release = NEWEST) -> Iterator[Breach]:
    """Yield the records of one of Kafka's own topics that a release cannot load.

    Other partitions have none.
    """
    if folder_name(log.folder) == FOLDER:
        yield from _metadata(log, release)
        return
    with suppress(FormatError):
        name = parse_partition(folder_name(log.folder))
        if name.topic in coordinators.TOPICS and not name.marker:
            yield from _coordinator(log, name.topic, release)


def _metadata(log: PartitionLog, release: Release) -> Iterator[Breach]:
    try:
        found = metadata.replay(log, release=release)
    except ValueError:
        return  # a snapshot is missing, which has a rule of its own
    is_known = found.is_whole  # what contradicts less than there was means nothing
    for fault in found.faults:
        is_known = is_known and (fault.is_contradiction or fault.path == found.snapshot)
        if fault.is_contradiction and not is_known:
            continue
        rule = "log.contents.image" if fault.is_contradiction else "log.contents.metadata"
        yield Breach(rule, fault.path, str(fault.error), fault.batch.position, fault.offset)


def _coordinator(log: PartitionLog, topic: str, release: Release) -> Iterator[Breach]:
    rule = _REMOTE if topic == coordinators.REMOTE else _COORDINATOR
    for each in coordinators.load(log, topic, release, to_end=True).unloaded:
        if each.error.name != _PASSED_OVER and each.batch.size:
            yield Breach(rule, each.path, str(each.error), each.batch.position, each.offset)
