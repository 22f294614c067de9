"""`kafka-format log`: what is in files, as kafka-dump-log prints it, and byte by byte."""

import codecs
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from kafka_format.errors import FormatError
from kafka_format.log import remote_snapshot
from kafka_format.log.contents import unloadable
from kafka_format.protocol.records import topics

from kafka_tools.commands import log_dump_options
from kafka_tools.commands.log_dump_options import dump_options, release_option
from kafka_tools.commands.options import Range
from kafka_tools.commands.partition_answers import Unread
from kafka_tools.commands.paths import PLACE
from kafka_tools.errors import UsageError
from kafka_tools.logs import annotation, dumps_json, log_paths
from kafka_tools.logs.dump import DumpOptions, Lines, dump_lines, is_known
from kafka_tools.logs.schema_records import topic_of
from kafka_tools.show import explained

_NAMED = 5


@click.command(name="dump", short_help="Print files line for line as kafka-dump-log does.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PLACE)
@dump_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a line for each batch and each entry of an index.")
@release_option
def dump_command(
    *,
    paths: tuple[Path, ...],
    as_json: bool,
    release: str,
    **chosen: Any,  # noqa: ANN401 - what dump_options add
) -> int:
    """Print files as kafka-dump-log does, line for line; a folder stands for all its files.

    \b
    kafka-format log dump data/orders-0/00000000000000000000.log
    kafka-format log dump --print-data-log --as-kafka 3.9 data/orders-0
    kafka-format log dump --offsets-decoder data/__consumer_offsets-7

    The options are those of kafka-dump-log. Of these, --json takes only --print-data-log and
    --deep-iteration; it always decodes the records of Kafka's own topics.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    status, options = 0, log_dump_options.options(release=release, **chosen)
    if as_json and options != DumpOptions(options.records, options.contents, release):
        raise UsageError("--json takes only --print-data-log and --deep-iteration.", "Leave the others out.")
    unread = Unread()
    for path in paths:
        places = [path] if path.is_file() else log_paths.partitions(path)
        if not places:
            click.echo(f"{path} has no partition", err=True)
        for place in places:
            with unread.noted(place):
                for file in log_paths.files(place):
                    lines = dumps_json.dump(file, options) if as_json else dump_lines(file, str(file), options)
                    status |= _print(lines, file)
                    status |= _note_unknown(file, is_named=file == path, as_json=as_json)
    unread.tell()
    return status


def _note_unknown(file: Path, *, is_named: bool, as_json: bool) -> int:
    """Say that a file is ignored, with the words of kafka-dump-log; 1 if the user named it."""
    with suppress(FormatError):
        if is_known(file) or (as_json and (file.name == remote_snapshot.NAME or not is_named)):
            return 0
        click.echo(f"Ignoring unknown file {file}", err=True)
        if is_named:
            click.echo("Its name must tell what it holds, such as 00000000000000000042.log.", err=True)
            return 1
    return 0


def _print(lines: Iterable[Lines], file: Path) -> int:
    """Print lines as they come; 1 if the file cannot be read to its end.

    They have the values of records in them, so nothing is taken out, as `click.echo` does with
    escapes for terminals.
    """
    try:
        for line in lines:
            _write(line)
    except FormatError as error:
        click.echo(f"{file}: {error}", err=True)
        return 1
    except BrokenPipeError:  # of our output, not of the file: `head` has seen enough
        raise
    except OSError as error:
        click.echo(f"{file} cannot be read: {error.strerror}.", err=True)
        return 1
    return 0


def _write(lines: Lines) -> None:
    """Write lines to standard output; many go there as they are, if it is to have UTF-8."""
    output = sys.stdout
    if isinstance(lines, str) or codecs.lookup(output.encoding).name != "utf-8":
        output.write(lines if isinstance(lines, str) else str(lines, "utf-8"))
    else:
        output.flush()
        while lines:  # one call may take a part, where Python keeps no buffer (`python -u`)
            lines = lines[output.buffer.write(lines) :]
    output.write("\n")


@click.command(name="explain", short_help="Show what each byte of a file is.")
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
