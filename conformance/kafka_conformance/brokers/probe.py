"""What a topic keeps, seen by a plain record that is sent to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_format.records.entries import split
from kafka_format.records.formats import MAGICS

from kafka_conformance.brokers import requests
from kafka_conformance.brokers.connection import Call
from kafka_conformance.brokers.own_topics import error_name
from kafka_conformance.brokers.slots import Slot
from kafka_conformance.brokers.versions import Versions


def kept_size(served: bytes, sent: bytes) -> int:
    """Return how many bytes of what is served came of what was sent.

    A broker keeps a batch of v2 for all of it, and otherwise as many entries as it was sent, or
    fewer.
    """
    try:
        found = list(split(served))
        count = 1 if found and found[0].magic == 2 else len(list(split(sent)))
    except FormatError:
        return len(served)
    return found[min(count, len(found)) - 1].end if found and count else len(served)


_PLAIN: Final = Record(0, 1_700_000_000_000, 0, b"key", b"value")
_MOST: Final = 1 << 16


def kept_magic(ask: Callable[[Call], Any], versions: Versions, slot: Slot) -> int | str:
    """Send a plain record in the newest format, and see in which one it comes back.

    Returns:
        The magic, or in words why it does not come back.

    Raises:
        TargetLostError: the broker does not answer.
    """
    form = versions.formats[-1]
    plain = _PLAIN if form != "v0" else _PLAIN._replace(timestamp=-1, timestamp_type=-1)
    data, version = records.encode([plain], magic=MAGICS[form]), versions.carrying(form)[-1]
    sent = requests.produce(version, slot.topic.name, slot.topic.id, slot.partition, data)
    row = ask(sent).responses[0].partition_responses[0]
    if row.error_code:
        return f"refuses a plain record with {error_name(row.error_code)}"
    fetch = versions.of("fetch")[-1]
    got = requests.fetch(fetch, slot.topic.name, slot.topic.id, {slot.partition: row.base_offset}, _MOST)
    served = bytes(ask(got).responses[0].partitions[0].records or b"")
    entries = list(split(served))
    return entries[0].magic if entries else "serves nothing of a plain record that it took"
