"""afkak behind the adapter protocol: its decoder of fetch responses, its encoder of requests.

`KafkaCodec.decode_fetch_response` is what its consumer reads with, all of a response before it
hands out a message. It says at once that a set of which not one whole message came is too small a
fetch; that is no records here.
"""

from importlib.metadata import version

from afkak.common import ConsumerFetchSizeTooSmall, Message, ProduceRequest
from afkak.kafkacodec import KafkaCodec
from broker import check_producible, fetch_response, is_cut, with_offsets
from python_adapter import NotSupported, Record, serve
from responses import message as read_message


def decode(data: bytes) -> list[Record]:
    """Read a message set; raises whatever the library raises."""
    correlation_id = bytes(4)
    (response,) = KafkaCodec.decode_fetch_response(correlation_id + fetch_response(data, version=0))
    try:
        return [
            Record(message.offset, key=message.message.key, value=message.message.value)
            for message in response.messages
        ]
    except ConsumerFetchSizeTooSmall:
        if is_cut(data):
            return []
        raise


def encode(magic: int, codec: int, records: list[Record]) -> bytes:
    """Write what its producer puts into a produce request."""
    if magic != 0:
        raise NotSupported("only format v0 is written")
    if codec:
        raise NotSupported("every message in a wrapper gets offset 0: the broker has to write the set again")
    check_producible(records)
    messages = [Message(magic, codec, record.key, record.value) for record in records]
    request = KafkaCodec.encode_produce_request(b"", 0, [ProduceRequest("t", 0, messages)])
    empty = KafkaCodec.encode_produce_request(b"", 0, [ProduceRequest("t", 0, [])])
    return with_offsets(request[len(empty) :], [record.offset for record in records])


if __name__ == "__main__":
    hello = {
        "name": "afkak",
        "version": version("afkak"),
        "language": "Python",
        "formats": ["v0"],
        "codecs": ["none", "gzip", "snappy"],
        "fields": ["offset", "key", "value"],
        "checks_crc": True,
        "apis": {"form": "verdict"},
        "url": "https://github.com/ciena/afkak",
    }
    serve(hello, decode, encode, read_message)
