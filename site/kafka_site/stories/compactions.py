"""What compaction leaves: logs that a real broker compacted, beside what was sent to it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from kafka_conformance.vectors.vector import Vector
from kafka_format.broker.consumer import deliver
from kafka_format.log.batches import Batch, batches
from kafka_format.records.control import read
from kafka_generator.recordings.wild.scenes import Scene, scenes_of_v2

from kafka_site.model import Site
from kafka_site.pictures.offset_strip import offset_strip

_BROKER: Final = "wild/broker-3-9-2/"
_SHOWN: Final = {
    "plain": "compacted-none",
    "idempotent": "compacted-idempotent",
    "transactional": "compacted-transactional",
}
_LEGACY: Final = "wild/broker-0-10-2-2/compacted-gzip"


class Sent(NamedTuple):
    """A record as it was sent, and whether it is still there; a marker has no key."""

    offset: int
    key: str
    value: str
    is_left: bool


class Left(NamedTuple):
    """A batch that is left.

    Attributes:
        first: its first offset.
        last: its last offset, which is in the header.
        size: its bytes.
        offsets: those of the records in it.
        what: what else its header says, in words.
    """

    first: int
    last: int
    size: int
    offsets: list[int]
    what: str


class Log(NamedTuple):
    """One log, before and after."""

    vector: Vector
    sent: list[Sent]
    left: list[Left]
    picture: str


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    scenes = {scene.name: scene for scene in scenes_of_v2()}
    legacy = site.vectors[_LEGACY]
    return {
        "shown": {key: _log(site.vectors[_BROKER + name], scenes[name]) for key, name in _SHOWN.items()},
        "settings": scenes[_SHOWN["plain"]].settings,
        "legacy": legacy,
        "legacy_left": list(map(_left, batches(legacy.data))),
        "legacy_picture": offset_strip(legacy.data, {"left": deliver(legacy.data, 0)}, legacy.title),
        "broker": _BROKER.split("/")[1].removeprefix("broker-").replace("-", "."),
        "legacy_broker": _LEGACY.split("/")[1].removeprefix("broker-").replace("-", "."),
    }


def _log(vector: Vector, scene: Scene) -> Log:
    kept = list(batches(vector.data))
    left = {record.offset for batch in kept for record in batch.records()}
    everything = deliver(vector.data, kept[0].base_offset)
    picture = offset_strip(vector.data, {"left": everything}, vector.title)
    return Log(vector, list(_sendings(scene, left)), list(map(_left, kept)), picture)


def _sendings(scene: Scene, left: set[int]) -> Iterator[Sent]:
    """Yield the records of a scene and its markers, with the offsets that they get in turn."""
    offset = 0
    for batch in scene.batches:
        for record in batch.records:
            yield Sent(offset, record.key or "", _short(record.value), offset in left)
            offset += 1
        if batch.transactional:
            yield Sent(offset, "", f"marker: {'abort' if batch.aborts else 'commit'}", offset in left)
            offset += 1


def _short(value: str | None) -> str:
    return "null, a tombstone" if value is None else value if len(value) < 10 else f"{value[:6]}… ({len(value)} bytes)"


def _left(batch: Batch) -> Left:
    offsets = [record.offset for record in batch.records()]
    return Left(batch.base_offset, batch.last_offset, batch.size, offsets, ", ".join(_words(batch)))


def _words(batch: Batch) -> Iterator[str]:
    if batch.producer_id >= 0:
        sequence = batch.header.base_sequence
        yield f"producer {batch.producer_id}" + (f", sequence from {sequence}" if sequence >= 0 else "")
    if batch.has("is_control"):
        first = batch.records()[0]
        yield f"marker: {read(first.key, first.value).type}"
    elif batch.has("is_transactional"):
        yield "transactional"
    if batch.has("has_delete_horizon"):
        horizon = datetime.fromtimestamp(batch.header.base_timestamp / 1000, UTC)
        yield f"delete horizon {horizon:%Y-%m-%d %H:%M} UTC"
