"""What of an image cannot be written in its own metadata.version, which ends a node.

A node writes the image once it is loaded, to hand it to its publishers; what the level has no words
for is a loss (UnwritableMetadataException). It comes of a level that was lowered by hand, or of a
record of the level that is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from kafka_format.log.contents.features import METADATA_VERSION
from kafka_format.log.contents.image import Image
from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.contents.releases import Release

_OWN_LEVEL: Final = (4, 0)
"""The first release that takes no level for granted where a record of it is missing."""

_UNSAID: Final = 1
_MIGRATING: Final = "AAAAAAAAAAAAAAAAAAAAAA"


def _in_shutdown(image: Image) -> bool:
    return any(broker.in_controlled_shutdown for broker in image.brokers.values())


def _has_directories(image: Image) -> bool:
    return any(broker.log_dirs for broker in image.brokers.values())


def _is_assigned(image: Image) -> bool:
    partitions = (each for topic in image.topics.values() for each in topic.partitions.values())
    return any(directory != _MIGRATING for each in partitions for directory in each.directories)


LOSSES: Final[tuple[tuple[str, int, Callable[[Image], bool]], ...]] = (
    ("the inControlledShutdown state of one or more brokers", 7, _in_shutdown),
    ("the online log directories of one or more brokers", 17, _has_directories),
    ("controller registration data", 15, lambda image: bool(image.controllers)),
    ("the directory assignment state of one or more replicas", 17, _is_assigned),
    ("ScramImage", 11, lambda image: bool(image.credentials)),
    ("DelegationTokenImage", 14, lambda image: bool(image.tokens)),
)
"""What is lost, the least level that can say it, and whether an image has it; in their order."""


def losses(image: Image, release: Release) -> Iterator[KafkaError]:
    """Yield the errors of what an image has beyond its level; Kafka ends at the first."""
    level = image.features.get(METADATA_VERSION, _UNSAID)
    if METADATA_VERSION not in image.features and release >= _OWN_LEVEL:
        yield KafkaError("IllegalStateException", "Unknown metadata version for Feature")
        return
    for what, least, is_there in LOSSES:
        if level < least and is_there(image):
            message = "Metadata has been lost because the following could not be represented in metadata.version "
            yield KafkaError("UnwritableMetadataException", f"{message}of level {level}: {what}")
