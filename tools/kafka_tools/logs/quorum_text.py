"""Whether the folder of a metadata quorum is complete, in lines."""

from collections.abc import Iterator
from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.kraft import Snapshot, snapshots
from kafka_format.log.text import quorum_state
from kafka_format.log.topic_names import METADATA
from kafka_format.log.verification import Breach, verify_partition

from kafka_tools.logs.effects import effect
from kafka_tools.logs.lookups import moment
from kafka_tools.text import plural


def is_quorum(folder: Path) -> bool:
    """Tell whether a folder is that of a metadata quorum, by its name or by the files in it."""
    if folder.resolve().name.startswith(METADATA):
        return True
    return (folder / quorum_state.NAME).exists() or any(folder.glob("*.checkpoint"))


def quorum_breaches(log: PartitionLog) -> list[Breach]:
    """Return the rules that the folder breaks."""
    return list(verify_partition(log.folder))


def lines(log: PartitionLog, breaches: list[Breach]) -> Iterator[str]:
    """Yield lines: snapshots and log, from the oldest offset to the newest, and what is missing."""
    try:
        files = snapshots(log)
    except FormatError:
        files = []
    newest = files[-1].end_offset if files else 0
    for each in files:
        yield _snapshot(each)
    if not files:
        yield "no snapshot: all of the metadata is in the log"
    batches = [batch for segment in log.segments for batch in segment.whole_batches()]
    epoch = max((batch.leader_epoch for batch in batches), default=-1)
    first = log.segments[0].base_offset if log.segments else 0
    end = batches[-1].next_offset if batches else first
    segments = plural(len(log.segments), "segment")
    yield f"log: offsets {first} to {end - 1}, {segments}, up to epoch {epoch}"
    if first > newest:
        yield f"  MISSING: offsets {newest} to {first - 1} are in no snapshot and not in the log"
    elif end < newest:
        yield f"  the log ends below the snapshot: it is discarded, and begins again at {newest}"
    else:
        yield f"  with the snapshot it is complete: the log has all from {newest} on"
    yield from _state(log)
    for breach in breaches:
        known = effect(breach.rule, breach.path.name)
        yield f"BROKEN: {breach.path.name}: {breach.detail} [{breach.rule}]"
        if known is not None:
            yield f"  Kafka: {known.kafka}"
            yield f"  To do: {known.advice}"
    yield "not complete" if breaches else f"complete: {METADATA} can be read from its first record to its last"


def _snapshot(each: Snapshot) -> str:
    time = f", as of {moment(each.timestamp)}" if each.timestamp > 0 else ""
    whole = "header and footer are there" if each.is_whole else "NOT WHOLE"
    return f"{each.path.name}: {plural(each.records, 'record')} up to offset {each.end_offset}, {whole}{time}"


def _state(log: PartitionLog) -> Iterator[str]:
    path = log.folder / quorum_state.NAME
    if not path.is_file():
        yield f"no {quorum_state.NAME}: the node knows no epoch and no vote, and asks the others"
        return
    try:
        state = quorum_state.decode(path.read_bytes())
    except FormatError:
        return  # told below
    voted = f"voted for node {state.voted_id}" if state.voted_id >= 0 else "no vote"
    voters = f", voters {', '.join(map(str, state.current_voters))}" if state.current_voters else ""
    yield f"{quorum_state.NAME}: epoch {state.leader_epoch}, leader {state.leader_id}, {voted}{voters}"
