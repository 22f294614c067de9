"""Spark, imported no sooner than it is started: it is an extra."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark import SparkContext

LOG = "spark.log"

WAITING = "Spark has no worker yet: are some registered with the master, with cores and memory to spare? Still waiting"

Start = Callable[[str, Path], AbstractContextManager["SparkContext"]]
"""Starts Spark on a master, with a log."""


def start_spark(master: str, log: Path) -> AbstractContextManager["SparkContext"]:
    """Start Spark on a master, with its log in that file."""
    from kafka_tools.spark import driver  # noqa: PLC0415 - Spark is an extra

    return driver.start_context(master, driver.java(), log)
