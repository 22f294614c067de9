"""The whole of an audit: look for partitions, start Spark, scan, judge, put together, sum up."""

from collections.abc import Iterable
from dataclasses import replace
from time import monotonic

from kafka_format.log.verification.directory import verify_own_files

from kafka_tools.audit import plan, work
from kafka_tools.audit.audit_folder import AuditFolder
from kafka_tools.audit.options import AuditOptions
from kafka_tools.audit.plan import AuditedPartition
from kafka_tools.audit.rows import AuditFinding, PartitionRow, ReplicaRow, Unit, Verified, findings
from kafka_tools.audit.stages import MIB, AuditProgress, Stages
from kafka_tools.audit.summary import AuditSummary, Cost
from kafka_tools.errors import UsageError
from kafka_tools.spark import files
from kafka_tools.spark.job import warm_up
from kafka_tools.spark.progress import Watcher
from kafka_tools.spark.start import LOG, WAITING, Start, start_spark
from kafka_tools.system import resources
from kafka_tools.system.interruption import interruptible


def run(options: AuditOptions, watcher: Watcher, start: Start = start_spark) -> AuditSummary:
    """Audit directories; write rows and summary to the folder; return the summary.

    Raises:
        UsageError: a directory has no partitions, the folder is in use, Spark does not start or
            breaks; what is done by then is in the folder.
    """
    with files.alone(options.out), interruptible():
        try:
            return _run(options, watcher, start)
        except KeyboardInterrupt:
            hint = "The same command with --resume goes on."
            raise UsageError(f"interrupted; what was done by then is in {options.out}.", hint) from None


def _run(options: AuditOptions, watcher: Watcher, start: Start) -> AuditSummary:
    watcher.stage("looking for partitions")
    known = AuditProgress({each: _units(each, options.slice_size) for each in plan.partitions(options.directories)})
    folder = AuditFolder(options)
    units = [unit for each in known.units.values() for unit in each]
    for row in folder.resume(units):
        known.add(row)
    before = {row.unit for rows in known.scanned_slices.values() for row in rows}
    todo = [unit for unit in units if unit not in before]
    watcher.stage(f"starting Spark ({options.master or 'as submitted'})")
    with start(options.master, options.out / LOG) as context:
        warm_up(context, work.prepare, lambda: watcher.stage(WAITING))
        began, size, scanned = monotonic(), _bytes(units), _bytes(todo)
        watcher.began(max(size // MIB, 1), (size - scanned) // MIB)
        verified, replicas = _stages(Stages(context, watcher), known, todo, folder, compare=options.replicas)
        cost = Cost(context.defaultParallelism, monotonic() - began, scanned, known.memory)
    breaches = [finding for each in verified for finding in each.findings]
    of_partitions = len(breaches)
    for directory in dict.fromkeys(each.directory for each in known.units if each.is_in_data):
        for breach in verify_own_files(directory):
            partition = breach.path.parent.name if breach.path.parent != directory else ""
            breaches += findings([breach], directory, partition)
    cost = replace(cost, driver_memory=resources.own_peak_bytes())
    rows = tuple(_with_findings(each.row, breaches[of_partitions:]) for each in verified)
    result = AuditSummary(options, rows, tuple(breaches), tuple(replicas), cost)
    folder.write_result(result)
    return result


def _with_findings(row: PartitionRow, own: Iterable[AuditFinding]) -> PartitionRow:
    """Return the row of a partition with the findings that its data directory has about it."""
    more = sum((each.directory, each.partition) == (row.directory, row.partition) for each in own)
    return replace(row, findings=row.findings + more)


def _units(partition: AuditedPartition, slice_size: int) -> list[Unit]:
    """Return the slices of a partition; none if it cannot be read, which is reported later."""
    try:
        return plan.units(partition, slice_size)
    except OSError:
        return []


def _bytes(units: Iterable[Unit]) -> int:
    return sum(unit.part.end - unit.part.start for unit in units)


def _stages(
    stages: Stages, known: AuditProgress, todo: list[Unit], folder: AuditFolder, *, compare: bool
) -> tuple[list[Verified], list[ReplicaRow]]:
    stages.scan(known, todo, folder)
    doubtful = known.put_together()
    stages.judge(known, doubtful)
    verified = stages.verify(known, {unit.part.path for unit in doubtful})
    return verified, stages.compare(known) if compare else []
