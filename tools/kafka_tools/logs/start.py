"""What a broker does at its start: what keeps it from starting, what it recovers, what goes.

What it does not notice is told too: broken batches that stay, and partitions that begin empty.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, Segment, recover
from kafka_format.log.kraft import FOLDER
from kafka_format.log.leftovers import Leftover, in_directory
from kafka_format.log.names import FileKind, parse_file, segment_name
from kafka_format.log.recovery import STOPPERS, Fate, Recovery
from kafka_format.log.text import clean_shutdown, partition_metadata, quorum_state
from kafka_format.log.text.checkpoints import EPOCH_FILE, OFFSET_FILES, decode_offsets
from kafka_format.log.verification import Breach, verify_directory

from kafka_tools.logs import recovery_text
from kafka_tools.logs.topic_ids import EmptyStart, TopicIds

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
HIGH_WATERMARK = "replication-offset-checkpoint"
BROKEN_BATCH = ("v2.", "legacy.", "entry.")
"""How rules of batches begin: whoever reads such a batch gets an error."""

MISPLACED = ("log.segment.base", "log.segment.join", "log.segment.gap", "log.segment.rising")
"""Rules that are broken if records are where no lookup goes, or in no segment."""

_TAIL = "log.segment.tail"
_CUT = (*BROKEN_BATCH, _TAIL)
_WITHOUT_FOLDER = "log.checkpoint.partition"
_BEYOND = "log.offsets.order"
_OTHER_ID = "log.partition-metadata.known"
_FORGOTTEN = "partitions of topics that the metadata log no longer has are renamed to `-stray`: rescue it first"


@dataclass(slots=True)
class StartPrediction:
    """What a broker would do to a data directory at its start.

    Attributes:
        is_clean: whether there is a marker of a clean stop, so that segments are not read.
        lies: why the marker does not tell the truth.
        stoppers: the broken rules that keep the broker from starting; `others` do not.
        unnoticed: broken batches that stay where they are, since nothing reads them.
        unserved: partitions that no client is served, since another topic has their topic id.
        misplaced: records that no lookup finds, since a segment is gone or has another's name.
        orphans: indexes whose segment is not there.
        empty: partitions that begin empty.
        recoveries: what becomes of each partition that is recovered, by the name of its folder.
        leftovers: files and folders that stayed behind.
        cut: the segments that recovery cuts or removes.
    """

    is_clean: bool
    lies: list[Breach] = field(default_factory=list)
    stoppers: list[Breach] = field(default_factory=list)
    others: list[Breach] = field(default_factory=list)
    unnoticed: list[Breach] = field(default_factory=list)
    unserved: list[Breach] = field(default_factory=list)
    misplaced: list[Breach] = field(default_factory=list)
    orphans: list[Breach] = field(default_factory=list)
    empty: list[EmptyStart] = field(default_factory=list)
    recoveries: dict[str, list[str]] = field(default_factory=dict)
    leftovers: list[Leftover] = field(default_factory=list)
    cut: set[Path] = field(default_factory=set)
    read_bytes: int = 0
    lost_bytes: int = 0

    @property
    def is_harmless(self) -> bool:
        """Whether the broker starts, loses nothing, and finds all that was there."""
        stays = (self.unnoticed, self.misplaced, self.unserved, self.orphans)
        return not (self.stoppers or self.lies or self.recoveries or self.empty or any(stays))


def predict(folder: Path) -> StartPrediction:
    """Return what a broker would do to a data directory at its start; change nothing.

    Raises:
        OSError: a file cannot be read.
    """
    start, ids = StartPrediction((folder / clean_shutdown.NAME).is_file()), TopicIds(folder)
    start.stoppers += filter(None, (ids.other_node(), *_files_and_folders_exchanged(folder)))
    for partition in sorted(path for path in folder.iterdir() if path.is_dir()):
        with suppress(FormatError), PartitionLog(partition) as log:
            _add_partition(start, log, is_clean=start.is_clean and partition.name != FOLDER)
    start.empty += ids.strays()
    for breach in verify_directory(folder):
        _add_breach(start, breach, ids)
    start.leftovers = list(in_directory(folder))
    return start


def _add_breach(start: StartPrediction, breach: Breach, ids: TopicIds) -> None:
    known = {(each.path, each.position) for each in start.stoppers}
    if (breach.path, breach.position) in known or _is_told(start, breach):
        return
    if _stops(breach):
        expected = ids.advice(breach.path) if breach.path.name == partition_metadata.NAME else ""
        start.stoppers.append(breach._replace(detail=f"{breach.detail}{expected}"))
    elif breach.rule == _WITHOUT_FOLDER and (absent := ids.absent(breach)):
        if absent.path not in {each.path for each in start.empty}:
            start.empty.append(absent)
    else:
        _place(start, breach, ids).append(breach)


def _is_told(start: StartPrediction, breach: Breach) -> bool:
    """Tell whether a broken rule is told with its partition, or once already."""
    if breach.path in start.cut:
        return breach.rule.startswith((*_CUT, *MISPLACED))
    if breach.rule == _OTHER_ID:
        return breach.path.parent in {each.path for each in start.empty}
    if breach.rule == _BEYOND:
        return breach.partition in start.recoveries
    orphans = {(each.path.parent, each.offset) for each in start.orphans}
    return breach.is_lost and (breach.path.parent, breach.offset) in orphans


def _place(start: StartPrediction, breach: Breach, ids: TopicIds) -> list[Breach]:
    """Return the list that a broken rule belongs to which does not keep a broker from starting."""
    if breach.rule in {"log.clean-shutdown.truth", _TAIL} and start.is_clean:
        return start.lies
    if breach.rule == _OTHER_ID and ids.is_of_kraft:
        return start.unserved
    if breach.rule.startswith(BROKEN_BATCH):
        return start.unnoticed
    if breach.rule in MISPLACED:
        return start.misplaced
    return start.orphans if breach.is_lost else start.others


def _files_and_folders_exchanged(data: Path) -> Iterator[Breach]:
    """Yield what is a folder where a broker opens a file, or a file where it makes a folder."""
    known = set(_in_checkpoints(data))
    for partition in sorted(data.iterdir()):
        if not partition.is_dir():
            if partition.name in known:
                yield Breach("", partition, "is not a folder, and the broker cannot make one for that partition")
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


def _stops(breach: Breach) -> bool:
    return breach.rule.startswith(_STOPS)


def _add_partition(start: StartPrediction, log: PartitionLog, *, is_clean: bool) -> None:
    point = 0
    with suppress(FormatError):
        point = log.checkpoint(RECOVERY_POINT) or 0
    try:
        recovery = recover(log, recovery_point=point, is_clean=is_clean)
    except FormatError as error:
        if error.rule.startswith(BROKEN_BATCH):  # else told where the files are verified
            start.stoppers.append(_told_as_stopper(log, error))
        return
    start.read_bytes += sum(each.segment.size for each in recovery.segments if each.fate is not Fate.REMOVED)
    start.lost_bytes += sum(segment.size for segment in log.segments) if recovery.emptied else recovery.lost_bytes
    start.cut |= {each.segment.path for each in recovery.segments if each.lost_bytes or each.fate in STOPPERS}
    start.stoppers += [
        Breach("", each.segment.path, each.fate.value) for each in recovery.segments if each.fate in STOPPERS
    ]
    shown = _high_watermark(log)
    if recovery.lost_bytes or recovery.emptied or shown > recovery.end_offset:
        said = list(recovery_text.lines(log, recovery))[1:]
        start.recoveries[log.folder.name] = [
            f"{log.folder.name}: {'taken as it is' if is_clean else f'recovered from offset {point}'}",
            *(f"  {segment.path.name} {_why_read(segment)}" for segment in log.segments if segment.is_unsound),
            *(said if recovery.lost_bytes or recovery.emptied else said[:-1]),
            *([_FORGOTTEN] if log.folder.name == FOLDER and recovery.lost_bytes else []),
            *([_shown_line(recovery, shown)] if recovery.end_offset < shown else []),
        ]


def _why_read(segment: Segment) -> str:
    what = "its .txnindex has entries of earlier segments" if segment.has_index else "it has no .index"
    return f"is read and cut, and its indexes are rebuilt: {what}"


def _high_watermark(log: PartitionLog) -> int:
    with suppress(FormatError):
        return log.checkpoint(HIGH_WATERMARK) or 0
    return 0


def _shown_line(recovery: Recovery, shown: int) -> str:
    what = "it ends too early" if not recovery.lost_bytes else "consumers may have read what goes"
    first, last = recovery.end_offset, shown - 1
    gone = f"offset {first} is gone" if first == last else f"offsets {first} to {last} are gone"
    return f"{what}: the high watermark was {shown}, and {gone}"


def _told_as_stopper(log: PartitionLog, error: FormatError) -> Breach:
    """Return what ends a start that looks for the end of the log, from the last index entry on."""
    detail = f"the last entry of its index leads to byte {error.offset}; {error.path_text}: {error.detail}"
    return Breach(error.rule, log.segments[-1].path, detail, error.offset)
