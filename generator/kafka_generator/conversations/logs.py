"""The short form of a log in a table of conversations: a list of entries, and their bytes.

`"3..5"` is a batch of the records 3 to 5. `{offsets: "3..5", last: 9}` ends at 9; an empty
`offsets` with `first` and `last` has no records. `producer` makes it transactional; `epoch`, `size`
and `text` say the leader epoch, and the size and the beginning of its values. `{marker: abort,
offset: 6, producer: 7}` is a control batch. With `damaged: true`, the last bit is flipped, so that
the checksum is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kafka_format.codec import interpreter
from kafka_format.records import control
from kafka_format.spec.layout import find

TIME: Final = 1_600_000_000_000
"""Create time of all records, in milliseconds."""

_KEYS: Final = {"offsets", "first", "last", "producer", "epoch", "size", "text", "marker", "offset", "damaged"}


def log(entries: Sequence[Any]) -> bytes:
    """Return the bytes of a log.

    Raises:
        ValueError: an entry is none.
    """
    return b"".join(_damage(data) if entry.get("damaged") else data for entry, data in _made(entries))


def sound_log(entries: Sequence[Any]) -> bytes:
    """Return the bytes of a log before any damage.

    Raises:
        ValueError: an entry is none.
    """
    return b"".join(data for _, data in _made(entries))


def _made(entries: Sequence[Any]) -> Iterator[tuple[Mapping[str, Any], bytes]]:
    for entry in map(_entry, entries):
        yield entry, _marker(entry) if "marker" in entry else _batch(entry)


def _damage(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def offsets(text: str) -> list[int]:
    """Read `0..2 5..5`: offsets, each range with both ends."""
    ranges = [part.split("..") for part in text.split()]
    return [offset for first, last in ranges for offset in range(int(first), int(last) + 1)]


def _entry(said: Any) -> Mapping[str, Any]:
    entry = {"offsets": said} if isinstance(said, str) else said
    if unknown := entry.keys() - _KEYS:
        raise ValueError(f"an entry has no {', '.join(unknown)}; it has {', '.join(sorted(_KEYS))}")
    return dict(entry)


def _batch(entry: Mapping[str, Any]) -> bytes:
    held = offsets(entry["offsets"])
    first = held[0] if held else entry["first"]
    records = [{"offset_delta": offset - first, "value": _value(entry, offset)} for offset in held]
    last = entry.get("last", held[-1] if held else first)
    return _make(entry, first, {"records": records, "last_offset_delta": last - first})


def _value(entry: Mapping[str, Any], offset: int) -> bytes:
    text = f"{entry.get('text', '')}{offset}".encode()
    return text.ljust(entry.get("size", 0), b".")


def _marker(entry: Mapping[str, Any]) -> bytes:
    key, value = control.write(entry["marker"], {"coordinator_epoch": 0})
    records = [{"key": key, "value": value}]
    return _make(entry, entry["offset"], {"records": records}, is_control=True)


def _make(entry: Mapping[str, Any], first: int, values: dict[str, Any], **flags: bool) -> bytes:
    common = {
        "base_offset": first,
        "partition_leader_epoch": entry.get("epoch", 0),
        "base_timestamp": TIME,
        "max_timestamp": TIME,
    }
    if "producer" in entry:
        common |= {"producer_id": entry["producer"], "producer_epoch": 0}
        flags["is_transactional"] = True
        if not flags.get("is_control"):
            common["base_sequence"] = first
    return interpreter.encode(find("record_batch"), {**common, "attributes": flags, **values})
