"""From entries to records: what a consumer sees of v0, v1 and v2.

A message of v0 or v1 is a record, unless its codec bits are set: then it is a wrapper, whose value is a compressed
message set. Inner offsets are absolute in v0 and relative in v1 (KIP-31): the wrapper has the offset of its last
inner message. A wrapper of v1 that is stamped with log append time gives its timestamp to all inner messages
(KIP-32). Records of v2 count offsets and timestamps from their batch (KIP-98).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kafka_format import compression, structure
from kafka_format.entries import MAGIC_AT, OVERHEAD, Entry, split
from kafka_format.errors import FormatError, Stage
from kafka_format.interpreter.reader import DEFAULT_LIMIT
from kafka_format.records.model import (
    CODEC_MASK,
    CONTROL_BIT,
    CREATE_TIME,
    LOG_APPEND_TIME,
    NO_TIMESTAMP,
    TIMESTAMP_TYPE_BIT,
    TRANSACTIONAL_BIT,
    Header,
    Record,
    sequence_of,
)

_KEY_AT: Final = (10, 18)
"""Where the bytes of the key stand in a message of v0 and of v1."""

_LENGTH_SIZE: Final = 4
_INT64: Final = 1 << 64
_new: Final = tuple.__new__
"""Makes a named tuple of a tuple, without looking at either."""
_HIGHEST_INT64: Final = (1 << 63) - 1


def decode(data: bytes, *, flags: frozenset[str] = frozenset(), limit: int = DEFAULT_LIMIT) -> list[Record]:
    """Read all records of a run of entries, as a fetch response has it.

    An entry that is cut off at the end is no fault.

    Args:
        data: the bytes; v0, v1 and v2 are told apart by the magic byte of each entry.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.
        limit: bytes that one payload may decompress to.

    Raises:
        FormatError: the bytes break a rule.
    """
    return list(iterate(data, flags=flags, limit=limit))


def iterate(data: bytes, *, flags: frozenset[str] = frozenset(), limit: int = DEFAULT_LIMIT) -> Iterator[Record]:
    """Yield the records of a run of entries one by one.

    Before a FormatError come all records of the entries before the fault.

    Raises:
        FormatError: the bytes break a rule.
    """
    if type(data) is not bytes:
        data = bytes(data)
    for index, entry in enumerate(split(data)):
        try:
            yield from _batch(data, entry, flags, limit) if entry.magic == 2 else _legacy(data, entry, flags, limit)
        except FormatError as error:
            error.entry = index
            raise


def _batch(data: bytes, entry: Entry, flags: frozenset[str], limit: int) -> list[Record]:
    batch, _ = structure("record_batch").read(data, entry.start, entry.end, flags=flags, limit=limit)
    attributes, base_offset, base_timestamp = batch.attributes, batch.base_offset, batch.base_timestamp
    appended = LOG_APPEND_TIME if attributes & TIMESTAMP_TYPE_BIT else CREATE_TIME
    producer_id, producer_epoch, base_sequence = batch.producer_id, batch.producer_epoch, batch.base_sequence
    transactional, control = bool(attributes & TRANSACTIONAL_BIT), bool(attributes & CONTROL_BIT)
    codec = attributes & CODEC_MASK
    found = []
    for _, _, timestamp_delta, offset_delta, key, value, _, read in batch.records:
        timestamp = batch.max_timestamp if appended else _int64(base_timestamp + timestamp_delta)
        headers = tuple([_new(Header, header) for header in read]) if read else ()
        sequence = sequence_of(base_sequence, offset_delta)
        found.append(_new(Record, (
            _int64(base_offset + offset_delta), timestamp, appended, key, value, headers,
            producer_id, producer_epoch, sequence, transactional, control, codec,
        )))  # fmt: skip
    return found


def _int64(number: int) -> int:
    """Wrap as a Java long does."""
    if -_HIGHEST_INT64 <= number <= _HIGHEST_INT64:
        return number
    return (number + _INT64 // 2) % _INT64 - _INT64 // 2


def _legacy(data: bytes, entry: Entry, flags: frozenset[str], limit: int) -> list[Record]:
    (offset, _, message), _ = structure("message_set_entry").read(
        data, entry.start, entry.end, flags=flags, limit=limit
    )
    codec = message.attributes & CODEC_MASK
    if codec == 0:
        return [_record(offset, message)]
    value_at = entry.start + OVERHEAD + _KEY_AT[message.magic] + len(message.key or b"") + _LENGTH_SIZE
    if message.value is None:
        length_at = value_at - _LENGTH_SIZE
        raise _wrapper_fault(
            "legacy.wrapper.value.not-null", "a wrapper without a value", length_at, "message.value.length"
        )
    payload = _payload(message, value_at, flags, limit)
    inner = _inner_messages(payload, message.magic, flags)
    if not inner:
        raise _wrapper_fault(
            "legacy.wrapper.not-empty", "a wrapper without any inner message", value_at, "message.value"
        )
    shift = _offset_shift(offset, inner[-1][0], entry.start) if message.magic else 0
    return [_inner_record(_int64(number + shift), one, message, codec) for number, one in inner]


def _wrapper_fault(rule: str, detail: str, offset: int, path: str) -> FormatError:
    return FormatError(detail, rule=rule, stage=Stage.STRUCTURE, offset=offset, path=path)


def _payload(message: Any, position: int, flags: frozenset[str], limit: int) -> bytes:
    try:
        return compression.decompress(message.codec, message.value, magic=message.magic, limit=limit, flags=flags)
    except FormatError as error:
        error.offset += position
        error.path = "message.value"
        raise


def _inner_messages(payload: bytes, magic: int, flags: frozenset[str]) -> list[tuple[int, Any]]:
    """Read the message set inside a wrapper: each inner message with the offset that stands before it."""
    found: list[tuple[int, Any]] = []
    end = 0
    try:
        for entry in split(payload):
            found.append(_inner_message(payload, entry, magic, flags))
            end = entry.end
        if end != len(payload) and "partial-inner-message-is-dropped" not in flags:
            detail = f"{len(payload) - end} bytes at the end are no whole message"
            raise _wrapper_fault("legacy.wrapper.inner.whole", detail, end, "")
    except FormatError as error:
        error.payload = True
        error.path = f"message.value[{len(found)}]" + (f".{error.path}" if error.path else "")
        raise
    return found


def _inner_message(payload: bytes, entry: Entry, magic: int, flags: frozenset[str]) -> tuple[int, Any]:
    if entry.magic != magic and (entry.magic > 1 or "mixed-inner-magic" not in flags):
        detail = f"is {entry.magic}, the wrapper's is {magic}"
        raise _wrapper_fault("legacy.wrapper.inner.magic", detail, entry.start + MAGIC_AT, "message.magic")
    (offset, _, message), _ = structure("message_set_entry").read(payload, entry.start, entry.end, flags=flags)
    if message.attributes & CODEC_MASK:
        detail = f"is compressed ({message.codec}) inside a wrapper"
        raise _wrapper_fault("legacy.wrapper.not-nested", detail, entry.start + MAGIC_AT + 1, "message.attributes")
    return offset, message


def _offset_shift(wrapper: int, last_inner: int, start: int) -> int:
    """Return what turns the inner offsets of a v1 wrapper into absolute ones.

    It is 0 for the wrapper offset 0, which old producers send whatever the inner offsets are (KAFKA-5365).
    """
    if wrapper == 0:
        return 0
    if wrapper < last_inner:
        detail = f"is {wrapper}, less than the last inner offset {last_inner}"
        raise FormatError(detail, rule="v1.wrapper.offset.is-last", stage=Stage.SEMANTICS, offset=start, path="offset")
    return wrapper - last_inner


def _record(offset: int, message: Any) -> Record:
    if message.magic == 0:
        return Record(offset, NO_TIMESTAMP, -1, message.key, message.value)
    appended = message.attributes & TIMESTAMP_TYPE_BIT
    return Record(offset, message.timestamp, LOG_APPEND_TIME if appended else CREATE_TIME, message.key, message.value)


def _inner_record(offset: int, inner: Any, wrapper: Any, codec: int) -> Record:
    """Make a record of an inner message: its own timestamp, unless the wrapper's overrides it; the wrapper's type."""
    if wrapper.magic == 0:
        return Record(offset, getattr(inner, "timestamp", NO_TIMESTAMP), -1, inner.key, inner.value, codec=codec)
    if wrapper.attributes & TIMESTAMP_TYPE_BIT:
        return Record(offset, wrapper.timestamp, LOG_APPEND_TIME, inner.key, inner.value, codec=codec)
    return Record(offset, getattr(inner, "timestamp", NO_TIMESTAMP), CREATE_TIME, inner.key, inner.value, codec=codec)
