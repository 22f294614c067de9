"""Keys that Kafka Streams writes into stores, changelogs and topics of its own."""

from __future__ import annotations

from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.content.answers import Answer, Headers, Reader, wrong
from kafka_format.primitives.counts import byte_count
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import packer

_PREFIXES: Final = (0, 1)
_NUMBER: Final = 4
"""Bytes of the number of a duplicate."""


def window(layout: str) -> Reader:
    """Return a reader of the keys of windows; takes what stands behind the key, which is a text."""

    def read(data: bytes, *_: object) -> Answer:
        size = packer(find(layout)).size
        at = len(data) - size
        if at < 0:
            raise wrong(f"has {byte_count(len(data))}, at least {size} are needed", "content.window")
        return _window(data[:at], structure(layout).decode(data[at:])._asdict(), at)

    return read


def _window(key: bytes, times: dict[str, Any], at: int) -> Answer:
    """Return the key of a window; milliseconds are texts, the number of a duplicate is one."""
    start, end = times["start"], times.get("end", times["start"])
    if not 0 <= start <= end:
        raise wrong(f"lasts from {start} to {end}", "content.window", at)
    texts = {name: value if name == "number" else str(value) for name, value in times.items()}
    return {"value": {"key": key.decode("utf-8", "replace"), **texts}}


def key_first(layout: str) -> Reader:
    """Return a reader of the keys of an index: behind the prefix as `window`."""
    behind = window(layout)

    def read(data: bytes, headers: Headers, flags: frozenset[str]) -> Answer:
        wire = structure("key_first_key").decode(_prefixed(data, 1, flags))
        return behind(wire.payload, headers, flags)

    return read


def time_first_session(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read the key of a session in a store that is ordered by time."""
    wire = structure("time_first_session_key").decode(_prefixed(data, 0, flags))
    return _window(wire.payload, {"end": wire.end, "start": wire.start}, 1)


def time_first_window(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read the key of a window in a store that is ordered by time."""
    wire = structure("time_first_window_key").decode(_prefixed(data, 0, flags))
    key, number = wire.payload[:-_NUMBER], wire.payload[-_NUMBER:]
    if len(number) < _NUMBER:
        raise wrong(f"its number has {byte_count(len(number))}", "content.window", len(data) - len(number))
    times = {"start": wire.start, "number": int.from_bytes(number, "big", signed=True)}
    return _window(key, times, 1)


def _prefixed(data: bytes, prefix: int, flags: frozenset[str]) -> bytes:
    """Return a key with the prefix that it should have, where any is allowed."""
    return bytes([prefix]) + data[1:] if data and "store-prefix-unread" in flags else data


def foreign_key(data: bytes, *_: object) -> Answer:
    """Read a foreign key (hex) and the primary key behind it."""
    wire = structure("foreign_key_store_key").decode(data)
    return {"value": {"foreign_key": wire.foreign_key.hex()}, "payload": wire.payload.hex()}


def join_key(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read the key of what an outer join waits for."""
    wire = structure("join_key").decode(data)
    return {
        "value": {"timestamp": str(wire.timestamp), "side": side(wire.side, 8, flags)},
        "payload": wire.payload.hex(),
    }


def side(number: int, offset: int, flags: frozenset[str]) -> str:
    """Return the name of a side of a join; to Kafka all but 1 is right."""
    if number not in _PREFIXES and "any-side-is-right" not in flags:
        raise wrong(f"is {number}", "content.streams.side", offset, "side")
    return "left" if number == 1 else "right"
