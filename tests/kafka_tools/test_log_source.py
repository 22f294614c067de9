"""The records of a real broker's directory as tables: the examples of docs/logs.md, what the source
reads of what it is asked, and, in a whole run, the same in Spark."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.kafka_format.log import real

pytest.importorskip("pyspark", reason="the spark extra is not installed")

from kafka_format.errors import FormatError
from kafka_tools.errors import UsageError
from kafka_tools.log_source import KafkaLog
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.datasource import EqualTo, Filter, GreaterThan, GreaterThanOrEqual, In, LessThan, LessThanOrEqual
from pyspark.sql.types import StructType

if TYPE_CHECKING:
    from pyspark import SparkContext

PAGE = (Path(__file__).parents[2] / "docs" / "logs.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)

WRONG = {"columns": "offset,nothing", "damage": "mend", "first_time": "x", "pushdown": "maybe", "slice": "big"}
SAID = r"no column 'nothing'|'mend'|whole number|'maybe'"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory, in the current folder; `orders-0` has the offsets 0 to 119."""
    monkeypatch.chdir(tmp_path)
    return real.unpack("kafka-3.9.2-stopped", tmp_path / "data")


def damage_the_end(partition: Path) -> None:
    path = partition / "00000000000000000000.log"
    path.write_bytes(path.read_bytes()[:-1] + b"?")


def read(path: Path, *conditions: Filter, **options: str) -> list[int]:
    """Return the offsets that the source reads, as Spark would ask for them."""
    reader = KafkaLog({"path": str(path), "columns": "offset", "slice": "2000", **options}).reader(StructType())
    if conditions:
        assert list(reader.pushFilters(list(conditions))) == list(conditions)
    return [
        offset for part in reader.partitions() for rows in reader.read(part) for offset in rows["offset"].to_pylist()
    ]


@pytest.mark.usefixtures("data")
def test_the_example_with_pyarrow(capsys: pytest.CaptureFixture[str]) -> None:
    exec(EXAMPLES[0], {})  # noqa: S102 - our own page
    shown = capsys.readouterr().out
    assert [line.split()[1] for line in shown.splitlines()[1:]] == [str(offset) for offset in range(50, 60)]


def test_options_decide_what_is_read(data: Path) -> None:
    assert read(data / "orders-0") == list(range(120))
    assert read(data / "orders-0", first_offset="118") == [118, 119]
    assert read(data / "orders-0", first_offset="3", end_offset="5") == [3, 4]


@pytest.mark.parametrize(
    ("conditions", "offsets"),
    [
        ([GreaterThanOrEqual(("offset",), 40), LessThan(("offset",), 43)], [40, 41, 42]),
        ([GreaterThan(("offset",), 40), LessThanOrEqual(("offset",), 43)], [41, 42, 43]),
        ([EqualTo(("offset",), 40), EqualTo(("partition",), 0)], [40]),
        ([EqualTo(("offset",), 40), In(("topic",), ("payments", "orders"))], [40]),
        ([EqualTo(("partition",), 1)], []),
        ([EqualTo(("topic",), "payments")], []),
    ],
)
def test_conditions_decide_what_is_read(data: Path, conditions: Sequence[Filter], offsets: Sequence[int]) -> None:
    """A damage that is elsewhere is not met."""
    damage_the_end(data / "orders-0")
    assert read(data / "orders-0", *conditions, pushdown="true") == offsets


def test_damage_is_refused_or_left_out(data: Path) -> None:
    damage_the_end(data / "orders-0")
    with pytest.raises(FormatError, match="batch at byte"):
        read(data / "orders-0")
    gone = sorted(set(range(120)) - set(read(data / "orders-0", damage="skip")))
    assert gone == [37, 38]  # the last batch of the first segment


@pytest.mark.parametrize("option", WRONG)
def test_wrong_options_are_named(data: Path, option: str) -> None:
    with pytest.raises(UsageError, match=SAID):
        read(data, **{option: WRONG[option]})


def test_a_path_is_needed() -> None:
    with pytest.raises(UsageError, match="needs the path"):
        KafkaLog({}).reader(StructType())


@pytest.fixture(scope="module")
def spark(context: "SparkContext") -> SparkSession:
    session = SparkSession(context)
    session.dataSource.register(KafkaLog)
    return session


@pytest.mark.spark
@pytest.mark.whole  # SQL takes Spark twenty seconds to load
class TestInSpark:
    @pytest.mark.usefixtures("data")
    def test_the_example(self, spark: SparkSession, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        source = EXAMPLES[1].replace('"data"', repr(str(tmp_path / "data")))
        exec(source, {"spark": spark})  # noqa: S102 - our own page
        assert re.findall(r"\|\s*(\d+)\|item 0 of order 30\|", capsys.readouterr().out) == ["60"]

    def test_conditions_decide_what_is_read(self, spark: SparkSession, data: Path) -> None:
        """A damage that is elsewhere is not met; without the condition it is."""
        damage_the_end(data / "orders-0")
        spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
        source = spark.read.format("kafka_log").option("slice", "2000").option("pushdown", "true")
        found = source.load(str(data / "orders-0")).where("offset >= 40 and offset < 43 and partition = 0")
        assert sorted(row.offset for row in found.select("offset").collect()) == [40, 41, 42]
        with pytest.raises(PySparkException, match="batch at byte"):
            source.load(str(data / "orders-0")).count()
        left = source.option("damage", "skip").option("columns", "offset").load(str(data / "orders-0"))
        assert 0 < left.count() < 120
        assert left.columns == ["offset"]

    def test_conditions_of_a_query_do_not_last(self, spark: SparkSession, data: Path) -> None:
        """Spark 4.3.0 keeps what conditions it handed to a source, also for queries without
        them."""
        spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
        records = spark.read.format("kafka_log").load(str(data / "orders-0"))
        before = records.count()
        assert records.where("offset = 40").count() == 1
        assert records.count() == before

    @pytest.mark.parametrize("option", WRONG)
    def test_wrong_options_are_named(self, spark: SparkSession, data: Path, option: str) -> None:
        with pytest.raises(PySparkException, match=SAID):
            spark.read.format("kafka_log").option(option, WRONG[option]).load(str(data)).count()
