"""Answers as bytes: records in the `answer` layout of the adapter protocol, and back."""

from collections.abc import Iterable
from typing import Any

import kafka_format
from kafka_format.records import Header, Record

_TRANSACTIONAL, _CONTROL = 1, 2


def to_bytes(records: Iterable[Record]) -> bytes:
    """Write records in the canonical form that adapters speak."""
    answer = kafka_format.structure("answer")
    return answer.encode(answer.type(records=[to_wire(record) for record in records]))


def from_bytes(data: bytes) -> list[Record]:
    """Read records from the canonical form.

    Raises:
        kafka_format.errors.FormatError: the bytes are no answer.
    """
    return [from_wire(wire) for wire in kafka_format.structure("answer").decode(data).records]


def to_wire(record: Record) -> Any:  # noqa: ANN401 - a NamedTuple that the layout made
    """Return a record as values of the layout `answer_record`, in the order of `Record`."""
    offset, timestamp, timestamp_type, key, value, headers, producer, epoch, sequence, transactional, control, codec = (
        record
    )
    flags = _TRANSACTIONAL * transactional | _CONTROL * control
    pairs = [kafka_format.structure("answer_header").type(*header) for header in headers] if headers else []
    first, last = (offset, timestamp, timestamp_type, key, value), (producer, epoch, sequence, flags, codec)
    return kafka_format.structure("answer_record").type(*first, len(pairs), pairs, *last)


def from_wire(wire: Any) -> Record:  # noqa: ANN401 - a NamedTuple that the layout made
    """Turn the values of the layout `answer_record` into a record."""
    offset, timestamp, timestamp_type, key, value, _, headers, producer, epoch, sequence, flags, codec = wire
    pairs = tuple([Header(header.key, header.value) for header in headers]) if headers else ()
    flagged = bool(flags & _TRANSACTIONAL), bool(flags & _CONTROL)
    return Record(offset, timestamp, timestamp_type, key, value, pairs, producer, epoch, sequence, *flagged, codec)
