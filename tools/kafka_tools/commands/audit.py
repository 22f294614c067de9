"""`kafka-format audit`: whole data directories against every rule, on Spark."""

from pathlib import Path

import click
from rich.console import Console

from kafka_tools.commands.number_types import Whole
from kafka_tools.commands.paths import FOLDER
from kafka_tools.spark.installed import check_installed

_MIB = 1 << 20


@click.command(name="audit")
@click.argument(
    "directories",
    metavar="DIR...",
    nargs=-1,
    required=True,
    type=FOLDER,
)
@click.option("--master", metavar="URL", help="Spark master. [default: local[*], or that of spark-submit]")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("audit-out"),
    show_default=True,
    help="Directory of the audit: rows, summary, page.",
)
@click.option("--replicas", is_flag=True, help="Compare partitions that are in several of the directories.")
@click.option("--resume", is_flag=True, help="Go on with the audit in --out, of the same directories.")
@click.option(
    "--slice",
    "slice_size",
    type=Whole(1),
    metavar="MIB",
    default=256,
    show_default=True,
    help="Size of a slice, in MiB; a task scans one slice.",
)
def command(
    *, directories: tuple[Path, ...], master: str | None, out: Path, replicas: bool, resume: bool, slice_size: int
) -> int:
    """Check every rule on whole data directories, with Spark; `log verify` does so for one.

    \b
    kafka-format audit /var/lib/kafka/data1 /var/lib/kafka/data2 --out audit
    kafka-format audit --replicas broker1/data broker2/data broker3/data
    kafka-format audit /mnt/brokers/* --master spark://host:7077

    Each DIR is a data directory, or the folder of a partition, and is at the same place on every
    worker. The audit never writes to it. Findings are Parquet files, docs/audit.md has their
    columns. Exit status 1 if a rule is broken or replicas differ, 2 if something cannot be read.

    Needs Java 17 or newer and the extra `spark`: pip install 'kafka-format-conformance[spark]'
    """  # noqa: D301 - \b keeps the lines of a paragraph
    check_installed("audit")
    from kafka_tools.audit import run, terminal  # noqa: PLC0415 - Spark is an extra
    from kafka_tools.audit.options import AuditOptions  # noqa: PLC0415 - Spark is an extra
    from kafka_tools.spark import driver, progress  # noqa: PLC0415 - Spark is an extra

    driver.java()
    chosen = master or ("" if driver.is_submitted() else "local[*]")
    options = AuditOptions(
        tuple(dict.fromkeys(directories)), chosen, out, slice_size * _MIB, replicas=replicas, resume=resume
    )
    with progress.watching(Console(stderr=True), "MiB") as watcher:
        summary = run.run(options, watcher)
    terminal.show(summary, Console())
    return summary.status
