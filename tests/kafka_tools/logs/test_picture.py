"""The picture of a partition is well-formed, and has a bar for each segment and codec."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from kafka_format.log import PartitionLog, statistics
from kafka_tools.logs.picture import picture

from tests.command_line import Main
from tests.kafka_format.log import real

SVG = "{http://www.w3.org/2000/svg}"


def bars(text: str, kind: str) -> list[ET.Element]:
    root = ET.fromstring(text)  # noqa: S314 - our own
    return [bar for bar in root.iter(f"{SVG}rect") if bar.get("class") == kind and bar.find(f"{SVG}title") is not None]


def test_bars_are_the_segments_over_their_offsets(tmp_path: Path) -> None:
    data = real.unpack("kafka-3.9.2-stopped", tmp_path / "data")
    with PartitionLog(data / "orders-0") as log:
        text = picture("orders-0", statistics.of_log(log))
        sizes = [segment.size for segment in log.segments]
    found = bars(text, "bytes")
    assert [float(bar.get("height", 0)) / 80 for bar in found] == [
        round(size / max(sizes) * 80, 1) / 80 for size in sizes
    ]
    places = [float(bar.get("x", 0)) for bar in found]
    assert places == sorted(places)
    assert len(bars(text, "batches")) == len(sizes)
    titles = re.findall(r"<title>segment \d+, offsets \d+ to \d+: (\w+): [\d,]+ batches</title>", text)
    assert set(titles) <= {"none", "gzip", "snappy", "lz4", "zstd"}
    assert titles


def test_a_partition_without_a_batch_has_a_picture_too() -> None:
    assert "a&lt;b-0: no batch" in picture("a<b-0", [statistics.SegmentStatistics(0, 0)])


def test_command_writes_a_picture_a_partition(main: Main, tmp_path: Path) -> None:
    data = real.unpack("kafka-3.9.2-stopped", tmp_path / "data")
    status, _, _ = main("log", "stat", str(data), "--svg", str(tmp_path / "out"))
    assert status == 0
    assert {file.stem for file in (tmp_path / "out").iterdir()} >= {"orders-0", "payments-0"}
