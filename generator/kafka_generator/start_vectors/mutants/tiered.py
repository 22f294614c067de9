"""Readers of starts that do not know of remote storage, or of what was before KRaft."""

from __future__ import annotations

from pathlib import Path

from kafka_format.log.contents.image import Image
from kafka_format.log.start import configs, coordinators, directories, remote_cache
from kafka_format.log.start.directories import Directories
from kafka_format.log.start.node import Node

from kafka_generator.mutants.mutant import START, family
from kafka_generator.mutants.patch import Patch

mutant = family(START, "tiered")


@mutant("tiered/local-alone")
def local_alone(patch: Patch) -> None:
    """Has every log begin at its first segment here."""
    patch.always(configs.is_tiered, returns=False)


@mutant("tiered/compacted-too")
def compacted_too(patch: Patch) -> None:
    """Has compacted topics begin in remote storage."""

    def is_compacted(image: Image, topic: str) -> bool:
        del image, topic
        return False

    patch.replace(configs.is_compacted, is_compacted)


@mutant("tiered/metadata-unread")
def metadata_unread(patch: Patch) -> None:
    """Does not read the metadata of remote storage."""
    patch.always(coordinators._is_read, returns=False)


@mutant("tiered/cache-unread")
def cache_unread(patch: Patch) -> None:
    """Does not open the cache of indexes."""
    patch.skip(remote_cache.check)


@mutant("tiered/cache-with-any-name")
def cache_with_any_name(patch: Patch) -> None:
    """Takes any name in the cache of indexes."""
    patch.replace(remote_cache._error, lambda name: "")


@mutant("tiered/cache-left")
def cache_left(patch: Patch) -> None:
    """Leaves what is not whole in the cache of indexes."""

    def is_whole(path: Path) -> bool:
        del path
        return True

    patch.replace(remote_cache._is_whole, is_whole)


@mutant("zookeeper/as-kraft")
def as_kraft(patch: Patch) -> None:
    """Asks of a broker with ZooKeeper what one of KRaft needs."""
    patch.replace(directories.check_of_zookeeper, directories.check)


@mutant("zookeeper/any-cluster")
def any_cluster(patch: Patch) -> None:
    """Takes the directory of another cluster."""

    def verify_ids(node: Node, found: Directories, cluster: str | None = None) -> None:
        del node, found, cluster

    patch.replace(directories._verify_ids, verify_ids)
