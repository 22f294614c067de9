"""`kafka-format log`: what a start leaves of a broken log, and what is sound of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, rebuild
from kafka_format.log.recovery import INDEX_INTERVAL, Fate, SegmentRecovery, recover
from kafka_format.log.rescue import find_sound, missing_offsets, other_files, write_rescued

from kafka_tools.commands.number_types import Whole
from kafka_tools.commands.partition_answers import Answer, ask
from kafka_tools.commands.paths import PLACE
from kafka_tools.errors import UsageError
from kafka_tools.logs import recovery_text, rescue_text
from kafka_tools.text import plural

_LONG = (1 << 63) - 1

index_interval = click.option(
    "--index-interval",
    type=Whole(0),
    metavar="BYTES",
    default=INDEX_INTERVAL,
    show_default=True,
    help="Setting index.interval.bytes of the broker.",
)
"""The option of commands that write indexes anew."""


@click.command(name="rescue")
@click.argument("path", metavar="PATH", type=PLACE)
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write the sound batches to DIR.")
@click.option("--all", "show_all", is_flag=True, help="Show every segment, and all that is lost of each.")
@index_interval
def rescue_command(*, path: Path, out: Path | None, index_interval: int, show_all: bool) -> int:
    """Copy the sound batches of a broken partition into another folder.

    \b
    kafka-format log rescue data/orders-0
    kafka-format log rescue data/orders-0 --out rescued/orders-0

    Kafka's own recovery ends at the first fault, and removes all later segments; this command goes
    on after it. Offsets are kept, so lost records leave a gap. Batches that changed places, or
    stand in two segments, are put in order. Indexes, producer snapshots and leader epochs are
    rebuilt; the snapshots of a metadata quorum and its quorum-state are copied. Without --out, it
    only shows what is lost. Of a data directory, each partition is written to a folder of its name.
    Exit status 1 if something is lost.
    """  # noqa: D301 - \b keeps the lines of a paragraph

    def question(log: PartitionLog, folder: Path) -> Answer:
        place = _place(path, folder, out)
        if place is not None:
            _check_place(log.folder, place)
        rescued, files = find_sound(log), other_files(log)
        missing = missing_offsets(log, rescued) if folder.is_dir() else []
        lines = list(rescue_text.lines(log, rescued, files, missing, show_all=show_all))
        short = next(line for line in lines if line.startswith(rescue_text.TOTAL))
        if place is not None:
            with _writing(place):
                written = write_rescued(log, rescued, place, index_interval=index_interval)
            lines += [*_open_transactions(place), f"wrote {plural(len(written), 'file')} to {place}"]
        is_lost = any(each.losses or not all(left.are_same for left in each.left_out) for each in rescued)
        is_broken = any(file.is_broken for file in files)
        return Answer(lines, 1 if is_lost or is_broken or missing else 0, short)

    return ask(path, question, any_width=True, show_all=show_all)


def _place(path: Path, folder: Path, out: Path | None) -> Path | None:
    """Return the folder that a partition is written to: of several, each in its own below DIR."""
    return out if out is None or folder == path else out / folder.relative_to(path)


@contextmanager
def _writing(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write to {place}: {error}.", "Name a folder that is empty or not there.") from None


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


def _is_whole(each: SegmentRecovery) -> bool:
    return each.goes_back is None and (each.fate is Fate.KEPT or (each.fate is Fate.CUT and not each.lost_bytes))


def _open_transactions(out: Path) -> Iterator[str]:
    with PartitionLog(out) as log:
        yield from rescue_text.open_transactions(recover(log).producers.open)


@click.command(name="recover")
@click.argument("path", metavar="PATH", type=PLACE)
@click.option("--recovery-point", type=Whole(0, _LONG), metavar="N", help="Offset of recovery-point-offset-checkpoint.")
@index_interval
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Write rebuilt indexes and snapshots to DIR."
)
@click.option("--segments", is_flag=True, help="With --out: write the sound batches too.")
def recover_command(
    *, path: Path, recovery_point: int | None, index_interval: int, out: Path | None, segments: bool
) -> int:
    """Show what a broker would cut or remove if it started after a crash; change nothing.

    \b
    kafka-format log recover data/orders-0
    kafka-format log recover data/orders-0 --out rescued/orders-0 --segments

    Every segment is read, unless --recovery-point says how much is known to be on the disk. With
    --out, what would be left is written into another folder: indexes, snapshots, leader epochs, and
    with --segments the batches that are sound. Exit status 1 if something would be lost, or may be,
    or the broker would not start.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if segments and out is None:
        raise UsageError("--segments needs --out.", "Name a folder with --out.")

    def question(log: PartitionLog, folder: Path) -> Answer:
        try:
            recovery = recover(log, recovery_point=recovery_point or 0, index_interval=index_interval)
        except FormatError as error:
            hint = "It takes the data directory offline. Move it away; the broker rebuilds it from the batches."
            raise UsageError(f"{log.folder.name}/leader-epoch-checkpoint: {error}", hint) from None
        lines = list(recovery_text.lines(log, recovery))
        is_whole = all(map(_is_whole, recovery.segments)) and not recovery.emptied
        place = _place(path, folder, out)
        if place is not None:
            with _writing(place):
                written = rebuild.write(recovery, place, segments=segments)
            lines.append(f"wrote {plural(len(written), 'file')} to {place}")
        short = next((line for line in lines if line.startswith((recovery_text.LOST, recovery_text.PERHAPS_LOST))), "")
        return Answer(lines, 0 if is_whole else 1, short)

    return ask(path, question)
