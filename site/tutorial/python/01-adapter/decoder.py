"""A decoder of Kafka's records, as the suite runs it: this file is the adapter."""

from collections.abc import Iterator

from python_adapter import NotSupported, Record, serve

HELLO = {
    "name": "tutorial",
    "version": "1",
    "language": "Python",
    "formats": ["v2"],
    "codecs": ["none"],
    "fields": ["offset", "timestamp", "timestamp_type", "key", "value"],
    "checks_crc": False,
}


def decode(data: bytes) -> Iterator[Record]:
    """Yield the records of a fetch response."""
    raise NotSupported("it reads nothing yet")


serve(HELLO, decode)
