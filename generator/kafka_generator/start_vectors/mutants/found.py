"""What random damage found that the reference once had wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from kafka_format.log import recovery
from kafka_format.log.contents import controller_checks, deltas, image_losses
from kafka_format.log.contents.image import Image
from kafka_format.log.start import coordinators, futures, loading, partitions, prediction, quorum, text_files
from kafka_format.log.start.control_records import Quorum
from kafka_format.log.start.metadata_records import MetadataReader
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import MetadataStart, PartitionStart
from kafka_format.log.text.meta_properties import MetaProperties

from kafka_generator.mutants.mutant import START, family
from kafka_generator.mutants.patch import Patch

mutant = family(START, "found")


@mutant("found/any-bytes-are-text")
def any_bytes_are_text(patch: Patch) -> None:
    """Takes bytes that are no UTF-8 for text."""

    def read_text(path: Path, kind: str) -> bytes:
        del kind
        return path.read_bytes()

    patch.replace(text_files.read_text, read_text)


@mutant("found/voters-unordered")
def voters_unordered(patch: Patch) -> None:
    """Takes voters that do not stand above the last ones."""
    patch.skip(Quorum._check_order)


@mutant("found/futures-stay")
def futures_stay(patch: Patch) -> None:
    """Leaves -future folders as they are."""

    def replace(
        partitions: Sequence[PartitionStart], image: Image, broker: int, properties: Mapping[Path, MetaProperties]
    ) -> list[PartitionStart]:
        del image, broker, properties
        return list(partitions)

    patch.replace(futures.replace, replace)


@mutant("found/any-segment-splits")
def any_segment_splits(patch: Patch) -> None:
    """Has every segment split whose offsets are too far from its base."""
    patch.always(recovery._is_split, returns=True)


@mutant("found/recovery-states-unread")
def recovery_states_unread(patch: Patch) -> None:
    """Takes every recovery state of a partition."""
    patch.skip(deltas._check_recovery)


@mutant("found/directories-uncounted")
def directories_uncounted(patch: Patch) -> None:
    """Takes more directories than replicas."""
    patch.skip(deltas._check_lengths)


@mutant("found/directories-of-all")
def directories_of_all(patch: Patch) -> None:
    """Has a directory belong to several brokers."""
    patch.skip(controller_checks._check_directories)


@mutant("found/nothing-unwritable")
def nothing_unwritable(patch: Patch) -> None:
    """Has every image written in every metadata.version."""
    patch.replace(image_losses.losses, lambda image, release: iter(()))


@mutant("found/loads-what-is-cut")
def loads_what_is_cut(patch: Patch) -> None:
    """Has coordinators load bytes that recovery cuts."""
    patch.always(coordinators._kept, returns={})


@mutant("found/numbers-unread")
def numbers_unread(patch: Patch) -> None:
    """Passes files over whose names lack a number."""
    patch.always(loading._lacks_number, returns=False)


@mutant("found/nothing-fetched")
def nothing_fetched(patch: Patch) -> None:
    """Takes the metadata of a broker for all that there is, though some was cut."""
    patch.always(prediction._is_fetched, returns=False)


@mutant("found/voters-of-any-type")
def voters_of_any_type(patch: Patch) -> None:
    """Takes anything for the voters of quorum-state."""
    patch.skip(quorum._check_voters)


@mutant("found/controllers-of-any-cluster")
def controllers_of_any_cluster(patch: Patch) -> None:
    """Has a broker fetch from controllers of another cluster."""
    patch.skip(prediction._check_cluster)


@mutant("found/voters-in-any-settings")
def voters_in_any_settings(patch: Patch) -> None:
    """Takes it that the settings name the voters wherever the metadata log does not."""

    def lacks_voters(node: Node, metadata: MetadataStart, reader: MetadataReader, version: int | None) -> bool:
        del node
        return (version == 1 and not reader.has_header) or metadata.recovery is None

    patch.replace(quorum._lacks_voters, lacks_voters)


@mutant("found/voters-of-any-snapshot")
def voters_of_any_snapshot(patch: Patch) -> None:
    """Has a broker find its controllers though a snapshot names those of another cluster."""
    patch.skip(quorum.check_controllers)


@mutant("found/names-in-turn")
def names_in_turn(patch: Patch) -> None:
    """Looks at the name of a folder when its turn to be loaded comes."""
    patch.skip(partitions._check_names)
