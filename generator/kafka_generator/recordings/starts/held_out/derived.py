"""Damage to what is derived from batches: indexes, and snapshots of producers, each well formed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError
from kafka_format.log.producer_states import read_snapshot

from kafka_generator.recordings.starts.held_out.damage import NotHere, View, kind
from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.edits import Edit

_SIZES: Final = {".index": (4, 4), ".timeindex": (8, 4), ".txnindex": (2, 8, 8, 8, 8)}
"""The sizes of the numbers of an entry."""

_NUMBERS: Final = (-1, 0, 1, 2, 5, 7, 12, 100, 2**31 - 1)
_CRC_AT: Final = 2
_MOST: Final = 200_000


def _number(random: Random, size: int, now: int) -> int:
    most = 1 << 8 * size - 1
    drawn = random.choice([*_NUMBERS, now + 1, now - 1, now ^ 1 << random.randrange(8 * size - 1)])
    return max(-most, min(drawn, most - 1))


@kind("indexes/entry")
def _entry(random: Random, view: View) -> list[Edit]:
    """Change a number of an entry."""
    ending = random.choice(sorted(_SIZES))
    path = random.choice([each for each in view.paths(ending) if view.files[each]] or _nothing())
    sizes, data = _SIZES[ending], view.files[path]
    at = random.randrange(max(1, len(data) // sum(sizes))) * sum(sizes)
    which = random.randrange(len(sizes))
    at += sum(sizes[:which])
    now = int.from_bytes(data[at : at + sizes[which]], "big", signed=True)
    changed = _number(random, sizes[which], now).to_bytes(sizes[which], "big", signed=True)
    return [edits.overwrite(path, at, changed)]


@kind("indexes/order")
def _order(random: Random, view: View) -> list[Edit]:
    """Exchange, drop, repeat or empty entries."""
    ending = random.choice(sorted(_SIZES))
    path = random.choice([each for each in view.paths(ending) if view.files[each]] or _nothing())
    size, data = sum(_SIZES[ending]), view.files[path]
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    at, other = random.randrange(len(parts)), random.randrange(len(parts))
    return [edits.write(path, b"".join(_rearranged(random, parts, at, other, bytes(size))))]


def _rearranged(random: Random, parts: list[bytes], at: int, other: int, empty: bytes) -> list[bytes]:
    deeds: list[Callable[[], list[bytes]]] = [
        lambda: parts[:at] + parts[at + 1 :],
        lambda: [*parts[:at], parts[other], *parts[at:]],
        lambda: [*parts[:at], empty, *parts[at + 1 :]],
        lambda: [*parts, empty],
        lambda: parts[::-1],
        lambda: parts + parts,
    ]
    return random.choice(deeds)()


@kind("indexes/preallocated")
def _preallocated(random: Random, view: View) -> list[Edit]:
    """Leave an index or a segment in the size that was reserved for it."""
    path = random.choice(view.paths(*random.choice([(".index", ".timeindex"), (".log",)])))
    return [edits.extend(path, random.choice([4096, 10_000, _MOST]))]


@kind("producers/field")
def _producer(random: Random, view: View) -> list[Edit]:
    """Change a field of a producer's entry, or the entries, with a right checksum."""
    path = random.choice(view.paths(".snapshot"))
    try:
        entries = read_snapshot(view.files[path])
    except FormatError:
        raise NotHere from None
    return [edits.write(path, _written(_changed(random, entries)))]


def _changed(random: Random, entries: list[Any]) -> list[Any]:
    if not entries:
        return [structure("producer_state").type(producer_id=random.choice([0, 1, 4000]), producer_epoch=0)]
    at = random.randrange(len(entries))
    if random.random() < 1 / 4:
        return random.choice([[], entries[:at] + entries[at + 1 :], [*entries, entries[at]]])
    name = random.choice(entries[at]._fields)
    size = 2 if name == "producer_epoch" else 4 if name in {"last_sequence", "offset_delta", "coordinator_epoch"} else 8
    number = _number(random, size, getattr(entries[at], name))
    return [*entries[:at], entries[at]._replace(**{name: number}), *entries[at + 1 :]]


def _written(entries: list[Any]) -> bytes:
    write = structure("producer_snapshot_file")
    return write.encode(write.type(producers=entries))


@kind("producers/version")
def _version(random: Random, view: View) -> list[Edit]:
    """Change the version of a snapshot, or cut it within its first fields."""
    path = random.choice([each for each in view.paths(".snapshot") if view.files[each]] or _nothing())
    if random.random() < 1 / 3:
        return [edits.cut(path, random.choice([1, 2, 5, 6, 9, 10]))]
    return [edits.overwrite(path, 0, random.choice([0, 2, 9, 256]).to_bytes(_CRC_AT, "big"))]


def _nothing() -> list[str]:
    raise NotHere
