"""What a start does: whether the node serves, and what becomes of its files."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.log.contents.image import Image
from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.recovery import Recovery

LEADERS_NOTE: Final = "leaders-perhaps-not-made"
"""The kind of note that says that other partitions may not be served, by chance."""

ENDS_NOTE: Final = "perhaps-ends"
"""The kind of note that says that the process may end instead, by chance."""

EMPTIED_NOTE: Final = "segment-emptied"
"""The kind of note that says that a segment is emptied, since nobody may write in its folder."""

INTERVAL_NOTE: Final = "interval-decides"
"""The kind of note that says that index.interval.bytes decides whether a segment is emptied."""

REMOTE_NOTE: Final = "remote-storage-off"
"""The kind of note that says that records in remote storage alone are not found."""

NOT_NAMED: Final = "directory-not-named"
"""Why a partition may begin empty: by the metadata it is in a directory that the node has not."""

SAME_CONTENT: Final = "same-content"
_KEPT: Final = ("stray", SAME_CONTENT)
"""Why a folder is none any more without a loss: a stray before, or replaced as it was."""

_LOSING_NOTES: Final = frozenset(
    {"folder-ignored", "snapshot-not-whole", LEADERS_NOTE, ENDS_NOTE, EMPTIED_NOTE, INTERVAL_NOTE, REMOTE_NOTE}
)
"""Kinds of notes of which something may be missing."""


_OF_RIGHTS: Final = frozenset({"file-unreadable", "file-unwritable", "folder-unwritable"})
"""Kinds of faults that root does not have, whatever Kafka calls them."""


class Verdict(StrEnum):
    """What becomes of a node at its start."""

    STARTS = "starts"
    DOES_NOT_START = "does not start"
    NEVER_READY = "never ready"


class Fault(NamedTuple):
    """What keeps a node from serving.

    Attributes:
        kind: the kind of the fault, by which advice is found.
        path: the file or folder that is at fault.
        error: the error that Kafka ends with; None where it prints none.
        offset: the offset of the record that is at fault; None if it is no record.
        position: the byte in the file; None if it is about the file as a whole.
        known: ids that help to mend it, by name.
        others: what it may be instead: which one comes is chance, such as which thread is first.
    """

    kind: str
    path: Path
    error: KafkaError | None = None
    offset: int | None = None
    position: int | None = None
    known: tuple[tuple[str, str], ...] = ()
    others: tuple[Fault, ...] = ()


class DirectoryFault(NamedTuple):
    """A data directory that is offline while the node goes on without it, and why.

    Attributes:
        directory: the directory.
        path: the file or folder that is at fault.
        error: the error that Kafka logs.
        kind: the kind of the fault, as of a `Fault`.
        others: what it may be instead, by chance.
    """

    directory: Path
    path: Path
    error: KafkaError
    kind: str = ""
    others: tuple[DirectoryFault, ...] = ()


def is_of_rights(fault: Fault | DirectoryFault) -> bool:
    """Tell whether a fault is that nobody may read or write something: root may."""
    return fault.kind in _OF_RIGHTS or (fault.error is not None and fault.error.name == "AccessDeniedException")


class StartFate(StrEnum):
    """What becomes of the folder of a partition."""

    LOADED = "loaded"
    STRAY = "renamed to -stray"
    DELETED = "removed"
    ABSENT = "begins empty, without a folder"
    NOT_SERVED = "not served"
    REPLACES = "takes the place of the log in another directory"
    REPLACED = "removed, since the log in another directory takes its place"


class PartitionStart(NamedTuple):
    """What becomes of a partition.

    Attributes:
        path: its folder.
        fate: what becomes of the folder.
        start_offset: where its log starts then; `end_offset` where it ends; None if not known.
        high_watermark: what the checkpoint says; None if it says nothing.
        recovery: how its segments are loaded; None if they are not.
        why: why the folder is no partition's, by kind; empty where it is.
        expected_id: the topic id that the metadata has for its name; None for none.
        error: why it is not served; None if it is.
        recovered_from: the offset from which segments are read; None after a clean stop.
        size: the bytes of its segments before the start.
    """

    path: Path
    fate: StartFate
    start_offset: int | None = None
    end_offset: int | None = None
    high_watermark: int | None = None
    recovery: Recovery | None = None
    why: str = ""
    expected_id: str | None = None
    error: KafkaError | None = None
    recovered_from: int | None = None
    size: int = 0

    @property
    def lost_bytes(self) -> int:
        """The bytes of segments that are cut or removed."""
        if self.recovery is None:
            return 0
        return self.size if self.recovery.emptied else self.recovery.lost_bytes


class MetadataStart(NamedTuple):
    """What becomes of the metadata log.

    Attributes:
        snapshot: the newest snapshot, which is loaded; None for none.
        end_offset: where the log ends then.
        found_end: where it ended by its whole batches, sound or not.
        is_removed: whether the log is removed wholly, since it ends below the snapshot.
        recovery: how its segments are loaded.
        deleted: snapshots that are removed.
        aborted: the offset at which a transaction of metadata began that the next leader aborts.
        passed_over: records that a broker alone passes over: offsets, and the errors it logs.
    """

    snapshot: Path | None
    end_offset: int
    found_end: int
    is_removed: bool
    recovery: Recovery | None
    deleted: tuple[Path, ...] = ()
    aborted: int | None = None
    passed_over: tuple[tuple[int, KafkaError], ...] = ()

    @property
    def lost_from(self) -> int | None:
        """The first offset that is lost; None if none is that was in a whole batch."""
        return self.end_offset if self.end_offset < self.found_end else None

    @property
    def is_cut(self) -> bool:
        """Whether bytes of the log are cut or removed, or what was in a transaction of metadata."""
        has_lost_bytes = self.recovery is not None and self.recovery.lost_bytes > 0
        return has_lost_bytes or self.lost_from is not None or self.aborted is not None


class NotServed(NamedTuple):
    """What a coordinator cannot load.

    Attributes:
        partition: the partition of its topic.
        path: the segment.
        offset: the record that it cannot load, in the batch at `position`.
        error: the error that it logs.
        effect: what that costs, by kind: `partition`, `served-empty`, `rest`, `record`.
    """

    partition: str
    path: Path
    offset: int
    position: int
    error: KafkaError
    effect: str


@dataclass(slots=True)
class Start:
    """What a start does.

    Attributes:
        verdict: whether the node serves.
        fault: what keeps it from that; None if nothing does.
        is_clean: whether there are markers of a clean stop in all directories.
        offline: directories that the node goes on without.
        metadata: what becomes of the metadata log; None if that was not reached, or is not there.
        image: the metadata at its end.
        partitions: what becomes of each partition, by its folder.
        not_served: what coordinators cannot load.
        notes: what else is to be shown, by kind, file and details.
        not_looked_at: what a start does that was not modelled, or was not reached, by kind.
        assumed: what no file of the node tells and must hold for the verdict, by kind.
        read_bytes: the bytes of segments that are read.
    """

    verdict: Verdict = Verdict.STARTS
    fault: Fault | None = None
    is_clean: bool = True
    offline: list[DirectoryFault] = field(default_factory=list)
    metadata: MetadataStart | None = None
    image: Image | None = None
    partitions: list[PartitionStart] = field(default_factory=list)
    not_served: list[NotServed] = field(default_factory=list)
    notes: list[tuple[str, Path, str]] = field(default_factory=list)
    not_looked_at: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    read_bytes: int = 0

    @property
    def serves(self) -> bool:
        """Whether the node serves."""
        return self.verdict is Verdict.STARTS

    @property
    def is_harmless(self) -> bool:
        """Whether it serves, and nothing that was looked at is gone, empty or not served."""
        metadata = self.metadata
        is_cut = metadata is not None and (metadata.is_cut or bool(metadata.passed_over))
        kept = (StartFate.LOADED, StartFate.DELETED, StartFate.REPLACES)
        is_gone = any(each.lost_bytes or not (each.fate in kept or each.why in _KEPT) for each in self.partitions)
        is_early = any((each.high_watermark or 0) > (each.end_offset or 0) for each in self.partitions)
        is_ignored = any(kind in _LOSING_NOTES for kind, _, _ in self.notes)
        return self.serves and not (is_cut or is_gone or is_early or is_ignored or self.offline or self.not_served)

    @property
    def loses_nothing(self) -> bool:
        """Whether it is harmless, and all that a start does was looked at."""
        return self.is_harmless and not self.not_looked_at


class Stopped(Exception):  # noqa: N818 - the node has stopped, and why is in it
    """The start ended, with a fault."""

    def __init__(self, fault: Fault, verdict: Verdict = Verdict.DOES_NOT_START) -> None:
        """Keep the fault."""
        super().__init__(fault.kind)
        self.fault = fault
        self.verdict = verdict


def stopped(
    kind: str, path: Path, name: str, message: str = "", *, offset: int | None = None, position: int | None = None
) -> Stopped:
    """Return the end of a start with an error of that class and message."""
    return Stopped(Fault(kind, path, KafkaError(name, message), offset, position))
