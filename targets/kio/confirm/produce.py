"""kio: what `kio.records.writers.write_batch` writes.

Arguments: an address, a topic (both unused), the records.
"""

import datetime as dt
import io
import sys

from kio.records.schema import NewRecordBatch, Record
from kio.records.writers import write_batch
from kio.static.primitive import TZAwareMicros, i8, i16, i32, i64
from records import given

EPOCH = dt.datetime.fromtimestamp(0, dt.UTC)


def main(file: str) -> None:
    records = tuple(
        Record(
            attributes=i8(0),
            timestamp=TZAwareMicros.parse(EPOCH + dt.timedelta(milliseconds=record.timestamp)),
            offset=i64(at),
            key=record.key,
            value=record.value,
            headers=(),
        )
        for at, record in enumerate(given(file))
    )
    batch = NewRecordBatch(
        producer_id=i64(-1), producer_epoch=i16(-1), base_sequence=i32(-1), records=records, attributes=i16(0)
    )
    written = io.BytesIO()
    write_batch(written, batch)
    print(written.getvalue().hex())


main(sys.argv[3])
