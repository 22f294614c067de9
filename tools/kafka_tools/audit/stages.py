"""The Spark jobs of an audit: scan slices, judge segments, verify partitions, compare replicas."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TypeVar

from kafka_format.log_columns import SegmentFindings, sound_segment
from kafka_format.log_columns.joints import Scanned
from pyspark import SparkContext

from kafka_tools.audit import plan, replicas, work
from kafka_tools.audit.audit_folder import AuditFolder
from kafka_tools.audit.plan import AuditedPartition
from kafka_tools.audit.rows import JudgedSegment, ReplicaRow, ScannedSlice, Unit, Verified
from kafka_tools.audit.work import Segments
from kafka_tools.spark.job import run_job
from kafka_tools.spark.progress import Watcher
from kafka_tools.text import plural

WRITE_SECONDS = 5.0
MIB = 1 << 20

_Item = TypeVar("_Item")
_Row = TypeVar("_Row")


@dataclass(slots=True)
class AuditProgress:
    """The results of the audit so far.

    Attributes:
        units: the slices of each partition.
        scanned_slices: what was found in slices, by segment.
        segments: what is known of segments; those that are not there could not be read.
        left_out: broken rules of a segment that are not kept.
        memory: most resident bytes of a worker.
    """

    units: dict[AuditedPartition, list[Unit]]
    scanned_slices: dict[Path, list[ScannedSlice]] = field(default_factory=dict)
    segments: dict[Path, SegmentFindings] = field(default_factory=dict)
    left_out: dict[Path, int] = field(default_factory=dict)
    memory: int = 0

    def add(self, row: ScannedSlice) -> None:
        """Add the results of a slice."""
        self.scanned_slices.setdefault(row.unit.part.path, []).append(row)
        self.memory = max(self.memory, row.memory)

    def put_together(self) -> list[Unit]:
        """Merge slices into segments; return the first slice of each doubtful segment."""
        doubtful = []
        for path, rows in self.scanned_slices.items():
            rows.sort(key=lambda row: row.unit.part.start)
            segment_findings = _sound(rows)
            if segment_findings is None:
                doubtful.append(rows[0].unit)
            else:
                self.segments[path] = segment_findings
        return doubtful

    def partition(self, partition: AuditedPartition, judged: set[Path]) -> Segments:
        """Return the results of a partition."""
        paths = list(dict.fromkeys(unit.part.path for unit in self.units[partition]))
        rows = [row for path in paths for row in self.scanned_slices[path]]
        return Segments(
            partition,
            tuple(self.segments[path] for path in paths if path in self.segments),
            _bytes(rows),
            sum(row.scan.batches for row in rows),
            sum(row.scan.records for row in rows),
            sum(path in judged for path in paths),
            sum(self.left_out.get(path, 0) for path in paths),
        )


def _bytes(rows: Iterable[ScannedSlice]) -> int:
    return sum(row.unit.part.end - row.unit.part.start for row in rows)


def _sound(rows: Sequence[ScannedSlice]) -> SegmentFindings | None:
    try:
        return sound_segment([Scanned(row.unit.part, row.scan) for row in rows])
    except OSError:
        return None


class Stages:
    """Runs the jobs of an audit, one after another, on one Spark context."""

    def __init__(self, context: SparkContext, watcher: Watcher) -> None:
        """Use that context, and tell that watcher."""
        self._context = context
        self._watcher = watcher
        self._cores = context.defaultParallelism

    def scan(self, known: AuditProgress, todo: Sequence[Unit], folder: AuditFolder) -> None:
        """Scan slices; write their results every few seconds."""
        waiting, written = list[ScannedSlice](), monotonic()

        def write() -> None:
            nonlocal written
            folder.write_done(waiting)
            waiting.clear()
            written = monotonic()

        def keep(rows: list[ScannedSlice]) -> None:
            for row in rows:
                known.add(row)
            waiting.extend(rows)
            if rows:
                self._watcher.advance(_bytes(rows) // MIB, 0)
            if monotonic() - written > WRITE_SECONDS:
                write()

        try:
            self._run(work.scan_slices, [(plan.weight(unit), unit) for unit in todo], keep)
        finally:
            write()

    def judge(self, known: AuditProgress, doubtful: Sequence[Unit]) -> None:
        """Check doubtful segments against the rules, batch by batch."""
        if doubtful:
            self._watcher.stage(f"reading {plural(len(doubtful), 'doubtful segment')} again")

        def keep(rows: list[JudgedSegment]) -> None:
            for row in rows:
                known.memory = max(known.memory, row.memory)
                known.left_out[row.path] = row.left_out
                if row.findings is not None:
                    known.segments[row.path] = row.findings

        self._run(work.judge_segments, [(unit.part.size + plan.OPENING, unit) for unit in doubtful], keep)

    def verify(self, known: AuditProgress, judged: set[Path]) -> list[Verified]:
        """Check the rules between segments, partition by partition."""
        self._watcher.stage("putting partitions together")
        rows: list[Verified] = []
        items = [known.partition(partition, judged) for partition in known.units]
        self._run(work.verify_partitions, [(len(item.findings) + 1, item) for item in items], rows.extend)
        return rows

    def compare(self, known: AuditProgress) -> list[ReplicaRow]:
        """Compare the replicas of partitions that are in several directories."""
        self._watcher.stage("comparing replicas")
        rows: list[ReplicaRow] = []
        items = replicas.sets(list(known.units), known.segments)
        self._run(replicas.compare_sets, [(item.weight, item) for item in items], rows.extend)
        return rows

    def _run(
        self,
        do: Callable[[tuple[_Item, ...]], list[_Row]],
        items: Sequence[tuple[int, _Item]],
        on_rows: Callable[[list[_Row]], None],
    ) -> None:
        if items:
            run_job(self._context, do, plan.tasks(items, self._cores), on_rows)
