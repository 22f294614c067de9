"""What a topic keeps, seen by a plain record that is sent to it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from kafka_format import records
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.records import Record, decode
from kafka_format.records.entries import split
from kafka_format.records.formats import MAGICS

from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.broker import requests
from kafka_conformance.kinds.broker.connection import Call, error_name
from kafka_conformance.kinds.broker.partitions import Partition
from kafka_conformance.kinds.broker.versions import Versions
from kafka_conformance.outcomes import Outcome


def kept_size(served: bytes, base_offset: int, sent: bytes) -> int:
    """Return how many bytes at the start of what is served came of what was sent.

    A broker keeps a batch of v2 for all of it. Older entries have offsets, that of a wrapper being
    its last one, and there are as many as there are records. What others sent may stand behind.
    """
    last, end = base_offset + _count(sent) - 1, 0
    with suppress(FormatError):
        for entry in split(served):
            if end and prefix("message_set_entry").value(served, entry.start, "offset") > last:
                break
            end = entry.end
            if entry.magic == 2:
                break
    return end or len(served)


def _count(sent: bytes) -> int:
    """Count the records, or if they cannot be read, the entries."""
    with suppress(FormatError):
        return len(decode(sent))
    with suppress(FormatError):
        return len(list(split(sent)))
    return 1


_PLAIN: Final = Record(0, 1_700_000_000_000, 0, b"key", b"value")
_MOST: Final = 1 << 16


def kept_magic(ask: Callable[[Call], Any], versions: Versions, partition: Partition) -> int | str:
    """Send a plain record in the newest format, and see in which one it comes back.

    Returns:
        The magic, or in words why it does not come back.

    Raises:
        TargetLostError: the broker does not answer, or with what cannot be read.
    """
    form = versions.formats[-1]
    row = ask(_produce(partition, form, versions.carrying(form)[-1])).responses[0].partition_responses[0]
    if row.error_code:
        return f"refuses a plain record with {error_name(row.error_code)}"
    newest = versions.fetching(partition.topic.id)[-1]
    served = ask(_fetch(partition, newest, row.base_offset)).responses[0].partitions[0]
    entries = list(split(bytes(served.records or b"")))
    return entries[0].magic if entries else "serves nothing of a plain record that it took"


def broken_versions(ask: Callable[[Call], Any], versions: Versions, partition: Partition) -> dict[tuple[str, int], str]:
    """Send a plain record in each version of Produce, and fetch it in each of Fetch.

    Returns:
        By API and version, what is wrong with responses that cannot be read.
    """
    complaints = {}
    for form in versions.formats:
        for number in versions.carrying(form):
            complaints["produce", number] = _problem(ask, _produce(partition, form, number))
    for number in versions.fetching(partition.topic.id):
        complaints["fetch", number] = _problem(ask, _fetch(partition, number, 0))
    return {version: words for version, words in complaints.items() if words}


def _problem(ask: Callable[[Call], Any], call: Call) -> str:
    """Say what is wrong with a response; empty if it can be read."""
    try:
        ask(call)
    except TargetLostError as lost:
        return lost.detail if lost.outcome is Outcome.BROKEN_PROTOCOL else ""
    return ""


def _produce(partition: Partition, form: str, version: int) -> Call:
    plain = _PLAIN if form != "v0" else _PLAIN._replace(timestamp=-1, timestamp_type=-1)
    data = records.encode([plain], magic=MAGICS[form])
    return requests.produce(version, partition.topic.name, partition.topic.id, partition.number, data)


def _fetch(partition: Partition, version: int, offset: int) -> Call:
    return requests.fetch(version, partition.topic.name, partition.topic.id, {partition.number: offset}, _MOST)
