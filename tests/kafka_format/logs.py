"""Logs put together entry by entry, for tests of what brokers and consumers do with them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from kafka_format import structure
from kafka_format.records import Record, encode

COMMIT, ABORT = bytes.fromhex("00000001"), bytes.fromhex("00000000")


def batch(base: int, deltas: Sequence[int] = (0,), *, last: int | None = None, **fields: Any) -> bytes:
    """A batch of v2 whose records have these offset deltas; the value of each is its offset."""
    items = [{"offset_delta": delta, "value": str(base + delta).encode()} for delta in deltas]
    values: dict[str, Any] = {"base_offset": base, "base_timestamp": 1000, "max_timestamp": 1000, "records": items}
    if last is not None:
        values["last_offset_delta"] = last
    return structure("record_batch").encode({**values, **fields})


def transactional(base: int, producer: int, deltas: Sequence[int] = (0,)) -> bytes:
    """A batch of a transaction."""
    return batch(base, deltas, attributes=0x10, producer_id=producer, producer_epoch=0, base_sequence=0)


def marker(offset: int, producer: int, key: bytes = COMMIT) -> bytes:
    """The end of a transaction."""
    records = [{"key": key, "value": bytes(6)}]
    return batch(offset, attributes=0x30, producer_id=producer, producer_epoch=0, records=records)


def messages(magic: int, *offsets: int, codec: str = "none") -> bytes:
    """Messages of v0 or v1, or one wrapper of them."""
    stamp = {"timestamp": 1000} if magic else {"timestamp_type": -1}
    return encode([Record(offset, value=str(offset).encode(), **stamp) for offset in offsets], magic=magic, codec=codec)


def flipped(data: bytes, at: int = -1) -> bytes:
    """The bytes with one bit of one of them changed."""
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


class Segment(NamedTuple):
    """One entry of a log: its bytes, its offsets from first to last, and those of the records in
    it."""

    data: bytes
    first: int
    last: int
    records: tuple[int, ...] = ()


def fetched(log: Sequence[Segment], offset: int, size: int) -> bytes:
    """What a broker answers to a fetch: from the entry with that offset on, cut anywhere but in the
    first (KIP-74)."""
    found = [segment.data for segment in log if segment.last >= offset]
    return b"".join(found)[: max(size, len(found[0]))] if found else b""
