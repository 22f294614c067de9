"""What a broker does at its start: what keeps it from starting, what it recovers, what goes."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, recover
from kafka_format.log.kraft import FOLDER
from kafka_format.log.leftovers import Leftover, LeftoverAction, in_directory
from kafka_format.log.names import FileKind, parse_file, segment_name
from kafka_format.log.recovery import STOPPERS, Fate, Recovery
from kafka_format.log.text import clean_shutdown, partition_metadata, quorum_state
from kafka_format.log.text.checkpoints import EPOCH_FILE, OFFSET_FILES, decode_offsets
from kafka_format.log.verification import Breach, verify_directory

from kafka_conformance.logs import recovery_text
from kafka_conformance.logs.effects import effect
from kafka_conformance.text import plural

_STOPS = (
    "log.name.number",
    "log.name.partition",
    "log.partition-metadata.lines",
    "log.partition-metadata.version",
    "log.partition-metadata.topic-id",
    "log.meta-properties.",
    "log.quorum-state.json",
    "log.quorum-state.version",
    "log.quorum-state.keys",
    "log.transaction-index.version",
    "log.epochs.not-negative",
    "log.checkpoint.version",
    "log.checkpoint.count",
    "log.checkpoint.row",
    "log.checkpoint.number",
)
"""Rules, or how they begin, that keep a broker from starting, or take its data directory
offline."""

_OPENED = {EPOCH_FILE, partition_metadata.NAME, quorum_state.NAME}
_ANY_WIDTH = frozenset({"log-name-of-any-width"})
RECOVERY_POINT = "recovery-point-offset-checkpoint"
_BROKEN_SIZE = "entry.size.minimum"
_FORGOTTEN = "partitions of topics that the metadata log no longer has are renamed to `-stray`: rescue it first"


@dataclass(slots=True)
class Start:
    """What a broker would do to a data directory at its start.

    Attributes:
        is_clean: whether there is a marker of a clean stop, so that segments are not read.
        lies: why the marker does not tell the truth.
        stoppers: the broken rules that keep the broker from starting; `others` do not.
        recoveries: what becomes of each partition that is recovered, by the name of its folder.
        leftovers: files and folders that stayed behind.
    """

    is_clean: bool
    lies: list[Breach] = field(default_factory=list)
    stoppers: list[Breach] = field(default_factory=list)
    others: list[Breach] = field(default_factory=list)
    recoveries: dict[str, list[str]] = field(default_factory=dict)
    leftovers: list[Leftover] = field(default_factory=list)
    read_bytes: int = 0
    lost_bytes: int = 0


def predict(folder: Path) -> Start:
    """Return what a broker would do to a data directory at its start; change nothing.

    Raises:
        OSError: a file cannot be read.
    """
    start = Start((folder / clean_shutdown.NAME).is_file())
    start.stoppers += _files_and_folders_exchanged(folder)
    for breach in verify_directory(folder):
        if _stops(breach, is_clean=start.is_clean):
            start.stoppers.append(breach)
        elif breach.rule in {"log.clean-shutdown.truth", "log.segment.tail"} and start.is_clean:
            start.lies.append(breach)
        else:
            start.others.append(breach)
    start.leftovers = list(in_directory(folder))
    for partition in sorted(path for path in folder.iterdir() if path.is_dir()):
        with suppress(FormatError), PartitionLog(partition) as log:
            is_clean = start.is_clean and partition.name != FOLDER
            if not is_clean or not all(segment.has_index for segment in log.segments):
                _add_partition(start, log, is_clean=is_clean)
    return start


def lines(folder: Path, start: Start) -> Iterator[str]:
    """Yield lines about what a start would do, the worst first."""
    yield f"{folder.name}: what a broker would do at its start; nothing is changed"
    marker = f"{clean_shutdown.NAME} is there: segments are taken as they are, and not read"
    yield marker if start.is_clean else f"no {clean_shutdown.NAME}: segments above the recovery points are read"
    for breach in start.lies:
        yield f"  THE MARKER LIES: {breach.path.relative_to(folder)}: {breach.detail}"
    if start.lies:
        yield "  To do: remove the marker, so that the broker recovers; `log start` says then what that costs"
    for breach in start.stoppers:
        known = effect(breach.rule)
        yield f"DOES NOT START, or takes the directory offline: {breach.path.relative_to(folder)}"
        yield f"  {breach.detail} [{breach.rule}]" if breach.rule else f"  {breach.detail}"
        yield f"  To do: {known.advice if known else 'Move it away.'}"
    for said in start.recoveries.values():
        yield from said
    swapped = [each for each in start.leftovers if each.action is LeftoverAction.SWAPPED]
    removed = [
        each
        for each in start.leftovers
        if each.action in {LeftoverAction.REMOVED, LeftoverAction.DROPPED, LeftoverAction.ORPHAN}
    ]
    for each in swapped:
        yield f"{each.path.relative_to(folder)}: {each.action}"
    if removed:
        yield f"{plural(len(removed), 'leftover')} removed, see `log leftovers`"
    if start.others:
        yield f"{plural(len(start.others), 'more broken rule')} that a start does not mind, see `log verify`"
    lost = f"{plural(start.lost_bytes, 'byte')} lost" if start.lost_bytes else "nothing lost"
    yield f"{plural(start.read_bytes, 'byte')} to read, {lost}"


def _files_and_folders_exchanged(data: Path) -> Iterator[Breach]:
    """Yield what is a folder where a broker opens a file, or a file where it makes a folder."""
    known = set(_in_checkpoints(data))
    for partition in sorted(data.iterdir()):
        if not partition.is_dir():
            if partition.name in known:
                yield Breach("", partition, "is no folder, and the broker cannot make one for that partition")
            continue
        for path in sorted(path for path in partition.iterdir() if path.is_dir()):
            with suppress(FormatError):
                name = parse_file(path.name, _ANY_WIDTH)
                is_opened = name is not None and (partition / segment_name(name.offset, FileKind.SEGMENT)).is_file()
                if path.name in _OPENED or (is_opened and name is not None and not name.markers):
                    yield Breach("", path, "is a folder, and a broker opens it as a file")


def _in_checkpoints(data: Path) -> Iterator[str]:
    """Yield the partitions that the data directory had, by its checkpoints."""
    for name in OFFSET_FILES:
        with suppress(FormatError, OSError):
            yield from (f"{row.topic}-{row.partition}" for row in decode_offsets((data / name).read_bytes()))


def _stops(breach: Breach, *, is_clean: bool) -> bool:
    if breach.rule == _BROKEN_SIZE:
        return is_clean
    return breach.rule.startswith(_STOPS)


def _add_partition(start: Start, log: PartitionLog, *, is_clean: bool) -> None:
    point = 0
    with suppress(FormatError):
        point = log.checkpoint(RECOVERY_POINT) or 0
    recovery = recover(log, recovery_point=point, is_clean=is_clean)
    start.read_bytes += sum(each.segment.size for each in recovery.segments if each.fate is not Fate.REMOVED)
    start.lost_bytes += recovery.lost_bytes
    if recovery.lost_bytes or recovery.emptied or _fails(recovery):
        unindexed = [segment.path.name for segment in log.segments if not segment.has_index]
        start.recoveries[log.folder.name] = [
            *([] if is_clean else [f"{log.folder.name}: recovered from offset {point}"]),
            *(f"{log.folder.name}: {name} has no index, and is read and cut while one is made" for name in unindexed),
            *list(recovery_text.lines(log, recovery))[1:],
            *([_FORGOTTEN] if log.folder.name == FOLDER and recovery.lost_bytes else []),
        ]


def _fails(recovery: Recovery) -> bool:
    return any(each.fate in STOPPERS for each in recovery.segments)
