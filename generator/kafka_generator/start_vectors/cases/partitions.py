"""Partitions, and the files of a data directory that a broker reads when it loads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.cases.case import DATA, Case
from kafka_generator.start_vectors.cases.facts import Facts

_FOLDER: Final = f"{DATA}/plain-0"
_BASES: Final = (0, 6, 12)
_MARKER: Final = f"{DATA}/.kafka_cleanshutdown"
_CRASHED: Final = edits.remove(_MARKER)
_UNFLUSHED: Final = edits.write(f"{DATA}/recovery-point-offset-checkpoint", b"0\n0\n")
_UNKNOWN_ID: Final = "0123456789ABCDEFGHIJKA"

Change = tuple[str, str, tuple[edits.Edit, ...]]


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    known = facts["static"]
    for name, title, changes in (*_segments(known), *_beside(), *_names(), *_checkpoints(known)):
        yield Case(f"partition/{name}", title, "static", changes)
    for name, title, changes in _segments(known):
        yield Case(f"crash/{name}", f"After a crash: {title}", "static", (_CRASHED, _UNFLUSHED, *changes))
    middle = _file(6)
    bit = edits.flip(middle, known.batches(middle)[1].end - 1)
    title = "All recovery points are 0, and a bit is flipped; the marker of a clean stop is there."
    yield Case("partition/bit-unflushed", title, "static", (_UNFLUSHED, bit))
    yield Case("crash/sound", "After a crash, nothing else is changed.", "static", (_CRASHED,))
    yield Case("crash/sound-unflushed", "After a crash, all recovery points are 0.", "static", (_CRASHED, _UNFLUSHED))


def _file(base: int, kind: str = "log") -> str:
    return f"{_FOLDER}/{base:020}.{kind}"


def _segments(facts: Facts) -> Iterator[Change]:
    """Yield damage to segments and what belongs to them."""
    first, middle, last = (_file(base) for base in _BASES)
    parts = facts.batches(middle)
    yield "tail-cut", "The last batch is cut.", (edits.cut(last, -5),)
    yield "middle-cut", "The last batch of a segment before the last is cut.", (edits.cut(middle, -5),)
    yield "bit-in-middle", "One bit of a batch in the middle is flipped.", (edits.flip(middle, parts[1].end - 1),)
    yield "bit-in-last", "One bit of the last batch is flipped.", (edits.flip(last, -1),)
    yield "zeros-behind", "A page of zeros stands behind the last segment.", (edits.append(last, bytes(4096)),)
    yield "last-twice", "The last batch stands there twice.", (edits.append(last, facts.batches(last)[-1].data),)
    yield "last-empty", "The last segment has no bytes.", (edits.write(last, b""),)
    yield "last-removed", "The last segment is gone.", (edits.remove(last),)
    yield "middle-removed", "A segment in the middle is gone.", (edits.remove(middle),)
    yield "first-removed", "The first segment is gone.", (edits.remove(first),)
    yield (
        "below-base",
        "A segment has the name of a later one.",
        (edits.rename(last, _file(15)), edits.remove(_file(12, "index"))),
    )
    yield "no-index", "An offset index is gone.", (edits.remove(_file(6, "index")),)
    yield (
        "no-index-and-bit",
        "An offset index is gone, and a bit of its segment is flipped.",
        (
            edits.remove(_file(6, "index")),
            edits.flip(middle, parts[1].end - 1),
        ),
    )
    yield "snapshot-broken", "The newest producer snapshot is broken.", (edits.flip(_file(18, "snapshot"), -1),)
    yield (
        "snapshots-removed",
        "All producer snapshots are gone.",
        tuple(edits.remove(_file(base, "snapshot")) for base in (6, 12, 18)),
    )
    yield "folder-for-segment", "A segment is a folder.", (edits.folder_at(middle),)
    yield "segment-unreadable", "A segment may not be read.", (edits.unreadable(middle),)
    yield (
        "transaction-index-version",
        "A transaction index has the version 256.",
        (edits.overwrite(f"{DATA}/paid-0/{1:020}.txnindex", 0, b"\1\0"),),
    )
    yield (
        "epochs-malformed",
        "leader-epoch-checkpoint has a row of one number.",
        (edits.write(f"{_FOLDER}/leader-epoch-checkpoint", b"0\n1\n0\n"),),
    )
    yield (
        "epochs-negative",
        "leader-epoch-checkpoint has a negative epoch.",
        (edits.write(f"{_FOLDER}/leader-epoch-checkpoint", b"0\n1\n-1 0\n"),),
    )
    yield (
        "epochs-text",
        "leader-epoch-checkpoint has a text for a number.",
        (edits.write(f"{_FOLDER}/leader-epoch-checkpoint", b"0\n1\nzero 0\n"),),
    )
    yield (
        "epochs-empty",
        "leader-epoch-checkpoint has no bytes.",
        (edits.write(f"{_FOLDER}/leader-epoch-checkpoint", b""),),
    )


def _beside() -> Iterator[Change]:
    """Yield damage to what says which topic a folder is of."""
    file = f"{_FOLDER}/partition.metadata"
    yield "topic-id-removed", "partition.metadata is missing.", (edits.remove(file),)
    yield "topic-id-empty", "partition.metadata has no bytes.", (edits.write(file, b""),)
    yield "topic-id-zeros", "partition.metadata is all zeros.", (edits.write(file, bytes(43)),)
    yield (
        "topic-id-unknown",
        "partition.metadata has an id that the metadata does not have.",
        (edits.write(file, f"version: 0\ntopic_id: {_UNKNOWN_ID}".encode()),),
    )
    yield (
        "topic-id-of-other",
        "partition.metadata has the id of another topic.",
        (edits.copy(f"{DATA}/paid-0/partition.metadata", "id"), edits.rename("id", file)),
    )
    yield (
        "topic-id-null",
        "partition.metadata has the id of zeros.",
        (edits.write(file, b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA"),),
    )
    yield "topic-id-short", "partition.metadata has a short id.", (edits.write(file, b"version: 0\ntopic_id: short"),)
    yield (
        "topic-id-negative",
        "partition.metadata has the version -1.",
        (edits.replace(file, "version: 0", "version: -1"),),
    )
    yield "topic-id-newer", "partition.metadata has the version 7.", (edits.replace(file, "version: 0", "version: 7"),)
    yield "topic-id-folder", "partition.metadata is a folder.", (edits.folder_at(file),)
    yield (
        "transactions-topic-id-removed",
        "partition.metadata of __transaction_state-0 is missing.",
        (edits.remove(f"{DATA}/__transaction_state-0/partition.metadata"),),
    )
    yield "marker-rubbish", "The marker of a clean stop has rubbish in it.", (edits.write(_MARKER, b"rubbish"),)
    yield "marker-empty", "The marker of a clean stop has no bytes.", (edits.write(_MARKER, b""),)
    yield "marker-folder", "The marker of a clean stop is a folder.", (edits.folder_at(_MARKER),)


def _names() -> Iterator[Change]:
    """Yield folders and files with other names."""
    number = "0123456789abcdef0123456789abcdef"
    yield "folder-removed", "The folder of a partition is gone.", (edits.remove(_FOLDER),)
    yield "folder-unreadable", "The folder of a partition may not be read.", (edits.unreadable(_FOLDER),)
    yield "odd-folder", "A folder has a name that is no partition's.", (edits.folder_at(f"{DATA}/backup"),)
    yield (
        "odd-folder-number",
        "A folder has a name with a dash, and no number behind it.",
        (edits.folder_at(f"{DATA}/plain-copy"),),
    )
    yield "lost-and-found", "A folder is called lost+found.", (edits.folder_at(f"{DATA}/lost+found"),)
    yield (
        "other-file",
        "A file is in the data directory that Kafka does not know.",
        (edits.write(f"{DATA}/notes.txt", b"text"),),
    )
    yield (
        "file-for-folder",
        "A file has the name of a partition.",
        (edits.remove(_FOLDER), edits.write(_FOLDER, b"text")),
    )
    yield "delete", "A folder is marked as one to be removed.", (edits.rename(_FOLDER, f"{_FOLDER}.{number}-delete"),)
    yield "stray", "A folder is marked as a stray.", (edits.rename(_FOLDER, f"{_FOLDER}.{number}-stray"),)
    yield (
        "future",
        "A folder is marked as one that is being moved.",
        (edits.rename(_FOLDER, f"{_FOLDER}.{number}-future"),),
    )
    yield "odd-segment", "A file has no number before .log.", (edits.write(f"{_FOLDER}/abc.log", b""),)
    yield "odd-index", "A file has no number before .index.", (edits.write(f"{_FOLDER}/abc.index", b""),)
    yield "odd-snapshot", "A file has no number before .snapshot.", (edits.write(f"{_FOLDER}/abc.snapshot", b""),)
    yield "short-name", "A segment has a name of three digits.", (edits.rename(_file(12), f"{_FOLDER}/012.log"),)
    yield (
        "no-partition-folder",
        "The id of a topic is of a folder with another name.",
        (edits.rename(_FOLDER, f"{DATA}/simple-0"),),
    )
    yield "swap", "A segment is ready to take the place of others.", (edits.rename(_file(6), f"{_file(6)}.swap"),)
    yield "cleaned", "The cleaner had begun a segment.", (edits.copy(_file(6), f"{_file(6)}.cleaned"),)


def _checkpoints(facts: Facts) -> Iterator[Change]:
    """Yield damage to the checkpoints of the data directory."""
    rubbish = {
        "empty": (b"", "has no bytes"),
        "zeros": (bytes(60), "is all zeros"),
        "version": (b"1\n0\n", "has the version 1"),
        "count": (b"0\n3\nplain 0 5\n", "has fewer rows than it says"),
        "row": (b"0\n1\nplain 0\n", "has a row of two parts"),
        "text": (b"0\n1\nplain zero 5\n", "has a text for a number"),
    }
    for kind in ("recovery-point", "replication", "log-start"):
        file = f"{kind}-offset-checkpoint" if kind != "replication" else "replication-offset-checkpoint"
        for name, (content, title) in rubbish.items():
            if kind == "log-start" and name not in {"zeros", "row"}:
                continue
            yield f"{kind}-{name}", f"{file} {title}.", (edits.write(f"{DATA}/{file}", content),)
    yield (
        "replication-folder",
        "replication-offset-checkpoint is a folder.",
        (edits.folder_at(f"{DATA}/replication-offset-checkpoint"),),
    )
    yield (
        "start-beyond",
        "The log start offset is beyond the end.",
        (edits.write(f"{DATA}/log-start-offset-checkpoint", b"0\n1\nplain 0 500\n"),),
    )
    yield (
        "start-inside",
        "The log start offset is inside a batch.",
        (edits.write(f"{DATA}/log-start-offset-checkpoint", b"0\n1\nplain 0 7\n"),),
    )
    yield (
        "watermark-beyond",
        "The high watermark is beyond the end.",
        (edits.write(f"{DATA}/replication-offset-checkpoint", b"0\n1\nplain 0 500\n"),),
    )
    yield (
        "recovery-point-beyond",
        "The recovery point is beyond the end, after a crash.",
        (
            _CRASHED,
            edits.write(f"{DATA}/recovery-point-offset-checkpoint", b"0\n1\nplain 0 500\n"),
        ),
    )
    yield (
        "recovery-point-hides",
        "A bit is flipped below the recovery point, after a crash.",
        (
            _CRASHED,
            edits.flip(_file(0), facts.batches(_file(0))[0].end - 1),
        ),
    )
