"""`kafka-format log rescue`: the sound batches of a broken log, into another folder."""

from pathlib import Path

import click
from kafka_format.log import PartitionLog
from kafka_format.log.recovery import INDEX_INTERVAL, recover
from kafka_format.log.rescue import find_sound
from kafka_format.log.rescued_files import other_files, write_rescued

from kafka_tools.commands.options import Whole
from kafka_tools.errors import UsageError
from kafka_tools.logs import log_paths, rescue_text
from kafka_tools.text import plural

index_interval = click.option(
    "--index-interval",
    type=Whole(0),
    metavar="BYTES",
    default=INDEX_INTERVAL,
    show_default=True,
    help="Setting index.interval.bytes of the broker.",
)
"""The option of commands that write indexes anew."""


@click.command(name="rescue", short_help="Copy the sound batches of a broken partition.")
@click.argument("path", metavar="PARTITION", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write the sound batches to DIR.")
@index_interval
def command(*, path: Path, out: Path | None, index_interval: int) -> int:
    """Copy the sound batches of a broken partition into another folder.

    \b
    kafka-format log rescue data/orders-0
    kafka-format log rescue data/orders-0 --out rescued/orders-0

    Kafka's own recovery ends at the first fault, and removes all later segments; this command goes
    on after it. Offsets are kept, so lost records leave a gap. Batches that changed places, or
    stand in two segments, are put in order. Indexes, producer snapshots and leader epochs are
    rebuilt; the snapshots of a metadata quorum and its quorum-state are copied. Without --out, it
    only shows what is lost. Exit status 1 if something is lost.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    with log_paths.partition(path, any_width=True) as log:
        if out is not None:
            _check_place(log.folder, out)
        rescued, files = find_sound(log), other_files(log)
        click.echo("\n".join(rescue_text.lines(log, rescued, files)))
        if out is not None:
            try:
                written = write_rescued(log, rescued, out, index_interval=index_interval)
            except OSError as error:
                hint = "Name a folder that is empty or not there."
                raise UsageError(f"cannot write to {out}: {error}.", hint) from None
            _say_open_transactions(out)
            click.echo(f"wrote {plural(len(written), 'file')} to {out}")
    is_lost = any(each.losses or not all(left.are_same for left in each.left_out) for each in rescued)
    return 1 if is_lost or any(file.is_broken for file in files) else 0


def _check_place(folder: Path, out: Path) -> None:
    """Refuse to write into the folder that is read, or where a broker would see a partition.

    Raises:
        UsageError: it would be.
    """
    source, place = folder.resolve(), out.resolve()
    if place == source or source in place.parents or (place.parent / "meta.properties").is_file():
        raise UsageError(
            f"{out} is within a data directory.", "Name a folder elsewhere, such as /tmp/rescued/orders-0."
        )


def _say_open_transactions(out: Path) -> None:
    with PartitionLog(out) as log:
        producers = recover(log).producers.open
    for line in rescue_text.open_transactions(producers):
        click.echo(line)
