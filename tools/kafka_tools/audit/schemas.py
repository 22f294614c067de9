"""The columns of the Parquet files that an audit leaves behind, and rows to and from them."""

from collections.abc import Iterable
from dataclasses import asdict
from types import UnionType
from typing import Any, get_args, get_type_hints

import pyarrow as pa
from kafka_format.log.verification.segments import Epoch
from kafka_format.log_columns import SliceScan
from kafka_format.log_columns.producer_batches import Followed

from kafka_tools.audit.rows import AuditFinding, PartitionRow, ReplicaRow, ScannedSlice, Unit
from kafka_tools.text import printable

_TYPES = {str: pa.string(), int: pa.int64()}
_PLAIN = ("doubt", "batches", "records", "lowest", "highest", "largest_timestamp", "lowest_epoch", "offset_entries")
_SCANNED = (*_PLAIN, "time_entries", "lowest_entry")
_EPOCH = pa.struct([pa.field("epoch", pa.int32(), nullable=False), pa.field("offset", pa.int64(), nullable=False)])

Row = AuditFinding | PartitionRow | ReplicaRow


def schema(kind: type[Row]) -> pa.Schema:
    """Return the Arrow schema of a row class, one column per attribute."""
    columns = []
    for name, hint in get_type_hints(kind).items():
        optional = isinstance(hint, UnionType)
        plain = next(part for part in get_args(hint) if part in _TYPES) if optional else hint
        columns.append(pa.field(name, _TYPES[plain], nullable=optional))
    return pa.schema(columns)


def table(kind: type[Row], rows: Iterable[Row]) -> pa.Table:
    """Return an Arrow table of rows of one class; names that are not UTF-8 get escapes."""
    documents = [{name: _text(value) for name, value in asdict(row).items()} for row in rows]
    return pa.Table.from_pylist(documents, schema=schema(kind))


def _text(value: Any) -> Any:  # noqa: ANN401 - the value of any column
    return printable(value) if isinstance(value, str) else value


def done_schema() -> pa.Schema:
    """Return the Arrow schema of `done`: the slice and its results."""
    hints = get_type_hints(SliceScan)
    return pa.schema(
        [
            *(_required_field(name, pa.string()) for name in ("path", "stamp")),
            *(_required_field(name, pa.int64()) for name in ("start", "stop", "size", "end")),
            *(_required_field(name, _TYPES[hints[name]]) for name in _SCANNED),
            _required_field("epochs", pa.list_(_EPOCH)),
            _required_field("followed", pa.binary()),
            _required_field("followed_sizes", pa.list_(pa.int32())),
            _required_field("seconds", pa.float64()),
            _required_field("memory", pa.int64()),
        ]
    )


def done_table(rows: Iterable[ScannedSlice]) -> pa.Table:
    """Return an Arrow table of scanned slices."""
    return pa.Table.from_pylist([_document(row) for row in rows], schema=done_schema())


def _document(row: ScannedSlice) -> dict[str, Any]:
    part, scan = row.unit.part, row.scan
    return {
        "path": printable(str(part.path)),
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
    """Return the key of a slice; it changes when the slice's files change."""
    return printable(str(unit.part.path)), unit.stamp, unit.part.start, unit.part.end


def done_key(document: dict[str, Any]) -> Key:
    """Return the key of a slice from a row that was read from Parquet."""
    return document["path"], document["stamp"], document["start"], document["stop"]


def done_from(document: dict[str, Any], unit: Unit) -> ScannedSlice:
    """Return the results of a slice from a row that was read from Parquet."""
    followed = Followed(document["followed"], tuple(document["followed_sizes"]))
    epochs = tuple(Epoch(**row) for row in document["epochs"])
    plain = {name: document[name] for name in _SCANNED}
    scan = SliceScan(end=document["end"], epochs=epochs, followed=followed, **plain)
    return ScannedSlice(unit, scan, document["seconds"], document["memory"])


def _required_field(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)
