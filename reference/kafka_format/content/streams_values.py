"""Values that Kafka Streams writes into stores, changelogs and topics of its own."""

from __future__ import annotations

from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.content.answers import Answer, wrong
from kafka_format.content.streams_keys import side
from kafka_format.content.tails import check_tail, hex_of
from kafka_format.errors import FormatError
from kafka_format.primitives.counts import byte_count

_ENTRY: Final = 12
"""Bytes of an entry of a versioned store."""

_PARTITION: Final = 4
"""Bytes of the partition of a primary key."""

_MOST_INSTRUCTIONS: Final = 3
_OLD, _NEW, _BOTH = range(3)
_WITH_LATEST: Final = 3
"""What is added to the last byte of a change where a byte in front of it says whether it is the
latest: Kafka reads it, and writes none."""


def timestamped(data: bytes, *_: object) -> Answer:
    """Read a value with its timestamp."""
    wire = structure("timestamped_value").decode(data)
    return {"value": {"timestamp": str(wire.timestamp)}, "payload": wire.payload.hex()}


def headers(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read headers of a store: pairs of a name, and a value in hex or null."""
    return {"value": _headers(data, flags)}


def _headers(data: bytes, flags: frozenset[str], before: int = 0) -> list[list[str | None]]:
    if not data:
        return []
    try:
        wire = structure("store_headers").decode(data, flags=flags)
    except FormatError as error:
        raise error.within(offset=before) from None
    check_tail(wire.tail, before + len(data), flags)
    return [[each.key.decode("utf-8", "replace"), hex_of(each.value)] for each in wire.headers]


def timestamped_with_headers(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read a value with its timestamp and headers."""
    wire = structure("value_with_headers").decode(data, flags=flags)
    before = len(data) - len(wire.payload) - 8 - len(wire.headers)
    value = {"timestamp": str(wire.timestamp), "headers": _headers(wire.headers, flags, before)}
    return {"value": value, "payload": wire.payload.hex()}


def aggregate_with_headers(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read an aggregate with its headers."""
    wire = structure("aggregate_with_headers").decode(data, flags=flags)
    before = len(data) - len(wire.payload) - len(wire.headers)
    return {"value": {"headers": _headers(wire.headers, flags, before)}, "payload": wire.payload.hex()}


def versioned_segment(data: bytes, *_: object) -> Answer:
    """Read the old values of a key: time from which, time until which, and value or null each."""
    wire = structure("versioned_segment").decode(data)
    entries: list[list[str | None]] = []
    at, end, times = 0, len(wire.payload), wire.next_timestamp
    while not entries or entries[-1][0] != str(wire.minimum_timestamp):
        if at + _ENTRY > end:
            raise wrong(f"entries end in front of {wire.minimum_timestamp}", "content.streams.segment", 16 + at)
        entry = structure("versioned_segment_entry").decode(wire.payload[at : at + _ENTRY])
        at, first = at + _ENTRY, end - max(entry.size, 0)
        if first < at or entry.timestamp > times:
            raise wrong(f"{byte_count(entry.size)} from {entry.timestamp}", "content.streams.segment", 4 + at)
        value = None if entry.size < 0 else wire.payload[first:end].hex()
        entries.append([str(entry.timestamp), str(times), value])
        end, times = first, entry.timestamp
    if at != end:
        raise wrong(f"{byte_count(end - at)} between entries and values", "content.streams.segment", 16 + at)
    return {"value": entries}


def foreign_key_subscription(data: bytes, *_: object) -> Answer:
    """Read a subscription to a foreign key."""
    wire = structure("foreign_key_subscription").decode(data)
    if not 0 <= wire.instruction <= _MOST_INSTRUCTIONS:
        raise wrong(f"is {wire.instruction}", "content.streams.foreign-key", 1, "instruction")
    number, key, partition = wire.version_byte & 0x7F, wire.payload, None
    if number > 0:
        if len(key) < _PARTITION:
            raise wrong("its partition is cut off", "content.streams.foreign-key", len(data) - len(key))
        key, partition = key[:-_PARTITION], int.from_bytes(key[-_PARTITION:], "big", signed=True)
    value = {"version": number, "instruction": wire.instruction, "hash": _hash(wire), "partition": partition}
    return {"value": value, "payload": key.hex()}


def foreign_key_response(data: bytes, *_: object) -> Answer:
    """Read the answer to a subscription."""
    wire = structure("foreign_key_response").decode(data)
    value = {"version": wire.version_byte & 0x7F, "hash": _hash(wire)}
    return {"value": value, "payload": wire.payload.hex() or None}


def _hash(wire: Any) -> str | None:  # noqa: ANN401 - a record
    if wire.version_byte & 0x80:
        return None
    halves = (wire.hash_high, wire.hash_low)
    return b"".join(half.to_bytes(8, "big", signed=True) for half in halves).hex()


def change(data: bytes, *_: object) -> Answer:
    """Read a change of a table: its new and its old value, in hex."""
    rule = "content.streams.change"
    if not data or data[-1] > _BOTH + _WITH_LATEST:
        raise wrong("it is empty" if not data else f"ends with {data[-1]}", rule, max(len(data) - 1, 0))
    content, latest = data[:-1], b"\1"
    if data[-1] >= _WITH_LATEST:
        content, latest = content[:-1], content[-1:]
        if latest not in (b"\0", b"\1"):
            raise wrong(f"{latest.hex() or 'nothing'} says whether it is the latest", rule, len(content))
    what = data[-1] % _WITH_LATEST
    wire = structure("changed_values").decode(content) if what == _BOTH else None
    if wire is not None and wire.new_value is None:
        raise wrong("there is no new value", rule)
    new = wire.new_value if wire else content if what == _NEW else None
    old = wire.payload if wire else content if what == _OLD else None
    return {"value": {"new": hex_of(new), "old": hex_of(old), "is_latest": latest == b"\1"}}


def join_value(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read the value of what an outer join waits for."""
    wire = structure("join_value").decode(data)
    return {"value": {"side": side(wire.side, 0, flags)}, "payload": wire.payload.hex()}
