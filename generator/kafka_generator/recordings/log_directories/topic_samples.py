"""Segments of Kafka's own topics, with a record of every type and version that has vectors."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_format.codec.structures import structure
from kafka_format.log.names import FileKind, segment_name
from kafka_format.protocol.records import FRAMED, KEYED
from kafka_format.records import Record, encode
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.release_table import numbers
from kafka_format.spec.layout.versioned.model import VersionedLayout

_FAMILIES: Final = ("group_records", "transactions", "share_groups", "metadata_records", "remote_log_records")
_TIME: Final = 1_700_000_000_000


def write(folder: Path, release: str) -> None:
    """Write a partition of each topic below a folder, with the records that a release has."""
    for topic in (*KEYED, *FRAMED):
        path = folder / f"{topic}-0" / segment_name(0, FileKind.SEGMENT)
        path.parent.mkdir(parents=True)
        pairs = enumerate(_records(topic, release))
        path.write_bytes(
            b"".join(encode([Record(offset, _TIME, key=key, value=value)]) for offset, (key, value) in pairs)
        )


def _records(topic: str, release: str) -> Iterator[tuple[bytes | None, bytes | None]]:
    """Yield keys and values: each value that has a vector, with a key that fits, and tombstones."""
    enumeration = KEYED.get(topic) or FRAMED[topic][0]
    names = specification().enums[enumeration].values
    vectors = [vector for vector in protocol.load(families=_FAMILIES) if vector.verdict == "valid"]
    for number, name in sorted(names.items()):
        if topic in FRAMED:
            yield from ((None, _frame(number, at, vector)) for vector, at in _of(vectors, name, release))
            continue
        keys = [struct.pack(">h", number) + vector.data for vector, _ in _of(vectors, f"{name}_key", release)]
        yield from ((key, None) for key in keys)
        for sample, at in _of(vectors, f"{name}_value", release):
            yield keys[-1], struct.pack(">h", at) + sample.data


def _of(vectors: list[ProtocolVector], layout: str, release: str) -> Iterator[tuple[ProtocolVector, int]]:
    """Yield the vectors of a layout, each with every version of it that the release has."""
    known = specification().versioned.get(layout)
    for vector in vectors:
        if known is not None and vector.layout == layout:
            yield from ((vector, at) for at in vector.versions if _has_version(known, at, release))


def _has_version(layout: VersionedLayout, at: int, release: str) -> bool:
    """Tell whether a release had a version of a layout."""
    return numbers(layout.since[at]) <= numbers(release) <= numbers(layout.until.get(at, release))


def _frame(number: int, at: int, protocol_vector: ProtocolVector) -> bytes:
    frame = structure("metadata_record_frame")
    return frame.encode(frame.type(number=number, version=at)) + protocol_vector.data
