"""Messages of v0 and v1, and the wrappers that hold them compressed.

A message is a record, unless its codec bits are set: then it is a wrapper, whose value is a
compressed message set. Inner offsets are absolute in v0 and relative in v1 (KIP-31): the wrapper
has the offset of its last inner message. A wrapper of v1 that is stamped with log append time gives
its timestamp to all inner messages (KIP-32).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from kafka_format import compression
from kafka_format.codec.compiler import structure
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.counts import byte_count
from kafka_format.primitives.integers import INT8_MAX, int64
from kafka_format.records.budget import Budget
from kafka_format.records.entries import MAGIC_AT, OVERHEAD, Entry, split
from kafka_format.records.model import (
    CODEC_MASK,
    CREATE_TIME,
    LOG_APPEND_TIME,
    NO_TIMESTAMP,
    TIMESTAMP_TYPE_BIT,
    Record,
)
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import minimum_size

_HEADS: Final = (prefix("message_v0"), prefix("message_v1"))
_ATTRIBUTES_AT: Final = OVERHEAD + _HEADS[0].places["attributes"]

_VALUE: Final = ("message", "value")
"""Where a wrapper has its message set."""

_LENGTH_SIZE: Final = minimum_size(find("message_v0").field("key").type)
_KEY_AT: Final = tuple(head.size + _LENGTH_SIZE for head in _HEADS)
"""Where the bytes of the key stand in a message of v0 and of v1."""

_HIGHEST_MAGIC: Final = INT8_MAX
_DEEPEST: Final = 8
"""Wrappers that are opened inside one another, where a flag says that they are; no writer makes
even two."""

_OF_WRAPPERS: Final = frozenset({"wrapper-checksum-ignored"})
"""Leniencies that are about wrappers alone."""


class _Inner(NamedTuple):
    """An inner message: its offset, its magic as written, and its fields."""

    offset: int
    magic: int
    message: Any


class _Wrapper(NamedTuple):
    """A wrapper message, and what reading its inside needs."""

    message: Any
    flags: frozenset[str]
    budget: Budget
    depth: int = 0


def flags_of(data: bytes, entry: Entry, flags: frozenset[str]) -> frozenset[str]:
    """Return the flags that hold for an entry: some are for wrappers only."""
    return flags if not flags or data[entry.start + _ATTRIBUTES_AT] & CODEC_MASK else flags - _OF_WRAPPERS


def read(data: bytes, entry: Entry, flags: frozenset[str], budget: Budget) -> list[Record]:
    """Read the records of one entry: one, or those of a wrapper.

    Raises:
        FormatError: the bytes break a rule, or are more than the budget.
    """
    (offset, _, message), _ = structure("message_set_entry").read(
        data, entry.start, entry.end, flags=flags_of(data, entry, flags), limit=budget.limit
    )
    if not _is_wrapper(message):
        budget.spend_record(entry.start)
        return [_record(offset, message)]
    inner = _open(_Wrapper(message, flags, budget), entry)
    if not inner:
        return []
    shift = _shift(offset, inner, message.magic, entry.start, flags)
    return [_inner_record(int64(each.offset + shift), each, message, flags) for each in inner]


def _is_wrapper(message: Any) -> bool:
    return bool(message.attributes & CODEC_MASK)


def _shift(offset: int, inner: list[_Inner], magic: int, start: int, flags: frozenset[str]) -> int:
    """Return what turns inner offsets into absolute ones; in v0 they are."""
    return _offset_shift(offset, inner[-1].offset, start, flags) if magic else 0


def _fault(rule: str, detail: str, offset: int, *path: str) -> FormatError:
    return FormatError(detail, rule=rule, stage=Stage.STRUCTURE, offset=offset, path=path)


def _open(wrapper: _Wrapper, entry: Entry) -> list[_Inner]:
    """Read the message set inside a wrapper."""
    message = wrapper.message
    value_at = entry.start + OVERHEAD + _KEY_AT[message.magic] + len(message.key or b"") + _LENGTH_SIZE
    if message.value is None:
        detail, path = "a wrapper without a value", (*_VALUE, "length")
        raise _fault("legacy.wrapper.value.not-null", detail, value_at - _LENGTH_SIZE, *path)
    payload = _payload(wrapper, value_at)
    wrapper.budget.limit -= len(payload)
    inner = _inner_messages(payload, wrapper)
    if not inner and "empty-wrapper" not in wrapper.flags:
        raise _fault("legacy.wrapper.not-empty", "a wrapper without any inner message", value_at, *_VALUE)
    return inner


def _payload(wrapper: _Wrapper, position: int) -> bytes:
    message = wrapper.message
    try:
        return compression.decompress(
            message.codec, message.value, magic=message.magic, limit=wrapper.budget.limit, flags=wrapper.flags
        )
    except FormatError as error:
        raise error.within(*_VALUE, offset=position) from None


def _inner_messages(payload: bytes, wrapper: _Wrapper) -> list[_Inner]:
    messages: list[_Inner] = []
    end = index = 0
    try:
        for entry in split(payload, any_magic="unknown-inner-magic-is-v1" in wrapper.flags):
            wrapper.budget.spend_record(entry.start)
            messages += _inner_message(payload, entry, wrapper)
            end, index = entry.end, index + 1
        if end != len(payload) and "partial-inner-message-is-dropped" not in wrapper.flags:
            left = len(payload) - end
            detail = f"{byte_count(left)} at the end {'is' if left == 1 else 'are'} not a whole message"
            raise _fault("legacy.wrapper.inner.whole", detail, end)
    except FormatError as error:
        raise error.within(*_VALUE, index, payload=True) from None
    return messages


def _inner_message(payload: bytes, entry: Entry, wrapper: _Wrapper) -> list[_Inner]:
    """Return one inner message, or those in it if it is a wrapper and a flag opens nested ones."""
    magic, flags = wrapper.message.magic, wrapper.flags
    if entry.magic != magic and not _reads_magic(entry.magic, magic, flags):
        detail = f"is {entry.magic}, the wrapper's is {magic}"
        raise _fault("legacy.wrapper.inner.magic", detail, entry.start + MAGIC_AT, "message", "magic")
    is_record = "nested-wrapper-is-a-record" in flags
    offset, message = _inner_entry(
        payload, entry, flags - _OF_WRAPPERS if is_record else flags_of(payload, entry, flags)
    )
    if is_record or not message.attributes & CODEC_MASK:
        return [_Inner(offset, entry.magic, message)]
    if "nested-wrapper-is-opened" in flags and wrapper.depth < _DEEPEST:
        return _open(wrapper._replace(message=message, depth=wrapper.depth + 1), entry)
    detail = f"is compressed ({message.codec}) inside a wrapper"
    raise _fault("legacy.wrapper.not-nested", detail, entry.start + _ATTRIBUTES_AT, "message", "attributes")


def _reads_magic(magic: int, of_wrapper: int, flags: frozenset[str]) -> bool:
    """Tell whether a flag reads an inner message of another magic than its wrapper's."""
    known = magic <= 1 or "unknown-inner-magic-is-v1" in flags
    return known and (min(magic, 1) == of_wrapper or "mixed-inner-magic" in flags)


def _inner_entry(payload: bytes, entry: Entry, flags: frozenset[str]) -> tuple[int, Any]:
    """Read offset and message of an inner entry.

    One of unknown magic is read as v1, but checked by its own checksum.
    """
    layout = structure("message_set_entry")
    if entry.magic <= 1:
        (offset, _, message), _ = layout.read(payload, entry.start, entry.end, flags=flags)
        return offset, message
    changed, head = bytearray(payload[entry.start : entry.end]), _HEADS[1]
    try:
        if not flags & _OF_WRAPPERS:
            head.check(changed, OVERHEAD, len(changed), ("message",))
        head.write(changed, OVERHEAD, magic=1)
        head.seal(changed, OVERHEAD, len(changed))
        (offset, _, message), _ = layout.read(bytes(changed), 0, len(changed), flags=flags)
    except FormatError as error:
        raise error.within(offset=entry.start) from None
    return offset, message


def _offset_shift(wrapper: int, last_inner: int, start: int, flags: frozenset[str]) -> int:
    """Return what turns the inner offsets of a v1 wrapper into absolute ones.

    It is 0 for the wrapper offset 0, which old producers send whatever the inner offsets are
    (KAFKA-5365).
    """
    if "wrapper-offset-below-last" in flags:  # releases that do so know of no wrapper offset 0 either
        return max(int64(wrapper - last_inner), 0)
    if wrapper == 0:
        return 0
    if wrapper < last_inner:
        detail = f"is {wrapper}, less than the last inner offset {last_inner}"
        rule = "v1.wrapper.offset.is-last"
        raise FormatError(detail, rule=rule, stage=Stage.SEMANTICS, offset=start, path=("offset",))
    return wrapper - last_inner


def _record(offset: int, message: Any) -> Record:
    if message.magic == 0:
        return Record(offset, NO_TIMESTAMP, -1, message.key, message.value)
    appended = message.attributes & TIMESTAMP_TYPE_BIT
    return Record(offset, message.timestamp, LOG_APPEND_TIME if appended else CREATE_TIME, message.key, message.value)


def _inner_record(offset: int, inner: _Inner, wrapper: Any, flags: frozenset[str]) -> Record:
    """Make a record of an inner message.

    It has its own timestamp, unless the wrapper's overrides that; the type is the wrapper's.
    """
    message, codec = inner.message, wrapper.attributes & CODEC_MASK
    timestamp, kind = getattr(message, "timestamp", NO_TIMESTAMP), _inner_type(inner, wrapper, flags)
    if kind == LOG_APPEND_TIME and message.magic and not _keeps_timestamp(inner.magic, wrapper, flags):
        timestamp = wrapper.timestamp
    return Record(offset, timestamp, kind, message.key, message.value, codec=codec)


def _inner_type(inner: _Inner, wrapper: Any, flags: frozenset[str]) -> int:
    """Return the timestamp type of an inner message: the wrapper's, but for flags."""
    if _has_own_type(inner.magic, wrapper.magic, flags):
        attributes = inner.message.attributes
    elif wrapper.magic == 0 or (inner.magic == 0 and "inner-v0-has-no-timestamp-type" in flags):
        return -1
    else:
        attributes = wrapper.attributes
    return LOG_APPEND_TIME if attributes & TIMESTAMP_TYPE_BIT else CREATE_TIME


def _has_own_type(inner: int, wrapper: int, flags: frozenset[str]) -> bool:
    negative = inner > _HIGHEST_MAGIC and "negative-inner-magic-has-its-own-timestamp-type" in flags
    return negative or (inner > 0 == wrapper and "inner-v1-has-its-own-timestamp-type" in flags)


def _keeps_timestamp(inner: int, wrapper: Any, flags: frozenset[str]) -> bool:
    """Tell whether a message has its own timestamp although its wrapper has an append time."""
    if _has_own_type(inner, wrapper.magic, flags):
        return True
    return inner > 1 and "unknown-inner-magic-has-append-time" not in flags
