"""Directories that are sound: every rule about a log kept, in every way that releases write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kafka_format.log.text.checkpoints import CLEANER_FILE

from kafka_generator.log_vectors import case_logs
from kafka_generator.log_vectors.case_logs import ABORT, START, Files, batch, data, log, marker, messages, sound_log
from kafka_generator.log_vectors.case_types import DirectoryCase
from kafka_generator.log_vectors.changes import Change, each, name, remove, write_file


def changed_case(
    case: str, title: str, change: Change, *breaks: str, of: Callable[[], Files] = sound_log, **more: Any
) -> DirectoryCase:
    """Return a case made of a sound log by a change."""
    files = of()
    change(files)
    return DirectoryCase(case, title, files, frozenset(breaks), **more)


def cases() -> Iterator[DirectoryCase]:
    """Yield the cases."""
    kept = frozenset({
        "log.segment.tail", "log.segment.base", "log.segment.range", "log.segment.rising", "log.segment.join",
        "log.segment.epochs", "log.offset-index.batch", "log.offset-index.covers", "log.offset-index.rising",
        "log.offset-index.offset", "log.offset-index.position", "log.offset-index.size", "log.offset-index.trimmed",
        "log.time-index.batch", "log.time-index.last", "log.time-index.trimmed", "log.time-index.rising",
        "log.time-index.offset", "log.time-index.size", "log.snapshot.state", "log.epochs.batches", "log.file.orphan",
    })  # fmt: skip
    yield DirectoryCase("sound/plain", "Three segments of five batches each.", sound_log(), keeps=kept)
    for start, where in ((4, "within a batch"), (7, "within its first segment"), (15, "above it")):
        files = sound_log() | {"log-start-offset-checkpoint": b"0\n1\norders 0 %d\n" % start}
        yield DirectoryCase(f"sound/start-at-{start}", f"The log starts {where}.", files, start=start)
    title = "The files of the first segment are marked deleted, and not gone yet, as after retention."
    marked = {f"{path}.deleted" if f"/{0:020}." in path else path: content for path, content in sound_log().items()}
    retained = marked | {"log-start-offset-checkpoint": b"0\n1\norders 0 9\n"}
    yield DirectoryCase("sound/deleted-segment", title, retained, start=9)
    title = "The cleaner has put a segment in place of the first one, which is marked deleted, and not gone yet."
    yield DirectoryCase("sound/deleted-by-the-cleaner", title, _just_cleaned())
    aborted = frozenset({
        "log.transaction-index.aborted", "log.transaction-index.last-stable-offset", "log.transaction-index.rising",
        "log.transaction-index.offset", "log.snapshot.state",
    })  # fmt: skip
    yield DirectoryCase(
        "sound/transactions", "Two producers; one transaction is open.", case_logs.transactions(), keeps=aborted
    )
    two = [data(0, 1, 2), data(2, 1, sequence=2), batch(3), marker(4, 1, ABORT), data(5, 1, sequence=3), batch(6)]
    yield DirectoryCase("sound/two-batches-aborted", "A transaction of two batches.", log([two]), keeps=aborted)
    for release in ("0.11.0", "1.1.1", "2.0.0", "3.9.0", "3.9.1", "4.0.0", "4.0.1", "4.4.0"):
        appends = [[batch(at, 2), batch(at + 2, 3) + batch(at + 5, 1) + batch(at + 6, 2)] for at in (0, 8, 16)]
        indexed = log([[each for pair in appends for each in pair]], release=release)
        title = f"Appends of several batches, indexed as {release} does."
        yield DirectoryCase(f"sound/indexed-by-{release}", title, indexed, keeps=frozenset({"log.offset-index.covers"}))
    yield DirectoryCase(
        "sound/messages-v0", "Messages of v0: no timestamps.", log([[messages(0, at) for at in range(6)]])
    )
    yield DirectoryCase("sound/messages-v1", "Messages of v1.", log([[messages(1, at) for at in range(6)]]))
    mixed = [messages(0, 0), messages(1, 1), messages(1, 2), batch(3, 2), batch(5)]
    yield DirectoryCase("sound/formats-mixed", "v0, then v1, then v2, as upgrades leave it.", log([mixed]))
    holes = [batch(2, 1), batch(5, 3), batch(11, 1), batch(20, 1)]
    yield DirectoryCase("sound/holes", "Offsets are missing between batches, as compaction leaves it.", log([holes]))
    empty = structure_empty(3)
    yield DirectoryCase(
        "sound/empty-batch", "A batch without records, kept for its producer.", log([[batch(0, 3), empty, batch(4)]])
    )
    base = log([[batch(100 + at) for at in range(4)]], base=95)
    yield DirectoryCase("sound/base-below-the-first-batch", "The first batch begins above the base offset.", base)
    yield changed_case(
        "sound/never-compacted",
        "The checkpoint of the cleaner has no row, and segments join.",
        write_file(CLEANER_FILE, b"0\n0\n"),
        keeps=frozenset({"log.segment.gap"}),
    )
    lacks = remove(*(name(9, kind) for kind in ("log", "index", "timeindex")))
    yield changed_case(
        "sound/compacted-gap",
        "All records of a segment were compacted away, as the checkpoint of the cleaner tells.",
        each(lacks, write_file(CLEANER_FILE, b"0\n1\norders 0 19\n")),
        keeps=frozenset({"log.segment.gap"}),
    )
    yield changed_case(
        "sound/fetched-from-a-cleaned-leader",
        "A segment was compacted away by the leader; offsets are missing within a segment, too.",
        each(remove(*(name(4, kind) for kind in ("log", "index", "timeindex"))), write_file(CLEANER_FILE, b"0\n0\n")),
        keeps=frozenset({"log.segment.gap"}),
        of=lambda: log([[batch(0), batch(3)], [batch(4)], [batch(5)]]),
    )
    yield changed_case("sound/no-indexes", "Only segments: all else is built anew.", _only_segments)
    late = log(
        [[batch(0, time=START + 9000), batch(1, time=START)], [batch(2, time=START + 1000), batch(3, time=START + 500)]]
    )
    yield DirectoryCase(
        "sound/older-stamps-follow", "A time that the first segment promises and has; later ones are older.", late
    )


def _just_cleaned() -> Files:
    """Return a log whose first segment has lost four records of six; the old one is still there."""
    others = [batch(6), batch(7)]
    before = log([[batch(at) for at in range(6)], others])
    cleaned = log([[batch(2), batch(5)], others])
    old = {f"{path}.deleted": content for path, content in before.items() if f"/{0:020}." in path}
    return cleaned | old | {CLEANER_FILE: b"0\n1\norders 0 6\n"}


def structure_empty(base: int) -> bytes:
    """Return a batch without records, as the cleaner writes it."""
    fields = {"last_offset_delta": 0, "base_timestamp": -1, "max_timestamp": -1, "producer_id": 9, "producer_epoch": 0}
    return batch(base, 0, **{**fields, "base_sequence": 0})


def _only_segments(files: Files) -> None:
    for path in list(files):
        if not path.endswith(".log"):
            del files[path]
