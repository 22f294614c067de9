"""What the tasks of an audit do. Files are opened read-only; an unreadable one ends nothing."""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from time import process_time
from typing import NamedTuple

from kafka_format.log.verification import Breach
from kafka_format.log.verification.directory import verify_marks
from kafka_format.log_columns import SegmentFindings, SliceScan, judge_segment, scan, verify_log

from kafka_tools.audit.plan import AuditedPartition
from kafka_tools.audit.rows import AuditFinding, JudgedSegment, PartitionRow, ScannedSlice, Unit, Verified, findings
from kafka_tools.system import resources

MOST = 10_000
"""Findings of one rule in one file that are kept: a million zeros may be behind an index."""

UNREADABLE = "unreadable"
"""The doubt of a slice that could not be read."""


class Segments(NamedTuple):
    """The results of a partition's segments, before the rules between segments are checked.

    Attributes:
        partition: the partition.
        findings: what is known of its segments.
        bytes: of its segments; `batches` and `records` as far as they were scanned.
        judged: segments that the rules had to decide about.
        left_out: broken rules of these that are not kept.
    """

    partition: AuditedPartition
    findings: tuple[SegmentFindings, ...]
    bytes: int
    batches: int
    records: int
    judged: int
    left_out: int


def prepare() -> None:
    """Freeze imported objects, so that garbage collection after a task skips them."""
    gc.collect()
    gc.freeze()


def scan_slices(units: tuple[Unit, ...]) -> list[ScannedSlice]:
    """Scan slices."""
    return [_scan(unit) for unit in units]


def _scan(unit: Unit) -> ScannedSlice:
    began = process_time()
    try:
        slice_scan = scan(unit.part)
    except OSError:
        slice_scan = SliceScan(unit.part.start, UNREADABLE)
    return ScannedSlice(unit, slice_scan, process_time() - began, resources.own_peak_bytes())


def judge_segments(units: tuple[Unit, ...]) -> list[JudgedSegment]:
    """Check segments against the rules; each is given by its first slice."""
    return [_judge(unit.part.path, is_last=unit.part.is_last) for unit in units]


def _judge(path: Path, *, is_last: bool) -> JudgedSegment:
    try:
        judgement = judge_segment(path, is_last=is_last)
    except OSError:
        return JudgedSegment(path, None, 0, resources.own_peak_bytes())
    kept = tuple(_limit(judgement.breaches))
    left_out = len(judgement.breaches) - len(kept)
    return JudgedSegment(path, replace(judgement, breaches=kept), left_out, resources.own_peak_bytes())


def verify_partitions(known: tuple[Segments, ...]) -> list[Verified]:
    """Check the rules between the segments of partitions, and those of all other files."""
    return [_verify(each) for each in known]


def _verify(known: Segments) -> Verified:
    partition, kept, problem = known.partition, list[AuditFinding](), ""
    breaches = verify_log(partition.folder, {each.path: each for each in known.findings})
    if partition.is_in_data:
        breaches = chain(breaches, verify_marks(partition.folder))
    seen = _Counted(breaches)
    try:
        kept += findings(_limit(seen), partition.directory, partition.folder.name)
    except OSError as error:
        problem = f"{error.filename or partition.folder}: {error.strerror or error}"
    return Verified(_row(known, seen.count, seen.count - len(kept), problem), tuple(kept))


class _Counted:
    """Counts what is taken from an iterator."""

    def __init__(self, items: Iterator[Breach]) -> None:
        self.count = 0
        self._items = items

    def __iter__(self) -> Iterator[Breach]:
        for item in self._items:
            self.count += 1
            yield item


def _limit(breaches: Iterable[Breach]) -> Iterator[Breach]:
    """Yield breaches, and of one rule in one file not more than are kept."""
    count = Counter[tuple[Path, str]]()
    for breach in breaches:
        count[breach.path, breach.rule] += 1
        if count[breach.path, breach.rule] <= MOST:
            yield breach


def _row(known: Segments, broken: int, left_out: int, problem: str) -> PartitionRow:
    partition = known.partition
    return PartitionRow(
        str(partition.directory),
        partition.folder.name,
        len(known.findings),
        known.bytes,
        known.batches,
        known.records,
        known.judged,
        broken + known.left_out,
        left_out + known.left_out,
        problem,
    )
