"""The search for a value of a wrong type in records that could not be encoded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from kafka_format.errors import EncodeError, FieldPath
from kafka_format.records.model import Header, Record

_BYTES: Final = (bytes, bytearray, memoryview)
_KINDS: Final[dict[str, tuple[tuple[type, ...], str]]] = {
    "offset": ((int,), "a whole number"),
    "timestamp": ((int,), "a whole number"),
    "timestamp_type": ((int,), "a whole number"),
    "key": ((*_BYTES, type(None)), "bytes or None"),
    "value": ((*_BYTES, type(None)), "bytes or None"),
    "headers": ((tuple, list), "a tuple of headers"),
    "producer_id": ((int,), "a whole number"),
    "producer_epoch": ((int,), "a whole number"),
    "sequence": ((int,), "a whole number"),
    "transactional": ((bool,), "True or False"),
    "control": ((bool,), "True or False"),
}
"""The types that each attribute of a record may have, with their words."""


def type_error(records: Any) -> EncodeError | None:
    """Return the error for the first value of a wrong type, or None if all types are right."""
    if isinstance(records, str | bytes) or not isinstance(records, Sequence):
        return EncodeError(f"takes a list of records, not {type(records).__name__}", path=())
    for index, record in enumerate(records):
        if not isinstance(record, Record):
            return EncodeError(f"takes a Record, not {type(record).__name__}", path=(index,))
        for path, value, kinds, words in _parts(record):
            if not isinstance(value, kinds):
                return EncodeError(f"takes {words}, not {type(value).__name__}", path=(index, *path))
    return None


def _parts(record: Record) -> Iterator[tuple[FieldPath, Any, tuple[type, ...], str]]:
    """Yield every value of a record: its path, itself, what it may be, and how to say that."""
    for name, (kinds, words) in _KINDS.items():
        yield (name,), getattr(record, name), kinds, words
    for index, header in enumerate(record.headers):
        path = ("headers", index)
        yield path, header, (Header,), "a Header"
        yield (*path, "key"), header.key, _BYTES, "bytes"
        yield (*path, "value"), header.value, (*_BYTES, type(None)), "bytes or None"
