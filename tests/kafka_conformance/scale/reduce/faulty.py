"""Decode functions with one fault each, served as `python:faulty:NAME` from this folder."""

from kafka_conformance.protocol.hello import FIELDS
from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record

HELLO = {"fields": FIELDS}
BORDER = 1 << 31
GZIP = 1


def null_header_value(data: bytes) -> list[Record]:
    decoded = records.decode(data)
    if any(value is None for record in decoded for _, value in record.headers):
        raise ValueError("a header without a value")
    return decoded


def large_delta(data: bytes) -> list[Record]:
    """Timestamps more than 2^31 after the first are one too small."""
    decoded = records.decode(data)
    first = decoded[0].timestamp if decoded else 0
    return [record._replace(timestamp=record.timestamp - (record.timestamp - first > BORDER)) for record in decoded]


def gzip_values(data: bytes) -> list[Record]:
    return [record._replace(value=b"?") if record.codec == GZIP else record for record in records.decode(data)]


def two_faults(data: bytes) -> list[Record]:
    """Loses the keys of large batches, and the values of those with more than one record."""
    decoded = records.decode(data)
    if len(data) > 200:
        return [record._replace(key=b"lost") for record in decoded]
    return [record._replace(value=b"lost") for record in decoded] if len(decoded) > 1 else decoded


def broken_once(data: bytes) -> list[Record]:
    """Right whenever it is asked about a batch alone."""
    return records.decode(data)


def checks_nothing(data: bytes) -> list[Record]:
    """Has no records for what is refused, in place of an error."""
    try:
        return records.decode(data)
    except FormatError:
        return []


def two_symptoms(data: bytes) -> list[Record]:
    """One cause, a null in a header: an error, or a wrong offset where there is a key as well."""
    found = null_header_value(data) if not any(record.key for record in records.decode(data)) else records.decode(data)
    wrong = any(value is None for record in found for _, value in record.headers)
    return [record._replace(offset=record.offset + 1) for record in found] if wrong else found


def forgiving(data: bytes) -> list[Record]:
    """Has no records where it should refuse one thing, or may refuse another; and refuses log
    append time."""
    try:
        decoded = records.decode(data)
    except FormatError as error:
        if error.rule in {"length.within", "legacy.message.fills-its-size"}:
            return []
        raise
    if any(record.timestamp_type == 1 for record in decoded):
        raise ValueError("log append time")
    return decoded
