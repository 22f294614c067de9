"""What a node does at its start, in lines: the worst first."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.leftovers import LeftoverAction
from kafka_format.log.start import Fault, Hints, Node, PartitionStart, Start, StartFate, Verdict
from kafka_format.log.text import clean_shutdown
from kafka_format.log.verification import Breach

from kafka_tools.logs import recovery_text
from kafka_tools.logs.effects import effect
from kafka_tools.logs.start_advice import advice, advice_on_stray, why_stray
from kafka_tools.text import plural

_NOT_LOOKED_AT: Final = {
    "voters": "whether the settings name voters: the metadata log does not",
    "log-of-controllers": "the metadata log of the controllers, by which the broker cuts its own or goes on",
    "zookeeper": "what ZooKeeper has: topics, their settings, and whether replicas are here",
}
_COSTS: Final = {
    "partition": "nothing of this partition is served: clients get NOT_COORDINATOR",
    "served-empty": (
        "the partition is served as if it were empty: groups are gone, consumers follow auto.offset.reset"
    ),
    "rest": "the record and all behind it are not loaded; what came before is served, with old states",
    "record": "the record is passed over, with a warning",
}
_REMOVED: Final = frozenset({LeftoverAction.REMOVED, LeftoverAction.DROPPED, LeftoverAction.ORPHAN})
_STOPPING: Final = (
    "log.checkpoint.version",
    "log.checkpoint.count",
    "log.checkpoint.row",
    "log.epochs.not-negative",
    "log.name.number",
    "log.name.partition",
    "log.partition-metadata.lines",
    "log.partition-metadata.version",
    "log.partition-metadata.topic-id",
    "log.transaction-index.version",
)
"""Rules whose breach mostly keeps a node from starting."""

_NOTES: Final = {
    "checkpoint-ignored": "is ignored, with a warning: the broker goes on as if it were empty",
    "snapshot-not-whole": "has no footer, so its end may be gone: Kafka takes what is not in it for what is not there",
    "perhaps-ends": (
        "takes its data directory offline; the process ends with KafkaStorageException if Kafka loads a log with an "
        "open transaction after it, which depends on the order of the folder"
    ),
    "leaders-perhaps-not-made": (
        "is not served: an error there may keep other partitions from being served too, until a restart"
    ),
    "folder-ignored": "is a folder in the place of a segment: it is passed over, and its offsets are not found",
}


def lines(node: Node, start: Start, hints: Sequence[tuple[Path, Hints]]) -> Iterator[str]:
    """Yield lines about what a start does, the worst first."""
    release = ".".join(map(str, node.release))
    if start.fault is not None:
        yield from _fault(node, start.fault, start.verdict)
    names = ", ".join(directory.name for directory in node.directories)
    yield f"{names}: what Kafka {release} would do at its start, as {node.role}; nothing is changed"
    yield _marker(start)
    for directory, found in hints:
        for breach in found.lies:
            yield f"  THE MARKER LIES: {breach.path.relative_to(directory)}: {breach.detail}"
    if any(found.lies for _, found in hints):
        yield "  To do: remove the marker, so that the broker recovers; `log start` says then what that costs"
    yield from _offline(node, start)
    yield from _metadata(start)
    for each in start.partitions:
        yield from _partition(each)
    for one in start.not_served:
        yield f"NOT LOADED: {one.partition}: {one.path.name}, offset {one.offset}: {one.error}"
        yield f"  {_COSTS[one.effect]}"
    yield from _notes(node, start)
    for directory, found in hints:
        yield from _behind_fault(directory, found) if start.fault is not None else ()
        yield from _hints(directory, found)
    for kind in start.not_looked_at:
        yield f"NOT LOOKED AT: {_NOT_LOOKED_AT.get(kind, kind)}"
    yield _ending(start, hints)


def _offline(node: Node, start: Start) -> Iterator[str]:
    for offline in start.offline:
        yield f"OFFLINE: {offline.directory}: {_in(node, offline.path)}: {offline.error}"
        yield "  the node goes on without the directory, and without its partitions"


def _notes(node: Node, start: Start) -> Iterator[str]:
    for kind, path, detail in start.notes:
        yield f"{_in(node, path)} {_NOTES[kind]}{f': {detail}' if detail else ''}"


def _fault(node: Node, fault: Fault, verdict: Verdict) -> Iterator[str]:
    at = "" if fault.offset is None else f", offset {fault.offset}"
    byte = "" if fault.position is None else f", byte {fault.position}"
    yield f"DOES NOT START: {_in(node, fault.path)}{at}{byte}"
    if verdict is Verdict.NEVER_READY:
        yield "  it stays up, elects no leader and serves nothing, and logs no error"
    if fault.error is not None:
        yield f"  Kafka ends with {fault.error}"
    if fault.other_error is not None:
        yield f"  or, if its controller is first, with {fault.other_error}"
    if fault.known:
        yield f"  {', '.join(f'{name} {value}' for name, value in fault.known)}"
    yield f"  To do: {advice(fault)}"


def _in(node: Node, path: Path) -> str:
    """Return a path below one of the data directories, with its name if there are several."""
    for directory in node.all_directories:
        if path.is_relative_to(directory):
            inner = path.relative_to(directory)
            return str(Path(directory.name) / inner if len(node.all_directories) > 1 else inner)
    return str(path)


def _marker(start: Start) -> str:
    if start.is_clean:
        return f"{clean_shutdown.NAME} is there: segments are taken as they are, and not read"
    return f"no {clean_shutdown.NAME}: segments above the recovery points are read"


def _metadata(start: Start) -> Iterator[str]:
    metadata = start.metadata
    if metadata is None or metadata.recovery is None:
        return
    if metadata.recovery.lost_bytes:
        folder = metadata.recovery.segments[0].segment.path.parent
        with suppress(FormatError, OSError), PartitionLog(folder) as log:
            yield f"{folder.name}: recovered from offset 0, as at every start"
            yield from list(recovery_text.lines(log, metadata.recovery))[1:]
    if metadata.is_removed and metadata.snapshot is not None:
        yield f"METADATA LOST: the log ends below {metadata.snapshot.name}, and is removed; it begins anew there"
    if metadata.lost_from is not None:
        last = metadata.found_end - 1
        yield f"METADATA LOST: offsets {metadata.lost_from} to {last} are gone; topics that they made become strays"
    if metadata.aborted is not None:
        yield (
            f"METADATA LOST: the transaction of metadata from offset {metadata.aborted} on has no end, and is aborted"
        )
    for offset, error in metadata.passed_over:
        yield (
            f"PASSED OVER: offset {offset} of the metadata log: {error}; the broker goes on with other "
            "metadata than its controllers"
        )
    for path in metadata.deleted:
        yield f"  {path.name} is removed"


def _partition(each: PartitionStart) -> Iterator[str]:
    name = each.path.name
    if is_new_stray(each):
        yield f"BEGINS EMPTY: {name}"
        yield (
            f"  {why_stray(each)}: it is renamed to {name}.ID-stray, and a new one is begun if the "
            "partition is this broker's"
        )
        yield f"  To do: {advice_on_stray(each)}"
    elif each.fate is StartFate.ABSENT:
        was = f", and was at offset {each.high_watermark}" if each.high_watermark else ""
        yield f"BEGINS EMPTY: {name}"
        yield f"  it has no folder{was}"
        yield "  To do: Bring its folder back, unless it is new, or in another data directory, or on other replicas."
    elif each.fate is StartFate.NOT_SERVED:
        yield f"NOT SERVED: {name}: {each.error}"
        yield "  the broker starts, and neither leads nor follows it"
    elif each.fate is StartFate.REPLACES:
        yield f"REPLACES THE LOG IN ITS PLACE: {name}, up to offset {each.end_offset}"
    elif each.fate is StartFate.REPLACED:
        yield f"REPLACED: {name}, up to offset {each.end_offset}: a -future folder takes its place, and it is removed"
    if each.recovery is not None and each.fate is not StartFate.DELETED:
        yield from _recovery(each)


def _recovery(each: PartitionStart) -> Iterator[str]:
    recovery, shown = each.recovery, each.high_watermark or 0
    if recovery is None or not (recovery.lost_bytes or recovery.emptied or shown > (each.end_offset or 0)):
        return
    said = list[str]()
    with suppress(FormatError, OSError), PartitionLog(each.path) as log:
        said = list(recovery_text.lines(log, recovery))[1:]
        reasons = [
            f"  {segment.path.name} {_why_read(has_index=segment.has_index)}"
            for segment in log.segments
            if segment.is_unsound
        ]
        yield f"{each.path.name}: {_how(each)}"
        yield from reasons
    yield from said if recovery.lost_bytes or recovery.emptied else said[:-1]
    if recovery.end_offset < shown:
        yield _shown_line(each, shown)


def _how(each: PartitionStart) -> str:
    return "taken as it is" if each.recovered_from is None else f"recovered from offset {each.recovered_from}"


def _why_read(*, has_index: bool) -> str:
    what = "its .txnindex has entries of earlier segments" if has_index else "it has no .index"
    return f"is read and cut, and its indexes are rebuilt: {what}"


def _shown_line(each: PartitionStart, shown: int) -> str:
    lost = each.recovery is not None and each.recovery.lost_bytes
    what = "consumers may have read what goes" if lost else "it ends too early"
    first, last = each.end_offset or 0, shown - 1
    gone = f"offset {first} is gone" if first == last else f"offsets {first} to {last} are gone"
    return f"{what}: the high watermark was {shown}, and {gone}"


def _behind_fault(directory: Path, hints: Hints) -> Iterator[str]:
    """Yield the files that most likely keep the node from starting when the fault is mended."""
    for path in dict.fromkeys(breach.path for breach in hints.others if breach.rule.startswith(_STOPPING)):
        yield f"THEN LOOK AT: {path.relative_to(directory)}, which keeps a node from starting, too"


def _hints(directory: Path, hints: Hints) -> Iterator[str]:
    yield from _unnoticed(directory, hints)
    yield from _misplaced(directory, hints)
    for breach in hints.orphans:
        yield f"NO SEGMENT: {breach.path.relative_to(directory)}: {breach.detail}"
        yield f"  To do: {_advice(breach)}"
    for path, why in hints.unreadable:
        yield f"NOT READ HERE: {path}: {why}"
    for each in hints.leftovers:
        if each.action is LeftoverAction.SWAPPED:
            yield f"{each.path.relative_to(directory)}: {each.action}"
    removed = sum(each.action in _REMOVED for each in hints.leftovers)
    if removed:
        yield f"{plural(removed, 'leftover')} removed, see `log leftovers`"
    if hints.others:
        files = plural(len({breach.path for breach in hints.others}), "file")
        count = plural(len(hints.others), "more broken rule")
        yield f"{count} in {files} that a start does not mind, see `log verify`"


def _unnoticed(directory: Path, hints: Hints) -> Iterator[str]:
    """Yield lines about broken batches, a line a file: a start neither reads nor cuts them."""
    by_file: dict[Path, list[Breach]] = {}
    for breach in hints.unnoticed:
        by_file.setdefault(breach.path, []).append(breach)
    for path, breaches in by_file.items():
        first = breaches[0]
        at = f"byte {first.position}" if first.offset is None else f"byte {first.position}, offset {first.offset}"
        more = f", and {plural(len(breaches) - 1, 'more broken rule')}" if len(breaches) > 1 else ""
        yield f"STAYS BROKEN: {path.relative_to(directory)}, {at}: {first.detail} [{first.rule}]{more}"
    if by_file:
        yield "  a start does not read these: consumers and followers get an error there, and go no further"
        yield "  To do: `log rescue` copies what is sound; or remove the folder if other replicas are whole"


def _misplaced(directory: Path, hints: Hints) -> Iterator[str]:
    """Yield lines about records that no lookup finds: the first broken rule of each file."""
    by_file: dict[Path, Breach] = {}
    for breach in hints.misplaced:
        by_file.setdefault(breach.path, breach)
    for path, first in by_file.items():
        yield f"NOT FOUND BY CONSUMERS: {path.relative_to(directory)}: {first.detail} [{first.rule}]"
    if by_file:
        yield "  a start says nothing of it: consumers pass over these records, and no error tells them"
    for each in dict.fromkeys(_advice(breach) for breach in by_file.values()):
        yield f"  To do: {each}"


def _advice(breach: Breach) -> str:
    known = effect(breach.rule, breach.path.name)
    return known.advice if known else "Move it away."


def _ending(start: Start, hints: Sequence[tuple[Path, Hints]]) -> str:
    read = f"{plural(start.read_bytes, 'byte')} to read"
    if not start.serves:
        return f"{read}, it does not start"
    said = [*_losses(start), *_unseen(hints)]
    if not said and not start.is_harmless:
        return f"{read}, see above for what is not as before"
    if not said:
        return f"{read}, nothing lost" if start.loses_nothing else f"{read}, nothing lost of what was looked at"
    return f"{read}, {', '.join(said)}"


def _losses(start: Start) -> Iterator[str]:
    lost = sum(each.lost_bytes for each in start.partitions)
    if lost:
        yield f"{plural(lost, 'byte')} lost"
    metadata = start.metadata
    if metadata is not None and metadata.is_cut:
        yield "metadata lost"
    begun = sum(each.fate is StartFate.ABSENT or is_new_stray(each) for each in start.partitions)
    if begun:
        yield f"{plural(begun, 'partition')} empty at the start"
    early = sum(_ends_early(each) for each in start.partitions)
    if early:
        yield f"{plural(early, 'log')} cut below the high watermark"
    unserved = {one.partition for one in start.not_served}
    unserved |= {each.path.name for each in start.partitions if each.fate is StartFate.NOT_SERVED}
    if unserved:
        yield f"{plural(len(unserved), 'partition')} not served as before"
    if start.offline:
        yield f"data directories offline: {len(start.offline)}"


def _ends_early(each: PartitionStart) -> bool:
    return each.fate is StartFate.LOADED and (each.high_watermark or 0) > (each.end_offset or 0)


def is_new_stray(each: PartitionStart) -> bool:
    """Tell whether this start makes a folder a stray."""
    return each.fate is StartFate.STRAY and each.why != "stray"


def _unseen(hints: Sequence[tuple[Path, Hints]]) -> Iterator[str]:
    broken = len({breach.path for _, found in hints for breach in found.unnoticed})
    if broken:
        yield f"{plural(broken, 'file')} with broken batches that stay"
    if any(found.lies for _, found in hints):
        yield "a marker that lies"
    if any(found.orphans or found.unreadable for _, found in hints):
        yield "more to look at above"
    hidden = len({breach.path for _, found in hints for breach in found.misplaced})
    if hidden:
        yield f"{plural(hidden, 'place')} where consumers miss records"
