"""How an offset and a time are found: a small log is written and searched as Kafka does."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

from kafka_format import records
from kafka_format.log import PartitionLog, find_offset, find_time
from kafka_format.log.builder import LogBuilder
from kafka_format.records import Record
from kafka_tools.logs.lookups import offset_lines, time_lines

from kafka_site.model import Site
from kafka_site.pictures.log_map import log_map, time_map

_TIME: Final = 1_600_000_000_000
_BATCHES: Final = 42
_RECORDS: Final = 3
_VALUE: Final = b"x" * 40
_TARGET: Final = 79
_SEGMENT_BYTES: Final = 3600
_INTERVAL: Final = 900
"""Of index entries, in bytes: Kafka's own is 4096, which would need a larger log."""


def values(_site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder) / "orders-0")
        with PartitionLog(Path(folder) / "orders-0") as log:
            return _show(log)


def _show(log: PartitionLog) -> dict[str, Any]:
    lookup = find_offset(log, _TARGET)
    time = _TIME + 1000 * _TARGET
    return {
        "target": _TARGET,
        "picture": log_map(log, lookup, f"The way to offset {_TARGET}"),
        "way": list(offset_lines(log, lookup)),
        "time": time,
        "time_picture": time_map(log, find_time(log, time), _TIME, f"The way to the time {time}"),
        "seconds": _TARGET,
        "time_way": list(time_lines(log, find_time(log, time))),
        "segments": len(log.segments),
        "end": log.end_offset,
        "interval": _INTERVAL,
        "entry": lookup.scans[0].lookup.entry,
        "passed": lookup.scans[0].passed,
        "batch": lookup.batch,
    }


def _write(folder: Path) -> None:
    builder = LogBuilder(folder, segment_bytes=_SEGMENT_BYTES, index_interval=_INTERVAL)
    for number in range(_BATCHES):
        offsets = range(number * _RECORDS, (number + 1) * _RECORDS)
        run = [Record(offset, timestamp=_TIME + 1000 * offset, key=b"k", value=_VALUE) for offset in offsets]
        builder.append(records.encode(run))
    builder.close()
