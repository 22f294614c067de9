"""`deadly` as an adapter that reads batch by batch: what it gives is compared as images, many at a time.

Batches of which DEADLY says `when compared: ...` do that only then.
"""

import marshal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent))

import deadly
from batchwise import Batchwise, Run
from kafka_format import records, structure
from kafka_python_family import answer
from python_adapter import Record, serve

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
COMPARED = "when compared: "

_dumps = marshal.dumps
_doing: dict[str, str] = {}
"""Offset and timestamp of the first record, as text, to what is done when they are written."""


def read(data: bytes) -> Iterator[Run]:
    deed = deadly.DEEDS.get(data, "")
    found = records.decode(data) if deed.startswith(COMPARED) else deadly.decode(data)
    batch = structure("record_batch").decode(data)
    rows = [(*one[:5], [(name.decode(), value) for name, value in one.headers]) for one in found]
    if deed.startswith(COMPARED):
        _doing[str(rows[0][:2])] = deed.removeprefix(COMPARED)
    numbers = (batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.base_offset)
    yield (*numbers, batch.is_transactional, batch.is_control, CODECS.index(batch.codec)), rows


def dumps(value: Any, version: int) -> bytes:
    for runs in value if _doing and version == 2 else ():
        for _, rows in runs if isinstance(runs, list) else ():
            deadly.do(_doing.get(str(rows[0][:2]), "nothing"))
    return _dumps(value, version)


if __name__ == "__main__":
    marshal.dumps = dumps
    hello = {"name": "rows", "version": "1", "language": "Python", "formats": ["v2"], "codecs": [*CODECS]}
    serve({**hello, "fields": [*Record._fields], "checks_crc": True, "url": ""}, Batchwise(read, answer))
