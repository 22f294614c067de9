"""`kafka-format log`: what is in a log directory, and how Kafka finds things in it."""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, find_offset, find_time, rebuild, remote_snapshot, statistics
from kafka_format.log.contents import unloadable
from kafka_format.log.indexes import NEWEST
from kafka_format.log.recovery import Fate, Recovery, recover
from kafka_format.log.special_times import Isolation, SpecialTime, UnknownTimeError, find_special, upper_limit
from kafka_format.protocol.records import topics
from kafka_format.spec.releases import releases
from rich.console import Console

from kafka_tools.command_line import SectionedGroup
from kafka_tools.commands import log_contents, log_directory, log_dump_options, log_partition, log_rescue, log_start
from kafka_tools.commands.log_dump_options import dump_options
from kafka_tools.commands.options import LogTime, Range, Whole
from kafka_tools.errors import UsageError
from kafka_tools.logs import (
    annotation,
    dumps_json,
    holes,
    log_paths,
    lookups,
    picture,
    reasons,
    recovery_text,
    tables,
    verdicts,
)
from kafka_tools.logs.dump import DumpOptions, dump, is_known
from kafka_tools.logs.schema_records import topic_of
from kafka_tools.logs.verdict_summary import VerdictSummary
from kafka_tools.show import explained_json, screen
from kafka_tools.text import plural

_WIDEST = 10_000
_LONG = (1 << 63) - 1
_RELEASE = click.Choice(list(releases()))
_PATH = click.Path(exists=True, path_type=Path)

release_option = click.option(
    "--as-kafka",
    "release",
    type=_RELEASE,
    metavar="RELEASE",
    default=NEWEST,
    show_default=True,
    help="Behave as that release of Kafka: 3.9.",
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

    Files are opened read-only and never changed. Exit status 1 if something in them breaks a rule.
    """  # noqa: D301 - \b keeps the lines of a paragraph


@command.command(name="dump", short_help="Print files line for line as kafka-dump-log does.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=_PATH)
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
    for path in paths:
        for file in log_paths.files(path):
            lines = dumps_json.dump(file, options) if as_json else dump(file, str(file), options)
            status |= _print(lines, file)
            status |= _note_unknown(file, is_named=file == path, as_json=as_json)
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


def _print(lines: Iterator[str], file: Path) -> int:
    """Print lines as they come; 1 if the file cannot be read to its end.

    They have the values of records in them, so nothing is taken out, as `click.echo` does with
    escapes for terminals.
    """
    try:
        for line in lines:
            sys.stdout.write(f"{line}\n")
    except FormatError as error:
        click.echo(f"{file}: {error}", err=True)
        return 1
    except BrokenPipeError:  # of our output, not of the file: `head` has seen enough
        raise
    except OSError as error:
        click.echo(f"{file} cannot be read: {error.strerror}.", err=True)
        return 1
    return 0


@command.command(name="find", short_help="Find an offset or a time, and show each step.")
@click.argument("path", metavar="PARTITION", type=_PATH)
@click.option("--offset", type=Whole(-_LONG, _LONG), metavar="N", help="Find that offset.")
@click.option("--time", "timestamp", type=LogTime(), metavar="TIME", help="Find the first record at or after it.")
@click.option(
    "--isolation",
    type=click.Choice([each.value for each in Isolation]),
    help="Who reads: a consumer of either isolation, or a replica, to the end of the log"
    " [default: read_uncommitted for times].",
)
@release_option
def find_command(*, path: Path, offset: int | None, timestamp: int | None, isolation: str | None, release: str) -> int:
    """Find an offset or a time in a partition, by each step: segment, index, position, batch.

    \b
    kafka-format log find data/orders-0 --offset 4711
    kafka-format log find data/orders-0 --time 1700000000000
    kafka-format log find data/orders-0 --time 2023-11-14T22:13:20Z
    kafka-format log find data/orders-0 --time latest --isolation read_committed

    A time is a number of milliseconds since 1970, a date and time in ISO 8601 (UTC unless it says
    otherwise), or one of latest (-1), earliest (-2), max-timestamp (-3), earliest-local (-4),
    latest-tiered (-5) and earliest-pending-upload (-6). Exit status 1 if it is not there.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if (offset is None) == (timestamp is None):
        raise UsageError("give either --offset or --time.", "For example: --offset 4711")
    reader = None if isolation is None else Isolation(isolation)
    with log_paths.partition(path) as log:
        try:
            if offset is not None:
                return _find_offset(log, offset, reader, release)
            return _find_time(log, timestamp or 0, reader or Isolation.READ_UNCOMMITTED, release)
        except UnknownTimeError as error:
            raise UsageError(f"{error}.") from None
        except FormatError as error:
            raise UsageError(
                f"the lookup stops: {error}", "Kafka answers such a fetch with a corrupt record."
            ) from None


def _find_offset(log: PartitionLog, offset: int, reader: Isolation | None, release: str) -> int:
    lookup = find_offset(log, offset, release)
    click.echo("\n".join([*lookups.offset_lines(log, lookup), *reasons.lines(log, lookup)]))
    is_there = lookup.batch is not None and reasons.fault(lookup) is None
    if reader is not None and not lookup.outcome.is_out_of_range:
        limit = upper_limit(log, reader)
        click.echo(lookups.limit_line(offset, limit, reader))
        is_there = is_there and offset < limit
    return 0 if is_there else 1


def _find_time(log: PartitionLog, timestamp: int, reader: Isolation, release: str) -> int:
    if timestamp < 0:
        found = find_special(log, SpecialTime(timestamp), reader, release)
        click.echo("\n".join(lookups.special_lines(log, SpecialTime(timestamp), reader, found)))
        return 0 if found.offset >= 0 else 1
    by_time = find_time(log, timestamp, release)
    click.echo("\n".join(lookups.time_lines(log, by_time)))
    if by_time.record is None:
        return 1
    limit = upper_limit(log, reader)
    if by_time.record.offset < limit:
        return 0
    click.echo(lookups.limit_line(by_time.record.offset, limit, reader))
    return 1


@command.command(name="verify", short_help="Check every rule of partitions or data directories.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=_PATH)
@click.option("--all", "show_all", is_flag=True, help="Show each broken rule, not only the first of its kind.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each broken rule.")
@log_start.release_option
def verify_command(*, paths: tuple[Path, ...], show_all: bool, as_json: bool, as_kafka: str | None) -> int:
    """Check every rule of partitions or data directories: what is broken, and what to do about it.

    \b
    kafka-format log verify data
    kafka-format log verify --all data/orders-0
    kafka-format log verify --json data/orders-0

    A copy of a running broker's directory breaks no rule: zeros after the newest indexes are room,
    not entries. Exit status 1 if a rule is broken.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    summary, before, unread = VerdictSummary(), None, list[UsageError]()
    for path in paths:
        try:
            for breach in log_paths.breaches(path, log_start.chosen(as_kafka)):
                summary.add(breach)
                if as_json:
                    click.echo(verdicts.as_json(breach))
                elif show_all:
                    _print_verdict(verdicts.lines(breach, before))
                before = breach
        except UsageError as error:
            unread.append(error)
    if not as_json and (summary.count or not unread):
        _print_summary(summary, with_examples=not show_all)
    if unread:
        raise UsageError("\n".join(error.message for error in unread), unread[0].hint)
    return 1 if summary.count else 0


def _print_summary(summary: VerdictSummary, *, with_examples: bool) -> None:
    table = list(summary.table())
    click.echo("".join(f"{line}\n" for line in table), nl=bool(table))
    for said in summary.examples() if with_examples else ():
        _print_verdict(iter(said))
    click.echo(summary.ending() if with_examples else summary.ending().partition(";")[0])


def _print_verdict(lines: Iterator[str]) -> None:
    """Print a broken rule: folded on a terminal, and with its place in bold; else as it is."""
    if not sys.stdout.isatty():
        click.echo("\n".join(lines))
        return
    width = shutil.get_terminal_size().columns
    for number, line in enumerate(lines):
        click.secho(verdicts.fold(line, width), bold=None if number else True)


@command.command(name="recover", short_help="Show what a start after a crash would cut or remove.")
@click.argument("path", metavar="PARTITION", type=_PATH)
@click.option("--recovery-point", type=Whole(0, _LONG), metavar="N", help="Offset of recovery-point-offset-checkpoint.")
@log_rescue.index_interval
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
    with --segments the batches that are sound. Exit status 1 if something would be lost, or the
    broker would not start.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if segments and out is None:
        raise UsageError("--segments needs --out.", "Name a folder with --out.")
    with log_paths.partition(path) as log:
        try:
            recovery = recover(log, recovery_point=recovery_point or 0, index_interval=index_interval)
        except FormatError as error:
            hint = "It takes the data directory offline. Move it away; the broker rebuilds it from the batches."
            raise UsageError(f"leader-epoch-checkpoint: {error}", hint) from None
        click.echo("\n".join(recovery_text.lines(log, recovery)))
        if out is not None:
            _write_anew(recovery, out, segments=segments)
        is_whole = all(each.fate is Fate.KEPT for each in recovery.segments) and not recovery.emptied
    return 0 if is_whole else 1


def _write_anew(recovery: Recovery, out: Path, *, segments: bool) -> None:
    try:
        written = rebuild.write(recovery, out, segments=segments)
    except OSError as error:
        raise UsageError(f"cannot write to {out}: {error}.", "Name a folder that is empty or not there.") from None
    click.echo(f"wrote {plural(len(written), 'file')} to {out}")


@command.command(name="stat", short_help="Count batches, records, codecs, producers, bytes and gaps.")
@click.argument("path", type=_PATH)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: for each partition a list of segments.")
@click.option(
    "--svg",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Draw bytes, batches and codecs over the offsets too, one picture per partition.",
)
def stat_command(*, path: Path, as_json: bool, svg: Path | None) -> int:
    """Count batches, records, codecs, producers, bytes and gaps of partitions, segment by segment.

    \b
    kafka-format log stat data/orders-0
    kafka-format log stat data --svg pictures

    Exit status 1 if a segment ends in something that is not a batch.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    status, console, documents = 0, Console(), {}
    console.width = console.width if console.is_terminal else _WIDEST  # there is no edge to cut lines at
    folders, unread = log_paths.partitions(path), list[UsageError]()
    for folder in folders:
        try:
            log = log_paths.partition(folder)
        except UsageError as error:
            unread.append(error)
            continue
        with log:
            figures = statistics.of_log(log)
            missing = list(holes.lines(log, figures))
            end = max((segment.base_offset for segment in log.segments), default=0)
            offsets = (
                f"{folder.name}: offsets {log.start_offset} to {statistics.last_offset(figures, log.start_offset)}"
            )
        status |= any(each.fault or each.tail for each in figures)
        documents[folder.name] = tables.document(figures)
        if svg is not None:
            _draw(svg / f"{folder.resolve().name}.svg", figures)
        if not as_json and not any(each.size for each in figures):
            console.print(f"{folder.name}: empty, at offset {end}", style="bold", markup=False, highlight=False)
        elif not as_json:
            console.print(offsets, style="bold", markup=False, highlight=False)
            console.print(tables.segments(figures, console))
            console.print("\n".join([*tables.lines(figures), *missing, ""]), markup=False, highlight=False)
    if as_json:
        click.echo(json.dumps(documents, indent=1))
    if unread:
        raise UsageError("\n".join(error.message for error in unread), unread[0].hint)
    return int(status)


def _draw(file: Path, segment_statistics: list[statistics.SegmentStatistics]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(picture.picture(file.stem, segment_statistics), encoding="utf-8", errors="backslashreplace")
        click.echo(f"drew {file}", err=True)
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error}.", "Name another directory with --svg.") from None


@command.command(name="explain", short_help="Show what each byte of a file is.")
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--topic",
    type=click.Choice(topics()),
    help="The records are of this internal topic of Kafka [default: by the name of the folder].",
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
    kafka-format log explain --offsets 4711-4720 data/orders-0/00000000000000000000.log

    Exit status 1 if the bytes break a rule.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if offsets and positions:
        raise UsageError("give either --offsets or --bytes.", "For example: --offsets 4711-4720")
    chosen = offsets or positions
    try:
        if chosen is None:
            explanation = annotation.annotate(path, topic or "")
        else:
            part = annotation.Part(*chosen, are_bytes=positions is not None)
            explanation = annotation.annotate_part(path, part, topic or "")
    except (OSError, FormatError) as error:
        raise UsageError(f"{path} cannot be explained: {error}.") from None
    if as_json:
        click.echo(json.dumps(explained_json.explanation(explanation)))
    else:
        screen.print_explanation(explanation, Console(), full=full)
    return 1 if explanation.fault or _print_unloadable(path, topic or topic_of(path), as_json=as_json) else 0


def _print_unloadable(path: Path, topic: str, *, as_json: bool) -> bool:
    """Say which records of Kafka's own topics cannot be loaded; tell whether there are any."""
    found = list(unloadable.in_file(path, topic))
    for each in found if not as_json else ():
        click.echo(f"offset {each.offset}, byte {each.position}: Kafka cannot load it: {each.error}")
    return bool(found)


for each in (
    log_rescue.command,
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
