"""What waits in the buffer of `suppress`, as its changelog has it; values are hex.

The header `v` of a record says which form it has: 3 since 2.5, 1, 2 or none before.
"""

from __future__ import annotations

from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.content.answers import Answer, wrong
from kafka_format.content.tails import check_tail, hex_of
from kafka_format.errors import FormatError

_RULE: Final = "content.streams.suppressed"
_SAME_AS_PRIOR: Final = -2


def suppressed(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read what 2.4 and later write."""
    wire = structure("suppressed_value").decode(data, flags=flags)
    rest, size = wire.payload, max(wire.old_size, 0)
    before = len(data) - len(rest)
    if size > len(rest) or wire.topic is None:
        detail = f"an old value of {size}, and {len(rest)} are left" if wire.topic is not None else "there is no topic"
        raise wrong(detail, _RULE, before)
    try:
        change = structure("suppressed_change").decode(rest[size:], flags=flags)
    except FormatError as error:
        raise error.within(offset=before + size) from None
    check_tail(change.tail, len(data), flags)
    old = wire.prior_value if wire.old_size == _SAME_AS_PRIOR else rest[:size] if wire.old_size >= 0 else None
    return {
        "value": _context(wire)
        | {"prior": hex_of(wire.prior_value), "old": hex_of(old), "new": hex_of(change.new_value)}
        | {"time": str(change.time)}
    }


def suppressed_2(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read what 2.3 writes."""
    wire = structure("suppressed_value_2").decode(data, flags=flags)
    check_tail(wire.tail, len(data), flags)
    behind = 12 + len(wire.prior_value or b"") + len(wire.tail)
    pair = _pair(wire.pair, len(data) - behind - len(wire.pair or b""), flags)
    value = _context(wire.context) | {"prior": hex_of(wire.prior_value)} | pair | {"time": str(wire.time)}
    return {"value": value}


def suppressed_1(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read what 2.2 writes."""
    wire = structure("suppressed_value_1").decode(data, flags=flags)
    check_tail(wire.tail, len(data), flags)
    pair = _pair(wire.pair, len(data) - len(wire.tail) - len(wire.pair or b""), flags)
    return {"value": _context(wire.context) | pair | {"time": str(wire.time)}}


def suppressed_0(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read what 2.1 writes."""
    wire = structure("suppressed_value_0").decode(data, flags=flags)
    return {"value": _pair(wire.payload, len(data) - len(wire.payload), flags) | {"time": str(wire.time)}}


def _context(wire: Any) -> dict[str, Any]:  # noqa: ANN401 - a record
    if wire.topic is None:
        raise wrong("there is no topic", _RULE, 16, "topic")
    return {
        "timestamp": str(wire.timestamp),
        "offset": str(wire.offset),
        "topic": wire.topic.decode("utf-8", "replace"),
        "partition": wire.partition,
        "headers": [[each.key.decode("utf-8", "replace"), hex_of(each.value)] for each in wire.headers or ()],
    }


def _pair(data: bytes | None, before: int, flags: frozenset[str]) -> dict[str, Any]:
    """Return the old and the new value; takes where they begin, too."""
    if data is None:
        raise wrong("there is no value", _RULE, before)
    try:
        wire = structure("suppressed_pair").decode(data, flags=flags)
    except FormatError as error:
        raise error.within(offset=before) from None
    check_tail(wire.tail, before + len(data), flags)
    return {"old": hex_of(wire.old_value), "new": hex_of(wire.new_value)}
