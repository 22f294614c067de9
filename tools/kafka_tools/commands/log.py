"""`kafka-format log`: what is in a log directory, and how Kafka finds things in it."""

import click

from kafka_tools.command_line import SectionedGroup
from kafka_tools.commands import (
    log_contents,
    log_directory,
    log_files,
    log_find,
    log_partition,
    log_rescue,
    log_start,
    log_stat,
    log_verify,
)

SECTIONS = {
    "What a broker will do with it": ("start", "recover", "retention", "leftovers", "quorum"),
    "What is broken, and what is left": ("verify", "rescue", "compare", "indexes", "transactions"),
    "What is in it": ("stat", "find", "dump", "explain", "origin"),
    "What Kafka's own topics say": ("metadata", "groups", "producers", "remote"),
}


@click.group(name="log", cls=SectionedGroup, sections=SECTIONS)
def command() -> None:
    """Inspect log directories: dump files, find offsets, verify, recover, rescue, compare.

    \b
    kafka-format log stat data/orders-0
    kafka-format log find data/orders-0 --offset 4711
    kafka-format log verify data
    kafka-format log start data
    kafka-format log dump --print-data-log data/orders-0/00000000000000000000.log
    kafka-format log explain data/orders-0/00000000000000000000.index

    A path is a partition's folder, a data directory or a folder of some, or a segment. Of several
    partitions, commands about one show what is wrong in full, and the rest in a line each. Files
    are opened read-only and never changed. Exit status 1 if something in them breaks a rule.
    """  # noqa: D301 - \b keeps the lines of a paragraph


for each in (
    log_files.dump_command,
    log_files.explain_command,
    log_find.command,
    log_verify.command,
    log_stat.command,
    log_rescue.command,
    log_rescue.recover_command,
    log_start.start_command,
    log_directory.leftovers_command,
    log_directory.quorum_command,
    log_directory.origin_command,
    log_partition.transactions_command,
    log_partition.retention_command,
    log_partition.indexes_command,
    log_partition.compare_command,
    log_contents.metadata_command,
    log_contents.groups_command,
    log_contents.producers_command,
    log_contents.remote_command,
):
    command.add_command(each)
