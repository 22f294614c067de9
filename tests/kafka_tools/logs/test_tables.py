"""The table of a partition's segments on terminals of any width."""

from io import StringIO
from pathlib import Path

import pytest
from kafka_format.log import PartitionLog, statistics
from kafka_tools.logs import tables
from rich.console import Console

from tests.kafka_format.log import real


@pytest.mark.parametrize(("width", "titles"), [(60, "bytes"), (80, "bytes"), (100, "timestamp"), (120, "share")])
def test_no_number_is_cut_on_a_narrow_terminal(tmp_path: Path, width: int, titles: str) -> None:
    with PartitionLog(real.unpack("kafka-4.4.0-stopped", tmp_path) / "orders-0") as log:
        found = statistics.of_log(log)
    out = StringIO()
    console = Console(file=out, width=width, force_terminal=True, no_color=True)
    console.print(tables.segments(found, console))
    assert "…" not in out.getvalue()
    assert titles in out.getvalue().splitlines()[0]
