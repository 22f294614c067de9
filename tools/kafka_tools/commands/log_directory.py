"""`kafka-format log`: questions about a data directory that has a problem."""

from pathlib import Path

import click
from kafka_format.log import origin
from kafka_format.log.leftovers import Leftover, in_partition, of_entry

from kafka_tools.commands.partition_answers import Unread, print_lines
from kafka_tools.commands.paths import FOLDER, PLACE
from kafka_tools.commands.release_option import chosen, release_option
from kafka_tools.logs import leftovers_text, log_paths, origin_text, quorum_text


@click.command(name="leftovers")
@click.argument("path", type=FOLDER)
@click.option("--all", "show_all", is_flag=True, help="List each, not only the first of its kind.")
def leftovers_command(*, path: Path, show_all: bool) -> int:
    """List leftovers (.deleted, .cleaned, .swap, -delete, -stray), and which you may delete.

    \b
    kafka-format log leftovers data

    Topic ids are looked up in the metadata log, if there is one in the data directory. Nothing is
    removed. Exit status 1 if something holds the only copy of records.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    found, unread = list[Leftover](), Unread()
    directories = log_paths.data_directories(path)
    for entry in (each for data in directories for each in sorted(data.iterdir())):
        with unread.noted(entry):
            found += of_entry(entry)
    for partition in () if directories else log_paths.partitions(path):
        found += in_partition(partition)
    print_lines(leftovers_text.lines(path, found, show_all=show_all))
    unread.tell()
    return 0 if all(each.may_go for each in found) else 1


@click.command(name="quorum")
@click.argument("path", metavar="PATH", type=PLACE)
@release_option
def quorum_command(*, path: Path, as_kafka: str | None) -> int:
    """Check that a metadata quorum's folder is complete: snapshots, log, quorum-state.

    \b
    kafka-format log quorum data
    kafka-format log quorum --as-kafka 3.9 data/__cluster_metadata-0

    Exit status 1 if something is missing or broken.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    status, folders = 0, log_paths.quorum_folders(path)
    for folder in folders:
        with log_paths.partition(folder) as log:
            breaches = quorum_text.quorum_breaches(log, chosen(as_kafka))
            print_lines([f"{log_paths.title(path, folder)}:"] if len(folders) > 1 else [])
            print_lines(quorum_text.lines(log, breaches))
            status |= bool(breaches)
    return status


@click.command(name="origin")
@click.argument("path", type=PLACE)
def origin_command(*, path: Path) -> int:
    """Show which release wrote a partition or data directory, and whether a broker was running.

    \b
    kafka-format log origin data
    """  # noqa: D301 - \b keeps the lines of a paragraph
    places, unread = log_paths.data_directories(path) if path.is_dir() else [], Unread()
    for place in places or log_paths.partitions(path):
        folders = list[Path]()
        for folder in log_paths.partitions(place):
            with unread.noted(folder), log_paths.partition(folder):
                folders.append(folder)
        evidence = origin.evidence(folders, place if places else None)
        print_lines([f"{log_paths.title(path, place)}:"] if place != path else [])
        print_lines([origin_text.release_line(evidence)])
        print_lines(f"  {origin_text.span(each.since, each.until)}: {each.what}" for each in evidence)
        print_lines(origin_text.copy_lines(place, folders))
    unread.tell()
    return 0
