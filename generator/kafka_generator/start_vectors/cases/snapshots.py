"""Snapshots of the metadata log, and bootstrap.checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafka_generator.start_vectors import contents, edits
from kafka_generator.start_vectors.cases.case import DATA, QUORUM, Case
from kafka_generator.start_vectors.cases.facts import LOG, Facts

_BOOTSTRAP: Final = f"{DATA}/bootstrap.checkpoint"
_FOOTER, _HEADER = 4, 3

Change = tuple[str, str, tuple[edits.Edit, ...]]


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    for base in ("static", "dynamic"):
        for name, title, changes in (*_newest(facts[base]), *_names(facts[base])):
            yield Case(f"snapshot/{base}/{name}", title, base, changes)
    for name, title, changes in _oldest(facts["dynamic"]):
        yield Case(f"snapshot/dynamic/{name}", title, "dynamic", changes)
    for name, title, changes in _bootstrap(facts["static"]):
        yield Case(f"bootstrap/{name}", title, "static", changes)
    for name, title, changes in _bootstrap_of_new():
        yield Case(f"bootstrap/{name}", title, "dynamic", changes)


def _newest(facts: Facts) -> Iterator[Change]:
    """Yield damage to the newest snapshot."""
    path, parts = facts.snapshot, facts.batches(facts.snapshot)
    data = facts.files[path]
    yield "half", "The newest snapshot is cut in half.", (edits.cut(path, len(data) // 2),)
    yield "cut-at-batch", "The newest snapshot is cut behind its first batch.", (edits.cut(path, parts[0].end),)
    yield "empty", "The newest snapshot has no bytes.", (edits.write(path, b""),)
    yield "bit", "One bit of the newest snapshot is flipped.", (edits.flip(path, parts[1].end - 20),)
    yield "header-bit", "One bit of its first batch is flipped.", (edits.flip(path, parts[0].end - 1),)
    yield "no-header", "The first batch of the newest snapshot is gone.", (edits.write(path, data[parts[0].end :]),)
    yield "no-footer", "The last batch of the newest snapshot is gone.", (edits.cut(path, parts[-1].position),)
    yield "footer-cut", "The last byte of the newest snapshot is gone.", (edits.cut(path, -1),)
    yield "zeros-behind", "Zeros stand behind the newest snapshot.", (edits.append(path, bytes(512)),)
    yield "few-zeros-behind", "Ten zeros stand behind the newest snapshot.", (edits.append(path, bytes(10)),)
    yield "all-zeros", "The newest snapshot is all zeros.", (edits.write(path, bytes(len(data))),)
    yield "folder", "The newest snapshot is a folder.", (edits.folder_at(path),)
    yield "unreadable", "The newest snapshot may not be read.", (edits.unreadable(path),)
    yield "removed", "The newest snapshot is gone.", (edits.remove(path),)
    last = parts[-1].offset
    unknown = contents.of_metadata(last, contents.framed(99, 0, b"\0"))
    tail = data[parts[-1].position :]
    yield (
        "unknown-record",
        "The newest snapshot has a record of type 99.",
        (edits.write(path, data[: parts[-1].position] + unknown + tail),),
    )
    topic = contents.metadata("remove_topic_record", 0, topic_id=b"\7" * 16)
    yield (
        "contradiction",
        "The newest snapshot removes a topic that is not there.",
        (edits.write(path, data[: parts[-1].position] + contents.of_metadata(last, topic) + tail),),
    )


def _names(facts: Facts) -> Iterator[Change]:
    """Yield snapshots that fit to the log by their names, or do not."""
    newer = f"{QUORUM}/{900:020}-{2:010}.checkpoint"
    yield (
        "newer-than-log",
        "The newest snapshot is named as one beyond the end of the log.",
        (edits.rename(facts.snapshot, newer),),
    )
    at_end = f"{QUORUM}/{facts.end():020}-{5:010}.checkpoint"
    yield (
        "newer-epoch",
        "The newest snapshot is of a newer epoch than the log.",
        (edits.rename(facts.snapshot, at_end),),
    )
    yield "part", "A snapshot that was not finished is there.", (edits.copy(facts.snapshot, f"{newer}.part"),)
    yield "deleted", "A snapshot that is to be removed is there.", (edits.copy(facts.snapshot, f"{newer}.deleted"),)
    yield "log-removed", "The log is gone, and the newest snapshot is there.", (edits.remove(LOG),)
    kept = [batch for batch in facts.batches() if batch.offset >= facts.snapshot_end + 3]
    later = f"{QUORUM}/{kept[0].offset:020}.log"
    rest = facts.files[LOG][kept[0].position :]
    yield (
        "log-after-snapshot",
        "The log begins behind the end of the newest snapshot.",
        (edits.remove(LOG), edits.write(later, rest)),
    )
    kept = [batch for batch in facts.batches() if batch.offset >= facts.snapshot_end]
    joined = f"{QUORUM}/{kept[0].offset:020}.log"
    whole = facts.files[LOG][kept[0].position :]
    yield (
        "log-at-snapshot",
        "The log begins at the end of the newest snapshot.",
        (edits.remove(LOG), edits.write(joined, whole)),
    )
    yield (
        "log-at-snapshot-none",
        "The log begins above 0, and there is no snapshot.",
        (
            edits.remove(LOG),
            edits.write(joined, whole),
            *(edits.remove(path) for path in facts.snapshots),
        ),
    )


def _oldest(facts: Facts) -> Iterator[Change]:
    first = facts.snapshots[0]
    yield "older-rotten", "The oldest snapshot is all zeros.", (edits.write(first, bytes(300)),)
    yield "older-removed", "The oldest snapshot is gone.", (edits.remove(first),)
    yield (
        "all-removed",
        "All snapshots are gone; the voter stood in them.",
        tuple(edits.remove(path) for path in facts.snapshots),
    )


def _bootstrap(facts: Facts) -> Iterator[Change]:
    data, parts = facts.files[_BOOTSTRAP], facts.batches(_BOOTSTRAP)
    yield "empty", "bootstrap.checkpoint has no bytes.", (edits.write(_BOOTSTRAP, b""),)
    yield "zeros", "bootstrap.checkpoint is all zeros.", (edits.write(_BOOTSTRAP, bytes(len(data))),)
    yield "removed", "bootstrap.checkpoint is missing.", (edits.remove(_BOOTSTRAP),)
    yield "folder", "bootstrap.checkpoint is a folder.", (edits.folder_at(_BOOTSTRAP),)
    yield "unreadable", "bootstrap.checkpoint may not be read.", (edits.unreadable(_BOOTSTRAP),)
    yield "cut", "bootstrap.checkpoint is cut in half.", (edits.cut(_BOOTSTRAP, len(data) // 2),)
    yield (
        "checksum",
        "A bit of a checksum in bootstrap.checkpoint is flipped.",
        (edits.flip(_BOOTSTRAP, parts[1].position + 17),),
    )
    yield "no-footer", "The last batch of bootstrap.checkpoint is gone.", (edits.cut(_BOOTSTRAP, parts[-1].position),)
    yield "zeros-behind", "Zeros stand behind bootstrap.checkpoint.", (edits.append(_BOOTSTRAP, bytes(512)),)
    record = contents.of_metadata(
        0, contents.metadata("feature_level_record", 0, name="metadata.version", feature_level=99)
    )
    yield (
        "unknown-level",
        "bootstrap.checkpoint has a metadata.version that no release has.",
        (edits.write(_BOOTSTRAP, record),),
    )
    other = contents.of_metadata(0, contents.metadata("no_op_record"))
    yield "no-level", "bootstrap.checkpoint has no metadata.version.", (edits.write(_BOOTSTRAP, other),)


def _bootstrap_of_new() -> Iterator[Change]:
    yield (
        "of-new/empty",
        "4.4.0 writes no bootstrap.checkpoint, and there is an empty one.",
        (edits.write(_BOOTSTRAP, b""),),
    )
    record = contents.of_metadata(0, contents.framed(99, 0, b"\0"))
    yield "of-new/unknown-record", "A bootstrap.checkpoint has a record of type 99.", (edits.write(_BOOTSTRAP, record),)
