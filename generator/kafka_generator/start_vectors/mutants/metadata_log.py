"""The metadata log, its snapshots and records."""

from __future__ import annotations

from pathlib import Path

from kafka_format.log.contents import controller_checks, deltas, features, reading
from kafka_format.log.contents.releases import Release, newest_version
from kafka_format.log.contents.replay import Contradiction, Replay
from kafka_format.log.start import control_records, loading, metadata, metadata_records
from kafka_format.log.start.metadata import Snapshots
from kafka_format.log.start.metadata_records import MetadataReader

from kafka_generator.mutants.mutant import START, family
from kafka_generator.mutants.patch import Patch

mutant = family(START, "metadata-log")


def _as_clean(folder: Path, release: Release) -> loading.Loading:
    return loading.load(folder, release, recovery_point=0, is_clean=True)


@mutant("metadata-log/clean-marker-heeded")
def clean_marker_heeded(patch: Patch) -> None:
    """Takes the metadata log as cleanly stopped, so that no broken batch of it is cut."""
    patch.wrap(metadata._recover_log, lambda right, folder, release: _as_clean(folder, release))


@mutant("metadata-log/topic-id-unread")
def topic_id_unread(patch: Patch) -> None:
    """Takes any topic id in the folder of the metadata log."""
    patch.skip(metadata._check_topic_id)


@mutant("metadata-log/joint-unread")
def joint_unread(patch: Patch) -> None:
    """Takes a log that begins above the newest snapshot."""
    patch.skip(metadata._check_joint)


@mutant("metadata-log/oldest-snapshot")
def oldest_snapshot(patch: Patch) -> None:
    """Loads the oldest snapshot in the place of the newest one."""
    patch.result(metadata.find_snapshots, lambda found: Snapshots(found.kept[:1], found.deleted))


@mutant("metadata-log/no-snapshot")
def no_snapshot(patch: Patch) -> None:
    """Loads no snapshot."""
    patch.result(metadata.find_snapshots, lambda found: Snapshots((), found.deleted))


@mutant("metadata-log/checksums-unread")
def checksums_unread(patch: Patch) -> None:
    """Does not compare the checksums of batches in a snapshot."""
    patch.skip(metadata_records._check)


@mutant("metadata-log/header-unasked")
def header_unasked(patch: Patch) -> None:
    """Takes a snapshot without a header."""

    def wrong(self: MetadataReader, path: object, batch: object) -> None:
        self.has_header = True

    patch.replace(MetadataReader._check_header, wrong)


@mutant("metadata-log/versions-refused")
def versions_refused(patch: Patch) -> None:
    """Refuses every record in a version that the release does not know."""
    patch.refuse(
        reading._body,
        when=lambda known, data, start, number, known_by: number > (newest_version(known, known_by) or 0),
    )


@mutant("metadata-log/inner-versions-taken")
def inner_versions_taken(patch: Patch) -> None:
    """Takes structures inside records in versions that the release does not know."""
    patch.replace(reading._inside, lambda value: iter(()))


@mutant("metadata-log/kraft-version-taken")
def kraft_version_taken(patch: Patch) -> None:
    """Takes every level of kraft.version."""
    patch.constant(control_records, "_NEWEST_LEVEL", 99)


@mutant("metadata-log/never-contradicts")
def never_contradicts(patch: Patch) -> None:
    """Takes every record that can be read."""
    patch.always(Replay.add, returns=None)


@mutant("metadata-log/controller-unasked")
def controller_unasked(patch: Patch) -> None:
    """Forgets what a controller checks besides."""
    patch.result(
        Replay.add, lambda found: Contradiction(found.loader, None) if found is not None and found.loader else None
    )


@mutant("metadata-log/epochs-uncompared")
def epochs_uncompared(patch: Patch) -> None:
    """Does not compare the epochs of brokers."""
    patch.replace(deltas._broker, lambda image, number, epoch, action: image.brokers[number])
    patch.skip(controller_checks._check_registration)


@mutant("metadata-log/levels-taken")
def levels_taken(patch: Patch) -> None:
    """Takes every level of every feature but metadata.version."""
    kept = {name: check for name, check in controller_checks.CHECKS.items() if name != "feature_level"}
    patch.constant(controller_checks, "CHECKS", kept)


@mutant("metadata-log/metadata-version-taken")
def metadata_version_taken(patch: Patch) -> None:
    """Takes every level of metadata.version, and of all features."""
    kept = {name: check for name, check in controller_checks.CHECKS.items() if name != "feature_level"}
    patch.constant(controller_checks, "CHECKS", kept)
    patch.skip(features.check_metadata_version)


@mutant("metadata-log/transactions-unseen")
def transactions_unseen(patch: Patch) -> None:
    """Takes no notice of where transactions of metadata begin and end."""
    patch.skip(Replay._transaction)
    patch.skip(controller_checks.check_transaction)
