"""The records of a log as tables of pyarrow: a row a record, with where it is.

    from kafka_format.log_columns.tables import read_log

    for rows in read_log(Path("data/orders-0"), ("offset", "value"), Wanted(first_offset=50)):
        rows.to_pandas()

Only the columns that are named are made, and only batches are read that may have wanted records.
This module needs pyarrow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from kafka_format import columnar
from kafka_format.columnar.outcomes import Outcomes
from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log_columns.slices import SLICE, LogSlice
from kafka_format.log_columns.table_ranges import EVERYTHING, Wanted, rows_of, wanted_slices
from kafka_format.records import Record

AT_ONCE: Final = 4 << 20
"""Bytes of batches that become one batch of rows."""

_HEADER: Final = pa.struct([pa.field("key", pa.string(), nullable=False), pa.field("value", pa.binary())])

SCHEMA: Final = pa.schema(
    [
        pa.field("topic", pa.string(), nullable=False),
        pa.field("partition", pa.int32(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("timestamp", pa.int64(), nullable=False),
        pa.field("timestamp_type", pa.int8(), nullable=False),
        pa.field("key", pa.binary()),
        pa.field("value", pa.binary()),
        pa.field("headers", pa.list_(_HEADER), nullable=False),
        pa.field("producer_id", pa.int64(), nullable=False),
        pa.field("producer_epoch", pa.int16(), nullable=False),
        pa.field("sequence", pa.int32(), nullable=False),
        pa.field("transactional", pa.bool_(), nullable=False),
        pa.field("control", pa.bool_(), nullable=False),
        pa.field("codec", pa.int8(), nullable=False),
        pa.field("leader_epoch", pa.int32(), nullable=False),
        pa.field("position", pa.int64(), nullable=False),
        pa.field("file", pa.string(), nullable=False),
    ]
)
"""All columns; docs/logs.md describes them."""


class DamagedBatch(NamedTuple):
    """A batch that cannot be read: where it is, and why."""

    path: Path
    position: int
    error: FormatError


OnDamage = Callable[[DamagedBatch], None]
"""Is called with a batch that cannot be read, whose records are left out; may raise."""


def refuse(damage: DamagedBatch) -> None:
    """Raise the error of a batch that cannot be read, with its file.

    Raises:
        FormatError: always.
    """
    raise FormatError(
        f"{damage.path}, batch at byte {damage.position}: {damage.error.detail}",
        rule=damage.error.rule,
        stage=damage.error.stage,
        offset=damage.position,
        path=damage.error.path,
    )


def read_log(
    folder: Path,
    columns: Sequence[str] = tuple(SCHEMA.names),
    wanted: Wanted = EVERYTHING,
    on_damage: OnDamage = refuse,
) -> Iterator[pa.RecordBatch]:
    """Yield the records of a partition.

    Args:
        folder: the folder of the partition.
        columns: names of the columns, of those in `SCHEMA`.
        wanted: the records that are wanted.
        on_damage: is called with batches that cannot be read; by default an error is raised.

    Raises:
        FormatError: a batch cannot be read, or a name of a file has no offset.
        KeyError: there is no such column.
        OSError: a file cannot be read.
    """
    with PartitionLog(folder) as log:
        parts = list(wanted_slices(log, wanted, SLICE))
    for part in parts:
        yield from read_slice(part, columns, wanted, on_damage)


def read_slice(
    part: LogSlice,
    columns: Sequence[str] = tuple(SCHEMA.names),
    wanted: Wanted = EVERYTHING,
    on_damage: OnDamage = refuse,
) -> Iterator[pa.RecordBatch]:
    """Yield the records of a slice; arguments and errors are those of `read_log`."""
    schema = pa.schema([SCHEMA.field(name) for name in columns])
    with Segment(part.path) as segment:
        for batches in _gather(segment, part, wanted, on_damage):
            yield from _rows(batches, part.path, schema, wanted, on_damage)


def _gather(segment: Segment, part: LogSlice, wanted: Wanted, on_damage: OnDamage) -> Iterator[list[Batch]]:
    """Yield batches that may have wanted records, some megabytes at a time."""
    batches, size = list[Batch](), 0
    try:
        for batch in segment.batches(part.start):
            if batch.position >= part.end or (batch.is_v2 and batch.offset >= wanted.end_offset):
                break
            if wanted.may_have(batch):
                batches.append(batch)
                size += batch.size
            if size > AT_ONCE:
                yield batches
                batches, size = [], 0
    except FormatError as error:
        on_damage(DamagedBatch(part.path, error.offset or 0, error))
    if batches:
        yield batches


def _rows(
    batches: list[Batch], path: Path, schema: pa.Schema, wanted: Wanted, on_damage: OnDamage
) -> Iterator[pa.RecordBatch]:
    outcomes = columnar.decode_many([batch.data for batch in batches])
    for number, error in outcomes.refusals.items():
        on_damage(DamagedBatch(path, batches[number].position, error))
    names = [name for name in schema.names if name in Record._fields]
    table = columnar.to_arrow(outcomes.columns, fields=names)
    mask = wanted.has(outcomes.columns.offset, outcomes.columns.timestamp)
    made = {name: table.column(name).combine_chunks().cast(schema.field(name).type) for name in names}
    made |= {name: _place(name, batches, outcomes, path) for name in schema.names if name not in made}
    rows = pa.Table.from_arrays([made[name] for name in schema.names], schema=schema)
    yield from (rows if mask.all() else rows.filter(pa.array(mask))).to_batches()


def _place(name: str, batches: list[Batch], outcomes: Outcomes, path: Path) -> pa.Array:
    """Return a column that says where records are."""
    kind, count = SCHEMA.field(name).type, len(outcomes.columns)
    topic, _, partition = path.resolve().parent.name.rpartition("-")
    match name:
        case "position":
            return pa.array(rows_of(outcomes.bounds, [batch.position for batch in batches]))
        case "leader_epoch":
            return pa.array(rows_of(outcomes.bounds, [batch.leader_epoch for batch in batches]).astype(np.int32))
        case "file":
            return pa.repeat(pa.scalar(str(path), kind), count)
        case "topic":
            return pa.repeat(pa.scalar(topic, kind), count)
        case _:
            return pa.repeat(pa.scalar(int(partition) if partition.isdigit() else -1, kind), count)
