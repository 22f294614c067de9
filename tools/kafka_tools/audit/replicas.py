"""The same partitions of several brokers: where they differ, and which one Kafka would trust.

What replicas are judged by is known from the audit: leader epochs, and where the log ends. Most
replicas are the same bytes from the higher start to the lower end, whatever the segments are, and
this is looked at first. Where they are not, batches are compared one by one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.comparison import (
    UNKNOWN,
    DifferenceKind,
    Replica,
    ReplicaDifference,
    differences,
    most_trusted,
    truncation,
)
from kafka_format.log.text.checkpoints import EpochRow
from kafka_format.log_columns import SegmentFindings
from kafka_format.log_columns.same_bytes import same_bytes

from kafka_tools.audit.plan import AuditedPartition
from kafka_tools.audit.rows import ReplicaRow

MOST = 100_000
"""Differences of a replica that are counted."""

_HIGH_WATERMARKS = "replication-offset-checkpoint"
_SILENT = {DifferenceKind.CONTENT, DifferenceKind.MISSING}


class ReplicaSet(NamedTuple):
    """A partition that is in several directories, with the segments of each replica."""

    partitions: tuple[AuditedPartition, ...]
    segments: tuple[tuple[SegmentFindings, ...], ...]

    @property
    def weight(self) -> int:
        """The weight for planning: the number of segments to compare."""
        return 1 + sum(map(len, self.segments))


def sets(partitions: Sequence[AuditedPartition], segments: Mapping[Path, SegmentFindings]) -> list[ReplicaSet]:
    """Return the partitions that are in several directories, by the names of their folders."""
    by_name: dict[str, list[AuditedPartition]] = {}
    for partition in partitions:
        by_name.setdefault(partition.folder.name, []).append(partition)
    of_folder: dict[Path, list[SegmentFindings]] = {}
    for path in sorted(segments):
        of_folder.setdefault(path.parent, []).append(replace(segments[path], followed=None))
    return [
        ReplicaSet(tuple(several), tuple(tuple(of_folder.get(each.folder, ())) for each in several))
        for several in by_name.values()
        if len(several) > 1
    ]


def compare_sets(replica_sets: tuple[ReplicaSet, ...]) -> list[ReplicaRow]:
    """Compare the replicas of partitions; if one cannot be read, its row says why."""
    return [row for each in replica_sets for row in _compare(each)]


def _compare(replicas: ReplicaSet) -> Iterator[ReplicaRow]:
    with ExitStack() as stack:
        opened = list[tuple[AuditedPartition, PartitionLog, Replica]]()
        for partition, segments in zip(replicas.partitions, replicas.segments, strict=True):
            try:
                log = stack.enter_context(PartitionLog(partition.folder))
                opened.append((partition, log, replica(log, segments)))
            except (FormatError, OSError) as error:
                yield _unread(partition, str(error))
        if opened:
            yield from _rows(opened)


def replica(log: PartitionLog, segments: Iterable[SegmentFindings]) -> Replica:
    """Return leader epochs, start and end of a replica; also epochs that its checkpoint lacks.

    Raises:
        FormatError: the checkpoint of leader epochs cannot be read.
    """
    rows, end = list(log.leader_epochs()), log.start_offset
    for segment in segments:
        end = max(end, segment.highest + 1)
        for epoch, offset in segment.epochs:
            if epoch > (rows[-1].epoch if rows else UNKNOWN):
                rows.append(EpochRow(epoch, offset))
    return Replica(tuple(rows), log.start_offset, end)


def _rows(opened: Sequence[tuple[AuditedPartition, PartitionLog, Replica]]) -> Iterator[ReplicaRow]:
    leader, best, leading = opened[most_trusted([each for _, _, each in opened])]
    for partition, log, each in opened:
        differing, problem = list[ReplicaDifference](), ""
        try:
            if log is not best and not same_bytes(best, log):
                differing = list(islice(differences(best, log), MOST))
        except OSError as error:
            problem = str(error)
        cut = each.end_offset if log is best else truncation(each, leading)
        yield _row(partition, leader, log, each, cut, differing, problem)


def _row(
    partition: AuditedPartition,
    leader: AuditedPartition,
    log: PartitionLog,
    each: Replica,
    cut: int,
    replica_differences: Sequence[ReplicaDifference],
    problem: str,
) -> ReplicaRow:
    kinds = Counter(difference.kind for difference in replica_differences)
    real = [difference for difference in replica_differences if difference.kind is not DifferenceKind.COMPACTED]
    return ReplicaRow(
        partition.folder.name,
        str(partition.directory),
        str(leader.directory),
        each.start_offset,
        each.end_offset,
        each.last_epoch,
        _high_watermark(log),
        cut,
        len(real),
        kinds[DifferenceKind.COMPACTED],
        real[0].offset if real else UNKNOWN,
        str(real[0].kind) if real else "",
        sum(difference.offset < cut and difference.kind in _SILENT for difference in real),
        problem,
    )


def _unread(partition: AuditedPartition, problem: str) -> ReplicaRow:
    return ReplicaRow(
        partition=partition.folder.name,
        directory=str(partition.directory),
        trusted="",
        start_offset=UNKNOWN,
        end_offset=UNKNOWN,
        last_epoch=UNKNOWN,
        high_watermark=UNKNOWN,
        cut_offset=UNKNOWN,
        differences=0,
        compacted=0,
        first_offset=UNKNOWN,
        first_kind="",
        silent=0,
        problem=problem,
    )


def _high_watermark(log: PartitionLog) -> int:
    try:
        offset = log.checkpoint(_HIGH_WATERMARKS)
    except FormatError:
        return UNKNOWN
    return UNKNOWN if offset is None else offset
