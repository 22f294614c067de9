"""Brokers of before KRaft: their files, beside what their ZooKeeper keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafka_generator.start_vectors import contents, edits
from kafka_generator.start_vectors.cases.case import DATA, Case
from kafka_generator.start_vectors.cases.facts import Facts

_BASE: Final = "zookeeper"
_SECOND: Final = "other"
_LAST: Final = ("3.9.2",)
_PROPERTIES: Final = f"{DATA}/meta.properties"
_FOLDER: Final = f"{DATA}/plain-0"
_CLEANER: Final = f"{DATA}/cleaner-offset-checkpoint"
_RECOVERY: Final = f"{DATA}/recovery-point-offset-checkpoint"
_WITH_CLEANER: Final = {"log.cleaner.enable": "true", "log.cleaner.dedupe.buffer.size": "3000000"}
_CRASHED: Final = (edits.remove(f"{DATA}/.kafka_cleanshutdown"), edits.write(_RECOVERY, b"0\n0\n"))

Change = tuple[str, str, tuple[edits.Edit, ...]]


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    base = facts[_BASE]
    for name, title, changes in (*_of_properties(base), *_of_checkpoints(), *_of_partitions(base)):
        yield Case(f"zookeeper/{name}", title, _BASE, changes, role=_BASE, releases=_LAST)
    for name, title, changes in _of_two(base):
        both = (DATA, _SECOND)
        yield Case(f"zookeeper/{name}", title, _BASE, changes, role=_BASE, log_dirs=both, releases=_LAST)
    for name, content, title in (
        ("row", b"0\n1\nx\n", "The checkpoint of the log cleaner has a row of one word."),
        ("text", b"0\n1\nkept 0 x\n", "The checkpoint of the log cleaner has a text for a number."),
        ("beyond", b"0\n1\nkept 0 100\n", "The log cleaner's checkpoint is beyond the end of a log."),
        ("gone", b"0\n1\ngone 7 1\n", "The log cleaner's checkpoint has a partition that is not there."),
    ):
        changes, settings = (edits.write(_CLEANER, content),), _WITH_CLEANER
        yield Case(f"zookeeper/cleaner-{name}", title, _BASE, changes, _BASE, settings=settings, releases=_LAST)
        off = f"{title[:-1]}, and there is no cleaner."
        yield Case(f"zookeeper/cleaner-off-{name}", off, _BASE, changes, _BASE, releases=_LAST)
    title = "A directory of a broker with ZooKeeper is given to a node of KRaft."
    for role in ("combined", "broker", "controller"):
        yield Case(f"zookeeper/as-{role}", title, _BASE, role=role)
    title = "A directory of a node of KRaft is given to a broker with ZooKeeper."
    yield Case("zookeeper/of-kraft", title, _BASE, _as_kraft(facts["static"]), role=_BASE, releases=_LAST)


def _as_kraft(facts: Facts) -> tuple[edits.Edit, ...]:
    return (edits.write(_PROPERTIES, facts.properties.encode()),)


def _of_properties(facts: Facts) -> Iterator[Change]:
    yield "sound", "Nothing is changed.", ()
    yield "properties-missing", "There is no meta.properties.", (edits.remove(_PROPERTIES),)
    yield "properties-empty", "meta.properties has no bytes.", (edits.write(_PROPERTIES, b""),)
    yield "properties-folder", "meta.properties is a folder.", (edits.folder_at(_PROPERTIES),)
    yield "properties-unreadable", "Nobody may read meta.properties.", (edits.unreadable(_PROPERTIES),)
    number = next(line for line in facts.properties.splitlines() if line.startswith("cluster.id="))
    for name, title, old, new in (
        ("version-2", "meta.properties has the version 2.", "version=0", "version=2"),
        ("version-text", "meta.properties has a text for a version.", "version=0", "version=x"),
        (
            "version-1",
            "meta.properties has the version 1, and the id of the node.",
            "version=0\nbroker",
            "version=1\nnode",
        ),
        ("version-1-alone", "meta.properties has the version 1, and the id of a broker.", "version=0", "version=1"),
        ("id-other", "The id of the broker is another.", "broker.id=1", "broker.id=7"),
        ("id-text", "The id of the broker is a text.", "broker.id=1", "broker.id=x"),
        ("id-missing", "There is no id of the broker.", "broker.id=1\n", ""),
        ("id-of-node", "The id of the broker is called that of a node.", "broker.id", "node.id"),
        ("cluster-other", "The id of the cluster is not ZooKeeper's.", number, "cluster.id=a2Fma2EtZm9ybWF0LWNvbg"),
        ("cluster-missing", "There is no id of the cluster.", f"{number}\n", ""),
        ("directory-id", "There is an id of the directory.", number, f"{number}\ndirectory.id=0123456789ABCDEFGHIJKA"),
        ("directory-reserved", "The id of the directory is reserved.", number, f"{number}\ndirectory.id={'A' * 21}Q"),
        ("directory-bad", "The id of the directory is none.", number, f"{number}\ndirectory.id=x"),
    ):
        yield name, title, (_replaced(facts, old, new),)


def _replaced(facts: Facts, old: str, new: str) -> edits.Edit:
    """Return the edit of meta.properties, whose lines Kafka writes in any order."""
    order = ("version", "broker.id", "cluster.id")
    lines = sorted(
        facts.properties.splitlines(), key=lambda line: [line.startswith(each) for each in order], reverse=True
    )
    text = "\n".join(line for line in lines if not line.startswith("#")) + "\n"
    if old not in text:
        raise ValueError(f"{text!r} does not have {old!r}")
    return edits.write(_PROPERTIES, text.replace(old, new).encode())


def _of_checkpoints() -> Iterator[Change]:
    watermarks, starts = (f"{DATA}/{each}-offset-checkpoint" for each in ("replication", "log-start"))
    for name, path in (("recovery", _RECOVERY), ("watermarks", watermarks), ("starts", starts)):
        yield f"{name}-broken", "A checkpoint of offsets has a row of one word.", (edits.write(path, b"0\n1\nx\n"),)
    beyond = edits.write(starts, b"0\n1\nplain 0 100\n")
    yield "start-beyond-end", "A log starts beyond its end.", (beyond,)
    yield "start-inside", "A log starts in the middle of a segment.", (edits.write(starts, b"0\n1\nplain 0 8\n"),)


def _of_partitions(facts: Facts) -> Iterator[Change]:
    last = f"{_FOLDER}/{12:020}"
    yield "crash", "The marker of a clean stop is gone.", _CRASHED[:1]
    yield "crash-all-read", "After a crash, all segments are read.", _CRASHED
    yield "crash-cut", "After a crash, the last batch of a log is cut.", (*_CRASHED, edits.cut(f"{last}.log", -5))
    yield (
        "crash-bit",
        "After a crash, a bit of the first segment is flipped.",
        (*_CRASHED, edits.flip(f"{_FOLDER}/{0:020}.log", 90)),
    )
    yield "marker-lies", "The last batch of a log is cut after a clean stop.", (edits.cut(f"{last}.log", -5),)
    yield "index-missing", "An offset index is missing.", (edits.remove(f"{last}.index"),)
    yield "folder-missing", "The folder of a partition is missing.", (edits.remove(_FOLDER),)
    yield "topic-id-missing", "partition.metadata is missing.", (edits.remove(f"{_FOLDER}/partition.metadata"),)
    yield "topic-id-empty", "partition.metadata has no bytes.", (edits.write(f"{_FOLDER}/partition.metadata", b""),)
    other = edits.copy(f"{DATA}/paid-0/partition.metadata", f"{_FOLDER}/partition.metadata")
    yield "topic-id-other", "partition.metadata has the id of another topic.", (other,)
    unknown = edits.copy(_FOLDER, f"{DATA}/unknown-0")
    yield "topic-unknown", "A folder is of a topic that ZooKeeper does not know.", (unknown,)
    yield (
        "epochs-broken",
        "A leader-epoch-checkpoint has a text for a number.",
        (edits.write(f"{_FOLDER}/leader-epoch-checkpoint", b"0\n1\nx 0\n"),),
    )
    yield "odd-folder", "A folder has a name that is no partition's.", (edits.folder_at(f"{DATA}/backup"),)
    yield "unreadable", "Nobody may read a segment.", (edits.unreadable(f"{last}.log"),)
    offsets = f"{DATA}/__consumer_offsets-0/{0:020}.log"
    unread = contents.batch(facts.end(offsets), (b"\0\1", None))
    yield "offsets-key-cut", "A key of committed offsets is cut short.", (edits.append(offsets, unread),)
    states = f"{DATA}/__transaction_state-0/{0:020}.log"
    unread = contents.batch(facts.end(states), (b"\0\0", None))
    yield "transactions-key-cut", "A key of transactions is cut short.", (edits.append(states, unread),)


def _of_two(facts: Facts) -> Iterator[Change]:
    properties = f"{_SECOND}/meta.properties"
    yield "second-new", "A second directory is empty.", (edits.folder_at(_SECOND),)
    yield "second-missing", "A second directory is not there.", ()
    for name, old, new, title in (
        ("second-other-broker", "broker.id=1", "broker.id=7", "A second directory is another broker's."),
        ("second-version", "version=0", "version=2", "The meta.properties of a second directory has the version 2."),
        ("second-without-cluster", "cluster.id", "other.id", "A second directory has no id of the cluster."),
    ):
        yield name, title, (edits.write(properties, facts.properties.replace(old, new).encode()),)
    moved = (edits.write(properties, facts.properties.encode()), edits.rename(_FOLDER, f"{_SECOND}/plain-0"))
    yield "second-sound", "A partition is in a second directory.", moved
    twice = (moved[0], edits.copy(_FOLDER, f"{_SECOND}/plain-0"))
    yield "second-twice", "A partition is in both directories.", twice
    yield "second-unreadable", "Nobody may read a second directory.", (*moved, edits.unreadable(_SECOND))
