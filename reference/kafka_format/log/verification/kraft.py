"""The rules of a metadata quorum's folder: snapshots that fit to its log and to quorum-state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kafka_format.errors import FormatError
from kafka_format.log.kraft import FOLDER, FOOTER, HEADER, Snapshot, is_snapshot, read_snapshot
from kafka_format.log.names import folder_name
from kafka_format.log.partition import PartitionLog
from kafka_format.log.text import quorum_state
from kafka_format.log.verification.breach import Breach, of_error
from kafka_format.log.verification.segments import Outline


def verify(log: PartitionLog, outlines: Sequence[Outline]) -> Iterator[Breach]:
    """Yield the rules that a metadata quorum's folder breaks, beyond those of any log."""
    if folder_name(log.folder) != FOLDER:
        return
    snapshots: list[Snapshot] = []
    for file in log.files:
        if file.name is None or not is_snapshot(file.name):
            continue
        try:
            snapshots.append(read_snapshot(file.path, file.name))
        except FormatError as error:
            yield of_error(error, file.path)
    for each in snapshots:
        for rule, at, name in (("header", 0, HEADER), ("footer", -1, FOOTER)):
            if not each.control or each.control[at] != name:
                what = f"its control records are {', '.join(each.control) or 'none'}"
                yield Breach(f"log.kraft-snapshot.{rule}", each.path, what, None, each.end_offset)
    yield from _check_joint(log, snapshots)
    yield from _epochs(log, outlines)


def _check_joint(log: PartitionLog, snapshots: list[Snapshot]) -> Iterator[Breach]:
    newest = max((each.end_offset for each in snapshots), default=0)
    if log.segments and log.segments[0].base_offset > newest:
        base = log.segments[0].base_offset
        detail = f"the log begins at {base}, the newest snapshot ends at {newest}: what is between them is missing"
        yield Breach("log.kraft-snapshot.log", log.folder, detail, None, newest)


def _epochs(log: PartitionLog, outlines: Sequence[Outline]) -> Iterator[Breach]:
    path = log.folder / quorum_state.NAME
    try:
        state = quorum_state.decode(path.read_bytes()) if path.is_file() else None
    except FormatError:
        return  # reported where texts are verified
    newest = max((each.epoch for outline in outlines for each in outline.epochs), default=-1)
    if state is not None and state.leader_epoch < newest:
        detail = f"leaderEpoch is {state.leader_epoch}, the log goes up to epoch {newest}"
        yield Breach("log.quorum-state.epoch", path, detail)
