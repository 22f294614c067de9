"""meta.properties, bootstrap.checkpoint and quorum-state."""

from __future__ import annotations

from kafka_format.log.start import bootstrap, directories, quorum

from kafka_generator.mutants.mutant import START, family
from kafka_generator.mutants.patch import Patch

mutant = family(START, "directories")


@mutant("directories/reserved-unread")
def reserved_unread(patch: Patch) -> None:
    """Takes every directory id, the reserved ones too."""
    patch.constant(directories, "_RESERVED", 0)


@mutant("directories/ids-uncompared")
def ids_uncompared(patch: Patch) -> None:
    """Does not compare the ids of data directories with each other."""
    patch.skip(directories._verify_ids)


@mutant("directories/directory-ids-uncompared")
def directory_ids_uncompared(patch: Patch) -> None:
    """Does not compare the ids of directories."""
    patch.skip(directories._verify_directory)


@mutant("directories/bootstrap-unread")
def bootstrap_unread(patch: Patch) -> None:
    """Does not read bootstrap.checkpoint, since the metadata log has all of it."""
    patch.skip(bootstrap.check)


@mutant("directories/bootstrap-level-unknown")
def bootstrap_level_unknown(patch: Patch) -> None:
    """Does not look up the level in bootstrap.checkpoint where the release does."""
    patch.constant(bootstrap, "_LOOKED_UP_UNTIL", (0, 0))


@mutant("directories/quorum-state-unread")
def quorum_state_unread(patch: Patch) -> None:
    """Does not read quorum-state."""
    patch.always(quorum.check_state, returns=None)


@mutant("directories/quorum-state-keys-unread")
def quorum_state_keys_unread(patch: Patch) -> None:
    """Takes a quorum-state of any version and with any keys."""
    patch.always(quorum._check_fields, returns=1)


@mutant("directories/voters-unread")
def voters_unread(patch: Patch) -> None:
    """Does not look whether the node is a voter."""
    patch.skip(quorum.check_voter)
