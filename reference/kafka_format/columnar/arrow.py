"""Columns as a table of pyarrow."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from kafka_format.columnar.arrays import bounds
from kafka_format.columnar.byte_moves import join, octets
from kafka_format.columnar.columns import Columns
from kafka_format.columnar.decoding import decode
from kafka_format.columnar.slices import Lists, Slices
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.records.model import Record

if TYPE_CHECKING:
    import pyarrow as pa


def to_arrow(data: bytes | Columns, *, fields: Iterable[str] = Record._fields, **options: Any) -> pa.Table:
    """Return records as a table, one row a record and one column a field of `Record`.

    Numbers are integers as wide as on the wire (`timestamp` stays milliseconds, since -1 means
    none; cast it to `pa.timestamp("ms")` where there is none of those), key and value are binary,
    headers a large list of structs of key (string) and value (binary). Only key, value and the
    value of a header are ever null. Contents of more than 2 GiB in one column are large_binary and
    large_string. Integers share the memory of `Columns`; contents are copied.

    Args:
        data: a run of entries, or columns.
        fields: names of the columns, in their order; the contents of others are not copied.
        options: arguments of `columnar.decode`.

    Raises:
        FormatError: the bytes break a rule.
        ImportError: pyarrow is not installed.
    """
    pa = _pyarrow()
    columns = data if isinstance(data, Columns) else decode(data, **options)
    return pa.table({name: _array(columns.data, getattr(columns, name)) for name in fields})


def _array(data: bytes, column: Any) -> pa.Array:
    match column:
        case Slices():
            return _contents(data, column, "binary")
        case Lists():
            return _headers(data, column)
        case _:
            return _pyarrow().array(column)


def _headers(data: bytes, headers: Lists) -> pa.Array:
    pa = _pyarrow()
    keys, values = (
        _contents(data, headers.columns["key"], "string"),
        _contents(data, headers.columns["value"], "binary"),
    )
    pairs = pa.StructArray.from_arrays([keys, values], ["key", "value"])
    return pa.LargeListArray.from_arrays(pa.array(bounds(headers.counts.astype(np.int64))), pairs)


def _contents(data: bytes, slices: Slices, kind: str) -> pa.Array:
    """Put contents one after the other, as Arrow has them."""
    pa = _pyarrow()
    lengths = np.maximum(slices.lengths, 0).astype(np.int64)
    out, places = join(octets(data), slices.starts, lengths)
    large = places[-1] > INT32_MAX
    offsets = pa.py_buffer(places if large else places.astype(np.int32))
    valid = slices.lengths >= 0
    mask = None if valid.all() else pa.py_buffer(np.packbits(valid, bitorder="little"))
    type_ = getattr(pa, f"large_{kind}" if large else kind)()
    return pa.Array.from_buffers(type_, valid.size, [mask, offsets, pa.py_buffer(out)])


def _pyarrow() -> Any:
    try:
        return import_module("pyarrow")
    except ImportError as error:
        raise ImportError("to_arrow needs pyarrow: pip install 'kafka-format-conformance[arrow]'") from error
