"""Record batches: the format v2."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from crc32c import crc32c
from entries import Malformed
from python_adapter import NotSupported, Record
from reader import Reader

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


class Header(NamedTuple):
    """What stands before the records, in the order of the wire."""

    base_offset: int
    batch_length: int
    partition_leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int

    @property
    def codec(self) -> int:
        """A place in `CODECS`."""
        return self.attributes & 0b111

    @property
    def timestamp_type(self) -> int:
        """0: the producer gave the timestamps. 1: the broker gave one to all records."""
        return self.attributes >> 3 & 1

    @property
    def is_transactional(self) -> bool:
        """Whether the batch is part of a transaction."""
        return bool(self.attributes & 1 << 4)

    @property
    def is_control(self) -> bool:
        """Whether the broker wrote it for itself and for consumers."""
        return bool(self.attributes & 1 << 5)


HEADER = struct.Struct(">qiibIhiqqqhii")
UP_TO_CRC = struct.Struct(">qiibI")


def records(data: bytes) -> Iterator[Record]:
    """Yield the records of one batch."""
    reader = Reader(data)
    header = Header(*reader.unpack(HEADER))
    if header.crc != crc32c(data[UP_TO_CRC.size :]):
        raise Malformed(f"the checksum {header.crc:08x} does not fit the bytes")
    if header.codec >= len(CODECS):
        raise Malformed(f"there is no codec {header.codec}")
    yield from ()
    if header.record_count:
        raise NotSupported("it reads no records yet")
