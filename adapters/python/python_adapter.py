"""A Python decoder behind adapter protocol 1, with the standard library alone: copy this file."""

import json
import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any, NamedTuple


class Record(NamedTuple):
    """One record of an answer.

    A field that the library does not give keeps its default and is not declared.
    """

    offset: int
    timestamp: int = -1
    timestamp_type: int = -1  # 0 create time, 1 log append time
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[tuple[bytes, bytes | None], ...] = ()
    producer_id: int = -1
    producer_epoch: int = -1
    sequence: int = -1
    transactional: bool = False
    control: bool = False
    codec: int = 0  # 1 gzip, 2 snappy, 3 lz4, 4 zstd


class NotSupported(Exception):  # noqa: N818 - not an error: the library has no way to do it
    """Raised for an input that the library does not claim to handle; the text says what."""


Decode = Callable[[bytes], Iterable[Record]]  # of a fetch response; every exception but NotSupported refuses it
Encode = Callable[[int, int, list[Record]], bytes]  # magic, codec, records
Message = Callable[[int, int, int, bytes], bytes]  # 0 request or 1 response, API, version, header and body


def serve(
    hello: dict[str, Any], decode: Decode | None, encode: Encode | None = None, message: Message | None = None
) -> None:
    """Answer requests until the end of input; what is printed meanwhile goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    given = {"decode": decode, "encode": encode}
    extra: dict[str, Any] = {"protocol": 1, "directions": [name for name in given if given[name]]}
    while len(size := sys.stdin.buffer.read(4)) == 4:
        request = sys.stdin.buffer.read(int.from_bytes(size, "big"))
        if request[:1] == b"H":
            extra |= {key: value for key, value in json.loads(request[1:]).items() if key == "partial"}
            reply = b"H" + json.dumps({**hello, **extra}).encode()
        else:
            if request[:1] == b"D" and decode:
                wire = BytesIO(request[6:])
                results = [_decoded(decode, _bytes(wire) or b"", extra) for _ in range(*_take(wire, ">i"))]
            elif request[:1] == b"M":
                wire = BytesIO(request[5:])
                inputs = [(*_take(wire, ">bhh"), _bytes(wire) or b"") for _ in range(*_take(wire, ">i"))]
                results = [_result(message, *asked) for asked in inputs]
            else:
                results = [_result(encode, *asked) for asked in _encode_inputs(request)]
            parts = [bytes([status]) + _sized(content) for status, content in results]
            reply = request[:5] + struct.pack(">i", len(parts)) + b"".join(parts)
        replies.write(_sized(reply))
        replies.flush()


def _decoded(decode: Decode, data: bytes, extra: dict[str, Any]) -> tuple[int, bytes]:
    records: list[bytes] = []
    status, text = _result(lambda: records.extend(map(_packed, decode(data))))
    answer = struct.pack(">i", len(records)) + b"".join(records)
    partial = status == 1 and records and extra.get("partial")  # some, then an error, for a suite that can read that
    return (3, answer + text) if partial else (status, text or answer)


def _result(function: Any, *arguments: Any) -> tuple[int, bytes]:  # noqa: ANN401 - decode or encode
    try:
        return 0, function(*arguments)
    except NotSupported as gap:
        return 2, error_text(gap, named=False)
    except Exception as error:  # noqa: BLE001 - whatever the library raises is its way to refuse
        return 1, error_text(error)


def error_text(error: BaseException, *, named: bool = True) -> bytes:
    """Tell an exception by its name and text: code of the library's own, that may do anything."""
    name_of = type.__dict__["__name__"].__get__  # what a class says of itself may be code, too
    name = name_of(type(error))[:200]
    try:
        text = f"{name}: " * named + str.__getitem__(str(error), slice(1000))
    except BaseException as another:  # noqa: BLE001 - see above
        text = f"{name} (its text cannot be read: {name_of(type(another))[:200]})"
    return text.encode("utf-8", "backslashreplace")


def _encode_inputs(request: bytes) -> Iterator[tuple[int, int, list[Record]]]:
    wire = BytesIO(request[5:])
    for _ in range(*_take(wire, ">i")):
        magic, codec, _size, count = _take(wire, ">bbii")
        yield magic, codec, [_record(wire) for _ in range(count)]


def _record(wire: BytesIO) -> Record:
    head, key, value = _take(wire, ">qqb"), _bytes(wire), _bytes(wire)
    headers = tuple((_bytes(wire) or b"", _bytes(wire)) for _ in range(*_take(wire, ">i")))
    *producer, flags, codec = _take(wire, ">qhibb")
    return Record._make([*head, key, value, headers, *producer, bool(flags & 1), bool(flags & 2), codec])


def _take(wire: BytesIO, form: str) -> tuple[Any, ...]:
    return struct.unpack(form, wire.read(struct.calcsize(form)))


def _bytes(wire: BytesIO) -> bytes | None:
    return None if (size := _take(wire, ">i")[0]) < 0 else wire.read(size)


def _packed(record: Record) -> bytes:
    # An integer that no int64 holds becomes the nearest: wrapping could make a wrong sum look
    # right.
    numbers = (min(max(number, -(2**63)), 2**63 - 1) for number in record[:2])
    parts = [struct.pack(">qqb", *numbers, record.timestamp_type), _sized(record.key), _sized(record.value)]
    parts += [struct.pack(">i", len(record.headers)), *(_sized(item) for pair in record.headers for item in pair)]
    flags = record.transactional | record.control << 1
    return b"".join([*parts, struct.pack(">qhibb", *record[6:9], flags, record.codec)])


def _sized(data: bytes | None) -> bytes:
    return struct.pack(">i", -1) if data is None else struct.pack(">i", len(data)) + data
