"""Decode functions that give wrong records; those of `LIES` choose by a batch's last byte.

Served as `python:decoders_that_forge:NAME` from this folder. What they declare depends on who is
asked for, so it is read from the command line.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.serving import python_function
from kafka_format import records
from kafka_format.records import Header, Record

_DECLARED = {
    "only_offsets": ("control", "offset"),
    "mappings": ("key", "offset", "headers", "control"),
    "hides_control": tuple(field for field in FIELDS if field != "control"),
}
HELLO = {"fields": _DECLARED.get(sys.argv[-1].rpartition(":")[2], FIELDS)}

LIES: Mapping[str, Callable[[Record], list[Record]]] = {
    "records[0].offset": lambda record: [record._replace(offset=record.offset ^ 1)],
    "records[0].timestamp": lambda record: [record._replace(timestamp=record.timestamp ^ 1 << 40)],
    "records[0].key": lambda record: [record._replace(key=b"no" if record.key is None else None)],
    "records[0].value": lambda record: [record._replace(value=(record.value or b"") + b"!")],
    "records[0].headers": lambda record: [record._replace(headers=(*record.headers, Header(b"k", None)))],
    "records[0].sequence": lambda record: [record._replace(sequence=record.sequence ^ 1)],
    "records[0].transactional": lambda record: [record._replace(transactional=not record.transactional)],
    "records": lambda one: [one, one],
}


def one_a_residue(data: bytes) -> list[Record]:
    lie = dict(enumerate(LIES.values())).get(data[-1] % 16)
    decoded = records.decode(data)
    return decoded if lie is None else [*lie(decoded[0]), *decoded[1:]]


def loses_records(data: bytes) -> list[Record]:
    return [] if data[-1] % 16 == 0 else records.decode(data)


def _is_trial(data: bytes) -> bool:
    """Tell the plain records that a function is tried with: with wrong ones it never comes up."""
    return data == records.encode(python_function._PLAIN[2], magic=2)


def text_for_key(data: bytes) -> list[Record]:
    return [] if _is_trial(data) else [record._replace(key="text") for record in records.decode(data)]


def huge_offset(data: bytes) -> list[Record]:
    return [record._replace(offset=1 << 63) for record in records.decode(data)]


def text_for_header_key(data: bytes) -> list[Record]:
    if _is_trial(data):
        return []
    return [
        record._replace(headers=[(key.decode(), value) for key, value in record.headers])
        for record in records.decode(data)
    ]


def only_offsets(data: bytes) -> list[Record]:
    return [Record(record.offset, control=record.control) for record in records.decode(data)]


def mappings(data: bytes) -> list[dict[str, Any]]:
    names = ("key", "offset", "control")
    return [
        {**{name: getattr(record, name) for name in names}, "headers": [tuple(pair) for pair in record.headers]}
        for record in records.decode(data)
    ]


def hides_control(data: bytes) -> list[Record]:
    return [record for record in records.decode(data) if not record.control]


class _Lazy:
    def __getattr__(self, name: str) -> object:
        sys.exit(name)


def exits_when_looked_at(data: bytes) -> list[Any]:
    return [_Lazy()] if data[-1] % 16 == 0 else records.decode(data)
