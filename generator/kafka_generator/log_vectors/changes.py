"""What the cases do to the files of a sound log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kafka_format.codec.prefix import prefix
from kafka_format.log.batches import Batch, batches

from kafka_generator.log_vectors.case_logs import BASES, Files

Change = Callable[[Files], object]
_BATCH: Final = prefix("record_batch")
PLACES: Final = _BATCH.places
"""Where each field of a batch is."""

LAST: Final = BASES[-1]
"""The base offset of the last segment."""


def name(base: int, kind: str = "log", partition: str = "orders-0") -> str:
    """Return the path of a file of a segment."""
    return f"{partition}/{base:020}.{kind}"


def write_file(path: str, content: bytes) -> Change:
    """Give a file another content."""
    return lambda files: files.update({path: content})


def add(path: str, tail: bytes) -> Change:
    """Write bytes after a file."""
    return lambda files: files.update({path: files[path] + tail})


def over(path: str, at: int, content: str) -> Change:
    """Write other bytes, in hex, over those at a place."""

    def change(files: Files) -> None:
        old, new = files[path], bytes.fromhex(content)
        files[path] = old[:at] + new + old[at + len(new) :]

    return change


def remove(*paths: str) -> Change:
    """Remove files."""
    return lambda files: [files.pop(path) for path in paths]


def move(old: str, new: str) -> Change:
    """Give a file another path."""
    return lambda files: files.update({new: files.pop(old)})


def exchange(first: str, second: str) -> Change:
    """Give two files each other's content."""
    return lambda files: files.update({first: files[second], second: files[first]})


def rename(old: int, new: int) -> Change:
    """Give a segment another base offset."""

    def change(files: Files) -> None:
        for kind in ("log", "index", "timeindex", "snapshot"):
            if name(old, kind) in files:
                files[name(new, kind)] = files.pop(name(old, kind))

    return change


def rewritten(base: int, number: int, **values: int) -> Change:
    """Write other values into the header of a batch, with a checksum that fits."""

    def change(files: Files) -> None:
        content = bytearray(files[name(base)])
        batch = batches_of(files, base)[number]
        _BATCH.write(content, batch.position, **values)
        _BATCH.seal(content, batch.position, batch.end)
        files[name(base)] = bytes(content)

    return change


def flip(base: int, number: int, at: int = -1) -> Change:
    """Flip a bit of a batch: of the last byte of its last value, or of another one."""

    def change(files: Files) -> None:
        batch = batches_of(files, base)[number]
        place = batch.end - 2 if at < 0 else batch.position + at
        content = bytearray(files[name(base)])
        content[place] ^= 1
        files[name(base)] = bytes(content)

    return change


def batches_of(files: Files, base: int) -> list[Batch]:
    """Return the batches of a segment."""
    return list(batches(files[name(base)]))


def cut(base: int, count: int) -> Change:
    """Remove the last bytes of a segment."""
    return lambda files: files.update({name(base): files[name(base)][:-count]})


def each(*changes: Change) -> Change:
    """Do one change after the other."""
    return lambda files: [change(files) for change in changes]


def with_epochs(*values: int) -> Change:
    """Give the first batches of the last segment leader epochs, which are outside the checksum."""
    changes = [rewritten(LAST, number, partition_leader_epoch=epoch) for number, epoch in enumerate(values)]
    rows = b"0\n2\n0 0\n%d %d\n" % (values[0], LAST)
    rest = [rewritten(LAST, number, partition_leader_epoch=values[0]) for number in range(len(values), 5)]
    return each(*changes, *rest, write_file("orders-0/leader-epoch-checkpoint", rows))
