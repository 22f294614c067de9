"""One Spark context for all tests of a session: it takes seconds to start."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from kafka_conformance.java import find_java

if TYPE_CHECKING:
    from pyspark import SparkContext


@pytest.fixture(scope="session")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator["SparkContext"]:
    spark = pytest.importorskip("kafka_conformance.scale.spark", reason="the spark extra is not installed")
    home = find_java(spark.OLDEST_JAVA)
    if home is None:
        pytest.skip(f"no Java {spark.OLDEST_JAVA} or newer")
    with spark.started("local[2]", home, tmp_path_factory.mktemp("spark") / "spark.log") as started:
        yield started
