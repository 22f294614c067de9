"""Columns of records that the scalar decoder read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from kafka_format.columnar.arrays import bounds
from kafka_format.columnar.columns import Columns, Shared
from kafka_format.columnar.slices import Lists, Slices
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.records.model import Header, Record

_TYPES: Final = {
    "offset": np.int64,
    "timestamp": np.int64,
    "timestamp_type": np.int8,
    "producer_id": np.int64,
    "producer_epoch": np.int16,
    "sequence": np.int64,
    "transactional": np.bool_,
    "control": np.bool_,
    "codec": np.int8,
}
"""The fields of a record that are numbers."""


def columns_of(data: bytes, records: Sequence[Record], entries: Sequence[int]) -> Columns:
    """Return columns of records; their contents are put after the buffer.

    Args:
        data: the buffer.
        records: the records.
        entries: index of the entry of each in its input.
    """
    headers = [header for record in records for header in record.headers]
    contents = [
        _column(records, "key"),
        _column(records, "value"),
        *(_column(headers, name) for name in Header._fields),
    ]
    key, value, *of_headers = _slices(contents, len(data))
    numbers: dict[str, Any] = {name: np.array(_column(records, name), kind) for name, kind in _TYPES.items()}
    offset, timestamp, sequence = (numbers.pop(name) for name in ("offset", "timestamp", "sequence"))
    return Columns(
        b"".join([data, *filter(None, chain(*contents))]),
        offset,
        timestamp,
        key,
        value,
        Lists(
            np.array([len(record.headers) for record in records], np.int32),
            dict(zip(Header._fields, of_headers, strict=True)),
        ),
        np.arange(len(records), dtype=np.int32),
        _own_batches(offset, sequence, entry=np.array(entries, np.int64), **numbers),
    )


def _own_batches(offset: Any, sequence: Any, **numbers: Any) -> Shared:
    """Make each record a batch of its own, whose sequence is the first one.

    Only a negative offset delta gives a sequence below -1, so it is written as that of a record
    with the delta -1.
    """
    below = sequence < -1
    base_sequence = np.where(below, sequence + INT32_MAX + 2, sequence)
    return Shared(base_offset=offset + below, base_sequence=base_sequence, **numbers)


def _column(rows: Sequence[Any], name: str) -> list[Any]:
    return [getattr(row, name) for row in rows]


def _slices(contents: Sequence[Sequence[bytes | None]], at: int) -> Iterator[Slices]:
    """Return where contents are that stand one after the other, the first of them at `at`."""
    for column in contents:
        lengths = np.array([-1 if content is None else len(content) for content in column], np.int32)
        places = at + bounds(np.maximum(lengths, 0))
        yield Slices(places[:-1], lengths)
        at = int(places[-1])
