"""Damage to a partition's directory with segments 0, 39 and 79, as disks, crashes and people do it.

Each takes a copy of the folder. `answers` has Kafka open the damaged copies; the tests do the same
damage again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from kafka_format.codec.prefix import prefix
from kafka_format.log.batches import Batch, batches

Damage = Callable[[Path], object]

_BATCH: Final = prefix("record_batch")


def _file(folder: Path, base: int, kind: str = "log") -> Path:
    return folder / f"{base:020}.{kind}"


def _batches(folder: Path, base: int) -> list[Batch]:
    return list(batches(_file(folder, base).read_bytes()))


def _cut(base: int, count: int) -> Damage:
    def damage(folder: Path) -> None:
        path = _file(folder, base)
        path.write_bytes(path.read_bytes()[:-count])

    return damage


def _append(base: int, tail: bytes, kind: str = "log") -> Damage:
    def damage(folder: Path) -> None:
        path = _file(folder, base, kind)
        path.write_bytes(path.read_bytes() + tail)

    return damage


def _flip(base: int, number: int, *, at: int = -1) -> Damage:
    """Flip a bit of a batch: of its last byte, or of another one."""

    def damage(folder: Path) -> None:
        batch = _batches(folder, base)[number]
        data = bytearray(_file(folder, base).read_bytes())
        data[(batch.end if at < 0 else batch.position) + at] ^= 1
        _file(folder, base).write_bytes(data)

    return damage


def _rewrite(base: int, number: int, **values: int) -> Damage:
    """Write other values into the header of a batch, with a checksum that fits."""

    def damage(folder: Path) -> None:
        batch = _batches(folder, base)[number]
        data = bytearray(_file(folder, base).read_bytes())
        _BATCH.write(data, batch.position, **values)
        _BATCH.seal(data, batch.position, batch.end)
        _file(folder, base).write_bytes(data)

    return damage


def _repeat(base: int, times: int) -> Damage:
    """Append the last batch again and again."""

    def damage(folder: Path) -> None:
        last = _batches(folder, base)[-1].data
        _append(base, last * times)(folder)

    return damage


def _remove(base: int, kind: str) -> Damage:
    return lambda folder: _file(folder, base, kind).unlink()


def _write(base: int, kind: str, data: bytes) -> Damage:
    return lambda folder: _file(folder, base, kind).write_bytes(data)


def _both(first: Damage, second: Damage) -> Damage:
    def damage(folder: Path) -> None:
        first(folder)
        second(folder)

    return damage


DAMAGES: Final[dict[str, Damage]] = {
    "sound": lambda _: None,
    "last-batch-cut": _cut(79, 5),
    "middle-segment-cut": _cut(39, 5),
    "payload-bit-in-last-segment": _flip(79, 3),
    "payload-bit-in-first-segment": _flip(0, 3),
    "header-bit-in-middle-segment": _flip(39, 2, at=_BATCH.places["max_timestamp"]),
    "leader-epoch-bit": _flip(39, 2, at=_BATCH.places["partition_leader_epoch"] + 3),
    "ten-zeros-behind": _append(79, bytes(10)),
    "page-of-zeros-behind": _append(79, bytes(4096)),
    "page-of-ones-behind": _append(79, b"\xff" * 4096),
    "last-batch-twice": _repeat(79, 1),
    "last-batch-ten-times": _repeat(79, 10),
    "no-offset-index": _remove(39, "index"),
    "no-time-index": _remove(39, "timeindex"),
    "zeros-for-indexes": lambda folder: ([_write(39, kind, bytes(960))(folder) for kind in ("index", "timeindex")]),
    "snapshot-bit": lambda folder: _write(79, "snapshot", _file(folder, 79, "snapshot").read_bytes()[:-1] + b"\1")(
        folder
    ),
    "batch-of-magic-3": _rewrite(39, 2, magic=3),
    "batch-below-base": _rewrite(79, 3, base_offset=3),
    "batch-jumps-ahead": _rewrite(39, 5, base_offset=60),
    "no-offset-index-and-payload-bit": _both(_remove(39, "index"), _flip(39, 3)),
    "no-offset-index-and-batch-below-base": _both(_remove(39, "index"), _rewrite(39, 3, base_offset=3)),
    "no-offset-index-and-last-batch-ten-times": _both(_remove(39, "index"), _repeat(39, 10)),
    "no-time-index-and-payload-bit": _both(_remove(39, "timeindex"), _flip(39, 3)),
    "epoch-rises": _rewrite(79, 4, partition_leader_epoch=5),
}
"""The damage by name; a name is also the topic of the damaged copy."""
