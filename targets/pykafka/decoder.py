"""pykafka behind the adapter protocol: its decoder of fetch responses, as its consumers call it.

A response is of version 0 for magic 0 and of version 2 otherwise, and the broker's version, which
users give to `KafkaClient`, is the newest that serves it: 0.9.0, with the LZ4 framing of its time,
or 0.10.0. Messages of magic 0 have timestamp 0 there; that is passed on as none, since the message
tells its magic. A failure to look at checksums stands in the library's source ("TODO: Handle CRC
failure"), so no look is declared. It says at once that a set of which not one whole message came
cannot be decoded; that is no records here.

Releases before 2.6 know neither format v1 nor LZ4.
"""

from importlib.metadata import version
from typing import Any

from broker import check_producible, fetch_response, is_cut, with_offsets
from messages import message as read_message
from pykafka import exceptions
from pykafka.protocol import FetchResponse, Message, MessageSet
from python_adapter import NotSupported, Record, serve

_MAGIC_AT = 16
_NOT_WHOLE = getattr(exceptions, "MessageSetDecodeFailure", ())  # old releases say nothing of it
_VERSIONS = FetchResponse.get_versions() if hasattr(FetchResponse, "get_versions") else {}
_OF_TIMESTAMPS = 2
_KNOWS_V1 = _OF_TIMESTAMPS in _VERSIONS


def decode(data: bytes) -> list[Record]:
    """Read a message set; raises whatever the library raises."""
    try:
        response = _response(data)
    except _NOT_WHOLE:
        if is_cut(data):
            return []
        raise
    return [_answer(message) for message in response.topics[b"t"][0].messages]


def _response(data: bytes) -> FetchResponse:
    if not _KNOWS_V1:
        return FetchResponse(fetch_response(data, version=0))
    if data[_MAGIC_AT : _MAGIC_AT + 1] == b"\0":
        return FetchResponse(fetch_response(data, version=0), broker_version="0.9.0")
    return _VERSIONS[_OF_TIMESTAMPS](fetch_response(data, version=2), broker_version="0.10.0")


def _answer(message: Any) -> Record:  # noqa: ANN401 - the library's own objects
    return Record(
        offset=message.offset,
        timestamp=message.timestamp if getattr(message, "protocol_version", 0) else -1,
        key=message.partition_key,
        value=message.value,
    )


def encode(magic: int, codec: int, records: list[Record]) -> bytes:
    """Write what its producer puts into a produce request."""
    if magic == 2:
        raise NotSupported("only formats v0 and v1 are written")
    if codec:
        raise NotSupported("every message in a wrapper gets offset -1: the broker has to write the set again")
    check_producible(records)
    if magic and any(record.timestamp < 0 for record in records):
        raise NotSupported("a producer fills in the time where there is none")
    message_set = MessageSet(messages=[_message(magic, record) for record in records])
    written = bytearray(len(message_set))
    message_set.pack_into(written, 0)
    return with_offsets(bytes(written), [record.offset for record in records])


def _message(magic: int, record: Record) -> Message:
    formats = {"protocol_version": magic, "timestamp": record.timestamp if magic else None} if _KNOWS_V1 else {}
    return Message(record.value, partition_key=record.key, **formats)


if __name__ == "__main__":
    hello = {
        "name": "pykafka",
        "version": version("pykafka"),
        "language": "Python",
        "formats": ["v0", "v1"] if _KNOWS_V1 else ["v0"],
        "codecs": ["none", "gzip", "snappy", "lz4"] if _KNOWS_V1 else ["none", "gzip", "snappy"],
        "fields": ["offset", "timestamp", "key", "value"],
        "checks_crc": False,
        "apis": {"form": "verdict"},
        "url": "https://github.com/Parsely/pykafka",
    }
    serve(hello, decode, encode, read_message)
