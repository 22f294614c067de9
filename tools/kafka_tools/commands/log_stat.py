"""`kafka-format log stat`: partitions in numbers."""

import json
from pathlib import Path

import click
from kafka_format.log import PartitionLog, statistics
from rich.console import Console

from kafka_tools.commands.partition_answers import Unread, print_lines
from kafka_tools.commands.paths import PLACE
from kafka_tools.errors import UsageError
from kafka_tools.logs import holes, log_paths, picture, tables
from kafka_tools.logs.tables import PartitionFigures

_WIDEST = 10_000


@click.command(name="stat")
@click.argument("path", metavar="PATH", type=PLACE)
@click.option("--all", "show_all", is_flag=True, help="Show every segment of every partition.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: for each partition a list of segments.")
@click.option(
    "--svg",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Draw bytes, batches and codecs over the offsets too, one picture per partition.",
)
def stat_command(*, path: Path, show_all: bool, as_json: bool, svg: Path | None) -> int:
    """Count batches, records, codecs, producers, bytes and gaps of partitions.

    \b
    kafka-format log stat data/orders-0
    kafka-format log stat data
    kafka-format log stat data --svg pictures

    A partition is shown segment by segment, of a data directory the partitions. Exit status 1 if a
    segment ends in something that is not a batch.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    folders, unread, found = log_paths.partitions(path), Unread(), list[PartitionFigures]()
    for folder in folders:
        with unread.noted(folder), log_paths.partition(folder) as log:
            found.append(_figures(log, log_paths.title(path, folder)))
            if svg is not None:
                _draw(svg / f"{log.folder.resolve().name}.svg", found[-1].segments)
    if as_json:
        click.echo(json.dumps({each.name: tables.document(each.segments) for each in found}, indent=1))
    else:
        _print(found, show_all=show_all, are_several=folders != [path])
    unread.tell()
    broken = any(each.fault or each.tail for one in found for each in one.segments)
    return int(broken or any(any(statistics.turns(each.segments)) for each in found))


def _figures(log: PartitionLog, name: str) -> PartitionFigures:
    segments = statistics.of_log(log)
    return PartitionFigures(name, log.start_offset, segments, list(holes.lines(log, segments)))


def _print(found: list[PartitionFigures], *, show_all: bool, are_several: bool) -> None:
    console = Console()
    console.width = console.width if console.is_terminal else _WIDEST  # there is no edge to cut lines at
    filled = [each for each in found if any(segment.size for segment in each.segments)]
    if are_several and not show_all and filled:
        console.print(tables.partitions(filled, console))
        print_lines(tables.oddities(filled))
    for each in filled if show_all or not are_several else ():
        last = statistics.last_offset(each.segments, each.start_offset)
        console.print(
            f"{each.name}: offsets {each.start_offset} to {last}", style="bold", markup=False, highlight=False
        )
        console.print(tables.segments(each.segments, console, show_all=show_all))
        print_lines([*tables.lines(each.segments), *each.holes, *[""] * are_several])
    print_lines(tables.empty_lines(each for each in found if each not in filled))
    if are_several:
        print_lines([tables.total_line(found)])


def _draw(file: Path, segment_statistics: list[statistics.SegmentStatistics]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(picture.picture(file.stem, segment_statistics), encoding="utf-8", errors="backslashreplace")
        click.echo(f"drew {file}", err=True)
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error}.", "Name another directory with --svg.") from None
