"""Records of Kafka's own topics in batches, with right checksums, for variants."""

from __future__ import annotations

from typing import Any, Final

from kafka_format.codec.compiler import version
from kafka_format.codec.structures import structure
from kafka_format.spec.layout import specification

_TIME: Final = 1_790_000_000_000
CONTROL: Final = 0x20


def metadata(layout: str, number: int = 0, /, **values: Any) -> bytes:
    """Return the value of a record of `__cluster_metadata`, in a version."""
    kind, frame = version(layout, number), structure("metadata_record_frame")
    known = specification().versioned[layout].number or 0
    return frame.encode(frame.type(number=known, version=number)) + kind.encode(kind.type(**values))


def framed(number: int, layout_version: int, body: bytes, frame: int = 1) -> bytes:
    """Return a value with those three numbers in front, all below 128, whatever it is."""
    return bytes([frame, number, layout_version]) + body


def part(layout: str, number: int, name: str, /, **values: Any) -> Any:
    """Return a part of a record that is a structure of its own."""
    return version(layout, number).types[name](**values)


def key(layout: str, /, **values: Any) -> bytes:
    """Return the key of a record of a coordinator's topic."""
    kind, front = version(layout, 0), structure("record_number")
    number = specification().versioned[layout].number or 0
    return front.encode(front.type(number=number)) + kind.encode(kind.type(**values))


def value(layout: str, number: int, /, **values: Any) -> bytes:
    """Return the value of a record of a coordinator's topic, in a version."""
    kind, front = version(layout, number), structure("schema_version")
    return front.encode(front.type(version=number)) + kind.encode(kind.type(**values))


def batch(offset: int, *records: tuple[bytes | None, bytes | None], epoch: int = 1, **fields: Any) -> bytes:
    """Return a record batch of keys and values."""
    items = [
        {"offset_delta": at, "timestamp_delta": 0, "key": each[0], "value": each[1]} for at, each in enumerate(records)
    ]
    values: dict[str, Any] = {
        "base_offset": offset,
        "last_offset_delta": len(records) - 1,
        "base_timestamp": _TIME,
        "max_timestamp": _TIME,
        "partition_leader_epoch": epoch,
        "records": items,
    }
    return structure("record_batch").encode(values | fields)


def of_metadata(offset: int, *values: bytes | None, epoch: int = 1) -> bytes:
    """Return a batch of the metadata log."""
    return batch(offset, *((None, each) for each in values), epoch=epoch)


def control(offset: int, kind: int, content: bytes, *, epoch: int = 1, key_version: int = 0) -> bytes:
    """Return a control batch of one record."""
    name = key_version.to_bytes(2, "big") + kind.to_bytes(2, "big")
    return batch(offset, (name, content), epoch=epoch, attributes=CONTROL)


def schema(layout: str, number: int = 0, /, **values: Any) -> bytes:
    """Return the value of a control record of KRaft."""
    kind = version(layout, number)
    return kind.encode(kind.type(version=number, **values))
