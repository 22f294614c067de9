"""kafka-python as a reader of segments, behind adapter protocol 1.

The library has no notion of a directory: segments are read here, in the order of their names, and
given to `MemoryRecords`, which is how scripts use it that look into the files of a broker.
"""

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from kafka.record.memory_records import MemoryRecords
from log_reader import serve

Row = tuple[int, int, str | None, str | None]


def open_log(folder: Path, start: int) -> list[Any]:
    """Read all records of a partition from an offset on; the last row may be an error."""
    rows: list[Any] = []
    try:
        for path in sorted(folder.glob(f"{'[0-9]' * 20}.log")):
            rows += (row for row in _records(path.read_bytes()) if row[0] >= start)
    except Exception as error:  # noqa: BLE001 - whatever the library raises
        rows.append((rows[-1][0] + 1 if rows else start, f"{type(error).__name__}Exception"))
    return rows


def _records(data: bytes) -> Iterator[Row]:
    for batch in MemoryRecords(data):
        if not batch.validate_crc():
            raise ValueError(f"the batch at offset {batch.base_offset} has another checksum")
        for record in batch:
            if not record.validate_crc():
                raise ValueError(f"the message at offset {record.offset} has another checksum")
            yield (
                record.offset,
                -1 if record.timestamp is None else record.timestamp,
                _hex(record.key),
                _hex(record.value),
            )


def _hex(content: bytes | None) -> str | None:
    return None if content is None else content.hex()


HELLO = {
    "protocol": 1,
    "name": "kafka-python",
    "version": version("kafka-python"),
    "language": "Python",
    "logs": ["records"],
    "formats": ["v0", "v1", "v2"],
    "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
    "fields": [],
    "checks_crc": True,
    "directions": [],
}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Answer a question about a partition."""
    return {"records": open_log(Path(question["folder"]), question["start_offset"])}


serve(HELLO, answer)
