"""`kafka-format log dump`: what is in files, as kafka-dump-log prints it."""

import codecs
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from kafka_format.errors import FormatError
from kafka_format.log import remote_snapshot

from kafka_tools.commands import log_dump_options
from kafka_tools.commands.log_dump_options import dump_options, release_option
from kafka_tools.commands.partition_answers import Unread
from kafka_tools.commands.paths import PLACE
from kafka_tools.errors import UsageError
from kafka_tools.logs import dumps_json, log_paths
from kafka_tools.logs.dump import DumpOptions, Lines, dump_lines, is_known


@click.command(name="dump")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PLACE)
@dump_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON: a line for each batch and each entry of an index.")
@click.option(
    "--contents", "with_contents", is_flag=True, help="Of --json: what keys and values are, where something tells it."
)
@release_option
def dump_command(
    *,
    paths: tuple[Path, ...],
    as_json: bool,
    with_contents: bool,
    release: str,
    **chosen: Any,  # noqa: ANN401 - what dump_options add
) -> int:
    """Print files as kafka-dump-log does, line for line; a folder stands for all its files.

    \b
    kafka-format log dump data/orders-0/00000000000000000000.log
    kafka-format log dump --print-data-log --as-kafka 3.9 data/orders-0
    kafka-format log dump --offsets-decoder data/__consumer_offsets-7

    The options are those of kafka-dump-log. Of these, --json takes only --print-data-log and
    --deep-iteration; it always decodes the records of Kafka's own topics. With --contents, records
    of others have `content`: ids of schemas, events, windows, and what bears that out.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    status, options = 0, log_dump_options.options(release=release, **chosen)
    if as_json and options != DumpOptions(options.records, options.contents, release):
        raise UsageError("--json takes only --print-data-log and --deep-iteration.", "Leave the others out.")
    if with_contents and not (as_json and options.contents):
        raise UsageError("--contents is of --json --print-data-log.", "kafka-dump-log prints no such thing.")
    unread = Unread()
    for path in paths:
        places = [path] if path.is_file() else log_paths.partitions(path)
        if not places:
            click.echo(f"{path} has no partition", err=True)
        for place in places:
            with unread.noted(place):
                for file in log_paths.files(place):
                    lines = (
                        dumps_json.dump(file, options, contents=with_contents)
                        if as_json
                        else dump_lines(file, str(file), options)
                    )
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
