"""A decoder of Kafka's records, as the suite runs it: this file is the adapter."""

from collections.abc import Iterator

import batch
from entries import entries
from python_adapter import NotSupported, Record, serve

HELLO = {
    "name": "tutorial",
    "version": "1",
    "language": "Python",
    "formats": ["v2"],
    "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
    "fields": [
        *("offset", "timestamp", "timestamp_type", "key", "value", "headers"),
        *(
            "producer_id",
            "producer_epoch",
            "sequence",
            "transactional",
            "control",
            "codec",
        ),
    ],
    "checks_crc": True,
}


def decode(data: bytes) -> Iterator[Record]:
    """Yield the records of a fetch response."""
    for entry in entries(data):
        if entry.magic != 2:
            raise NotSupported(f"it reads no entry of magic {entry.magic} yet")
        yield from batch.records(entry.data)


serve(HELLO, decode)
