"""`kafka-format log`: what is in a log directory, and how Kafka finds things in it."""

from typing import Final

import click

from kafka_tools.command_line import LazyGroup

SECTIONS: Final = {
    "What a broker will do with it": {
        "start": ("log_start", "Show what a node would do to its data directories at its start."),
        "recover": ("log_rescue", "Show what a start after a crash would cut or remove."),
        "retention": ("log_partition", "Show which segments a broker would delete, and why."),
        "leftovers": ("log_directory", "List leftover files and folders, and which may be deleted."),
        "quorum": ("log_directory", "Check that the folder of a metadata quorum is complete."),
    },
    "What is broken, and what is left": {
        "verify": ("log_verify", "Check every rule of partitions or data directories."),
        "rescue": ("log_rescue", "Copy the sound batches of a broken partition."),
        "compare": ("log_partition", "Compare replicas: where they differ, which one Kafka trusts."),
        "indexes": ("log_partition", "Show whether indexes can be trusted."),
        "transactions": ("log_partition", "Show where read_committed waits, and for which producer."),
    },
    "What is in it": {
        "stat": ("log_stat", "Count batches, records, codecs, producers, bytes and gaps."),
        "find": ("log_find", "Find an offset or a time, and show each step."),
        "dump": ("log_dump", "Print files line for line as kafka-dump-log does."),
        "explain": ("log_explain", "Show what each byte of a file is."),
        "origin": ("log_directory", "Show which release wrote the files, and if it was running."),
    },
    "What Kafka's own topics say": {
        "metadata": ("log_contents", "Show the cluster's metadata at any offset, and what differs."),
        "groups": ("log_contents", "Show groups, and committed offsets beside the logs that are here."),
        "producers": ("log_contents", "Show repeated, missing and out-of-order batches of producers."),
        "remote": ("log_contents", "Show segments of remote storage that were begun and never finished."),
    },
}
"""By subject, each command with its module and its line in `--help`."""

_LINES: Final = {subject: {name: line for name, (_, line) in told.items()} for subject, told in SECTIONS.items()}
_MODULES: Final = {name: module for told in SECTIONS.values() for name, (module, _) in told.items()}


@click.group(name="log", cls=LazyGroup, package="kafka_tools.commands", sections=_LINES, modules=_MODULES)
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
