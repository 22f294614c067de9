"""kio: what `kio.records.readers.read_batch` gives of one batch.

Arguments: an address, a topic (unused), a file.
"""

import datetime as dt
import sys
from pathlib import Path

from kio.records.readers import read_batch
from lines import show, show_error

_EPOCH = dt.datetime.fromtimestamp(0, dt.UTC)

try:
    batch, _ = read_batch(memoryview(Path(sys.argv[3]).read_bytes()), 0)
    for record in batch.records:
        timestamp = (record.timestamp - _EPOCH) // dt.timedelta(milliseconds=1)
        show(offset=record.offset, timestamp=timestamp, key=record.key, value=record.value)
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(error)
