"""Content that the protocol's layouts describe: what members of groups tell, and what is committed.

Values are JSON with Kafka's names of fields, as in the vectors of the protocol.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.content.answers import Answer, Reader
from kafka_format.errors import FormatError
from kafka_format.protocol.json_form import EXACT
from kafka_format.protocol.records import decode_layout
from kafka_format.spec.layout import find, specification

LAYOUTS: Final[Mapping[str, str]] = {
    layout.replace("_", "-"): layout
    for layout in (
        "consumer_protocol_subscription",
        "consumer_protocol_assignment",
        "connect_worker_metadata",
        "connect_worker_assignment",
        "sticky_user_data",
        "cooperative_sticky_user_data",
        "offset_commit_value",
        "group_metadata_value",
    )
}
"""The layouts, by the kinds of content."""


def of_layout(name: str) -> Reader:
    """Return a reader of a layout in every version; the bytes tell it, or the newest that fits."""

    def read(data: bytes, _: object, flags: frozenset[str]) -> Answer:
        if not specification().versioned[name].behind:
            return {"value": _newest(name, data, flags)}
        record = decode_layout(name, data, flags=flags)
        return {"value": {"version": record.version} | EXACT.write(find(name, record.version), record.value)}

    return read


def _newest(name: str, data: bytes, flags: frozenset[str]) -> dict[str, Any]:
    number = version_that_fits(name, data, flags)
    return EXACT.write(find(name, number), structure(name, number).decode(data, flags=flags))


def version_that_fits(name: str, data: bytes, flags: frozenset[str]) -> int:
    """Return the newest version that reads bytes which tell none; the oldest if none does.

    So Kafka tries them (StickyAssignor).
    """
    numbers = sorted(specification().versioned[name].versions.numbers, reverse=True)
    for number in numbers:
        with suppress(FormatError):
            structure(name, number).decode(data, flags=flags)
            return number
    return numbers[-1]
