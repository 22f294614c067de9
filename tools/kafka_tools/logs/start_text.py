"""What a node does at its start, in lines: the worst first."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.recovery import INDEX_INTERVAL
from kafka_format.log.start import Fault, Hints, Node, NotServed, PartitionStart, Start, StartFate, Verdict
from kafka_format.log.start.outcome import NOT_NAMED, REMOTE_NOTE
from kafka_format.log.start.remote_cache import NOT_READ
from kafka_format.log.text import clean_shutdown

from kafka_tools.logs import recovery_text, start_hints_text, start_partitions_text
from kafka_tools.logs.start_advice import advice
from kafka_tools.logs.start_partitions_text import is_new_stray
from kafka_tools.text import first_few, plural

_SHOWN: Final = 3
"""Things of a kind that are told, unless all are asked for."""

_NOT_LOOKED_AT: Final = {
    "voters": "whether the settings name voters: the metadata log does not",
    "log-of-controllers": "the metadata log of the controllers, by which the broker cuts its own or goes on",
    NOT_READ: "indexes that were fetched from remote storage, in its cache",
    "zookeeper": "what ZooKeeper has: topics, their settings, and whether replicas are here",
}
NO_METADATA: Final = "no-metadata-elsewhere"
"""The kind of the assumption that no directory that was not named has the metadata log."""

_ASSUMED: Final = {
    NO_METADATA: "that no other data directory has the metadata log",
    "release": "the oldest release that runs with the metadata.version that is here (--as-kafka asks another)",
    "role": "the role that the metadata has (--role)",
    "zookeeper": "a broker with ZooKeeper, since no meta.properties of KRaft is here (--role says KRaft)",
    "zookeeper-release": "its newest release (--as-kafka asks another)",
    "voters": (
        "that controller.quorum.voters names the controllers, as the metadata log does not: without it the node is "
        "never ready (--no-static-voters)"
    ),
    REMOTE_NOTE: (
        "that remote.log.storage.system.enable is true, as a topic has remote storage; else logs begin at their first "
        "segment here (--no-remote-storage)"
    ),
    "controllers": "that the controllers are reached where the metadata or the settings have them",
    "no-root": "that Kafka does not run as root, which may read and write everything",
}
_COSTS: Final = {
    "partition": "nothing of this partition is served: clients get NOT_COORDINATOR",
    "served-empty": (
        "the partition is served as if it were empty: groups are gone, consumers follow auto.offset.reset"
    ),
    "rest": "the record and all behind it are not loaded; what came before is served, with old states",
    "record": "the record is passed over, with a warning",
}
_NOTES: Final = {
    "checkpoint-ignored": "is ignored, with a warning: the broker goes on as if it were empty",
    "segment-emptied": (
        "cannot be written by anybody: this release EMPTIES the last segment that it reads there, and the data "
        "directory may go offline; give the right to write before any start"
    ),
    "cleaner-ends": "ends the log cleaner, unless it is off: compacted topics grow until it is mended, and a restart",
    "snapshot-not-whole": "has no footer, so its end may be gone: Kafka takes what is not in it for what is not there",
    "perhaps-ends": (
        "takes its data directory offline; the process ends with KafkaStorageException if Kafka loads a log with an "
        "open transaction after it, which depends on the order of the folder"
    ),
    "leaders-perhaps-not-made": (
        "is not served: an error there may keep other partitions from being served too, until a restart"
    ),
    "interval-decides": (
        "has offsets that go back: index.interval.bytes decides whether Kafka sees it. "
        f"With {INDEX_INTERVAL} it does not, and takes the segment; with less it may EMPTY it. "
        "The topic has no such setting here. They go back at offset"
    ),
    REMOTE_NOTE: (
        "has its oldest records in remote storage alone, which is not used: the log begins at its first segment here. "
        "Not found are offsets"
    ),
    "folder-ignored": "is a folder in the place of a segment: it is passed over, and its offsets are not found",
}


_BEHIND: Final = (
    "BEHIND THE START: what the log cleaner and retention remove, and what a follower cuts that its leader has not; "
    "the files alone do not tell"
)


def lines(
    node: Node,
    start: Start,
    hints: Sequence[tuple[Path, Hints]],
    assumed: Sequence[str] = (),
    *,
    show_all: bool = False,
) -> Iterator[str]:
    """Yield lines about what a start does, the worst first.

    `assumed` is what the files were asked for, since the user did not say it, by kind.

    Of many things of a kind the first ones are told, and how many more there are, unless
    `show_all` says otherwise.
    """
    shown = None if show_all else _SHOWN
    if NO_METADATA in assumed:
        yield "NO METADATA LOG HERE: if another data directory has it, name that one too, and nothing of this holds"
    release = ".".join(map(str, node.release))
    if start.fault is not None:
        yield from _fault(node, start.fault, start.verdict, shown)
    names = ", ".join(directory.name for directory in node.directories)
    yield f"{names}: what Kafka {release} would do at its start, as {node.role}; nothing is changed"
    yield _marker(start)
    yield from start_hints_text.lies(hints, shown)
    yield from _offline(node, start)
    yield from _metadata(start, shown)
    yield from start_partitions_text.lines(start.partitions, shown)
    yield from first_few(map(_not_loaded, start.not_served), shown, "partition")
    yield from first_few(_notes(node, start), shown, "note")
    for directory, found in hints:
        if start.fault is not None:
            yield from start_hints_text.behind_fault(directory, found, shown)
        yield from start_hints_text.lines(directory, found, shown)
    if assumed:
        yield f"ASSUMED: {', '.join(_ASSUMED[kind] for kind in assumed)}"
    if start.serves and node.role.is_broker:
        yield _BEHIND
    for kind in start.not_looked_at:
        yield f"NOT LOOKED AT: {_NOT_LOOKED_AT.get(kind, kind)}"
    yield _ending(start, hints)


def _offline(node: Node, start: Start) -> Iterator[str]:
    for offline in start.offline:
        yield f"OFFLINE: {offline.directory}: {_in(node, offline.path)}: {offline.error}"
        for other in offline.others:
            yield f"  or, if Kafka comes to that first, {_in(node, other.path)}: {other.error}"
        yield "  the node goes on without the directory, and without its partitions"


def _not_loaded(one: NotServed) -> list[str]:
    said = f"NOT LOADED: {one.partition}: {one.path.name}, offset {one.offset}: {one.error}"
    return [said, f"  {_COSTS[one.effect]}"]


def _notes(node: Node, start: Start) -> Iterator[list[str]]:
    for kind, path, detail in start.notes:
        yield [f"{_in(node, path)} {_NOTES[kind]}{f': {detail}' if detail else ''}"]


def _fault(node: Node, fault: Fault, verdict: Verdict, shown: int | None) -> Iterator[str]:
    if fault.others:
        yield f"DOES NOT START: one of these {len(fault.others) + 1}, whichever Kafka comes to first"
        each_of = ([_place(node, each), *_end(each)] for each in (fault, *fault.others))
        yield from (f"  {line}" for line in first_few(each_of, shown, "fault"))
        return
    yield f"DOES NOT START: {_place(node, fault)}"
    if verdict is Verdict.NEVER_READY:
        logs = "logs no error" if "logged" not in dict(fault.known) else "logs errors"
        yield f"  it stays up and serves nothing, and {logs}"
    yield from _end(fault)


def _place(node: Node, fault: Fault) -> str:
    at = "" if fault.offset is None else f", offset {fault.offset}"
    byte = "" if fault.position is None else f", byte {fault.position}"
    return f"{_in(node, fault.path)}{at}{byte}"


def _end(fault: Fault) -> Iterator[str]:
    if fault.error is not None:
        yield f"  Kafka ends with {fault.error}"
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


def _metadata(start: Start, shown: int | None) -> Iterator[str]:
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
    passed_over = ([_passed_over(offset, error)] for offset, error in metadata.passed_over)
    yield from first_few(passed_over, shown, "record")
    yield from first_few(([f"  {path.name} is removed"] for path in metadata.deleted), shown, "file")


def _passed_over(offset: int, error: KafkaError) -> str:
    said = f"PASSED OVER: offset {offset} of the metadata log: {error}"
    return f"{said}; the broker goes on with other metadata than its controllers"


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
    unnamed = sum(each.why == NOT_NAMED for each in start.partitions)
    begun = sum(each.fate is StartFate.ABSENT or is_new_stray(each) for each in start.partitions) - unnamed
    if begun:
        yield f"{plural(begun, 'partition')} empty at the start"
    if unnamed:
        yield f"{plural(unnamed, 'partition')} in a data directory that was not named"
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
