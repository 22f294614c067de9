"""The message format of Kafka 0.7: payloads, and byte positions where later formats have offsets.

A message set is a run of entries, each an int32 size and a message. A message whose codec bits are
set is a wrapper: its payload is a compressed message set, which may hold wrappers again. No offset
is written anywhere. A reader counts bytes from the offset that it asked for, and gives with each
message the position after its entry, where the next fetch would start. Inside a wrapper nobody can
resume, so all its messages but the last come with the position of the wrapper itself
(kafka.message.ByteBufferMessageSet of 0.7.2, whose order of checks this is).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kafka_format import compression
from kafka_format.codec.compiler import structure
from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.codec.prefix import prefix
from kafka_format.errors import EncodeError, FormatError, Stage
from kafka_format.primitives.counts import byte_count
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.entries import Entry
from kafka_format.records.model import NO_TIMESTAMP, Record
from kafka_format.records.type_errors import type_error
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size
from kafka_format.spec.releases import allowed_flags

_ENTRY: Final = prefix("v07_entry")
_SIZE: Final = _ENTRY.packers["size"]

OVERHEAD: Final = _ENTRY.size
"""Bytes of an entry that its size does not count."""

SMALLEST_SIZE: Final = minimum_size(Nested(find("v07_message_0")))
"""The size of the smallest message there is: magic 0 with an empty payload."""

_PAYLOAD_AT: Final = (prefix("v07_message_0").size, prefix("v07_message_1").size)
"""Where the payload stands in a message of magic 0 and of magic 1."""

_CODEC: Final = find("v07_message_1").field("attributes").part("codec")
CODEC_MASK: Final = _CODEC.in_place
CODECS: Final = _CODEC.names
_MAGICS: Final = (0, 1)
_NO_TYPE: Final = -1
_NO_ENTRY: Final = Entry(0, 0, 0)


def split(data: bytes) -> Iterator[Entry]:
    """Yield the whole entries of a message set; one that is cut off after a whole one is left out.

    Raises:
        FormatError: a size is too small for any message, or the first entry is longer than the set.
    """
    position = index = 0
    while len(data) - position >= OVERHEAD:
        (size,) = _SIZE.unpack_from(data, position)
        end = _end(position, size)
        if end > len(data):
            if index == 0:
                there = len(data) - OVERHEAD
                detail = f"is {size}, and {byte_count(there)} {'was' if there == 1 else 'were'} fetched"
                raise _framing("v07.first-entry.whole", detail, position, index, "Fetch more bytes at once.")
            return
        if size < SMALLEST_SIZE:
            detail = f"is {size}, the smallest message has {SMALLEST_SIZE} bytes"
            raise _framing("v07.size.minimum", detail, position, index)
        yield Entry(position, end, data[position + OVERHEAD])
        position = end
        index += 1


def _end(position: int, size: int) -> int:
    """Return where an entry ends that begins at `position`: its size does not count itself."""
    return position + OVERHEAD + size


def _framing(rule: str, detail: str, offset: int, entry: int, hint: str = "") -> FormatError:
    return FormatError(detail, rule=rule, stage=Stage.FRAMING, offset=offset, path=("size",), entry=entry, hint=hint)


def decode(
    data: bytes,
    fetch_offset: int = 0,
    *,
    flags: frozenset[str] = frozenset(),
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> list[Record]:
    """Read all messages of a message set of 0.7, as a fetch response has it.

    The records have no key, no timestamp and no headers; their value is the payload and never null.
    An entry that is cut off is left out, and an error only if it is the first.

    Args:
        data: the bytes.
        fetch_offset: the offset that the set was fetched at, from which positions count.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.
        limit: bytes that all payloads together may decompress to, those of wrappers inside wrappers
            included.
        max_records: messages that there may be.

    Raises:
        FormatError: the bytes break a rule, or are more than a limit allows.
        ValueError: there is no such flag.
    """
    decoded: list[Record] = []
    for records in _by_entry(data, fetch_offset, flags, Budget(limit, max_records)):
        decoded += records
    return decoded


def iterate(
    data: bytes,
    fetch_offset: int = 0,
    *,
    flags: frozenset[str] = frozenset(),
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> Iterator[Record]:
    """Yield the messages one by one.

    The arguments are those of `decode`, but both limits hold for each entry by itself. Before a
    FormatError come all messages of the entries before the wrong one.

    Raises:
        FormatError: the bytes break a rule, or those of an entry are more than a limit allows.
    """
    budget = Budget(limit, max_records)
    for records in _by_entry(data, fetch_offset, flags, budget):
        yield from records
        budget.limit, budget.records = limit, max_records


def _by_entry(data: bytes, base: int, flags: frozenset[str], budget: Budget) -> Iterator[list[Record]]:
    if type(data) is not bytes:
        data = bytes(data)
    flags = allowed_flags(flags, "")
    for index, entry in enumerate(split(data)):
        try:
            records = _entry_records(data, entry, base, flags, budget)
        except FormatError as error:
            raise error.within(entry=index) from None
        yield records


def _entry_records(data: bytes, entry: Entry, base: int, flags: frozenset[str], budget: Budget) -> list[Record]:
    (_, message), _ = structure("v07_entry").read(data, entry.start, entry.end, flags=flags)
    if not _is_wrapper(message):
        budget.spend_record(entry.start)
        return [_record(base + entry.end, message.payload, 0)]
    decoded = [
        _record(base + entry.start, payload, codec) for payload, codec in _inside(message, entry.start, flags, budget)
    ]
    if decoded:
        decoded[-1] = decoded[-1]._replace(offset=base + entry.end)
    return decoded


def _is_wrapper(message: Any) -> bool:
    return bool(message.magic and message.attributes & CODEC_MASK)


def _record(offset: int, payload: bytes, codec: int) -> Record:
    return Record(offset, NO_TIMESTAMP, _NO_TYPE, None, payload, codec=codec)


@dataclass(slots=True)
class _Wrapper:
    """A wrapper that is being read.

    Attributes:
        payload: what it decompressed to.
        entries: the entries that are still to come.
        codec: number of its codec.
        entry: the last entry that came.
        done: how many entries were read to their end.
    """

    payload: bytes
    entries: Iterator[Entry]
    codec: int
    entry: Entry = _NO_ENTRY
    done: int = 0


def _inside(outermost: Any, start: int, flags: frozenset[str], budget: Budget) -> Iterator[tuple[bytes, int]]:
    """Yield payload and codec of all messages in a wrapper, depth first.

    A stack holds the open wrappers, so that any depth will do.
    """
    opened = [_open(outermost, start, flags, budget)]
    while opened:
        wrapper = opened[-1]
        try:
            message = _next_message(wrapper, flags)
            if message is None:
                opened.pop()
            elif not _is_wrapper(message):
                budget.spend_record(wrapper.entry.start)
                yield message.payload, wrapper.codec
            else:
                opened.append(_open(message, wrapper.entry.start, flags, budget))
                continue
        except FormatError as error:
            raise _place(error, opened) from None
        if opened:
            opened[-1].done += 1


def _open(message: Any, start: int, flags: frozenset[str], budget: Budget) -> _Wrapper:
    """Decompress a wrapper whose entry is at `start`."""
    try:
        payload = compression.decompress(message.codec, message.payload, magic=0, limit=budget.limit, flags=flags)
    except FormatError as error:
        offset = start + OVERHEAD + _PAYLOAD_AT[message.magic]
        raise error.within("message", "payload", offset=offset) from None
    budget.limit -= len(payload)
    return _Wrapper(payload, split(payload), message.attributes & CODEC_MASK)


def _next_message(wrapper: _Wrapper, flags: frozenset[str]) -> Any:
    """Read the next message of a wrapper; None at its end."""
    entry = next(wrapper.entries, None)
    if entry is not None:
        wrapper.entry = entry
        (_, message), _ = structure("v07_entry").read(wrapper.payload, entry.start, entry.end, flags=flags)
        return message
    end = wrapper.entry.end
    if end != len(wrapper.payload) and "partial-inner-message-is-dropped" not in flags:
        left = len(wrapper.payload) - end
        detail = f"{byte_count(left)} at the end {'is' if left == 1 else 'are'} not a whole entry"
        raise FormatError(detail, rule="v07.wrapper.inner.whole", stage=Stage.STRUCTURE, offset=end)
    return None


def _place(error: FormatError, opened: list[_Wrapper]) -> FormatError:
    """Return an error with the wrappers that it lies in added to its path."""
    for wrapper in reversed(opened):
        error = error.within("message", "payload", wrapper.done, payload=True)
    return error


def encode(records: Sequence[Record], *, codec: str = "none", magic: int = 1) -> bytes:
    """Write records as messages, or as one wrapper. No records give no bytes.

    Offsets are not looked at: they follow from where the bytes come to lie. Neither are the
    records' own codecs.

    Args:
        records: what to write; their values become payloads.
        codec: none, gzip or snappy.
        magic: 1, which is what 0.7 writes, or 0, which knows no codec.

    Raises:
        EncodeError: the format cannot hold what a record has.
    """
    known = CODECS if magic else CODECS[:1]
    if magic not in _MAGICS:
        raise EncodeError(f"is {magic}; 0.7 knows 0 and 1", path=("magic",))
    if codec not in known:
        raise EncodeError(f"magic {magic} of 0.7 has no codec `{codec}`; it has {', '.join(known)}", path=("codec",))
    try:
        entries = b"".join([_entry(_payload(record, index), magic) for index, record in enumerate(records)])
    except (EncodeError, TypeError, AttributeError) as error:
        raise type_error(records) or error from None
    if codec == "none" or not entries:
        return entries
    return _entry(compression.compress(codec, entries, magic=0), magic, CODECS.index(codec))


def _payload(record: Record, index: int) -> bytes:
    """Return the payload of a record that has nothing else."""
    if record.value is None:
        raise EncodeError("0.7 has no null", path=(index, "value"))
    bare = Record(record.offset, NO_TIMESTAMP, record.timestamp_type, None, record.value, codec=record.codec)
    for name, had, kept in zip(Record._fields, record, bare, strict=True):
        if had != kept:
            raise EncodeError(f"0.7 has no place for {name}", path=(index, name))
    return record.value


def _entry(payload: bytes, magic: int, codec: int = 0) -> bytes:
    attributes = {"attributes": codec} if magic else {}
    return structure("v07_entry").encode({"message": {"magic": magic, "payload": payload, **attributes}})
