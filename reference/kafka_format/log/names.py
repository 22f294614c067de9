"""Names of files and folders in a data directory: what they say, and what Kafka makes of them.

A file of a segment is called by its base offset in twenty digits and by what it holds,
`00000000000000000042.index`. Markers come after that while files are replaced or removed:
`.cleaned`, `.swap`, `.deleted` (storage LogFileUtils). A folder of a partition is called
`topic-partition`; markers come after a dot and an id: `orders-0.<id>-delete` (storage
LocalLog.parseTopicPartitionName).
"""

from __future__ import annotations

import os
import re
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.integers import INT32_MAX, INT64_MAX


class FileKind(StrEnum):
    """Kinds of files of a partition. The value is the ending of the name."""

    SEGMENT = "log"
    SEGMENT_07 = "kafka"
    OFFSET_INDEX = "index"
    TIME_INDEX = "timeindex"
    TRANSACTION_INDEX = "txnindex"
    PRODUCER_SNAPSHOT = "snapshot"
    KRAFT_SNAPSHOT = "checkpoint"


MARKERS: Final = ("deleted", "cleaned", "swap", "part", "tmp")
"""Endings after the ending: removed soon, written by the cleaner, ready to take its place, being
written."""

DIGITS: Final = 20
_KINDS: Final = "|".join(kind.value for kind in FileKind)
_SEGMENT: Final = re.compile(rf"(?P<number>[^.]*)\.(?P<kind>{_KINDS})(?P<markers>(?:\.(?:{'|'.join(MARKERS)}))*)")
_KRAFT: Final = re.compile(r"(?P<offset>\d{20})-(?P<epoch>\d{10})")
_JAVA_LONG: Final = re.compile(r"[+-]?\d+")
_FOLDER: Final = re.compile(r"(?P<topic>.+)-(?P<partition>\d+)")
_MARKED: Final = re.compile(r"(?P<topic>\S*)-(?P<partition>\S+)\.(?P<id>[^\s.]+)-(?P<marker>delete|future|stray)")


class FileName(NamedTuple):
    """The name of a file of a partition.

    Attributes:
        kind: what it holds.
        offset: base offset of its segment; of a producer snapshot the offset that it stands before,
            of a KRaft snapshot its end offset.
        markers: the markers after the ending, in order; mostly none.
        epoch: epoch of a KRaft snapshot; None for other files.
    """

    kind: FileKind
    offset: int
    markers: tuple[str, ...] = ()
    epoch: int | None = None


def segment_name(offset: int, kind: FileKind, *markers: str) -> str:
    """Return the name of a file of a segment, for example `00000000000000000042.index`."""
    return ".".join((f"{offset:0{DIGITS}}", kind, *markers))


def kraft_snapshot_name(offset: int, epoch: int) -> str:
    """Return a KRaft snapshot's name: `00000000000000000042-0000000007.checkpoint` (Snapshots)."""
    return f"{offset:0{DIGITS}}-{epoch:010}.{FileKind.KRAFT_SNAPSHOT}"


def parse_file(name: str, flags: frozenset[str] = frozenset()) -> FileName | None:
    """Read the name of a file of a partition; None if it belongs to no segment.

    Raises:
        FormatError: the ending is a segment's and no offset stands before it. It keeps a broker
            from starting.
    """
    match = _SEGMENT.fullmatch(name)
    if match is None or name == "bootstrap.checkpoint":
        return None
    kind, number = FileKind(match["kind"]), match["number"]
    markers = tuple(match["markers"].split(".")[1:])
    if kind is FileKind.KRAFT_SNAPSHOT:
        kraft = _KRAFT.fullmatch(number)
        return FileName(kind, int(kraft["offset"]), markers, int(kraft["epoch"])) if kraft else None
    return FileName(kind, _offset(number, name, flags), markers)


def _offset(number: str, name: str, flags: frozenset[str]) -> int:
    if not _JAVA_LONG.fullmatch(number) or abs(int(number)) > INT64_MAX:
        detail = f"`{name}` has no offset before the ending"
        raise FormatError(detail, rule="log.name.number", stage=Stage.FRAMING, offset=0, path=("name",))
    if (len(number) != DIGITS or not number.isdigit()) and "log-name-of-any-width" not in flags:
        detail = f"`{name}` does not have {DIGITS} digits"
        raise FormatError(detail, rule="log.name.digits", stage=Stage.FRAMING, offset=0, path=("name",))
    return int(number)


class PartitionName(NamedTuple):
    """The name of a folder of a partition.

    Attributes:
        topic: the topic; of a marked folder it may be cut, so that the name has at most 255
            characters (KAFKA-4893).
        partition: number of the partition.
        marker: `delete`, `future` or `stray`; empty for none.
        id: what stands before the marker, of brokers 32 digits; empty for none.
    """

    topic: str
    partition: int
    marker: str = ""
    id: str = ""

    def __str__(self) -> str:
        """The partition as Kafka calls it."""
        return f"{self.topic}-{self.partition}"


def folder_name(folder: Path) -> str:
    """Return the name of a folder as a broker sees it: of a symbolic link, that of the link."""
    return Path(os.path.abspath(folder)).name  # noqa: PTH100 - resolve() would follow the link


def parse_partition(name: str) -> PartitionName:
    """Read the name of a folder of a partition.

    Raises:
        FormatError: it is none; a broker does not start with such a folder in a data directory.
    """
    if name.endswith(("-delete", "-future", "-stray")) and (marked := _MARKED.fullmatch(name)):
        if marked["topic"] and marked["partition"].isascii() and marked["partition"].isdigit():
            return PartitionName(marked["topic"], int(marked["partition"]), marked["marker"], marked["id"])
    elif (match := _FOLDER.fullmatch(name)) and int(match["partition"]) <= INT32_MAX:
        return PartitionName(match["topic"], int(match["partition"]))
    detail = f"`{name}` is neither topic-partition nor topic-partition.ID-delete, -future or -stray"
    raise FormatError(detail, rule="log.name.partition", stage=Stage.FRAMING, offset=0, path=("name",))
