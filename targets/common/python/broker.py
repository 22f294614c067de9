"""What libraries leave to brokers and users: offsets, sequences, runs that are cut off."""

import struct
from collections.abc import Iterable

from python_adapter import NotSupported, Record

_MAX_SEQUENCE = 2**31 - 1


def sequence_of(base_sequence: int, offset_delta: int) -> int:
    """Return a record's sequence from its batch's, for libraries that leave the sum to users.

    Sequences count to 2^31-1 and go on at 0; -1 is none (DefaultRecordBatch.incrementSequence of
    Apache Kafka).
    """
    if base_sequence < 0:
        return -1
    return (base_sequence + offset_delta) % (_MAX_SEQUENCE + 1)


def with_offsets(run: bytes, offsets: Iterable[int]) -> bytes:
    """Return a run with offsets in its entries, as LogValidator assigns them.

    No checksum covers them.
    """
    written, place = bytearray(run), 0
    for offset in offsets:
        struct.pack_into(">q", written, place, offset)
        place += 12 + int(struct.unpack_from(">i", written, place + 8)[0])
    return bytes(written)


def check_producible(records: list[Record]) -> None:
    """Raise NotSupported for what no producer can be asked to write."""
    if any(record.control or record.timestamp_type == 1 for record in records):
        raise NotSupported("a producer writes neither control batches nor log append time")


def fetch_response(records: bytes, *, version: int) -> bytes:
    """Make the body of a fetch response, version 0 to 2, of one topic `t` with one partition."""
    throttle_time = struct.pack(">i", 0) if version else b""
    partition = struct.pack(">ihqi", 0, 0, 0, len(records)) + records  # no error, high watermark 0
    return throttle_time + struct.pack(">ih1si", 1, 1, b"t", 1) + partition


def is_cut(records: bytes) -> bool:
    """Tell whether not one whole entry came: some decoders then say that the fetch was too small.

    Kafka's decoder gives no records then, and its consumer says it (RecordTooLargeException).
    """
    head = 12
    return len(records) < head or len(records) - head < int.from_bytes(records[8:head], "big", signed=True)
