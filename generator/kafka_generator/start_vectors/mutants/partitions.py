"""Partitions, and what coordinators load."""

from __future__ import annotations

from collections.abc import Callable

from kafka_format.log.contents import coordinators, group_states, reading
from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.contents.reading import UnknownKey
from kafka_format.log.contents.releases import Release
from kafka_format.log.start import configs, loading, partitions, text_files, watermarks
from kafka_format.log.start.partitions import PartitionLoader
from kafka_format.protocol.records import SchemaRecord

from kafka_generator.mutants.mutant import START, family
from kafka_generator.mutants.patch import Patch

mutant = family(START, "partitions")

_ReadKey = Callable[[str, bytes | None, Release], SchemaRecord]


@mutant("partitions/no-strays")
def no_strays(patch: Patch) -> None:
    """Calls no folder a stray."""
    patch.always(PartitionLoader._why_stray, returns=("", None))


@mutant("partitions/settings-unread")
def settings_unread(patch: Patch) -> None:
    """Takes every value of a topic's setting."""
    patch.always(configs.refusal, returns="")


@mutant("partitions/none-begun")
def none_begun(patch: Patch) -> None:
    """Forgets the partitions that have no folder."""
    patch.replace(PartitionLoader._absent, lambda self: iter(()))


@mutant("partitions/crash-unseen")
def crash_unseen(patch: Patch) -> None:
    """Reads no segment though the marker of a clean stop is not there."""
    patch.always(partitions._is_clean, returns=True)


@mutant("partitions/marker-unseen")
def marker_unseen(patch: Patch) -> None:
    """Reads segments though the marker of a clean stop is there."""
    patch.always(partitions._is_clean, returns=False)


@mutant("partitions/epochs-unread")
def epochs_unread(patch: Patch) -> None:
    """Does not read leader-epoch-checkpoint."""
    patch.always(text_files.check_epochs, returns=())


@mutant("partitions/names-unread")
def names_unread(patch: Patch) -> None:
    """Passes files over that have no number in their names."""
    patch.skip(loading._check_names)


@mutant("partitions/twice-taken")
def twice_taken(patch: Patch) -> None:
    """Takes a partition that is in two data directories."""
    patch.skip(PartitionLoader._check_once)


@mutant("partitions/watermarks-unread")
def watermarks_unread(patch: Patch) -> None:
    """Does not read the high watermarks."""
    patch.replace(watermarks.add, lambda partitions: iter(()))


@mutant("partitions/offline-ends-all")
def offline_ends_nothing(patch: Patch) -> None:
    """Goes on though the only data directory is offline."""
    patch.skip(PartitionLoader._check_directories)


@mutant("partitions/transaction-indexes-unread")
def transaction_indexes_unread(patch: Patch) -> None:
    """Does not read transaction indexes."""
    patch.skip(loading._check_transaction_indexes)


@mutant("partitions/unknown-keys-fail")
def unknown_keys_fail(patch: Patch) -> None:
    """Has a coordinator fail at a key of a kind that it does not know."""

    def wrong(right: _ReadKey, topic: str, key: bytes | None, known_by: Release) -> SchemaRecord:
        try:
            return right(topic, key, known_by)
        except UnknownKey as unknown:
            raise Refused(*unknown.error) from unknown

    patch.wrap(reading.read_key, wrong)


@mutant("partitions/statuses-taken")
def statuses_taken(patch: Patch) -> None:
    """Takes every state of a transaction."""
    patch.constant(coordinators, "_LAST_STATUS", 127)


@mutant("partitions/groups-of-any-kind")
def groups_of_any_kind(patch: Patch) -> None:
    """Takes records of a group whatever kind it has."""
    patch.replace(group_states.Groups._of_group, lambda self, kind, part, key, value: None)


@mutant("partitions/tombstones-taken")
def tombstones_taken(patch: Patch) -> None:
    """Takes the removal of a member whose assignment is still there."""
    patch.constant(group_states, "_PARTS", {**group_states._PARTS, "member_metadata": group_states._other})
