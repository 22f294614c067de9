"""Decode functions that are wrong on purpose, for batches that the checksum of their bytes chooses.

Served as `python:decoders_that_fail_at_times:NAME` from this folder; tests work out which batches
are concerned.
"""

import os
import time
import zlib
from pathlib import Path

from kafka_conformance.protocol.hello import FIELDS
from kafka_format import records
from kafka_format.records import Record

HELLO = {"fields": FIELDS}

WRONG_ONE_IN = 97
CRASH_ONE_IN = 2500


def sound(data: bytes) -> list[Record]:
    return records.decode(data)


def wrong(data: bytes) -> list[Record]:
    """The last record is off by one."""
    decoded = records.decode(data)
    if zlib.crc32(data) % WRONG_ONE_IN == 0:
        decoded[-1] = decoded[-1]._replace(offset=decoded[-1].offset ^ 1)
    return decoded


def slow(data: bytes) -> list[Record]:
    time.sleep(0.005)
    return wrong(data)


def crashing(data: bytes) -> list[Record]:
    if zlib.crc32(data) % CRASH_ONE_IN == 0:
        os._exit(3)
    return records.decode(data)


def hanging(data: bytes) -> list[Record]:
    """The name of the process says when it hangs, for those that wait for it."""
    Path("/proc/self/comm").write_text("hangs", encoding="ascii")
    time.sleep(600)
    return records.decode(data)
