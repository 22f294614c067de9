"""A decoder of Kafka's records, as the suite runs it: this file is the adapter."""

from collections.abc import Iterator

from entries import entries
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
    yield from ()
    for entry in entries(data):
        raise NotSupported(f"it reads no entry of magic {entry.magic} yet")


serve(HELLO, decode)
