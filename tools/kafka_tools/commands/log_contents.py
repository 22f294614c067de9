"""`kafka-format log`: what the records of Kafka's own topics say."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.contents import coordinators, metadata
from kafka_format.log.contents.coordinators import Loaded
from kafka_format.log.contents.offsets import committed
from kafka_format.log.contents.releases import NEWEST
from kafka_format.log.names import folder_name
from kafka_format.log.sequences import SequenceHint, hints

from kafka_tools.commands.number_types import Whole
from kafka_tools.commands.partition_answers import Answer, ask, print_lines
from kafka_tools.commands.paths import FOLDER, PLACE
from kafka_tools.errors import UsageError
from kafka_tools.logs import log_paths, metadata_json
from kafka_tools.text import one_line, plural

_LONG = (1 << 63) - 1
_SHOWN = 10
_COPY_STARTED, _DELETE_STARTED = 0, 2
_UNFINISHED = {_COPY_STARTED: "its copy was begun, and never finished", _DELETE_STARTED: "its deletion was begun"}


@click.command(name="metadata")
@click.argument("path", metavar="PATH", type=PLACE)
@click.option("--at", type=Whole(0, _LONG), metavar="OFFSET", help="Replay the records below that offset alone.")
@click.option("--since", type=Whole(0, _LONG), metavar="OFFSET", help="Show what differs from that offset on.")
@click.option("--beside", type=FOLDER, metavar="FOLDER", help="Show what differs from another replica.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def metadata_command(*, path: Path, at: int | None, since: int | None, beside: Path | None, as_json: bool) -> int:
    """Show a cluster's metadata as its log has it: brokers, topics, settings, features, quotas.

    \b
    kafka-format log metadata data
    kafka-format log metadata --at 611 data/__cluster_metadata-0
    kafka-format log metadata --since 611 data
    kafka-format log metadata --beside other/data data

    Exit status 1 if a record cannot be read or contradicts others, or if anything differs.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if since is not None and beside is not None:
        raise UsageError("give either --since or --beside.", "One names the same log, the other another one.")
    status, folders = 0, log_paths.quorum_folders(path)
    for folder in folders:
        print_lines([f"{log_paths.title(path, folder)}:"] if len(folders) > 1 and not as_json else [])
        found = _replay(folder, at)
        shown = metadata_json.document(found.image)
        status |= _print_faults(found)
        if since is None and beside is None:
            print_lines([json.dumps(shown)] if as_json else metadata_json.lines(shown))
            continue
        other = folder if beside is None else log_paths.quorum_folders(beside)[0]
        old = metadata_json.document(_replay(other, since if beside is None else at).image)
        differing = [each for each in metadata_json.differences(old, shown) if each[0] != "offset"]
        _print_differences(differing, as_json=as_json)
        status |= bool(differing)
    return status


def _replay(folder: Path, at: int | None) -> metadata.Metadata:
    with log_paths.partition(folder) as log:
        try:
            return metadata.replay(log, until=at)
        except ValueError as error:
            raise UsageError(f"{folder}: {error}.") from None


def _print_faults(found: metadata.Metadata) -> int:
    for fault in found.faults:
        click.echo(f"offset {fault.offset}: Kafka ends with {fault.error}", err=True)
    return 1 if found.faults else 0


def _print_differences(differing: list[tuple[str, Any, Any]], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([{"path": path, "old": old, "new": new} for path, old, new in differing]))
        return
    for path, old, new in differing:
        if old is None or new is None:
            click.echo(f"{'+' if old is None else '-'} {path}: {json.dumps(new if old is None else old)}")
        else:
            click.echo(f"~ {path}: {json.dumps(old)} -> {json.dumps(new)}")
    if not differing:
        click.echo("nothing differs")


@click.command(name="groups")
@click.argument("path", metavar="DATA", type=FOLDER)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line a group.")
def groups_command(*, path: Path, as_json: bool) -> int:
    """Show groups with their members, and committed offsets beside start and end of the logs here.

    \b
    kafka-format log groups data

    Exit status 1 if a committed offset is outside its log, or a record cannot be loaded.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    spans, status = _spans(path), 0
    for name, loaded in _loaded(path, coordinators.OFFSETS):
        status |= _print_unloaded(name, loaded)
        offsets = list(committed(loaded.groups, spans))
        status |= any(each.is_out_of_range for each in offsets)
        for group in sorted({*loaded.groups.groups, *(each.group for each in offsets)}):
            known = loaded.groups.groups.get(group)
            mine = [each for each in offsets if each.group == group]
            if as_json:
                shown = [each._asdict() | {"place": str(each.place)} for each in mine]
                members = sorted(known.members) if known is not None else []
                kind, epoch = (known.kind, known.epoch) if known is not None else (None, None)
                document = {"group": group, "kind": kind, "epoch": epoch, "members": members, "offsets": shown}
                click.echo(json.dumps(document))
                continue
            said = (
                f"{known.kind} group, epoch {known.epoch}, {plural(len(known.members), 'member')}"
                if known
                else "offsets alone"
            )
            click.echo(f"{one_line(group)}: {said}")
            for each in mine:
                where = "" if each.span is None else f" of {each.span[0]} to {each.span[1]}"
                click.echo(f"  {each.topic}-{each.partition}: {each.offset}{where}, {each.place}")
    return int(status)


@click.command(name="producers")
@click.argument("path", metavar="PATH", type=PLACE)
@click.option("--all", "show_all", is_flag=True, help="List each hint, not only the first ones.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line a hint.")
def producers_command(*, path: Path, show_all: bool, as_json: bool) -> int:
    """Show repeated batches, gaps and lower epochs by producer. They are hints.

    \b
    kafka-format log producers data/orders-0

    Compaction, retention and the expiry of producers make gaps that mean nothing. Exit status 1 if
    there is a hint.
    """  # noqa: D301 - \b keeps the lines of a paragraph

    def question(log: PartitionLog, folder: Path) -> Answer:
        del folder
        found = list(hints(batch for segment in log.segments for batch in segment.whole_batches()))
        if as_json:
            for hint in found:
                document = hint._asdict() | {"oddity": hint.oddity.name.lower(), "partition": log.folder.name}
                click.echo(json.dumps(document))
            return Answer([], 1 if found else 0)
        lines = list(map(_hint, found[: None if show_all else _SHOWN]))
        if len(found) > len(lines):
            lines.append(f"and {plural(len(found) - len(lines), 'more hint')}; --all lists each")
        said = f"{plural(len(found), 'hint')}; compaction and expiry make such too" if found else "nothing is odd"
        return Answer([*lines, said], 1 if found else 0)

    return ask(path, question, silent=as_json)


def _hint(hint: SequenceHint) -> str:
    at = f"offset {hint.offset}: producer {hint.producer_id}, epoch {hint.epoch}, sequence {hint.sequence}"
    return f"{at}, expected {hint.expected} in epoch {hint.before}: {hint.oddity}"


@click.command(name="remote")
@click.argument("path", metavar="DATA", type=FOLDER)
def remote_command(*, path: Path) -> int:
    """Show segments whose copy to remote storage, or whose deletion there, was never finished.

    \b
    kafka-format log remote data

    Exit status 1 if there is one, or a record that cannot be loaded.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    count, status = 0, 0
    for name, loaded in _loaded(path, coordinators.REMOTE):
        status |= _print_unloaded(name, loaded)
        for number, each in sorted(loaded.remote.items()):
            why = _UNFINISHED.get(each.remote_log_segment_state)
            if why is not None:
                count += 1
                at = each.remote_log_segment_id.topic_id_partition
                span = f"offsets {each.start_offset} to {each.end_offset}"
                click.echo(f"{at.name}-{at.partition}, {span}, segment {number.hex()}: {why}")
    click.echo(f"{plural(count, 'segment')} of remote storage not finished")
    return 1 if count else status


def _loaded(path: Path, topic: str) -> Iterator[tuple[str, Loaded]]:
    """Yield what is loaded of each partition of a topic in data directories."""
    if folder_name(path).startswith(f"{topic}-"):
        folders = [path]
    else:
        folders = [each for data in log_paths.data_directories(path) for each in sorted(data.glob(f"{topic}-*"))]
    if not folders:
        raise UsageError(f"{path} has no partition of {topic}.", "Name the data directory of a broker that has one.")
    for folder in folders:
        with log_paths.partition(folder) as log:
            yield log_paths.title(path, folder), coordinators.load(log, topic, NEWEST, to_end=True)


def _print_unloaded(name: str, loaded: Loaded) -> int:
    for each in loaded.unloaded:
        click.echo(f"{name}, offset {each.offset}: Kafka cannot load it: {each.error}", err=True)
    return 1 if loaded.unloaded else 0


def _spans(path: Path) -> dict[tuple[str, int], tuple[int, int]]:
    """Return start and end of the logs in data directories, by topic and partition.

    Of replicas in several directories of a folder, the span of all counts.
    """
    spans: dict[tuple[str, int], tuple[int, int]] = {}
    for folder in log_paths.partitions(path.parent if log_paths.is_partition(path) else path):
        with suppress(FormatError, OSError), PartitionLog(folder) as log:
            if log.name is not None and not log.name.marker:
                key, new = (log.name.topic, log.name.partition), (log.start_offset, log.end_offset)
                old = spans.get(key, new)
                spans[key] = min(old[0], new[0]), max(old[1], new[1])
    return spans
