"""The records of sound record batches, as columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from kafka_format.columnar import records_by_machine, records_by_numpy
from kafka_format.columnar.arrays import Flags, Ints
from kafka_format.columnar.batch_headers import SoundBatches
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.columns import Columns, Shared
from kafka_format.columnar.record_table import RecordTable, record_form
from kafka_format.columnar.slices import Lists
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, LOG_APPEND_TIME, TIMESTAMP_TYPE_BIT, TRANSACTIONAL_BIT


def read_records(data: bytes, batches: SoundBatches, indices: Ints) -> tuple[Columns, Flags]:
    """Read the records of batches.

    Args:
        data: the buffer.
        batches: those whose records are to be read; each has room for as many as it says.
        indices: index of each batch in its input.

    Returns:
        The records of all batches, and which batches are sound; the rows of the others mean
            nothing.
    """
    table, shared = RecordTable(record_form(), batches.heads), _shared_fields(batches.heads, indices)
    machine = records_by_machine.program()
    if machine is None:
        headers, sound = records_by_numpy.read(Buffer(data), batches, table)
    else:
        headers, sound = records_by_machine.read(machine, Buffer(data), batches.starts, batches.ends, table)
    timestamps = table.number("timestamp_delta")
    _stamp(timestamps, shared.timestamp_type, batches.heads, table.batch)
    lists = Lists(table.header_counts, headers)
    contents = (table.content("key"), table.content("value"), lists)
    return Columns(data, table.number("offset_delta"), timestamps, *contents, table.batch, shared), sound


def _shared_fields(heads: Any, indices: Ints) -> Shared:
    """Return what the headers of batches say of their records."""
    attributes = heads["attributes"].astype(np.int16)
    return Shared(
        timestamp_type=(attributes & TIMESTAMP_TYPE_BIT != 0).astype(np.int8),
        producer_id=heads["producer_id"].astype(np.int64, copy=False),
        producer_epoch=heads["producer_epoch"].astype(np.int16),
        base_offset=heads["base_offset"].astype(np.int64, copy=False),
        base_sequence=heads["base_sequence"].astype(np.int64, copy=False),
        transactional=attributes & TRANSACTIONAL_BIT != 0,
        control=attributes & CONTROL_BIT != 0,
        codec=(attributes & CODEC_MASK).astype(np.int8),
        entry=indices,
    )


def _stamp(timestamps: Ints, types: Any, heads: Any, owners: Any) -> None:
    """Give all records of batches that the broker stamped the time of the append."""
    if types.any():
        appended = types[owners] == LOG_APPEND_TIME
        timestamps[appended] = heads["max_timestamp"][owners[appended]]
