"""The columns of the Parquet files that an audit leaves behind, and rows to and from them."""

from collections.abc import Iterable
from dataclasses import asdict
from types import UnionType
from typing import Any, get_args, get_type_hints

import pyarrow as pa
from kafka_format.log.verification.segments import Epoch
from kafka_format.log_columns import SliceScan
from kafka_format.log_columns.producer_batches import Followed

from kafka_conformance.audit.rows import AuditFinding, PartitionRow, ReplicaRow, ScannedSlice, Unit

_TYPES = {str: pa.string(), int: pa.int64()}
_PLAIN = ("doubt", "batches", "records", "lowest", "highest", "largest_timestamp", "lowest_epoch", "offset_entries")
_SCANNED = (*_PLAIN, "time_entries", "lowest_entry")
_EPOCH = pa.struct([pa.field("epoch", pa.int32(), nullable=False), pa.field("offset", pa.int64(), nullable=False)])

Row = AuditFinding | PartitionRow | ReplicaRow


def schema(kind: type[Row]) -> pa.Schema:
    """Return the columns of a kind of rows, as its attributes are."""
    columns = []
    for name, hint in get_type_hints(kind).items():
        optional = isinstance(hint, UnionType)
        plain = next(part for part in get_args(hint) if part in _TYPES) if optional else hint
        columns.append(pa.field(name, _TYPES[plain], nullable=optional))
    return pa.schema(columns)


def table(kind: type[Row], rows: Iterable[Row]) -> pa.Table:
    """Put rows of a kind into a table."""
    return pa.Table.from_pylist([asdict(row) for row in rows], schema=schema(kind))


def done_schema() -> pa.Schema:
    """Return the columns of `done`: the slice, and what was found."""
    hints = get_type_hints(SliceScan)
    return pa.schema(
        [
            *(_required(name, pa.string()) for name in ("path", "stamp")),
            *(_required(name, pa.int64()) for name in ("start", "stop", "size", "end")),
            *(_required(name, _TYPES[hints[name]]) for name in _SCANNED),
            _required("epochs", pa.list_(_EPOCH)),
            _required("followed", pa.binary()),
            _required("followed_sizes", pa.list_(pa.int32())),
            _required("seconds", pa.float64()),
            _required("memory", pa.int64()),
        ]
    )


def done_table(rows: Iterable[ScannedSlice]) -> pa.Table:
    """Put scanned slices into a table."""
    return pa.Table.from_pylist([_document(row) for row in rows], schema=done_schema())


def _document(row: ScannedSlice) -> dict[str, Any]:
    part, scan = row.unit.part, row.scan
    return {
        "path": str(part.path),
        "stamp": row.unit.stamp,
        "start": part.start,
        "stop": part.end,
        "size": part.size,
        "end": scan.end,
        **{name: getattr(scan, name) for name in _SCANNED},
        "epochs": [epoch._asdict() for epoch in scan.epochs],
        "followed": scan.followed.data,
        "followed_sizes": list(scan.followed.sizes),
        "seconds": row.seconds,
        "memory": row.memory,
    }


Key = tuple[str, str, int, int]


def key(unit: Unit) -> Key:
    """Return what tells a slice from all others, and from itself before its files were changed."""
    return str(unit.part.path), unit.stamp, unit.part.start, unit.part.end


def done_key(document: dict[str, Any]) -> Key:
    """Return the same of a row that Parquet gives back."""
    return document["path"], document["stamp"], document["start"], document["stop"]


def done_from(document: dict[str, Any], unit: Unit) -> ScannedSlice:
    """Make what was found of a slice of what Parquet gives back."""
    followed = Followed(document["followed"], tuple(document["followed_sizes"]))
    epochs = tuple(Epoch(**row) for row in document["epochs"])
    plain = {name: document[name] for name in _SCANNED}
    scan = SliceScan(end=document["end"], epochs=epochs, followed=followed, **plain)
    return ScannedSlice(unit, scan, document["seconds"], document["memory"])


def _required(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)
