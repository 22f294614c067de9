"""kio behind the adapter protocol: its reader and writer of record batches (`kio.records`).

kio has no consumer: `read_batch` reads one batch, and the walk over a run, which ends before a last
batch that is cut, is its users' work, done here. So is taking the attributes apart, which it hands
over as a number. It looks at neither codec nor timestamp type. Timestamps are datetimes, and those
before 1970 are refused by their type, so others are a gap where it is to write.

Requests and responses are read with the schemas that `kio.index` names, and written again.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from io import BytesIO

from broker import check_producible, sequence_of
from kio.index import UnknownAPIKey, UnknownEntity, load_request_schema, load_response_schema
from kio.records.readers import read_batch
from kio.records.schema import NewRecordBatch, RecordBatch, RecordHeader
from kio.records.schema import Record as KioRecord
from kio.records.writers import write_new_batch
from kio.serial import entity_reader, entity_writer
from kio.static.primitive import TZAwareMicros, i8, i16, i32, i64
from python_adapter import NotSupported, Record, serve

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TIMES = range((datetime.max.replace(tzinfo=UTC) - _EPOCH) // timedelta(milliseconds=1) + 1)
_HEAD = 12
_TRANSACTIONAL, _CONTROL = 16, 32


def decode(data: bytes) -> Iterator[Record]:
    """Read batch after batch; raises whatever the library raises."""
    place = 0
    while len(data) - place >= _HEAD + max(0, int.from_bytes(data[place + 8 : place + 12], "big", signed=True)):
        batch, size = read_batch(data, place)
        place += size
        for record in batch.records:
            yield _answer(record, batch)


def _answer(record: KioRecord, batch: RecordBatch) -> Record:
    return Record(
        offset=record.offset,
        timestamp=(record.timestamp - _EPOCH) // timedelta(milliseconds=1),
        key=record.key,
        value=record.value,
        headers=tuple((header.key, header.value) for header in record.headers),
        producer_id=batch.producer_id,
        producer_epoch=batch.producer_epoch,
        sequence=sequence_of(batch.base_sequence, record.offset - batch.base_offset),
        transactional=bool(batch.attributes & _TRANSACTIONAL),
        control=bool(batch.attributes & _CONTROL),
    )


def encode(magic: int, codec: int, records: list[Record]) -> bytes:
    """Write one batch."""
    if magic != 2:
        raise NotSupported("only format v2 is written")
    if codec:
        raise NotSupported("no codec is written")
    check_producible(records)
    if any(record.timestamp not in _TIMES for record in records):
        raise NotSupported("its timestamps are datetimes from 1970 on")
    first, written = records[0], BytesIO()
    batch = NewRecordBatch(
        producer_id=i64(first.producer_id),
        producer_epoch=i16(first.producer_epoch),
        base_sequence=i32(first.sequence),
        records=tuple(map(_given, records)),
        attributes=i16(_TRANSACTIONAL * first.transactional),
    )
    write_new_batch(written, batch)
    return written.getvalue()


def _given(record: Record) -> KioRecord:
    return KioRecord(
        attributes=i8(0),
        timestamp=TZAwareMicros.parse(_EPOCH + timedelta(milliseconds=record.timestamp)),
        offset=i64(record.offset),
        key=record.key,
        value=record.value,
        headers=tuple(RecordHeader(key=key, value=value) for key, value in record.headers),
    )


def message(kind: int, api: int, version: int, data: bytes) -> bytes:
    """Read a request (kind 0) or response and write it again."""
    try:
        schema = (load_response_schema if kind else load_request_schema)(api, version)
    except (UnknownAPIKey, UnknownEntity) as error:
        raise NotSupported(str(error)) from None
    written, place = BytesIO(), 0
    for entity_type in (schema.__header_schema__, schema):
        entity, size = entity_reader(entity_type)(data, place)
        place += size
        entity_writer(entity_type)(written, entity)
    return written.getvalue()


if __name__ == "__main__":
    hello = {
        "name": "kio",
        "version": version("kio"),
        "language": "Python",
        "formats": ["v2"],
        "codecs": ["none"],
        "fields": [field for field in Record._fields if field not in {"timestamp_type", "codec"}],
        "checks_crc": True,
        "apis": {"form": "bytes"},
        "url": "https://github.com/Aiven-Open/kio",
    }
    serve(hello, decode, encode, message)
