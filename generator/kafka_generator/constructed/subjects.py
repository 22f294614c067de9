"""What constructions start from: one entry of each kind, small, and with something in every field.

The second record of the batch has null wherever null is allowed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from kafka_format.codec import interpreter
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.records.entries import MAGIC_AT, OVERHEAD
from kafka_format.spec.layout import Layout, find

from kafka_generator.payloads import PayloadStore

RECORDS: Final[list[dict[str, Any]]] = [
    {
        "timestamp_delta": 3,
        "key": b"key",
        "value": b"value",
        "headers": [{"key": b"h", "value": b"x"}, {"key": b"", "value": b""}],
    },
    {"offset_delta": 1, "headers": [{"key": b"null-value", "value": None}]},
]
BATCH: Final[dict[str, Any]] = {
    "base_offset": 5,
    "partition_leader_epoch": 2,
    "base_timestamp": 1000,
    "max_timestamp": 1003,
    "producer_id": 7,
    "producer_epoch": 1,
    "base_sequence": 4,
    "records": RECORDS,
}


@dataclass(frozen=True, slots=True)
class Subject:
    """One entry.

    Attributes:
        name: as in ids.
        title: in words.
        layout: name of the layout of the entry.
        data: the bytes.
        rule: what its own vector is about.
        is_wrapper: whether its value is compressed.
    """

    name: str
    title: str
    layout: str
    data: bytes
    rule: str
    is_wrapper: bool = False

    @property
    def input(self) -> str:
        """The name in `INPUTS`."""
        return "v07" if self.layout == "v07_entry" else "run"

    @property
    def shape(self) -> Layout:
        """The layout itself."""
        return find(self.layout)


def subjects(store: PayloadStore) -> Iterator[Subject]:
    """Yield every subject."""
    yield Subject("v2", "a record batch", "record_batch", batch(), "v2.offset")
    yield Subject("v2-one", "a record batch of one record", "record_batch", batch(records=RECORDS[:1]), "v2.offset")
    yield Subject("v2-gzip", "a compressed record batch", "record_batch", batch_of("gzip", store), "v2.offset")
    for magic in (0, 1):
        yield from _messages(magic, store)
    for magic in (0, 1):
        data = interpreter.encode(find("v07_entry"), {"message": {"magic": magic, "payload": b"value"}})
        yield Subject(f"v07-magic-{magic}", f"a message of 0.7 with magic {magic}", "v07_entry", data, "v07.payload")
    yield Subject("v07-wrapper", "a wrapper of 0.7", "v07_entry", wrapper_07(store), "v07.wrapper", is_wrapper=True)


def _messages(magic: int, store: PayloadStore) -> Iterator[Subject]:
    name, shape, of = f"v{magic}", "message_set_entry", f"of v{magic}"
    null, packed = message(magic, key=None, value=None), wrapper(magic, store)
    yield Subject(name, f"a message {of}", shape, message(magic), "legacy.key.nullable")
    yield Subject(f"{name}-null", f"a message {of} with null key and value", shape, null, "legacy.value.nullable")
    yield Subject(f"{name}-wrapper", f"a wrapper {of}", shape, packed, "legacy.wrapper", is_wrapper=True)


def seal(data: bytes) -> bytes:
    """Put the size and the checksum of one entry of v0 to v2 right, whatever its content is."""
    size = struct.pack(">i", len(data) - OVERHEAD)
    if data[MAGIC_AT] == 2:
        covered = data[21:]
        return data[:8] + size + data[12:17] + struct.pack(">I", CHECKSUMS["crc32c"](covered)) + covered
    covered = data[16:]
    return data[:8] + size + struct.pack(">I", CHECKSUMS["crc32"](covered)) + covered


def batch(**changes: Any) -> bytes:
    """Write the batch with other fields."""
    return interpreter.encode(find("record_batch"), {**BATCH, **changes})


def batch_of(codec: str, store: PayloadStore, **changes: Any) -> bytes:
    """Write the batch compressed."""
    values = {**BATCH, **changes}
    records = values["records"]
    plain = b"".join(interpreter.encode(find("record"), record) for record in records)
    attributes = {**values.get("attributes", {}), "codec": codec}
    last = records[-1].get("offset_delta", 0) if records else 0
    computed = {"record_count": len(records), "last_offset_delta": last, **values}
    payload = store.get(codec, "plain", plain)
    return interpreter.encode(find("record_batch"), {**computed, "attributes": attributes, "records": payload})


def message(magic: int, offset: int = 5, **changes: Any) -> bytes:
    """Write a message of v0 or v1 in its entry."""
    values: dict[str, Any] = {"magic": magic, "key": b"key", "value": b"value"}
    if magic:
        values["timestamp"] = 1000
    return interpreter.encode(find("message_set_entry"), {"offset": offset, "message": {**values, **changes}})


def wrapper(magic: int, store: PayloadStore, codec: str = "gzip", inner: bytes | None = None, **changes: Any) -> bytes:
    """Write a wrapper of two messages with the offsets 4 and 5."""
    first = 0 if magic else 4
    plain = message(magic, first) + message(magic, first + 1, key=None) if inner is None else inner
    attributes = {"codec": codec, **changes.pop("attributes", {})}
    # Producers of v0 write a header checksum over the magic of the frame too (KAFKA-3160).
    stream = "broken-header-checksum" if codec == "lz4" and magic == 0 else "plain"
    payload = store.get(codec, stream, plain)
    return message(magic, **{"key": None, "attributes": attributes, "value": payload, **changes})


def wrapper_07(store: PayloadStore) -> bytes:
    """Write a wrapper of 0.7 with two messages."""
    inner = b"".join(
        interpreter.encode(find("v07_entry"), {"message": {"magic": 1, "payload": payload}}) for payload in (b"a", b"b")
    )
    values = {"magic": 1, "attributes": {"codec": "gzip"}, "payload": store.get("gzip", "plain", inner)}
    return interpreter.encode(find("v07_entry"), {"message": values})
