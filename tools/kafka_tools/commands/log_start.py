"""`kafka-format log start`: what a node would do at its start."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
from kafka_format.log import kraft
from kafka_format.log.start import (
    DirectoryFault,
    Fault,
    Node,
    Role,
    Start,
    collect,
    predict_node,
    predict_with_zookeeper,
    roles,
)
from kafka_format.log.start.outcome import EMPTIED_NOTE, is_of_rights
from kafka_format.log.start.prediction import LAST_WITH_ZOOKEEPER
from kafka_format.log.text import meta_properties

from kafka_tools.commands.number_types import Whole
from kafka_tools.commands.partition_answers import folded
from kafka_tools.commands.paths import FOLDER
from kafka_tools.commands.release_option import chosen, release_option
from kafka_tools.errors import UsageError
from kafka_tools.logs import log_paths, start_json, start_text

_INT = (1 << 31) - 1
_RED = (
    "DOES NOT START",
    "NO METADATA LOG HERE",
    "METADATA LOST",
    "BEGINS EMPTY",
    "PERHAPS EMPTY",
    "NOT LOADED",
    "NOT SERVED",
    "OFFLINE",
)


@click.command(name="start")
@click.argument("paths", metavar="DATA...", nargs=-1, required=True, type=FOLDER)
@release_option
@click.option(
    "--role",
    type=click.Choice([str(each) for each in Role]),
    help="What process.roles says; by default as the metadata has it.",
)
@click.option("--node-id", type=Whole(0, _INT), metavar="N", help="What node.id says; else as meta.properties has it.")
@click.option("--cluster-id", metavar="ID", help="The cluster.id of the controllers, or of ZooKeeper, for a broker.")
@click.option(
    "--static-voters/--no-static-voters",
    default=None,
    help="Whether the settings have controller.quorum.voters; by default what the metadata log needs.",
)
@click.option(
    "--remote-storage/--no-remote-storage",
    default=None,
    help="Whether the settings have remote.log.storage.system.enable; by default if a topic has remote storage.",
)
@click.option("--all", "show_all", is_flag=True, help="Show all that is wrong, not only the first of each kind.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: an object a node.")
def start_command(
    *,
    paths: tuple[Path, ...],
    as_kafka: str | None,
    role: str | None,
    node_id: int | None,
    cluster_id: str | None,
    static_voters: bool | None,
    remote_storage: bool | None,
    show_all: bool,
    as_json: bool,
) -> int:
    """Show what a node would do at its start: fail, recover, cut, remove, begin partitions empty.

    \b
    kafka-format log start data
    kafka-format log start --as-kafka 3.9 data
    kafka-format log start --role controller disk1/data disk2/data

    Without --as-kafka it is the oldest release that runs with the metadata.version of the metadata.
    Name all data directories of the node, in the order of log.dirs. Nothing is changed. It goes the
    whole way of a start: meta.properties, the metadata log and its snapshots, quorum-state, every
    record of metadata, partitions, and what coordinators load. Exit status 1 if the node does not
    start, never becomes ready, or if anything is lost, empty, not served, or stays broken.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    status = 0
    for directories in _nodes(paths):
        try:
            node, start, assumed = _start(
                directories, as_kafka, role, node_id, cluster_id, static_voters, remote_storage
            )
            hints = [(directory, collect(directory, start)) for directory in node.directories if directory.is_dir()]
        except OSError as error:
            raise UsageError(f"{error.filename or directories[0]} cannot be read: {error.strerror}.") from None
        if as_json:
            click.echo(json.dumps(start_json.document(node, start, hints, assumed)))
        else:
            _print(start_text.lines(node, start, hints, assumed, show_all=show_all))
        status |= not (start.is_harmless and all(found.is_harmless for _, found in hints))
    return int(status)


def _print(lines: Iterator[str]) -> None:
    for line in folded(lines):
        click.secho(line, fg="red" if line.startswith(_RED) else None, bold=line.startswith("DOES NOT START") or None)


def _start(
    directories: tuple[Path, ...],
    as_kafka: str | None,
    role: str | None,
    node_id: int | None,
    cluster_id: str | None,
    static_voters: bool | None,  # noqa: FBT001 - what the user said of the node, as the others
    remote_storage: bool | None,  # noqa: FBT001 - as before
) -> tuple[Node, Start, list[str]]:
    """Return the node, its start, and what was assumed since the user did not say it, by kind."""
    has_zookeeper = role is None and not roles.is_kraft(directories)
    if has_zookeeper and (as_kafka is None or chosen(as_kafka) <= LAST_WITH_ZOOKEEPER):
        of_release = LAST_WITH_ZOOKEEPER if as_kafka is None else chosen(as_kafka)
        node = Node(directories, Role.BROKER, of_release, node_id, cluster_id=cluster_id)
        start = predict_with_zookeeper(node)
        return node, start, ["zookeeper", *(["zookeeper-release"] if as_kafka is None else []), *_rights(start)]
    metadata = roles.metadata_directory(directories)
    properties = roles.read(metadata)
    known = node_id if node_id is not None else properties.node_id if properties is not None else None
    of_role = Role(role) if role is not None else roles.role(directories, known)
    of_release = roles.running(directories) if as_kafka is None else chosen(as_kafka)
    node = Node(directories, of_role, of_release, node_id, metadata, cluster_id, static_voters)
    node = replace(node, has_remote_storage=remote_storage)
    start = predict_node(node)
    given = (("release", as_kafka), ("role", role))
    return (
        node,
        start,
        [
            *(kind for kind, option in given if option is None),
            *start.assumed,
            *_rights(start),
            *_metadata_elsewhere(node),
        ],
    )


def _rights(start: Start) -> list[str]:
    """Return the assumption that rights matter, where a file that nobody may read or write does."""
    faults: list[Fault | DirectoryFault] = [*start.offline]
    if start.fault is not None:
        faults += [start.fault, *start.fault.others]
    is_emptied = any(kind == EMPTIED_NOTE for kind, _, _ in start.notes)
    return ["no-root"] if is_emptied or any(is_of_rights(each) for each in faults) else []


def _metadata_elsewhere(node: Node) -> list[str]:
    """Return the assumption that no other directory has the metadata log, where none here has."""
    return [start_text.NO_METADATA] if not any((each / kraft.FOLDER).exists() for each in node.directories) else []


def _nodes(paths: tuple[Path, ...]) -> Iterator[tuple[Path, ...]]:
    """Yield the data directories of each node: all that were named, or those in a folder of some.

    Raises:
        UsageError: a path is a partition.
    """
    for path in paths:
        if _is_partition(path):
            raise UsageError(f"{path} is a partition.", "Name its data directory; for one partition try `log recover`.")
    if len(paths) > 1 or _is_data(paths[0]):
        yield paths
        return
    inner = [folder for folder in sorted(paths[0].iterdir()) if folder.is_dir() and _is_data(folder)]
    by_node: dict[object, list[Path]] = {}
    for folder in inner:
        properties = roles.read(folder)
        key = (properties.cluster_id, properties.node_id) if properties is not None else folder
        by_node.setdefault(key, []).append(folder)
    for group in by_node.values():
        numbers = [properties.directory_id for each in group if (properties := roles.read(each)) is not None]
        if len(set(filter(None, numbers))) == len(group):
            yield tuple(group)
        else:  # copies of one directory, or of nodes without such ids
            yield from ((each,) for each in group)
    if not by_node:
        yield paths


def _is_partition(path: Path) -> bool:
    try:
        return log_paths.is_partition(path) and not (path / meta_properties.NAME).exists()
    except OSError:
        return False


def _is_data(path: Path) -> bool:
    """Tell whether a folder is a data directory: it has a meta.properties, or partitions."""
    if (path / meta_properties.NAME).exists():
        return True
    return any(folder.is_dir() and _is_partition(folder) for folder in path.iterdir())
