"""Rights to files and folders, the lock, the last epoch, and the checkpoint of the cleaner."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from kafka_format.codec.prefix import prefix

from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.cases.case import DATA, NEWEST, QUORUM, Case
from kafka_generator.start_vectors.cases.facts import LOG, Facts

_FOLDER: Final = f"{DATA}/plain-0"
_LOCK: Final = f"{DATA}/.lock"
_MARKER: Final = f"{DATA}/.kafka_cleanshutdown"
_CLEANER: Final = f"{DATA}/cleaner-offset-checkpoint"
_LAST_EPOCH: Final = 2**31 - 1
_WITH_CLEANER: Final = {"log.cleaner.enable": "true", "log.cleaner.dedupe.buffer.size": "3000000"}
_NEW_LOCK: Final = edits.write(_LOCK, b"")

Change = tuple[str, str, tuple[edits.Edit, ...]]


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    for name, title, changes in (*_unwritable(), *_of_metadata(), *_locks()):
        yield Case(f"rights/{name}", title, "static", changes)
    title = "After a crash, nobody may write an offset index below the recovery point."
    crashed = (edits.remove(_MARKER), edits.unwritable(f"{_FOLDER}/{6:020}.index"))
    yield Case("rights/index-read-crash", title, "static", crashed, releases=NEWEST)
    yield from _controller()
    yield from _epochs(facts["static"])
    yield from _cleaner()


def _controller() -> Iterator[Case]:
    locked, kept, role = (edits.folder_at(_LOCK),), (_NEW_LOCK, edits.unwritable(DATA)), "controller"
    yield Case("rights/lock-folder-controller", "The lock of a controller is a folder.", role, locked, role=role)
    title = "Nobody may write in the directory of a controller; its lock is there."
    yield Case("rights/directory-controller", title, role, kept, role=role, releases=NEWEST)


def _cleaner() -> Iterator[Case]:
    for name, content, title in (
        ("row", b"0\n1\nx\n", "The checkpoint of the log cleaner has a row of one word."),
        ("text", b"0\n1\nkept 0 x\n", "The checkpoint of the log cleaner has a text for a number."),
    ):
        changes = (edits.write(_CLEANER, content),)
        yield Case(f"cleaner/{name}", title, "static", changes, settings=_WITH_CLEANER)
        yield Case(f"cleaner/off-{name}", f"{title[:-1]}, and there is no cleaner.", "static", changes, releases=NEWEST)


def _unwritable() -> Iterator[Change]:
    for name, file, title in (
        ("segment", f"{_FOLDER}/{0:020}.log", "the first segment of a partition"),
        ("index-closed", f"{_FOLDER}/{6:020}.index", "the offset index of a segment that is not the last"),
        ("index", f"{_FOLDER}/{12:020}.index", "the offset index of the last segment"),
        ("time-index", f"{_FOLDER}/{12:020}.timeindex", "the time index of the last segment"),
        ("epochs", f"{_FOLDER}/leader-epoch-checkpoint", "the leader epochs of a partition"),
        ("aborted", f"{DATA}/paid-0/{1:020}.txnindex", "a transaction index"),
        ("folder", _FOLDER, "in the folder of a partition"),
        ("directory", DATA, "in the data directory"),
    ):
        yield name, f"Nobody may write {title}.", (edits.unwritable(file),)
    title = "Nobody may write in the data directory; its lock is there."
    yield "directory-locked", title, (_NEW_LOCK, edits.unwritable(DATA))
    yield "directory-unreadable", "Nobody may read the data directory.", (edits.unreadable(DATA),)


def _of_metadata() -> Iterator[Change]:
    for name, file, title in (
        ("metadata", QUORUM, "in the folder of the metadata log"),
        ("metadata-segment", LOG, "a segment of the metadata log"),
        ("metadata-index", f"{QUORUM}/{0:020}.index", "an offset index of the metadata log"),
        ("quorum-state", f"{QUORUM}/quorum-state", "quorum-state"),
    ):
        yield name, f"Nobody may write {title}.", (edits.unwritable(file),)


def _locks() -> Iterator[Change]:
    yield "lock-folder", "The lock of the directory is a folder.", (edits.folder_at(_LOCK),)


def _epochs(facts: Facts) -> Iterator[Case]:
    """Yield variants without an epoch for another leader."""
    path = f"{QUORUM}/quorum-state"
    for name, number, title in (("last", _LAST_EPOCH, "the last one"), ("before-last", _LAST_EPOCH - 1, "one less")):
        state = json.loads(facts.files[path]) | {"leaderEpoch": number}
        changes = (edits.write(path, json.dumps(state).encode()),)
        yield Case(f"epoch/{name}", f"The epoch of quorum-state is {title}.", "static", changes, releases=NEWEST)
    batch = facts.batches()[-1]
    data = bytearray(batch.data)
    prefix("record_batch").write(data, 0, partition_leader_epoch=_LAST_EPOCH)
    changed = (edits.overwrite(LOG, batch.position, bytes(data)),)
    yield Case("epoch/of-batch", "The last batch of metadata has the last epoch there is.", "static", changed)
