"""Readers of starts that overlook rights, the lock, the last epoch, or the cleaner."""

from __future__ import annotations

from kafka_format.log.start import loading, prediction, quorum, rights

from kafka_generator.mutants.mutant import START, family
from kafka_generator.mutants.patch import Patch

mutant = family(START, "rights")


@mutant("rights/segments-any")
def segments_any(patch: Patch) -> None:
    """Opens segments and transaction indexes that nobody may write."""
    patch.skip(loading._check_rights)


@mutant("rights/folders-any")
def folders_any(patch: Patch) -> None:
    """Writes producer snapshots into folders that nobody may write."""
    patch.skip(loading.check_folder)


@mutant("rights/lock-unread")
def lock_unread(patch: Patch) -> None:
    """Takes no lock."""
    patch.skip(rights.check_lock)


@mutant("rights/marker-stays")
def marker_stays(patch: Patch) -> None:
    """Leaves the marker of a clean stop where it is."""
    patch.skip(rights.check_marker)


@mutant("rights/nothing-later")
def nothing_later(patch: Patch) -> None:
    """Ends where logs are loaded: what is written behind that is not looked at."""
    patch.replace(rights.later_faults, lambda partitions: iter(()))


@mutant("rights/removed-anyway")
def removed_anyway(patch: Patch) -> None:
    """Removes segments behind an emptied one from folders that nobody may write."""
    patch.skip(loading._check_removal)


@mutant("rights/epochs-without-end")
def epochs_without_end(patch: Patch) -> None:
    """Has an epoch behind every other."""
    patch.skip(quorum.check_epoch)


@mutant("rights/all-remembered")
def all_remembered(patch: Patch) -> None:
    """Has controllers forget what their image forgot."""
    patch.skip(prediction._check_forgotten)
