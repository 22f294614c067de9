"""Partitions at a start: which folders are no partition's any more, and how each log is loaded.

LogManager.loadLogs, loadLog and isStrayReplica.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.contents.coordinators import REMOTE
from kafka_format.log.contents.image import Image, Partition
from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.kraft import FOLDER
from kafka_format.log.names import PartitionName, parse_partition
from kafka_format.log.recovery import INDEX_INTERVAL
from kafka_format.log.start import futures, loading, remote_cache, rights, watermarks
from kafka_format.log.start.configs import check_configs, index_interval, is_compacted, is_tiered
from kafka_format.log.start.directories import Directories, is_reserved, os_error
from kafka_format.log.start.endings import Endings, one_of
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import (
    EMPTIED_NOTE,
    ENDS_NOTE,
    INTERVAL_NOTE,
    LEADERS_NOTE,
    NOT_NAMED,
    REMOTE_NOTE,
    DirectoryFault,
    Fault,
    PartitionStart,
    Start,
    StartFate,
    Stopped,
)
from kafka_format.log.start.text_files import read_offsets, topic_id
from kafka_format.log.start.unloadable import IO_ERRORS, Unloadable
from kafka_format.log.text import clean_shutdown
from kafka_format.log.text.checkpoints import CLEANER_FILE, RECOVERY_FILE

RECOVERY_POINT: Final = RECOVERY_FILE
START_OFFSET: Final = "log-start-offset-checkpoint"
_METADATA_TOPIC: Final = "__cluster_metadata"

_OFFLINE: Final = "directory-offline"
_ALL_OFFLINE: Final = "directories-offline"
_LOGS: Final = (StartFate.LOADED, StartFate.ABSENT, StartFate.NOT_SERVED)

Offsets = dict[tuple[str, int], int]


class PartitionLoader:
    """Loads the partitions of a node's data directories."""

    def __init__(self, node: Node, found: Directories, start: Start, *, with_zookeeper: bool = False) -> None:
        """Take what is known of the node by now; with ZooKeeper no directory has metadata."""
        self._node = node
        self._metadata = None if with_zookeeper else node.metadata
        self._found = found
        self._start = start
        self._image = start.image if start.image is not None else Image()
        properties = found.properties.get(node.metadata)
        self._number = -1 if properties is None or properties.node_id is None else properties.node_id
        self._seen = dict[str, Path]()
        self._starts = Offsets()
        self._endings = Endings(tuple(found.properties))

    def load(self) -> None:
        """Load the partitions of all data directories.

        Raises:
            Stopped: the process ends.
        """
        if self._start.image is not None:
            check_configs(self._node, self._image)
        if self._node.has_remote_storage or (self._node.has_remote_storage is None and self._has_tiered):
            remote_cache.check(self._node, self._start)
        for directory in self._found.properties:
            _check_names(directory)
        for directory in self._found.properties:
            self._directory(directory)
        self._endings.check()
        self._start.notes += [
            (ENDS_NOTE, each.path, each.error.message) for each in self._endings.perhaps if each.error
        ]
        self._check_directories()
        if self._start.image is not None and self._node.release >= futures.SINCE:
            properties = self._found.properties
            self._start.partitions[:] = futures.replace(self._start.partitions, self._image, self._number, properties)
        for check in (watermarks.add, rights.later_faults):
            for fault in list(check(self._start.partitions)):
                self._take_offline(fault)
        self._check_directories()
        for absent in list(self._absent()):
            self._start.partitions.append(self._begun(absent))
        self._check_new()
        self._check_directories()
        self._note_leaders()

    def _check_new(self) -> None:
        """Take directories offline whose high watermarks cannot be read when a partition is made.

        With remote storage the topic of its metadata is made if it is not there.
        """
        places = [each.path.parent for each in self._start.partitions if each.fate is StartFate.ABSENT]
        if self._node.has_remote_storage and self._image.topic_id(REMOTE) is None:
            places.append(self._place(Partition((), (), -1, 0, 0)))
        for directory in dict.fromkeys(places):
            known = watermarks.read(directory)
            if directory not in self._offline and isinstance(known, KafkaError) and known.name in IO_ERRORS:
                self._take_offline(DirectoryFault(directory, directory / watermarks.FILE, known))

    @property
    def _has_tiered(self) -> bool:
        """Whether a topic is set to have remote storage."""
        return any(is_tiered(self._image, topic.name) for topic in self._image.topics.values())

    def _note_leaders(self) -> None:
        """Note what keeps other partitions from their leader: the first error ends making leaders.

        Which were made before is chance (ReplicaManager.applyLocalLeadersDelta).
        """
        at = [each.path for each in self._start.partitions if each.fate is StartFate.NOT_SERVED or each.why == _OFFLINE]
        self._start.notes += [(LEADERS_NOTE, path, "") for path in at[:1]]

    def _directory(self, directory: Path) -> None:
        """Load a directory; the first fault takes it offline, the rest is loaded all the same."""
        points = Offsets()
        faults = list[Unloadable]()
        with self._noted(directory, faults):
            rights.check_lock(directory)
        with self._noted(directory, faults):
            rights.check_marker(directory)
        if any(fault.kind == "directory-unwritable" for fault in faults):  # nothing in it is loaded
            self._take_offline(DirectoryFault(directory, faults[0].path, faults[0].error))
            return
        for file in (RECOVERY_POINT, START_OFFSET):
            with self._noted(directory, faults):
                read = self._offsets(directory / file)
                points = read if file == RECOVERY_POINT else points
                self._starts |= read if file == START_OFFSET else {}
        known = len(faults)
        for folder in _folders(directory):
            name = parse_partition(folder.name)
            if name.topic != _METADATA_TOPIC:
                point = points.get((name.topic, name.partition), 0)
                with self._noted(directory, faults):
                    self._partition(folder, name, point, is_clean=_is_clean(directory))
        others = [] if known else faults[1:]
        if self._node.has_cleaner:
            with self._noted(directory, faults):
                self._offsets(directory / CLEANER_FILE)
        with self._noted(directory, faults):
            _check_places(directory, points)
        if faults:
            self._check_open(directory, faults[0], is_known=bool(known))
            fault, *more = (
                DirectoryFault(directory, each.path, each.error, each.kind) for each in (faults[0], *others)
            )
            self._take_offline(fault._replace(others=tuple(more)))

    @contextmanager
    def _noted(self, directory: Path, faults: list[Unloadable]) -> Iterator[None]:
        """Note a fault that takes the directory; keep one that ends the process."""
        try:
            yield
        except Unloadable as unloadable:
            if unloadable.takes_directory:
                faults += [unloadable, *unloadable.others]
            else:
                self._endings.add((directory, self._with_topic_id(unloadable.fault)))

    def _check_open(self, directory: Path, fault: Unloadable, *, is_known: bool) -> None:
        """Look for an open transaction in a directory that is offline while it is loaded.

        A log with one is read for it, which ends the process (UnifiedLog.convertToOffsetMetadata):
        surely if the fault was known before any log was loaded, else if the log comes behind it in
        the order of the folder, which is not known.
        """
        opened = [each for each in self._start.partitions if each.path.parent == directory and _is_open(each)]
        if not opened:
            return
        message = f"The log dir {directory} is already offline due to a previous IO exception."
        known = (("partition", opened[0].path.name),)
        ending = Fault("directory-offline-open", fault.path, KafkaError("KafkaStorageException", message), known=known)
        if is_known:
            self._endings.add((directory, ending))
        else:
            self._endings.add_perhaps(directory, ending)

    def _with_topic_id(self, fault: Fault) -> Fault:
        """Add the topic id that the metadata has for a folder, if it is the id that is at fault."""
        if fault.kind != "topic-id-broken":
            return fault
        expected = self._image.topic_id(parse_partition(fault.path.parent.name).topic)
        return fault if expected is None else fault._replace(known=(("topic_id", expected),))

    def _take_offline(self, fault: DirectoryFault) -> None:
        self._start.offline.append(fault)
        kept = [each for each in self._start.partitions if each.path.parent != fault.directory]
        self._start.partitions[:] = kept

    def _offsets(self, path: Path) -> Offsets:
        """Read a checkpoint.

        Raises:
            Unloadable: the directory goes offline. A number that is none is ignored instead; in the
                cleaner's file it ends the cleaner.
        """
        try:
            rows = read_offsets(path)
        except Unloadable as unloadable:
            if unloadable.takes_directory:
                raise
            kind = "cleaner-ends" if path.name == CLEANER_FILE else "checkpoint-ignored"
            self._start.notes.append((kind, path, str(unloadable.error)))
            return {}
        except OSError as error:
            raise Unloadable("checkpoint-broken", path, *os_error(error, path)) from error
        return {(row.topic, row.partition): row.offset for row in rows}

    def _partition(self, folder: Path, name: PartitionName, point: int, *, is_clean: bool) -> None:
        is_going = name.marker == "delete"  # its segments are opened, and not recovered
        release, interval = self._node.release, index_interval(self._image, name.topic)
        recovery, read, size = loading.load(
            folder,
            release,
            recovery_point=point,
            is_clean=is_clean or is_going,
            index_interval=INDEX_INTERVAL if interval is None else interval,
        )
        self._start.read_bytes += read
        if is_going:
            topic_id(folder, self._node.release)  # it is read, and may be broken
            self._start.partitions.append(PartitionStart(folder, StartFate.DELETED, why=name.marker))
            return
        why, expected = ("stray", None) if name.marker == "stray" else self._why_stray(folder, name)
        fate = StartFate.STRAY if why else StartFate.LOADED
        why = why or name.marker
        if fate is StartFate.LOADED:
            self._check_once(folder, name)
        is_emptied = loading.is_emptied(folder, recovery, release)
        end = loading.emptied_end(recovery) if is_emptied else recovery.end_offset
        ends = (self._log_start(folder, name, recovery.start_offset), end)
        made = PartitionStart(folder, fate, *ends, recovery=recovery, why=why, expected_id=expected, size=size)
        made = made if is_clean else made._replace(recovered_from=point)
        self._start.partitions.append(self._with_other_id(made))
        self._start.notes += [("folder-ignored", path, "") for path in loading.ignored_folders(folder)]
        if interval is None:
            back = [each for each in recovery.segments if each.goes_back is not None]
            self._start.notes += [(INTERVAL_NOTE, each.segment.path, str(each.goes_back)) for each in back]
        if is_emptied:
            self._start.notes.append((EMPTIED_NOTE, folder, ""))

    def _log_start(self, folder: Path, name: PartitionName, local: int) -> int:
        """Return where a log starts, which may be in remote storage, below its segments here."""
        if not is_tiered(self._image, name.topic):
            return local
        start = self._starts.get((name.topic, name.partition), 0)
        if self._node.has_remote_storage is False or is_compacted(self._image, name.topic):
            if start < local:
                self._start.notes.append((REMOTE_NOTE, folder, f"{start} to {local - 1}"))
            return local
        if self._node.has_remote_storage is None and REMOTE_NOTE not in self._start.assumed:
            self._start.assumed.append(REMOTE_NOTE)
        return start

    def _with_other_id(self, made: PartitionStart) -> PartitionStart:
        """Refuse to serve a folder that has the id of another topic, which is there too."""
        if made.fate is not StartFate.LOADED or made.expected_id is None or made.why:
            return made
        known = topic_id(made.path, self._node.release)
        if known == made.expected_id:
            return made
        said = f"Tried to assign topic ID {made.expected_id} to log for topic partition {made.path.name},"
        error = KafkaError("InconsistentTopicIdException", f"{said}but log already contained topic ID {known}")
        return made._replace(fate=StartFate.NOT_SERVED, why="id-of-other-topic", error=error)

    def _check_once(self, folder: Path, name: PartitionName) -> None:
        """Have the process end at the second folder of a partition: that which is loaded last."""
        known = self._seen.setdefault(f"{name}{name.marker}", folder)
        if known != folder:
            self._endings.add(*((last.parent, _twice(name, last, first)) for last, first in _orders(folder, known)))

    def _why_stray(self, folder: Path, name: PartitionName) -> tuple[str, str | None]:
        """Return why a folder is a stray, empty if it is none; and the topic id of its name."""
        number = topic_id(folder, self._node.release)
        if self._start.image is None:
            return "", None
        expected = self._image.topic_id(name.topic)
        if number is None:
            return "no-topic-id", expected
        topic = self._image.topics.get(number)
        if topic is None:
            return "topic-unknown", expected
        partition = topic.partitions.get(name.partition)
        if partition is None:
            return "partition-unknown", expected
        if self._number not in partition.replicas:
            return "on-other-brokers", expected
        return "", expected

    def _check_directories(self) -> None:
        """End the process if the metadata directory is offline, or all are."""
        online = [each for each in self._found.properties if each not in self._offline]
        if online and (self._metadata is None or self._metadata in online):
            return
        fault = next(each for each in self._start.offline if each.directory == self._metadata or not online)
        raise Stopped(one_of([Fault(_ALL_OFFLINE, each.path, each.error) for each in (fault, *fault.others)]))

    def _absent(self) -> Iterator[PartitionStart]:
        """Yield partitions of this broker that have no folder, or none that is online.

        They begin empty, those of a directory that is offline in another one.
        """
        there = {each.path.name for each in self._start.partitions}
        of_all = _OFFLINE if self._start.offline else ""
        for topic in self._image.topics.values():
            for number, partition in sorted(topic.partitions.items()):
                name = f"{topic.name}-{number}"
                if self._number in partition.replicas and name not in there:
                    shown = self._watermark(topic.name, number)
                    path = self._place(partition) / name
                    why = of_all or (NOT_NAMED if self._is_elsewhere(partition) else "")
                    yield PartitionStart(path, StartFate.ABSENT, 0, 0, shown, why=why)

    def _assigned(self, partition: Partition) -> str | None:
        """Return the id of the directory that has a partition by the metadata; None if unknown."""
        assigned = dict(zip(partition.replicas, partition.directories, strict=False)).get(self._number)
        return None if assigned is None or is_reserved(assigned) else assigned

    def _is_elsewhere(self, partition: Partition) -> bool:
        """Tell whether a partition is, by the metadata, in a directory that the node has not."""
        assigned = self._assigned(partition)
        return assigned is not None and all(
            properties.directory_id != assigned for properties in self._found.properties.values()
        )

    def _place(self, partition: Partition) -> Path:
        """Return where a partition begins: its directory, or that with the fewest logs."""
        online = [each for each in self._found.properties if each not in self._offline]
        online = [each for each in online if each in self._node.directories]
        assigned = self._assigned(partition)
        for directory in online:
            if assigned is not None and self._found.properties[directory].directory_id == assigned:
                return directory
        logs = [each.path.parent for each in self._start.partitions if each.fate in _LOGS]
        return min(online, key=logs.count)

    @property
    def _offline(self) -> set[Path]:
        return {fault.directory for fault in self._start.offline}

    def _begun(self, absent: PartitionStart) -> PartitionStart:
        """Take a directory offline where something is in the place of a folder that is made."""
        path = absent.path
        if not path.exists():
            return absent
        error = KafkaError("FileAlreadyExistsException", str(path))
        self._take_offline(DirectoryFault(path.parent, path, error))
        gone = absent._replace(fate=StartFate.NOT_SERVED, why="file-for-folder", error=error)
        return gone._replace(start_offset=None, end_offset=None)

    def _watermark(self, topic: str, number: int) -> int | None:
        """Return the high watermark of a partition in any directory; None if none has it."""
        read = [watermarks.read(directory) for directory in self._node.directories]
        known = [each[topic, number] for each in read if isinstance(each, dict) and (topic, number) in each]
        return known[0] if known else None


def _orders(one: Path, other: Path) -> tuple[tuple[Path, Path], tuple[Path, Path]]:
    """Return the orders in which two folders may be loaded, the last one first."""
    return (one, other), (other, one)


def _twice(name: PartitionName, last: Path, first: Path) -> Fault:
    """Return the fault of a partition that is there twice, at the folder that is loaded last."""
    message = f"Duplicate log directories for {name} are found in both {last} and {first}."
    if name.marker == "future":
        message = f"Duplicate log directories found: {last}, {first}"
    return Fault("partition-twice", last, KafkaError("IllegalStateException", message))


def _is_open(each: PartitionStart) -> bool:
    """Tell whether a log has an open transaction."""
    return each.recovery is not None and bool(each.recovery.producers.open)


def _is_clean(directory: Path) -> bool:
    """Tell whether the marker of a clean stop is there, whatever is in it."""
    return (directory / clean_shutdown.NAME).exists()


def _check_places(directory: Path, points: Offsets) -> None:
    """Refuse a file in the place of the folder of a partition that was there, which is made anew.

    Raises:
        Unloadable: there is one.
    """
    for topic, number in points:
        path = directory / f"{topic}-{number}"
        if path.exists() and not path.is_dir():
            raise Unloadable("file-for-folder", path, "FileAlreadyExistsException", str(path))


def _folders(directory: Path) -> list[Path]:
    if not directory.exists():  # a broker with ZooKeeper makes it
        return []
    passed_over = {remote_cache.FOLDER, FOLDER, clean_shutdown.NAME}  # the marker is removed before, whatever it is
    return sorted(path for path in directory.iterdir() if path.is_dir() and path.name not in passed_over)


def _check_names(directory: Path) -> None:
    """Refuse a folder of no partition before any log is loaded, in whichever directory that is.

    A directory whose marker cannot be removed is not listed.

    Raises:
        Stopped: there is one.
    """
    with suppress(Unloadable):
        rights.check_marker(directory)
        faults = [fault for folder in _folders(directory) if (fault := _name_fault(folder)) is not None]
        if faults:
            raise Stopped(one_of(faults))


def _name_fault(folder: Path) -> Fault | None:
    """Return what is wrong with the name of a folder; None if it is a partition's."""
    try:
        parse_partition(folder.name)
    except FormatError:
        said = f"'{folder.name}' is not in the form of topic-partition"
        message = f"Found directory {folder}, {said} or topic-partition.uniqueId-delete (if marked for deletion)."
        return Fault("name-of-no-partition", folder, KafkaError("KafkaException", message))
    return None
