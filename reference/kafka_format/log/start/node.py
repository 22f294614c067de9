"""A node as it is set up: what its settings say that its files do not."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from kafka_format.log.contents.releases import NEWEST, Release
from kafka_format.log.kraft import FOLDER


class Role(StrEnum):
    """What `process.roles` says."""

    COMBINED = "combined"
    CONTROLLER = "controller"
    BROKER = "broker"

    @property
    def is_controller(self) -> bool:
        """Whether the node is one of the controllers, perhaps beside a broker."""
        return self is not Role.BROKER

    @property
    def is_broker(self) -> bool:
        """Whether the node is a broker, perhaps beside a controller."""
        return self is not Role.CONTROLLER


@dataclass(frozen=True)
class Node:
    """A node before its start.

    Attributes:
        directories: what `log.dirs` names, in its order.
        role: its role.
        release: the release that starts.
        node_id: its id in the settings; None takes that of the directory for it.
        cluster_id: the cluster.id of the controllers or of the ZooKeeper of a broker; None if it is
            not known.
        metadata_directory: what `metadata.log.dir` names; None is the first directory.
        has_static_voters: whether the settings name the voters (controller.quorum.voters); None if
            that is not known.
        has_cleaner: whether log.cleaner.enable is true, as it is unless the settings say otherwise.
        has_remote_storage: whether remote.log.storage.system.enable is true; None if that is not
            known, and then it is if a topic has remote storage.
    """

    directories: tuple[Path, ...]
    role: Role = Role.COMBINED
    release: Release = field(default=NEWEST)
    node_id: int | None = None
    metadata_directory: Path | None = None
    cluster_id: str | None = None
    has_static_voters: bool | None = None
    has_cleaner: bool = True
    has_remote_storage: bool | None = None

    @property
    def metadata(self) -> Path:
        """The directory that has the metadata log."""
        return self.metadata_directory or self.directories[0]

    @property
    def quorum(self) -> Path:
        """The folder of the metadata log."""
        return self.metadata / FOLDER

    @property
    def all_directories(self) -> tuple[Path, ...]:
        """All of its directories, that of the metadata log first if it is none of the others."""
        return (*([self.metadata] if self.metadata not in self.directories else []), *self.directories)
