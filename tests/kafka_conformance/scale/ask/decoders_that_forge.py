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
    "records[0].offset": lambda one: [one._replace(offset=one.offset ^ 1)],
    "records[0].timestamp": lambda one: [one._replace(timestamp=one.timestamp ^ 1 << 40)],
    "records[0].key": lambda one: [one._replace(key=b"no" if one.key is None else None)],
    "records[0].value": lambda one: [one._replace(value=(one.value or b"") + b"!")],
    "records[0].headers": lambda one: [one._replace(headers=(*one.headers, Header(b"k", None)))],
    "records[0].sequence": lambda one: [one._replace(sequence=one.sequence ^ 1)],
    "records[0].transactional": lambda one: [one._replace(transactional=not one.transactional)],
    "records": lambda one: [one, one],
}


def one_a_residue(data: bytes) -> list[Record]:
    lie = dict(enumerate(LIES.values())).get(data[-1] % 16)
    found = records.decode(data)
    return found if lie is None else [*lie(found[0]), *found[1:]]


def loses_records(data: bytes) -> list[Record]:
    return [] if data[-1] % 16 == 0 else records.decode(data)


def _is_trial(data: bytes) -> bool:
    """Tell the plain records that a function is tried with: with wrong ones it never comes up."""
    return data == records.encode(python_function._PLAIN[2], magic=2)


def text_for_key(data: bytes) -> list[Record]:
    return [] if _is_trial(data) else [one._replace(key="text") for one in records.decode(data)]


def huge_offset(data: bytes) -> list[Record]:
    return [one._replace(offset=1 << 63) for one in records.decode(data)]


def text_for_header_key(data: bytes) -> list[Record]:
    if _is_trial(data):
        return []
    return [one._replace(headers=[(key.decode(), value) for key, value in one.headers]) for one in records.decode(data)]


def only_offsets(data: bytes) -> list[Record]:
    return [Record(record.offset, control=record.control) for record in records.decode(data)]


def mappings(data: bytes) -> list[dict[str, Any]]:
    names = ("key", "offset", "control")
    return [
        {**{name: getattr(one, name) for name in names}, "headers": [tuple(pair) for pair in one.headers]}
        for one in records.decode(data)
    ]


def hides_control(data: bytes) -> list[Record]:
    return [record for record in records.decode(data) if not record.control]


class _Lazy:
    def __getattr__(self, name: str) -> object:
        sys.exit(name)


def exits_when_looked_at(data: bytes) -> list[Any]:
    return [_Lazy()] if data[-1] % 16 == 0 else records.decode(data)
