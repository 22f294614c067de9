"""The Parquet schemas of the rows that a run leaves behind, and rows to and from them."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from kafka_conformance.scale.results.fate import fate
from kafka_conformance.scale.results.rows import Done, FindingRow, TallyRow

if TYPE_CHECKING:
    import pyarrow as pa


def done_schema() -> "pa.Schema":
    """The columns of `done`, as in `Done`."""
    import pyarrow as pa  # noqa: PLC0415 - only the one who writes files needs it

    texts = [pa.field(name, pa.string(), nullable=False) for name in ("format", "codec", "outcome", "symptom")]
    numbers = [pa.field(name, pa.int64(), nullable=False) for name in ("batches", "first")]
    more = [pa.field(name, pa.string(), nullable=False) for name in ("fault", "rule")]
    return _schema(
        target=pa.string(),
        chunk=pa.int64(),
        start=pa.int64(),
        count=pa.int64(),
        compared=pa.int64(),
        findings=pa.int64(),
        kept=pa.int64(),
        tally=pa.list_(pa.struct([*texts, *numbers, *more])),
        seconds=pa.float64(),
        generation_seconds=pa.float64(),
        cpu_seconds=pa.float64(),
        memory=pa.int64(),
        host=pa.string(),
        pid=pa.int64(),
        problem=pa.string(),
        notes=pa.list_(pa.string()),
    )


def findings_schema() -> "pa.Schema":
    """The columns of `findings`, as in `FindingRow`."""
    import pyarrow as pa  # noqa: PLC0415 - only the one who writes files needs it

    integers = {"seed", "index", "size"}
    return _schema(
        **{name: pa.int64() if name in integers else pa.string() for name in FindingRow.__dataclass_fields__}
    )


def table(rows: Iterable[Done | FindingRow], schema: "pa.Schema") -> "pa.Table":
    """Put rows into a table of that schema."""
    import pyarrow as pa  # noqa: PLC0415 - only the one who writes files needs it

    return pa.Table.from_pylist([asdict(row) for row in rows], schema=schema)


def done_from(document: dict[str, Any]) -> Done:
    """Return a row of `done` that was read from Parquet.

    Raises:
        ValueError: it has an outcome that does not exist.
    """
    tally = tuple(TallyRow(**{**item, "outcome": str(fate(item["outcome"]))}) for item in document["tally"])
    return Done(**{**document, "tally": tally, "notes": tuple(document["notes"])})


def _schema(**types: "pa.DataType") -> "pa.Schema":
    import pyarrow as pa  # noqa: PLC0415 - only the one who writes files needs it

    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in types.items()])
