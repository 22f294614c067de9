"""`kafka-format log`: questions about a data directory that has a problem."""

from pathlib import Path

import click
from kafka_format.log import origin

from kafka_tools.commands.log_start import chosen, release_option
from kafka_tools.errors import UsageError
from kafka_tools.logs import leftovers_text, log_paths, origin_text, quorum_text

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(name="leftovers", short_help="List leftover files and folders, and which may be deleted.")
@click.argument("path", type=_FOLDER)
def leftovers_command(*, path: Path) -> int:
    """List leftovers (.deleted, .cleaned, .swap, -delete, -stray), and which you may delete.

    \b
    kafka-format log leftovers data

    Topic ids are looked up in the metadata log, if there is one in the data directory. Nothing is
    removed. Exit status 1 if something holds the only copy of records.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    files = leftovers_text.leftovers(path)
    click.echo("\n".join(leftovers_text.lines(path, files)))
    return 0 if all(each.may_go for each in files) else 1


@click.command(name="quorum", short_help="Check that the folder of a metadata quorum is complete.")
@click.argument("path", metavar="FOLDER", type=_FOLDER)
@release_option
def quorum_command(*, path: Path, as_kafka: str | None) -> int:
    """Check that a metadata quorum's folder is complete: snapshots, log, quorum-state.

    \b
    kafka-format log quorum data/__cluster_metadata-0
    kafka-format log quorum --as-kafka 3.9 data/__cluster_metadata-0

    Exit status 1 if something is missing or broken.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    with log_paths.partition(path) as log:
        if not quorum_text.is_quorum(path):
            raise UsageError(f"{path} is not the folder of a metadata quorum.", "Its name is __cluster_metadata-0.")
        breaches = quorum_text.quorum_breaches(log, chosen(as_kafka))
        click.echo("\n".join(quorum_text.lines(log, breaches)))
    return 1 if breaches else 0


@click.command(name="origin", short_help="Show which release wrote the files, and if it was running.")
@click.argument("path", type=_FOLDER)
def origin_command(*, path: Path) -> int:
    """Show which release wrote a partition or data directory, and whether a broker was running.

    \b
    kafka-format log origin data
    """  # noqa: D301 - \b keeps the lines of a paragraph
    folders = log_paths.partitions(path)
    evidence = origin.evidence(folders, None if folders == [path] else path)
    click.echo(origin_text.release_line(evidence))
    for each in evidence:
        click.echo(f"  {origin_text.span(each.since, each.until)}: {each.what}")
    click.echo("\n".join(origin_text.copy_lines(path)))
    return 0
