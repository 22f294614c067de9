"""The examples of docs/logs.md read a real broker's directory, with pyarrow and with Spark."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.kafka_format.log import real

pytest.importorskip("pyspark", reason="the spark extra is not installed")

from kafka_conformance.log_source import KafkaLog
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

if TYPE_CHECKING:
    from pyspark import SparkContext

pytestmark = pytest.mark.spark

PAGE = (Path(__file__).parents[2] / "docs" / "logs.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def spark(context: "SparkContext") -> SparkSession:
    session = SparkSession(context)
    session.dataSource.register(KafkaLog)
    return session


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    before = Path.cwd()
    os.chdir(tmp_path)
    yield real.unpack("kafka-3.9.2-stopped", tmp_path / "data")
    os.chdir(before)


@pytest.mark.usefixtures("data")
def test_examples_of_the_page(spark: SparkSession, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arrow, source = EXAMPLES
    exec(arrow, {})  # noqa: S102 - our own page
    shown = capsys.readouterr().out
    assert [line.split()[1] for line in shown.splitlines()[1:]] == [str(offset) for offset in range(50, 60)]
    exec(source.replace('"data"', repr(str(tmp_path / "data"))), {"spark": spark})  # noqa: S102 - the same
    assert re.findall(r"\|\s*(\d+)\|item 0 of order 30\|", capsys.readouterr().out) == ["60"]


@pytest.mark.whole  # Spark tries a task four times before it gives up
def test_conditions_decide_what_is_read(spark: SparkSession, data: Path) -> None:
    """A damage that is elsewhere is not met; without the condition it is."""
    path = data / "orders-0" / "00000000000000000000.log"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    source = spark.read.format("kafka_log").option("slice", "2000").option("pushdown", "true")
    found = source.load(str(data / "orders-0")).where("offset >= 40 and offset < 43 and partition = 0")
    assert sorted(row.offset for row in found.select("offset").collect()) == [40, 41, 42]
    with pytest.raises(PySparkException, match="batch at byte"):
        source.load(str(data / "orders-0")).count()
    left = source.option("damage", "skip").option("columns", "offset").load(str(data / "orders-0"))
    assert 0 < left.count() < 120
    assert left.columns == ["offset"]


def test_conditions_of_a_query_do_not_last(spark: SparkSession, data: Path) -> None:
    """Spark 4.3.0 keeps what conditions it handed to a source, also for queries without them."""
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    records = spark.read.format("kafka_log").load(str(data / "orders-0"))
    before = records.count()
    assert records.where("offset = 40").count() == 1
    assert records.count() == before


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("option", "value"), [("columns", "offset,nothing"), ("damage", "mend"), ("first_time", "x"), ("pushdown", "maybe")]
)
def test_wrong_options_are_named(spark: SparkSession, data: Path, option: str, value: str) -> None:
    with pytest.raises(PySparkException, match=r"nothing|mend|whole number|maybe"):
        spark.read.format("kafka_log").option(option, value).load(str(data)).count()
