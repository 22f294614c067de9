"""What a broker does at its start: what keeps it from starting, what it recovers, what goes."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, recover
from kafka_format.log.kraft import FOLDER
from kafka_format.log.leftovers import Becoming, Leftover, in_directory
from kafka_format.log.recovery import Fate, Recovery
from kafka_format.log.retention import HIGH_WATERMARK
from kafka_format.log.text import clean_shutdown
from kafka_format.log.text.checkpoints import EPOCH_FILE
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
)
"""Rules, or how they begin, that keep a broker from starting, or take its data directory
offline."""

_CHECKPOINT = ("log.checkpoint.version", "log.checkpoint.count", "log.checkpoint.row", "log.checkpoint.number")
_FATAL_CHECKPOINTS = {EPOCH_FILE, HIGH_WATERMARK}
RECOVERY_POINT = "recovery-point-offset-checkpoint"
_BROKEN_SIZE = "entry.size.minimum"


@dataclass(slots=True)
class Start:
    """A start, foretold.

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


def foretell(folder: Path) -> Start:
    """Find out what a broker would do to a data directory.

    Raises:
        OSError: a file cannot be read.
    """
    found = Start((folder / clean_shutdown.NAME).is_file())
    for breach in verify_directory(folder):
        if _stops(breach, is_clean=found.is_clean):
            found.stoppers.append(breach)
        elif breach.rule in {"log.clean-shutdown.truth", "log.segment.tail"} and found.is_clean:
            found.lies.append(breach)
        else:
            found.others.append(breach)
    found.leftovers = list(in_directory(folder))
    for partition in sorted(path for path in folder.iterdir() if path.is_dir()):
        if not found.is_clean or partition.name == FOLDER:
            with suppress(FormatError), PartitionLog(partition) as log:
                _foretell(found, log)
    return found


def lines(folder: Path, found: Start) -> Iterator[str]:
    """Yield what a start does, the worst first."""
    yield f"{folder.name}: what a broker would do at its start; nothing is changed"
    marker = f"{clean_shutdown.NAME} is there: segments are taken as they are, and not read"
    yield marker if found.is_clean else f"no {clean_shutdown.NAME}: segments above the recovery points are read"
    for breach in found.lies:
        yield f"  THE MARKER LIES: {breach.path.relative_to(folder)}: {breach.detail}"
    if found.lies:
        yield "  To do: remove the marker, so that the broker recovers; `log start` says then what that costs"
    for breach in found.stoppers:
        known = effect(breach.rule)
        yield f"DOES NOT START, or takes the directory offline: {breach.path.relative_to(folder)}"
        yield f"  {breach.detail} [{breach.rule}]"
        yield f"  To do: {known.advice if known else 'Move the file away.'}"
    for said in found.recoveries.values():
        yield from said
    swapped = [each for each in found.leftovers if each.becoming is Becoming.SWAPPED]
    removed = [
        each for each in found.leftovers if each.becoming in {Becoming.REMOVED, Becoming.DROPPED, Becoming.ORPHAN}
    ]
    for each in swapped:
        yield f"{each.path.relative_to(folder)}: {each.becoming}"
    if removed:
        yield f"{plural(len(removed), 'leftover')} removed, see `log leftovers`"
    if found.others:
        yield f"{plural(len(found.others), 'more broken rule')} that a start does not mind, see `log verify`"
    lost = f"{plural(found.lost_bytes, 'byte')} lost" if found.lost_bytes else "nothing lost"
    yield f"{plural(found.read_bytes, 'byte')} to read, {lost}"


def _stops(breach: Breach, *, is_clean: bool) -> bool:
    if breach.rule == _BROKEN_SIZE:
        return is_clean
    if breach.rule.startswith(_CHECKPOINT):
        return breach.path.name in _FATAL_CHECKPOINTS
    return breach.rule.startswith(_STOPS)


def _foretell(found: Start, log: PartitionLog) -> None:
    point = 0
    with suppress(FormatError):
        point = log.checkpoint(RECOVERY_POINT) or 0
    recovery = recover(log, recovery_point=point)
    found.read_bytes += sum(each.segment.size for each in recovery.segments if each.fate is not Fate.REMOVED)
    found.lost_bytes += recovery.lost_bytes
    if recovery.lost_bytes or recovery.emptied or _fails(recovery):
        found.recoveries[log.folder.name] = [
            f"{log.folder.name}: recovered from offset {point}",
            *list(recovery_text.lines(log, recovery))[1:],
        ]


def _fails(recovery: Recovery) -> bool:
    return any(each.fate is Fate.FAILS for each in recovery.segments)
