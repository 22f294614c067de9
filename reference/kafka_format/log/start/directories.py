"""The first step of a start: meta.properties of all data directories.

KafkaRaftServer.initializeLogDirs; MetaPropertiesEnsemble.Loader.load and verify; DirectoryId.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.kraft import FOLDER
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import DirectoryFault, stopped
from kafka_format.log.start.unloadable import is_readable
from kafka_format.log.text import meta_properties
from kafka_format.log.text.lines import id_bytes
from kafka_format.log.text.meta_properties import MetaProperties

_ERROR: Final = "RuntimeException"
_RESERVED: Final = 100
"""The first hundred ids mean something else, or will (DirectoryId.reserved)."""

_CORRECTED: Final = (4, 0)
"""The first release that does not say `resrved`."""


@dataclass(slots=True)
class Directories:
    """The data directories of a node.

    Attributes:
        properties: what their meta.properties say.
        empty: those without the file.
        offline: those whose file cannot be read.
    """

    properties: dict[Path, MetaProperties] = field(default_factory=dict)
    empty: list[Path] = field(default_factory=list)
    offline: list[DirectoryFault] = field(default_factory=list)


def check(node: Node) -> Directories:
    """Read meta.properties of every directory, and check them against each other.

    Raises:
        Stopped: the node does not start.
    """
    found = Directories()
    for directory in node.all_directories:
        _load(directory, found)
    _verify(node, found)
    for directory in found.properties:
        if directory != node.metadata and (directory / FOLDER).exists():
            where = f"(the configured metadata directory is {node.metadata})."
            message = f"Found unexpected metadata location in data directory `{directory / FOLDER}` {where}"
            raise stopped("metadata-elsewhere", directory / FOLDER, "KafkaException", message)
    for directory in found.empty:
        message = (
            f"No `meta.properties` found in {directory} (have you run `kafka-storage.sh` to format the directory?)"
        )
        raise stopped("properties-missing", directory / meta_properties.NAME, _ERROR, message)
    for directory, properties in found.properties.items():
        for value, name in ((properties.node_id, "node"), (properties.cluster_id or None, "cluster")):
            if value is None:
                message = f"Error: {name} ID not found in {directory}"
                raise stopped("properties-without-ids", directory / meta_properties.NAME, _ERROR, message)
    return found


def _load(directory: Path, found: Directories) -> None:
    path = directory / meta_properties.NAME
    if (directory.is_dir() and not is_readable(directory)) or (path.is_file() and not is_readable(path)):
        found.offline.append(DirectoryFault(directory, path, KafkaError("AccessDeniedException", str(path))))
        return
    try:
        found.properties[directory] = read(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        if isinstance(error, NotADirectoryError):
            found.offline.append(
                DirectoryFault(directory, path, KafkaError("FileSystemException", f"{path}: Not a directory"))
            )
        else:
            found.empty.append(directory)
    except OSError as error:
        found.offline.append(DirectoryFault(directory, path, os_error(error, path)))
    except FormatError as error:
        found.offline.append(DirectoryFault(directory, path, _error_of(path, error)))


def read(path: Path) -> MetaProperties:
    """Read a meta.properties.

    Raises:
        FormatError: Kafka cannot read it.
        OSError: nobody can.
    """
    return meta_properties.decode(path.read_bytes())


def os_error(error: OSError, path: Path) -> KafkaError:
    """Return what Java says of a file that cannot be read."""
    if isinstance(error, IsADirectoryError):
        return KafkaError("IOException", "Is a directory")
    if isinstance(error, PermissionError):
        return KafkaError("AccessDeniedException", str(path))
    return KafkaError("IOException", os.strerror(error.errno) if error.errno else str(error))


def check_of_zookeeper(node: Node) -> Directories:
    """Read meta.properties of every directory of a broker with ZooKeeper, where it may be missing.

    Raises:
        Stopped: the broker does not start.
    """
    found = Directories()
    for directory in node.directories:
        _load(directory, found)
        if directory in found.empty:
            found.properties[directory] = MetaProperties(0, None)
    if not found.properties:
        bad = found.offline[0]
        raise stopped("properties-unreadable", bad.path, *bad.error)
    for directory, properties in found.properties.items():
        if properties.version:
            path = directory / meta_properties.NAME
            only = "only support version 0 (which is implicit when the `version` field is missing)."
            message = f"Found unexpected version in {path}. ZK-based brokers that are not migrating {only}"
            raise stopped("properties-of-kraft", path, _ERROR, message)
    _verify_ids(node, found, node.cluster_id)
    return found


def _error_of(path: Path, error: FormatError) -> KafkaError:
    """Return what Kafka says of a meta.properties that it cannot read."""
    values = {key: text for key, (text, _) in meta_properties.properties(path.read_bytes()).items()}
    key = error.path_text
    given = values.get(key)
    if key == "version":
        text = values.get("version", "")
        is_number = text.lstrip("+-").isdigit()
        return KafkaError(
            _ERROR,
            f"Unknown meta.properties version number {text}"
            if is_number
            else f"Invalid meta.properties version string '{text}'",
        )
    if key == "directory.id":
        return KafkaError(_ERROR, "Unable to read directory.id as a Uuid")
    if given is not None:
        return KafkaError(_ERROR, f"Unable to read {key} as a base-10 number.")
    return KafkaError(_ERROR, "cluster.id was not found." if key == "cluster.id" else f"Failed to find {key}")


def _verify(node: Node, found: Directories) -> None:
    first = next(iter(node.all_directories)) / meta_properties.NAME
    if not found.properties:
        bad = found.offline[0] if found.offline else None
        raise stopped(
            "properties-unreadable" if bad else "properties-missing",
            bad.path if bad else first,
            _ERROR,
            "No readable meta.properties files found.",
        )
    _verify_ids(node, found)
    for each in found.offline:
        if each.directory == node.metadata:
            message = f"Encountered I/O error in metadata log directory {each.directory}. Cannot continue."
            raise stopped("properties-unreadable", each.path, _ERROR, message)


def _verify_ids(node: Node, found: Directories, cluster: str | None = None) -> None:
    number, seen = node.node_id, dict[str, Path]()
    for directory, properties in found.properties.items():
        path = directory / meta_properties.NAME
        cluster = cluster or properties.cluster_id or None
        if properties.cluster_id and properties.cluster_id != cluster:
            message = f"Invalid cluster.id in: {path}. Expected {cluster}, but read {properties.cluster_id}"
            raise stopped("properties-cluster", path, _ERROR, message)
        number = properties.node_id if number is None else number
        if properties.node_id is not None and properties.node_id != number:
            message = f"Stored node id {properties.node_id} doesn't match previous node id {number} in {path}"
            raise stopped("properties-node", path, _ERROR, message)
        _verify_directory(node, directory, properties.directory_id, seen)


def is_reserved(number: str) -> bool:
    """Tell whether the id of a directory means something else: not assigned, lost, migrating."""
    return int.from_bytes(id_bytes(number), "big") < _RESERVED


def _verify_directory(node: Node, directory: Path, number: str, seen: dict[str, Path]) -> None:
    if not number:
        return
    path = directory / meta_properties.NAME
    if is_reserved(number):
        reserved = "reserved" if node.release >= _CORRECTED else "resrved"
        raise stopped(
            "properties-reserved", path, _ERROR, f"Invalid {reserved} directory ID {number} found in {directory}"
        )
    if number in seen:
        message = (
            f"Duplicate directory ID Optional[{number}] found. It was the ID of {seen[number]}, but also of {directory}"
        )
        raise stopped("properties-same-directory", path, _ERROR, message)
    seen[number] = directory
