"""What a key or a value is in the topics that Kafka Streams makes, by the name of the topic.

A name says little of what is in a changelog: the key of a window is shown where it ends with a time
of our days, and nothing else is guessed there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from kafka_format.content.streams_buffers import suppressed, suppressed_1, suppressed_2
from kafka_format.content.streams_keys import foreign_key, join_key, window
from kafka_format.content.streams_values import change, foreign_key_response, foreign_key_subscription
from kafka_format.errors import FormatError
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import packer

Fields = Mapping[str, Any]

_BUFFERS: Final = {b"\1": (suppressed_1,), b"\2": (suppressed_2, suppressed), b"\3": (suppressed,)}
"""By the header `v` of a changelog."""

_FOREIGN_STORE: Final = re.compile(
    r".+-(?:KTABLE-FK-JOIN-SUBSCRIPTION-STATE-STORE-\d{10}|.+-subscription-store)-changelog"
)
_TOPICS: Final = {
    "value": (
        (_FOREIGN_STORE, foreign_key_subscription),
        (re.compile(r".+-(?:KTABLE-FK-JOIN-SUBSCRIPTION-REGISTRATION-\d{10}|.+-subscription-registration)-topic"),
         foreign_key_subscription),
        (re.compile(r".+-(?:KTABLE-FK-JOIN-SUBSCRIPTION-RESPONSE-\d{10}|.+-subscription-response)-topic"),
         foreign_key_response),
        (re.compile(r".+-KTABLE-(?:AGGREGATE|REDUCE)-STATE-STORE-\d{10}-repartition"), change),
    ),
    "key": (
        (_FOREIGN_STORE, foreign_key),
        (re.compile(r".+-(?:KSTREAM-OUTERSHARED-\d{10}-store|.+-shared-join-store)-changelog"), join_key),
    ),
}  # fmt: skip
"""Names that Streams gives (KTableImpl, KStreamImplJoin), and what its classes read there."""

_CHANGELOG: Final = re.compile(r".+-changelog")
_FIRST, _LAST = 946_684_800_000, 4_102_444_800_000
"""Milliseconds of 2000 and of 2100."""

_MOST_DUPLICATES: Final = 1 << 16
_STRICT: Final[frozenset[str]] = frozenset()


def buffered(data: bytes, topic: str, form: bytes | None) -> Fields | None:
    """Return what waits in a buffer of `suppress`; None where the bytes do not fit to the last.

    Args:
        data: the value.
        topic: the name of its topic.
        form: the header `v` of its record.
    """
    if _CHANGELOG.fullmatch(topic):
        for read in _BUFFERS.get(form or b"", ()):
            with suppress(FormatError):
                value = read(data, {}, _STRICT)["value"]
                return {name: value[name] for name in ("topic", "partition", "offset", "timestamp", "time")}
    return None


def of_topic(part: str, data: bytes, topic: str) -> Iterator[tuple[Fields, bytes | None]]:
    """Yield what a key or a value is perhaps, and what is behind it."""
    for pattern, read in _TOPICS[part]:
        if pattern.fullmatch(topic):
            with suppress(FormatError):
                answer = read(data, {}, _STRICT)
                payload = answer.get("payload")
                yield _shown(answer["value"]), None if payload is None else bytes.fromhex(payload)
    if part == "key" and _CHANGELOG.fullmatch(topic):
        yield from _windowed(data)


def _windowed(data: bytes) -> Iterator[tuple[Fields, bytes | None]]:
    for layout in ("session_times", "store_window_times"):
        with suppress(FormatError):
            value = window(layout)(data, {}, _STRICT)["value"]
            fields = {name: of for name, of in value.items() if name != "key"}
            times = [int(of) for name, of in fields.items() if name != "number"]
            if all(_FIRST <= time < _LAST for time in times) and value.get("number", 0) in range(_MOST_DUPLICATES):
                yield fields, data[: -packer(find(layout)).size]


def _shown(value: Fields) -> Fields:
    return {name: of for name, of in value.items() if of is not None}
