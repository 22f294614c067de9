"""The rows that an audit leaves behind; `docs/audit.md` explains the columns to readers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kafka_format.log.verification import Breach
from kafka_format.log_columns import LogSlice, SegmentFindings, SliceScan

from kafka_tools.logs.effects import effect


@dataclass(frozen=True, slots=True)
class Unit:
    """A slice to be scanned.

    Attributes:
        part: the slice.
        stamp: changes with the segment, its indexes, and the settings of a scan.
    """

    part: LogSlice
    stamp: str


class ScannedSlice(NamedTuple):
    """A slice that was scanned.

    Attributes:
        unit: the slice.
        scan: what was found; with a doubt, and no more, if it could not be read.
        seconds: processor time that it took.
        memory: most resident bytes of the worker so far.
    """

    unit: Unit
    scan: SliceScan
    seconds: float
    memory: int


class JudgedSegment(NamedTuple):
    """A segment that was checked against the rules.

    Attributes:
        path: the segment.
        findings: what is known of it; None if it could not be read.
        left_out: broken rules that are not kept, because there are so many like them.
        memory: most resident bytes of the worker so far.
    """

    path: Path
    findings: SegmentFindings | None
    left_out: int
    memory: int


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """A broken rule: a row of `findings`.

    Attributes:
        directory: as the user named it.
        partition: name of the folder; empty for files of the data directory itself.
        path: the file or folder.
        rule: id of the rule.
        detail: what is wrong, in words.
        position: byte in the file; None where it is about the file as a whole.
        offset: the offset that it is about; None for none.
        kafka: what Kafka does; `advice` is what to do.
    """

    directory: str
    partition: str
    path: str
    rule: str
    detail: str
    position: int | None
    offset: int | None
    kafka: str
    advice: str


@dataclass(frozen=True, slots=True)
class PartitionRow:
    """A partition that was checked: a row of `partitions`.

    Attributes:
        directory: as the user named it.
        partition: name of the folder.
        segments: how many.
        bytes: of all segments.
        batches: as far as they could be scanned, and `records` as they count them.
        judged: segments that left a doubt, and were read again by the rules.
        findings: broken rules.
        left_out: how many of them have no row in `findings`, because there are so many like them.
        problem: why it could not be read; empty if it could.
    """

    directory: str
    partition: str
    segments: int
    bytes: int
    batches: int
    records: int
    judged: int
    findings: int
    left_out: int
    problem: str


class Verified(NamedTuple):
    """A partition that was checked, and its findings."""

    row: PartitionRow
    findings: tuple[AuditFinding, ...]


@dataclass(frozen=True, slots=True)
class ReplicaRow:
    """A replica of a partition that is in several directories: a row of `replicas`.

    Attributes:
        partition: name of the folder.
        directory: where this replica is; `trusted` is where the one is that Kafka trusts.
        start_offset: where its log starts; `end_offset` is after its last offset.
        last_epoch: its newest leader epoch; -1 for none.
        high_watermark: of its broker's checkpoint; -1 for none.
        cut_offset: where Kafka cuts it to follow the trusted one; its end if nothing goes.
        differences: places where it has other batches than the trusted one; `compacted` are not
            counted.
        compacted: places where compaction took other records.
        first_offset: offset of the first difference; -1 for none. `first_kind` says of which kind
            it is.
        silent: differences below the cut, which Kafka does not notice.
        problem: why it was not compared; empty if it was.
    """

    partition: str
    directory: str
    trusted: str
    start_offset: int
    end_offset: int
    last_epoch: int
    high_watermark: int
    cut_offset: int
    differences: int
    compacted: int
    first_offset: int
    first_kind: str
    silent: int
    problem: str


def findings(breaches: Iterable[Breach], directory: Path, partition: str) -> Iterator[AuditFinding]:
    """Yield broken rules as rows."""
    for breach in breaches:
        consequence = effect(breach.rule, breach.path.name)
        yield AuditFinding(
            str(directory),
            partition,
            str(breach.path),
            breach.rule,
            breach.detail,
            breach.position,
            breach.offset,
            consequence.kafka if consequence else "",
            consequence.advice if consequence else "",
        )
