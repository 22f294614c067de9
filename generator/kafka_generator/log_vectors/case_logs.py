"""Logs for the cases: batches, and folders as the reference's builder writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.log.builder import LogBuilder
from kafka_format.records import Record, encode
from kafka_format.records.model import NO_TIMESTAMP

INTERVAL: Final = 100
"""The index.interval.bytes of the cases: less than two batches."""

START: Final = 1_700_000_000_000
"""The first timestamp, in milliseconds."""

TOPIC_ID: Final = b"version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg"

TRANSACTIONAL: Final = 0x10
CONTROL: Final = 0x20
ABORT: Final = bytes.fromhex("00000000")
COMMIT: Final = bytes.fromhex("00000001")

Files = dict[str, bytes]
"""The content of files by their path in a data directory."""


def batch(base: int, count: int = 1, *, time: int | None = None, **fields: Any) -> bytes:
    """Return a v2 batch of so many records, 10 ms apart; by default, one second an offset."""
    first = START + 1000 * base if time is None else time
    items = [
        {
            "offset_delta": at,
            "timestamp_delta": 10 * at,
            "key": b"k%d" % (base + at),
            "value": b"value %d" % (base + at),
        }
        for at in range(count)
    ]
    values: dict[str, Any] = {
        "base_offset": base,
        "last_offset_delta": count - 1,
        "base_timestamp": first,
        "max_timestamp": first + 10 * (count - 1),
        "partition_leader_epoch": 0,
        "records": items,
    }
    return structure("record_batch").encode(values | fields)


def data(base: int, producer: int, count: int = 1, *, epoch: int = 0, sequence: int = 0) -> bytes:
    """Return a batch of a transaction."""
    fields = {"producer_id": producer, "producer_epoch": epoch, "base_sequence": sequence, "attributes": TRANSACTIONAL}
    return batch(base, count, **fields)


def marker(offset: int, producer: int, key: bytes, *, epoch: int = 0) -> bytes:
    """Return the end of a transaction."""
    time = START + 1000 * offset
    fields = {"producer_id": producer, "producer_epoch": epoch, "attributes": TRANSACTIONAL | CONTROL}
    return batch(offset, time=time, records=[{"key": key, "value": bytes(6)}], **fields)


def messages(magic: int, *offsets: int) -> bytes:
    """Return messages of v0 or v1."""
    records = [Record(offset, START + offset, value=b"value %d" % offset) for offset in offsets]
    if not magic:
        records = [record._replace(timestamp=NO_TIMESTAMP, timestamp_type=NO_TIMESTAMP) for record in records]
    return encode(records, magic=magic, codec="none")


def log(
    segments: Sequence[Iterable[bytes]],
    *,
    base: int = 0,
    release: str = "4.4.0",
    name: str = "orders-0",
    **settings: int,
) -> Files:
    """Return the folder of a partition as a broker of a release leaves it after a clean stop.

    Args:
        segments: the appends of each segment.
        base: base offset of the first one.
        release: the release that writes so.
        name: name of the folder.
        settings: settings of the builder.
    """
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / name
        builder = LogBuilder(folder, base, release=release, **{"index_interval": INTERVAL, **settings})
        for number, appends in enumerate(segments):
            if number:
                builder.roll()
            for append in appends:
                builder.append(append)
        builder.close()
        files = {f"{name}/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())}
    return files | {f"{name}/partition.metadata": TOPIC_ID}


def sound_log() -> Files:
    """Return the log that most cases break: three segments of five batches each."""
    batches, offset = list[bytes](), 0
    for number in range(15):
        count = 1 + number % 3
        late = START + 1000 * offset - (2500 if number % 5 == 4 else 0)
        batches.append(batch(offset, count, time=late))
        offset += count
    return log([batches[:5], batches[5:10], batches[10:]])


BASES: Final = (0, 9, 19)
"""The base offsets of `plain`; it ends at 30."""


def transactions() -> Files:
    """Return a log with two producers' transactions: aborted, committed, overlapping, open."""
    first = [
        data(0, 1),
        marker(1, 1, ABORT),
        data(2, 1, sequence=1),
        data(3, 2),
        marker(4, 1, ABORT),
        marker(5, 2, COMMIT),
    ]
    second = [data(6, 2, 2, sequence=1), data(8, 1, sequence=2), marker(9, 2, ABORT), data(10, 2, sequence=3)]
    return log([first, second], name="payments-0")
