"""Decode functions for batches with faults, each careless in one way.

Served as `python:decoders_of_faulty_batches:NAME` from this folder. What they declare depends on
who is asked for, so it is read from the command line.
"""

import sys
import zlib

from kafka_conformance.protocol.hello import FIELDS
from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_format.spec.flags import flags

_ALL = frozenset(flags())
_NAME = sys.argv[-1].rpartition(":")[2]
HELLO = {"fields": FIELDS, "checks_crc": _NAME != "without_checksums"}


def strict(data: bytes) -> list[Record]:
    return records.decode(data)


def as_kafka(data: bytes) -> list[Record]:
    """Accepts all that Kafka accepts."""
    return records.decode(data, as_kafka="4.4")


def accepts_all(data: bytes) -> list[Record]:
    """Gives no record for what it cannot read, which looks like the answer for a batch that is cut
    off."""
    try:
        return records.decode(data)
    except FormatError:
        return []


def refuses_all(_data: bytes) -> list[Record]:
    raise ValueError("no")


def without_checksums(data: bytes) -> list[Record]:
    """Dies of wrong checksums of v2, so that it must not be asked."""
    try:
        return records.decode(data)
    except FormatError as error:
        if error.rule.startswith("v2.crc"):
            sys.exit(zlib.crc32(data) % 5)
        raise
