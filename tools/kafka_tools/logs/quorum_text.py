"""Whether the folder of a metadata quorum is complete, in lines."""

from collections.abc import Iterator
from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.contents.releases import NEWEST, Release
from kafka_format.log.kraft import is_snapshot, read_snapshot
from kafka_format.log.names import FileName
from kafka_format.log.text import quorum_state
from kafka_format.log.topic_names import METADATA
from kafka_format.log.verification import Breach

from kafka_tools.logs import checks
from kafka_tools.logs.effects import effect
from kafka_tools.logs.lookups import moment
from kafka_tools.text import plural


def quorum_breaches(log: PartitionLog, release: Release = NEWEST) -> list[Breach]:
    """Return the rules that the folder breaks, with records as a release reads them."""
    return list(checks.breaches(log.folder, release))


def lines(log: PartitionLog, breaches: list[Breach]) -> Iterator[str]:
    """Yield lines: snapshots and log, from the oldest offset to the newest, and what is missing."""
    named = [(file.path, file.name) for file in log.files if file.name is not None and is_snapshot(file.name)]
    newest = max((name.offset for _, name in named), default=0)
    for path, name in named:
        yield _snapshot(path, name)
    if not named:
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


def _snapshot(path: Path, name: FileName) -> str:
    try:
        each = read_snapshot(path, name)
    except FormatError:
        return f"{path.name}: up to offset {name.offset}, BROKEN"
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
        return  # shown below
    voted = f"voted for node {state.voted_id}" if state.voted_id >= 0 else "no vote"
    voters = f", voters {', '.join(map(str, state.current_voters))}" if state.current_voters else ""
    yield f"{quorum_state.NAME}: epoch {state.leader_epoch}, leader {state.leader_id}, {voted}{voters}"
