"""`kafka-format log explain`: what each byte of a file is."""

from pathlib import Path

import click
from kafka_format.errors import FormatError
from kafka_format.log.contents import unloadable
from kafka_format.protocol.records import topics

from kafka_tools.commands.number_types import Range
from kafka_tools.commands.paths import PLACE
from kafka_tools.errors import UsageError
from kafka_tools.logs import annotation
from kafka_tools.logs.schema_records import topic_of
from kafka_tools.show import explained

_NAMED = 5


@click.command(name="explain")
@click.argument("path", metavar="FILE", type=PLACE)
@click.option(
    "--topic",
    type=click.Choice(topics()),
    metavar="TOPIC",
    help=f"The records are of this topic of Kafka's own [default: by the folder]: {', '.join(topics())}.",
)
@click.option("--offsets", type=Range(), metavar="N[-N]", help="Of a segment, the batches with these offsets.")
@click.option("--bytes", "positions", type=Range(), metavar="N[-N]", help="Of a segment, the batches with these bytes.")
@click.option("--full", is_flag=True, help="Show every byte of long values too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def explain_command(
    *,
    path: Path,
    topic: str | None,
    offsets: tuple[int, int] | None,
    positions: tuple[int, int] | None,
    full: bool,
    as_json: bool,
) -> int:
    """Show what each byte of a file is: segment, index, snapshot, checkpoint; its name tells which.

    \b
    kafka-format log explain data/orders-0/00000000000000000000.timeindex
    kafka-format log explain data/recovery-point-offset-checkpoint
    kafka-format log explain --offsets 4-9 data/orders-0/00000000000000000000.log

    Exit status 1 if the bytes break a rule.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if path.is_dir():
        names = ", ".join(sorted(each.name for each in path.iterdir() if each.is_file())[:_NAMED])
        raise UsageError(f"{path} is a folder.", f"Name a file: {names} ..." if names else "Name a file.")
    if offsets and positions:
        raise UsageError("give either --offsets or --bytes.", "For example: --offsets 4711-4720")
    chosen = offsets or positions
    try:
        if chosen is None:
            parts = annotation.parts(path, topic or "")
        else:
            part = annotation.Part(*chosen, are_bytes=positions is not None)
            parts = iter([annotation.annotate_part(path, part, topic or "")])
        said = explained.print_parts(parts, full=full, as_json=as_json)
    except (OSError, FormatError) as error:
        raise UsageError(f"{path} cannot be explained: {error}.") from None
    return 1 if said.is_wrong or _print_unloadable(path, topic or topic_of(path), as_json=as_json) else 0


def _print_unloadable(path: Path, topic: str, *, as_json: bool) -> bool:
    """Say which records of Kafka's own topics cannot be loaded; tell whether there are any."""
    found = list(unloadable.in_file(path, topic))
    for each in found if not as_json else ():
        click.echo(f"offset {each.offset}, byte {each.position}: Kafka cannot load it: {each.error}")
    return bool(found)
