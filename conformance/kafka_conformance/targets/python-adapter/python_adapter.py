"""Serves a Python library over the adapter protocol, with nothing but the standard library.

The adapters of Python targets run in the target's own virtual environment, which holds that library and what it needs
and nothing of this suite. So the protocol is written here a second time, in plain `struct`; the suite's own tests
hold it against the layouts.

An adapter calls `serve` with what it declares and one or two functions. It does exactly what the library's own
consumer does with a fetched record run, and mends none of the library's mistakes: every exception is a refusal, every
record is passed on as it came.
"""

import json
import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

PROTOCOL = 1
ANSWER, REFUSED, UNSUPPORTED, PARTIAL = 0, 1, 2, 3
NO_TIMESTAMP = -1
_RECORDS = b"\0"
_TRANSACTIONAL, _CONTROL = 1, 2
_MAX_SEQUENCE = 2**31 - 1


class Record(NamedTuple):
    """One record of an answer; what a library does not give keeps its default, and is not declared."""

    offset: int
    timestamp: int = NO_TIMESTAMP
    timestamp_type: int = -1
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[tuple[bytes, bytes | None], ...] = ()
    producer_id: int = -1
    producer_epoch: int = -1
    sequence: int = -1
    transactional: bool = False
    control: bool = False
    codec: int = 0


class NotSupported(Exception):  # noqa: N818 - not an error: the library has no way to do it
    """Raised by an adapter's function for an input that its library does not claim to handle; the text says what."""


Decode = Callable[[bytes], Iterable[Record]]
Encode = Callable[[int, int, list[Record]], bytes]


def serve(hello: dict[str, Any], decode: Decode, encode: Encode | None = None) -> None:
    """Answer requests until the end of input.

    Args:
        hello: name, version, language, formats, codecs, fields, checks_crc and url.
        decode: a record run to its records; any exception refuses it, and records that came before it are a partial
            answer.
        encode: magic, codec and records to the bytes of one batch or message set.
    """
    requests, replies = _own_pipes()
    directions = ["decode"] if encode is None else ["decode", "encode"]
    declared = {"protocol": PROTOCOL, **hello, "directions": directions, "partial": True}
    partial = False
    for body in _frames(requests):
        if body[:1] == b"H":
            partial = json.loads(body[1:]).get("partial") is True
            reply = b"H" + json.dumps(declared).encode()
        elif body[:1] == b"E" and encode is not None:
            reply = _block_reply(body, [_encoded(encode, *item) for item in _encode_inputs(body)])
        elif body[5:6] == _RECORDS:
            reply = _block_reply(body, [_decoded(decode, item, partial=partial) for item in _decode_inputs(body)])
        else:
            reply = _block_reply(body, [(UNSUPPORTED, b"this kind of input") for _ in _decode_inputs(body)])
        replies.write(struct.pack(">i", len(reply)) + reply)
        replies.flush()


def sequence_of(base_sequence: int, offset_delta: int) -> int:
    """Give the sequence of a record from its batch's first, for libraries that leave the addition to their users.

    Sequences count to 2^31-1 and go on at 0; -1 is none (DefaultRecordBatch.incrementSequence of Apache Kafka).
    """
    if base_sequence < 0:
        return -1
    return (base_sequence + offset_delta) % (_MAX_SEQUENCE + 1)


def with_base_offset(batch: bytes, offset: int) -> bytes:
    """Write the offset that the broker assigns into the first eight bytes, which no checksum covers.

    Producers leave it at 0, and the broker's LogValidator fills it in.
    """
    return struct.pack(">q", offset) + batch[8:]


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep standard output for replies: whatever the library prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return sys.stdin.buffer, replies


def _frames(requests: BinaryIO) -> Iterator[bytes]:
    while len(head := requests.read(4)) == 4:
        yield requests.read(int.from_bytes(head, "big"))


def _decoded(decode: Decode, data: bytes, *, partial: bool) -> tuple[int, bytes]:
    records: list[Record] = []
    try:
        records.extend(decode(data))
    except NotSupported as reason:
        return UNSUPPORTED, str(reason).encode()
    except Exception as error:  # noqa: BLE001 - whatever the library raises is its way to refuse
        if partial and records:
            return PARTIAL, _answer(records) + _error_text(error)
        return REFUSED, _error_text(error)
    return ANSWER, _answer(records)


def _encoded(encode: Encode, magic: int, codec: int, answer: bytes) -> tuple[int, bytes]:
    try:
        return ANSWER, encode(magic, codec, _read_answer(answer))
    except NotSupported as reason:
        return UNSUPPORTED, str(reason).encode()
    except Exception as error:  # noqa: BLE001 - whatever the library raises is its way to refuse
        return REFUSED, _error_text(error)


def _error_text(error: Exception) -> bytes:
    return f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace")


def _block_reply(request: bytes, results: list[tuple[int, bytes]]) -> bytes:
    parts = [request[:5], struct.pack(">i", len(results))]
    for status, content in results:
        parts += [struct.pack(">bi", status, len(content)), content]
    return b"".join(parts)


def _decode_inputs(body: bytes) -> Iterator[bytes]:
    reader = _Reader(body, 6)
    for _ in range(reader.int32()):
        yield reader.take(reader.int32())


def _encode_inputs(body: bytes) -> Iterator[tuple[int, int, bytes]]:
    reader = _Reader(body, 5)
    for _ in range(reader.int32()):
        magic, codec = reader.unpack(">bb")
        yield magic, codec, reader.take(reader.int32())


def _answer(records: list[Record]) -> bytes:
    return struct.pack(">i", len(records)) + b"".join(part for record in records for part in _record_parts(record))


def _record_parts(record: Record) -> Iterator[bytes]:
    yield struct.pack(">qqb", _int64(record.offset), _int64(record.timestamp), record.timestamp_type)
    yield _nullable(record.key) + _nullable(record.value) + struct.pack(">i", len(record.headers))
    for key, value in record.headers:
        yield _nullable(key) + _nullable(value)
    flags = _TRANSACTIONAL * record.transactional | _CONTROL * record.control
    yield struct.pack(">qhibb", record.producer_id, record.producer_epoch, record.sequence, flags, record.codec)


def _int64(value: int) -> int:
    """Give the nearest int64: Python's integers do not overflow, and wrapping would make a wrong sum look right."""
    return min(max(value, -(2**63)), 2**63 - 1)


def _nullable(data: bytes | None) -> bytes:
    return struct.pack(">i", -1) if data is None else struct.pack(">i", len(data)) + bytes(data)


def _read_answer(data: bytes) -> list[Record]:
    reader = _Reader(data, 0)
    return [_read_record(reader) for _ in range(reader.int32())]


def _read_record(reader: "_Reader") -> Record:
    offset, timestamp, timestamp_type = reader.unpack(">qqb")
    key, value = reader.nullable(), reader.nullable()
    headers = tuple((reader.nullable() or b"", reader.nullable()) for _ in range(reader.int32()))
    producer_id, producer_epoch, sequence, flags, codec = reader.unpack(">qhibb")
    transactional, control = bool(flags & _TRANSACTIONAL), bool(flags & _CONTROL)
    state = (producer_id, producer_epoch, sequence, transactional, control, codec)
    return Record(offset, timestamp, timestamp_type, key, value, headers, *state)


class _Reader:
    """Takes values from the runner's messages, one after another."""

    def __init__(self, data: bytes, position: int) -> None:
        self._data = data
        self._position = position

    def unpack(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(form, self._data, self._position)
        self._position += struct.calcsize(form)
        return values

    def int32(self) -> int:
        return int(self.unpack(">i")[0])

    def take(self, length: int) -> bytes:
        self._position += length
        return self._data[self._position - length : self._position]

    def nullable(self) -> bytes | None:
        length = self.int32()
        return None if length < 0 else self.take(length)
