"""Keys and values by the kind of their content, as a reader is told it.

An answer has parts by name: `schema_id`, `guid` (hex), `indexes`, `payload` (hex), `value`. Numbers
of 64 bits in a `value` are decimal digits, and what is no number is a text: `NaN`, `Infinity`,
`-Infinity`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kafka_format.content.answers import Answer, Reader
from kafka_format.content.framings import azure, by_guid, by_id, by_long_id, cloud_event, glue, in_header, prefixed
from kafka_format.content.schemas import LAYOUTS, of_layout
from kafka_format.content.serializers import boolean, fixed_list, list_of, number, string, uuid, void
from kafka_format.content.streams_assignment import LAYOUT, assignment
from kafka_format.content.streams_buffers import suppressed, suppressed_0, suppressed_1, suppressed_2
from kafka_format.content.streams_files import checkpoint, position, process
from kafka_format.content.streams_keys import (
    foreign_key,
    join_key,
    key_first,
    time_first_session,
    time_first_window,
    window,
)
from kafka_format.content.streams_values import (
    aggregate_with_headers,
    change,
    foreign_key_response,
    foreign_key_subscription,
    headers,
    join_value,
    timestamped,
    timestamped_with_headers,
    versioned_segment,
)
from kafka_format.content.telemetry import CODECS, telemetry

Header = tuple[str, bytes | None]

PARTS: Final = ("schema_id", "guid", "indexes", "payload", "value")
"""The parts that an answer can have."""

_STRICT: Final[frozenset[str]] = frozenset()
_BY_HEADERS: Final = frozenset({"cloudevents"})
"""What is read though the value is null."""


class Kind(NamedTuple):
    """A kind of content.

    Attributes:
        read: its reader.
        gives: the parts of an answer.
        layouts: what its bytes begin with; each lies in the payload of the one before.
        end: the layout that its bytes end with, whose size is fixed; empty for none.
    """

    read: Reader
    gives: tuple[str, ...]
    layouts: tuple[str, ...] = ()
    end: str = ""


_BY_ID: Final = ("schema_id", "payload")
_OF_MESSAGE: Final = ("schema_id", "indexes", "payload")
_BY_GUID: Final = ("guid", "payload")
_VALUE: Final = ("value",)
_KEY: Final = ("windowed_key",)
_BEHIND: Final = ("value", "payload")

KINDS: Final[Mapping[str, Kind]] = {
    "confluent": Kind(prefixed(by_id), _BY_ID, ("confluent_id",)),
    "confluent-protobuf": Kind(prefixed(by_id, has_indexes=True), _OF_MESSAGE, ("confluent_id", "message_indexes")),
    "confluent-guid": Kind(prefixed(by_guid), _BY_GUID, ("confluent_guid",)),
    "confluent-guid-protobuf": Kind(
        prefixed(by_guid, has_indexes=True), ("guid", "indexes", "payload"), ("confluent_guid", "message_indexes")
    ),
    "confluent-header": Kind(in_header("__value_schema_id"), ("schema_id", "guid", "payload")),
    "confluent-header-protobuf": Kind(
        in_header("__value_schema_id", has_indexes=True), ("schema_id", "guid", "indexes", "payload")
    ),
    "apicurio": Kind(prefixed(by_id), _BY_ID, ("confluent_id",)),
    "apicurio-protobuf": Kind(prefixed(by_id, has_indexes=True), _OF_MESSAGE, ("confluent_id", "message_indexes")),
    "apicurio-long": Kind(prefixed(by_long_id), _BY_ID, ("apicurio_long_id",)),
    "glue": Kind(glue, _BY_GUID, ("glue_header",)),
    "azure": Kind(azure, _BY_ID),
    "cloudevents": Kind(cloud_event, ("payload", "value")),
    "boolean": Kind(boolean, _VALUE),
    "short": Kind(number("h"), _VALUE),
    "int": Kind(number("i"), _VALUE),
    "long": Kind(number("q"), _VALUE),
    "float": Kind(number("f"), _VALUE),
    "double": Kind(number("d"), _VALUE),
    "uuid": Kind(uuid, _VALUE),
    "string": Kind(string, _VALUE),
    "void": Kind(void, _VALUE),
    "list-int": Kind(fixed_list(number("i"), 4), _VALUE, ("list_of_fixed",)),
    "list-long": Kind(fixed_list(number("q"), 8), _VALUE, ("list_of_fixed",)),
    "list-uuid": Kind(fixed_list(uuid, 36), _VALUE, ("list_of_fixed",)),
    "list-string": Kind(list_of(string), _VALUE, ("list_of_others",)),
    "window": Kind(window("window_times"), _VALUE, _KEY, end="window_times"),
    "session": Kind(window("session_times"), _VALUE, _KEY, end="session_times"),
    "window-store-key": Kind(window("store_window_times"), _VALUE, _KEY, end="store_window_times"),
    "time-first-window-key": Kind(time_first_window, _VALUE, ("time_first_window_key",)),
    "key-first-window-key": Kind(key_first("store_window_times"), _VALUE, ("key_first_key",), end="store_window_times"),
    "time-first-session-key": Kind(time_first_session, _VALUE, ("time_first_session_key",)),
    "key-first-session-key": Kind(key_first("session_times"), _VALUE, ("key_first_key",), end="session_times"),
    "timestamped-value": Kind(timestamped, _BEHIND, ("timestamped_value",)),
    "store-headers": Kind(headers, _VALUE, ("store_headers",)),
    "timestamped-value-with-headers": Kind(timestamped_with_headers, _BEHIND, ("value_with_headers",)),
    "aggregate-with-headers": Kind(aggregate_with_headers, _BEHIND, ("aggregate_with_headers",)),
    "versioned-segment": Kind(versioned_segment, _VALUE, ("versioned_segment",)),
    "suppressed-value": Kind(suppressed, _VALUE, ("suppressed_value",)),
    "suppressed-value-two": Kind(suppressed_2, _VALUE, ("suppressed_value_2",)),
    "suppressed-value-one": Kind(suppressed_1, _VALUE, ("suppressed_value_1",)),
    "suppressed-value-none": Kind(suppressed_0, _VALUE, ("suppressed_value_0", "suppressed_pair")),
    "foreign-key-subscription": Kind(foreign_key_subscription, _BEHIND, ("foreign_key_subscription",)),
    "foreign-key-response": Kind(foreign_key_response, _BEHIND, ("foreign_key_response",)),
    "foreign-key-store-key": Kind(foreign_key, _BEHIND, ("foreign_key_store_key",)),
    "table-change": Kind(change, _VALUE),
    "join-key": Kind(join_key, _BEHIND, ("join_key",)),
    "join-value": Kind(join_value, _BEHIND, ("join_value",)),
    "position": Kind(position, _VALUE, ("position",)),
    "streams-assignment": Kind(assignment, _VALUE, (LAYOUT,)),
    "checkpoint-file": Kind(checkpoint, _VALUE),
    "process-file": Kind(process, _VALUE),
    **{kind: Kind(telemetry(codec), _VALUE) for kind, codec in CODECS.items()},
    **{kind: Kind(of_layout(layout), _VALUE) for kind, layout in LAYOUTS.items()},
}
"""The kinds of content, by name."""


def read(kind: str, data: bytes | None, headers: Sequence[Header] = (), flags: frozenset[str] = _STRICT) -> Answer:
    """Return what a value is, by the kind of its content.

    Args:
        kind: one of `KINDS`.
        data: the value; None for null, which is null whatever its schema.
        headers: the headers of its record, in order; the last of a name counts.
        flags: leniencies that are allowed, as in spec/flags.yaml.

    Raises:
        FormatError: the bytes break a rule.
        ValueError: there is no such kind.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no kind of content {kind!r}")
    if data is None and kind not in _BY_HEADERS:
        return {"value": None, "payload": None}
    return KINDS[kind].read(data or b"", dict(headers), flags)
