"""What a data directory tells of its node: whether it is of KRaft, and which role the node has."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.contents import features
from kafka_format.log.contents.releases import NEWEST, Release
from kafka_format.log.kraft import FOLDER
from kafka_format.log.start.node import Role
from kafka_format.log.text import meta_properties, quorum_state
from kafka_format.log.text.meta_properties import MetaProperties
from kafka_format.log.topic_names import METADATA, schema_records

_OF_BROKERS: Final = "register_broker_record"
_OF_CONTROLLERS: Final = "register_controller_record"


def is_kraft(directories: Sequence[Path]) -> bool:
    """Tell whether data directories are those of a node of KRaft, not of ZooKeeper's time."""
    if any((directory / FOLDER).exists() for directory in directories):
        return True
    return any(properties.version > 0 for directory in directories if (properties := read(directory)) is not None)


def read(directory: Path) -> MetaProperties | None:
    """Return what a meta.properties says; None if it is not there, or cannot be read."""
    with suppress(FormatError, OSError):
        return meta_properties.decode((directory / meta_properties.NAME).read_bytes())
    return None


def metadata_directory(directories: Sequence[Path]) -> Path:
    """Return the directory that has the metadata log; the first one if none has."""
    return next((directory for directory in directories if (directory / FOLDER).exists()), directories[0])


def running(directories: Sequence[Path]) -> Release:
    """Return the oldest release that runs with the metadata.version that is there."""
    levels = [
        value.value.feature_level
        for _, value in schema_records(metadata_directory(directories) / FOLDER, METADATA)
        if value is not None
        and value.layout == "feature_level_record"
        and value.value.name == features.METADATA_VERSION
    ]
    return features.oldest(levels[-1]) if levels else NEWEST


def _voters(directory: Path) -> tuple[int, ...]:
    """Return the voters that quorum-state names; up to 3.6 controllers do not register."""
    with suppress(FormatError, OSError):
        return quorum_state.decode((directory / FOLDER / quorum_state.NAME).read_bytes()).current_voters
    return ()


def role(directories: Sequence[Path], node_id: int | None) -> Role:
    """Return the role of a node, by the registrations in its metadata log.

    It is combined if these do not tell.
    """
    found = {_OF_BROKERS: set[int](), _OF_CONTROLLERS: set[int]()}
    for _, value in schema_records(metadata_directory(directories) / FOLDER, METADATA):
        if value is not None and value.layout in found:
            number = value.value.broker_id if value.layout == _OF_BROKERS else value.value.controller_id
            found[value.layout].add(number)
    found[_OF_CONTROLLERS].update(_voters(metadata_directory(directories)))
    is_broker, is_controller = (node_id in found[name] for name in (_OF_BROKERS, _OF_CONTROLLERS))
    if is_broker == is_controller:
        return Role.COMBINED
    return Role.BROKER if is_broker else Role.CONTROLLER
