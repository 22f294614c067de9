"""The folder of an audit.

    run.json        the directories and how they are cut, written first; an audit is resumed only
    with the very same done/           Parquet: one row a slice that was scanned findings/
    Parquet: the broken rules; partitions/: one row a partition; replicas/: one row a replica
    summary.json    the counts summary.html    the same for people

Rows of `done` are written in parts during the audit, and an audit that is resumed scans only slices
that have none. A slice whose segment or index was changed since is scanned again. The rest is
written at the end.
"""

from collections.abc import Iterable, Sequence
from importlib.metadata import version

from kafka_tools.audit import page, schemas
from kafka_tools.audit.options import AuditOptions
from kafka_tools.audit.rows import AuditFinding, PartitionRow, ReplicaRow, ScannedSlice, Unit
from kafka_tools.audit.summary import AuditSummary, document
from kafka_tools.spark import files, parquet, run_settings
from kafka_tools.spark.parquet import DONE, FINDINGS
from kafka_tools.system.distribution import DISTRIBUTION

KIND = "kafka-format audit"
SUMMARY, PAGE = "summary.json", "summary.html"
FOLDERS: dict[str, type[schemas.Row]] = {FINDINGS: AuditFinding, "partitions": PartitionRow, "replicas": ReplicaRow}
"""The folders that are written at the end, and what a row of each is."""


class AuditFolder:
    """The folder of one audit, ready to be written to; it should be locked by `files.alone`."""

    def __init__(self, options: AuditOptions) -> None:
        """Make the folder, or take up the audit that is in it.

        Raises:
            UsageError: the folder is in use and `resume` is not asked for, or it holds something
                else.
        """
        self._folder = options.out
        document = {
            "kind": KIND,
            "suite_version": version(DISTRIBUTION),
            "directories": [str(directory.absolute()) for directory in options.directories],
            "slice_size": options.slice_size,
        }
        run_settings.take_up(self._folder, document, resume=options.resume)
        files.make(self._folder / DONE)
        self._part = parquet.next_part(self._folder)

    def resume(self, units: Iterable[Unit]) -> list[ScannedSlice]:
        """Return the results of slices that an earlier command scanned and that have not changed.

        Raises:
            UsageError: a part cannot be read.
        """
        wanted, scanned_slices = {schemas.key(unit): unit for unit in units}, list[ScannedSlice]()
        for part in sorted((self._folder / DONE).glob("*.parquet")):
            for row in parquet.read(part, schemas.done_schema()):
                unit = wanted.pop(schemas.done_key(row), None)
                if unit is not None and row["doubt"] != "unreadable":
                    scanned_slices.append(schemas.done_from(row, unit))
        return scanned_slices

    def write_done(self, rows: Sequence[ScannedSlice]) -> None:
        """Write the rows of scanned slices to `done`."""
        if rows:
            parquet.write(self._folder / DONE / parquet.part_name(self._part), schemas.done_table(rows))
            self._part += 1

    def write_result(self, result: AuditSummary) -> None:
        """Write findings, partitions, replicas and summary; replace earlier ones."""
        for name, rows in (
            (FINDINGS, result.findings),
            ("partitions", result.partitions),
            ("replicas", result.replicas),
        ):
            files.make(self._folder / name)
            parquet.write(self._folder / name / parquet.part_name(0), schemas.table(FOLDERS[name], rows))
        files.write_json(self._folder / SUMMARY, document(result))
        files.write_text(self._folder / PAGE, page.page(result))
