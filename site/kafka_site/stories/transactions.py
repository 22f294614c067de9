"""Idempotence and transactions on disk: a partition whose files Kafka's own classes have judged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from kafka_format.broker.consumer import READ_COMMITTED, READ_UNCOMMITTED, deliver
from kafka_format.codec.compiler import structure
from kafka_format.log.batches import Batch, batches
from kafka_format.records.control import read

from kafka_site.model import Site
from kafka_site.pictures.offset_strip import offset_strip

_VECTOR: Final = "directory/sound/transactions"
_NONE: Final = -1


class Row(NamedTuple):
    """A batch: what it is, in words, and its sequences."""

    offsets: str
    producer: int
    what: str
    sequence: str


class Aborted(NamedTuple):
    """An entry of a transaction index, with its bytes."""

    file: str
    raw: str
    entry: Any


class Snapshot(NamedTuple):
    """A producer snapshot: its file, and the producers in it."""

    file: str
    size: int
    producers: list[Any]


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    vector = next(vector for vector in site.log_vectors if vector["id"] == _VECTOR)
    files = {name.rpartition("/")[2]: bytes.fromhex(content) for name, content in sorted(vector["files"].items())}
    log = b"".join(content for name, content in files.items() if name.endswith(".log"))
    aborted = [transaction for name, content in files.items() for transaction in _aborted_transactions(name, content)]
    snapshots = [_snapshot(name, content) for name, content in files.items() if name.endswith(".snapshot")]
    last = snapshots[-1].producers
    stable = min(
        entry.current_transaction_first_offset for entry in last if entry.current_transaction_first_offset != _NONE
    )
    sent = b"".join(batch.data for batch in batches(log) if batch.base_offset < stable)
    listed = [(row.entry.producer_id, row.entry.first_offset) for row in aborted if row.entry.first_offset < stable]
    return {
        "vector": _VECTOR,
        "files": {name: len(content) for name, content in files.items()},
        "rows": [_row(batch) for batch in batches(log)],
        "log": offset_strip(log, {"uncommitted": deliver(log, 0, READ_UNCOMMITTED)}, vector["title"]),
        "sent": offset_strip(
            sent,
            {"committed": deliver(sent, 0, READ_COMMITTED, listed)},
            "What a consumer gets that reads committed records only",
        ),
        "listed": listed,
        "aborted": aborted,
        "snapshots": snapshots,
        "stable": stable,
        "end": max(batch.next_offset for batch in batches(log)),
    }


def _row(batch: Batch) -> Row:
    records = batch.records()
    if batch.has("is_control"):
        what = f"marker: {read(records[0].key, records[0].value).type}"
    else:
        what = ", ".join((record.value or b"").decode() for record in records)
    offsets = f"{batch.base_offset}" if len(records) == 1 else f"{batch.base_offset} to {batch.last_offset}"
    sequences = [record.sequence for record in records if record.sequence != _NONE]
    return Row(offsets, batch.producer_id, what, " to ".join(str(number) for number in dict.fromkeys(sequences)))


def _aborted_transactions(name: str, content: bytes) -> Iterator[Aborted]:
    place = 0
    while name.endswith(".txnindex") and place < len(content):
        entry, end = structure("transaction_index_entry").read(content, place, len(content))
        yield Aborted(name, content[place:end].hex(" "), entry)
        place = end


def _snapshot(name: str, content: bytes) -> Snapshot:
    fields, _ = structure("producer_snapshot_file").read(content, 0, len(content))
    return Snapshot(name, len(content), list(fields.producers))
