"""A data source for Spark: the records of log directories as a DataFrame.

    from kafka_tools.log_source import KafkaLog

    spark.dataSource.register(KafkaLog)
    spark.read.format("kafka_log").load("data/orders-0")

docs/logs.md has the columns and options. Spark's partitions are segments, or slices of large ones.
Options for offsets and times decide what is read. With `pushdown`, conditions on offset, timestamp,
topic and partition do so too, if Spark hands them on (`spark.sql.python.filterPushdown.enabled`);
Spark looks at them again. This must be asked for: Spark 4.3.0 keeps what it has handed on for all
later queries of the same DataFrame, which then lack rows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.names import PartitionName, parse_partition
from kafka_format.log_columns.slices import SLICE, LogSlice
from kafka_format.log_columns.table_ranges import Wanted, wanted_slices
from kafka_format.log_columns.tables import SCHEMA, DamagedBatch, read_slice, refuse
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    InputPartition,
    LessThan,
    LessThanOrEqual,
)
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from kafka_tools.errors import UsageError
from kafka_tools.logs import log_paths

_LIMITS: dict[type[Filter], Callable[[str, int], dict[str, int]]] = {
    EqualTo: lambda what, value: {f"first_{what}": value, f"end_{what}": value + 1},
    GreaterThan: lambda what, value: {f"first_{what}": value + 1},
    GreaterThanOrEqual: lambda what, value: {f"first_{what}": value},
    LessThan: lambda what, value: {f"end_{what}": value},
    LessThanOrEqual: lambda what, value: {f"end_{what}": value + 1},
}
"""The limits that a condition on the offset or the time sets."""

_RANGES = {"offset": "offset", "timestamp": "time"}
_NAMES = {"topic", "partition"}


class KafkaLog(DataSource):
    """Records of partitions or data directories.

    Options: `path`, the folder of a partition or a data directory; `columns`, names with commas
    between them; `first_offset`, `end_offset`, `first_time`, `end_time`; `damage`, which is
    `refuse` to fail on a batch that cannot be read, or `skip` to leave it out; `slice`, MiB of a
    slice; `pushdown`, `true` to read only what the conditions of a query allow.
    """

    @classmethod
    def name(cls) -> str:
        """Return what `spark.read.format` takes."""
        return "kafka_log"

    def schema(self) -> StructType:
        """Return the columns."""
        return from_arrow_schema(pa.schema([SCHEMA.field(name) for name in self._columns()]))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return what reads the records."""
        del schema
        reader = _ConditionReader if self._pushes_down() else _Reader
        return reader(self._path(), self._columns(), self._wanted(), self._damage(), self._slice())

    def _path(self) -> Path:
        if "path" not in self.options:
            raise UsageError(
                "kafka_log needs the path of a partition or a data directory.",
                'spark.read.format("kafka_log").load("data")',
            )
        return Path(self.options["path"].removeprefix("file:"))

    def _columns(self) -> tuple[str, ...]:
        names = tuple(name.strip() for name in self.options.get("columns", ",".join(SCHEMA.names)).split(","))
        if unknown := [name for name in names if name not in SCHEMA.names]:
            raise UsageError(f"there is no column {unknown[0]!r}.", f"Columns: {', '.join(SCHEMA.names)}.")
        return names

    def _wanted(self) -> Wanted:
        names = [name for name in Wanted.__dataclass_fields__ if name in self.options]
        return Wanted(**{name: _whole(name, self.options[name]) for name in names})

    def _damage(self) -> str:
        choice = self.options.get("damage", "refuse")
        if choice not in {"refuse", "skip"}:
            raise UsageError(f"the option damage is {choice!r}.", "It must be `refuse` or `skip`.")
        return choice

    def _pushes_down(self) -> bool:
        choice = self.options.get("pushdown", "false")
        if choice not in {"true", "false"}:
            raise UsageError(f"the option pushdown is {choice!r}.", "It must be `true` or `false`.")
        return choice == "true"

    def _slice(self) -> int:
        return _whole("slice", self.options["slice"]) << 20 if "slice" in self.options else SLICE


class _Slice(InputPartition):
    def __init__(self, part: LogSlice) -> None:
        super().__init__(part)
        self.part = part


class _Reader(DataSourceReader):
    def __init__(self, path: Path, columns: Sequence[str], wanted: Wanted, damage: str, slice_size: int) -> None:
        self._path = path
        self._columns = columns
        self._wanted = wanted
        self._damage = damage
        self._slice_size = slice_size
        self._names: list[tuple[str, set[Any]]] = []

    def partitions(self) -> Sequence[InputPartition]:
        """Return the slices that may have wanted records."""
        input_partitions: list[InputPartition] = []
        for folder in log_paths.partitions(self._path):
            if not self._is_named(folder):
                continue
            with PartitionLog(folder) as log:
                input_partitions += [_Slice(part) for part in wanted_slices(log, self._wanted, self._slice_size)]
        return input_partitions

    def _is_named(self, folder: Path) -> bool:
        try:
            name = parse_partition(folder.resolve().name)
        except FormatError:
            name = PartitionName(folder.name, -1)
        return all(getattr(name, what) in values for what, values in self._names)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the records of a slice."""
        assert isinstance(partition, _Slice)  # noqa: S101 - what `partitions` has made
        on_damage = refuse if self._damage == "refuse" else _skip
        yield from read_slice(partition.part, self._columns, self._wanted, on_damage)


class _ConditionReader(_Reader):
    """A reader that reads only what the conditions of a query allow."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:  # noqa: N802 - Spark calls it so
        """Take notice of conditions; Spark looks at all of them again."""
        for each in filters:
            self._push(each)
        return filters

    def _push(self, condition: Filter) -> None:
        attribute: tuple[str, ...] = getattr(condition, "attribute", ())
        name = ".".join(attribute)
        value = getattr(condition, "value", None)
        limit = _LIMITS.get(type(condition))
        if name in _RANGES and limit is not None and isinstance(value, int):
            self._wanted = self._wanted.narrow(**limit(_RANGES[name], value))
        elif name in _NAMES and isinstance(condition, (EqualTo, In)):
            self._names.append((name, {value} if isinstance(condition, EqualTo) else set(condition.value)))


def _skip(_: DamagedBatch) -> None:
    pass


def _whole(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise UsageError(f"the option {name} is {value!r}.", "It must be a whole number.") from None
