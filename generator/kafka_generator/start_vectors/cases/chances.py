"""Several faults at once: which of them a node ends with is chance, within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafka_generator.start_vectors import contents, edits
from kafka_generator.start_vectors.cases.case import DATA, Case
from kafka_generator.start_vectors.cases.facts import LOG, Facts
from kafka_generator.start_vectors.contents import metadata

_SECOND: Final = "other"
_MARKS: Final = tuple(digit * 32 for digit in "0f")
_UNKNOWN_ID: Final = b"\7" * 16
_CRASHED: Final = edits.remove(f"{DATA}/.kafka_cleanshutdown")

Change = tuple[str, str, tuple[edits.Edit, ...]]


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    for name, title, changes in (*_of_one(), *_of_metadata(facts["static"])):
        yield Case(f"chance/{name}", title, "static", changes)
    properties = second_properties(facts["static"])
    for name, title, changes in _of_two():
        changed = (edits.write(f"{_SECOND}/meta.properties", properties), *changes)
        yield Case(f"chance/{name}", title, "static", changed, log_dirs=(DATA, _SECOND))
    for name, title, changes in _strays():
        yield Case(f"rights/{name}", title, "static", changes)


def second_properties(facts: Facts) -> bytes:
    """Return the meta.properties of a second directory of the node."""
    return facts.properties.replace(facts.directory_id, "0123456789ABCDEFGHIJKA").encode()


def _bad_index(folder: str) -> edits.Edit:
    """Return the edit that adds a transaction index whose version is none: it names the file."""
    return edits.write(f"{folder}/{0:020}.txnindex", b"\7\0" + bytes(32))


def _of_one() -> Iterator[Change]:
    odd = tuple(edits.folder_at(f"{DATA}/{name}") for name in ("backup", "old", "zz.tar"))
    yield "odd-folders", "Three folders have names that are no partition's.", odd
    indexes = tuple(_bad_index(f"{DATA}/{name}") for name in ("kept-0", "plain-0", "plain-1"))
    yield "indexes", "Transaction indexes of three partitions have an unknown version.", indexes
    files = tuple(edits.unreadable(f"{DATA}/plain-0/{each:020}.{kind}") for each in (0, 6) for kind in ("log", "index"))
    yield "unreadable", "Nobody may read four files of a partition.", files
    two = tuple(edits.unreadable(f"{DATA}/{name}/{0:020}.log") for name in ("kept-0", "plain-0", "plain-1"))
    yield "unreadable-in-three", "Nobody may read a file of each of three partitions.", two


def _of_metadata(facts: Facts) -> Iterator[Change]:
    settings = [
        metadata("config_record", 0, resource_type=2, resource_name=topic, name="retention.ms", value=value)
        for topic, value in (("kept", "abc"), ("paid", "def"), ("plain", "ghi"))
    ]
    appended = edits.append(LOG, contents.of_metadata(facts.end(), *settings))
    yield "settings", "retention.ms of three topics is no number.", (appended,)
    feature = metadata("feature_level_record", 0, name="colour.version", feature_level=1)
    gone = metadata("remove_topic_record", 0, topic_id=_UNKNOWN_ID)
    both = edits.append(LOG, contents.of_metadata(facts.end(), feature, gone))
    yield "two-threads", "The controller does not take a record, and the broker not the next one.", (both,)


def _of_two() -> Iterator[Change]:
    moved = edits.rename(f"{DATA}/plain-0", f"{_SECOND}/plain-0")
    bad = (_bad_index(f"{DATA}/kept-0"), _bad_index(f"{_SECOND}/plain-0"))
    yield "directories", "A transaction index in each of two directories has an unknown version.", (moved, *bad)
    twice = edits.copy(f"{DATA}/plain-0", f"{_SECOND}/plain-0")
    yield "twice", "A partition is in two directories.", (twice,)
    title = "A partition is in two directories, and the first one has a transaction index of an unknown version."
    yield "twice-and-index", title, (twice, _bad_index(f"{DATA}/kept-0"))
    also = edits.rename(f"{DATA}/plain-1", f"{_SECOND}/plain-1")
    title = "A partition is in two directories, and the second one has a transaction index of an unknown version."
    yield "twice-and-second-index", title, (twice, also, _bad_index(f"{_SECOND}/plain-1"))
    futures = tuple(
        edits.copy(f"{DATA}/plain-0", f"{directory}/plain-0.{mark}-future")
        for directory, mark in zip((DATA, _SECOND), _MARKS, strict=True)
    )
    yield "futures", "Each of two directories has a -future folder of a partition.", futures


def _strays() -> Iterator[Change]:
    """Yield folders that become strays and that nobody may write."""
    stray = edits.remove(f"{DATA}/plain-0/partition.metadata")
    unwritable = edits.unwritable(f"{DATA}/plain-0")
    yield "stray", "Nobody may write in a folder that becomes a stray.", (stray, unwritable)
    read = edits.write(f"{DATA}/recovery-point-offset-checkpoint", b"0\n0\n")
    title = "After a crash, nobody may write in a folder that becomes a stray."
    yield "stray-crash", title, (_CRASHED, read, stray, unwritable)
    was = edits.rename(f"{DATA}/plain-0", f"{DATA}/plain-0.{_MARKS[0]}-stray")
    again = edits.unwritable(f"{DATA}/plain-0.{_MARKS[0]}-stray")
    yield (
        "stray-before-crash",
        "After a crash, nobody may write in a folder that was a stray.",
        (_CRASHED, read, was, again),
    )
