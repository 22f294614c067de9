"""Record batches: the format v2."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from compression import CODECS, decompress
from crc32c import crc32c
from entries import Malformed
from python_adapter import Record
from reader import Reader


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
    if header.record_count < 0:
        raise Malformed(f"a count of {header.record_count} records")
    if header.codec:
        reader = Reader(decompress(header.codec, reader.take(reader.left), header.magic))
    for _ in range(header.record_count):
        yield record(header, Reader(reader.take(reader.varint())))
    reader.end()


def record(header: Header, reader: Reader) -> Record:
    """Read one record; the reader has the bytes that its length counts."""
    reader.take(1)  # attributes, which nobody uses
    timestamp = int64(header.base_timestamp + reader.varint(64))
    offset_delta = reader.varint()
    key = reader.nullable(reader.varint())
    if header.is_control:
        check_control(key)
    made = Record(
        offset=int64(header.base_offset + offset_delta),
        timestamp=header.max_timestamp if header.timestamp_type else timestamp,
        timestamp_type=header.timestamp_type,
        key=key,
        value=reader.nullable(reader.varint()),
        headers=tuple(headers(reader)),
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        sequence=sequence(header.base_sequence, offset_delta),
        transactional=header.is_transactional,
        control=header.is_control,
        codec=header.codec,
    )
    reader.end()
    return made


def headers(reader: Reader) -> Iterator[tuple[bytes, bytes | None]]:
    """Yield the headers of a record."""
    for _ in range(reader.count()):
        key = reader.take(reader.varint())
        key.decode()  # it must be UTF-8
        yield key, reader.nullable(reader.varint())


def int64(number: int) -> int:
    """Return what 64 bits hold of a sum; Python's integers have no end."""
    return (number + 2**63) % 2**64 - 2**63


def sequence(base: int, delta: int) -> int:
    """Return the sequence of a record; after the highest comes 0, and -1 is none."""
    return -1 if base < 0 else (base + delta) % 2**31


CONTROL_KEY = struct.Struct(">hh")


def check_control(key: bytes | None) -> None:
    """Refuse a key that is no version and type; the caller looks what it knows."""
    version, _type = Reader(key or b"").unpack(CONTROL_KEY)
    if version < 0:
        raise Malformed(f"a control key of version {version}")
