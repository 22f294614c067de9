"""Keys and values of records as kafka-dump-log prints them, by its decoders."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Any, Final, NamedTuple

from kafka_format.codec.compiler import version
from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.counts import byte_count
from kafka_format.protocol.json_form import to_json
from kafka_format.protocol.records import KEYED, SchemaRecord, decode_key, decode_value
from kafka_format.records import Record
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.release_table import numbers
from kafka_format.spec.layout.versioned.model import VersionedStructure

from kafka_tools.logs import java_json, java_text, remote_text, transaction_lines

_GROUPS: Final = "__consumer_offsets"
_TRANSACTIONS: Final = "__transaction_state"
_SHARES: Final = "__share_group_state"
_METADATA: Final = "__cluster_metadata"
_REMOTE: Final = "__remote_log_metadata"

_TRANSACTIONS_IN_JSON_SINCE: Final = (4, 1)
"""Before, records of `__transaction_state` were lines of text (KAFKA-19019)."""

_STATES_NAMED_SINCE: Final = (4, 4)
"""Before, the state of a transaction was a number (DumpLogSegments.TransactionLogMessageParser)."""

_SHARE_GROUPS_SINCE: Final = (4, 0)
"""Before, the tool did not know the records of share groups, which brokers of 3.9 could write
(KAFKA-16733)."""

_CONSUMER: Final = "consumer"
_OF_MEMBERS: Final = {"subscription": "consumer_protocol_subscription", "assignment": "consumer_protocol_assignment"}
DELETED: Final = "<DELETE>"
"""What is printed for a value that is null."""


class Contents(NamedTuple):
    """What is printed of a record; None where nothing is."""

    key: str | None
    payload: str | None


class ContentDecoder(StrEnum):
    """What reads keys and values: text, or the schemas of one of Kafka's own topics."""

    PLAIN = ""
    OFFSETS = _GROUPS
    TRANSACTIONS = _TRANSACTIONS
    METADATA = _METADATA
    SHARES = _SHARES
    REMOTE = _REMOTE


class Plain(StrEnum):
    """What reads a key or a value that has no schema; Kafka's classes of package tools.api.

    DefaultDecoder gives the bytes as they are. Of those the tool prints where they are in its
    memory, which is another place each time; here they stand in hex.
    """

    DEFAULT = "default"
    STRING = "string"
    INTEGER = "integer"
    LONG = "long"


def decode_contents(record: Record, decoder: ContentDecoder, release: str) -> Contents:
    """Return what the tool of a release prints of a record of one of Kafka's own topics.

    Raises:
        FormatError: a key is missing, on which the tool stops.
    """
    if decoder is ContentDecoder.METADATA:
        return Contents(
            None, _text_or_error(lambda: _metadata(record, release), f"Error at {record.offset}, skipping.")
        )
    if decoder is ContentDecoder.REMOTE:
        return Contents(
            None, _text_or_error(lambda: _remote(record, release), f"Error at offset {record.offset}, skipping.")
        )
    if record.key is None:
        raise _unknown("the record has no key, which says what it is")
    if decoder is ContentDecoder.TRANSACTIONS and numbers(release) < _TRANSACTIONS_IN_JSON_SINCE:
        return Contents(*transaction_lines.lines(record))
    return _contents_by_key(record, decoder, release)


def decoded(content: bytes | None, kind: Plain) -> str | None:
    """Return a key or value as one of Kafka's plain decoders reads it; None for null.

    Raises:
        FormatError: it has too few bytes for a number, on which the tool stops.
    """
    if content is None:
        return None
    if kind is Plain.STRING:
        return java_text.decode(content)
    if kind is Plain.DEFAULT:
        return content.hex()
    form = ">q" if kind is Plain.LONG else ">i"
    if len(content) < struct.calcsize(form):
        detail = f"{byte_count(len(content))}, which no {kind} number has"
        raise FormatError(detail, rule="field.truncated", stage=Stage.STRUCTURE, offset=0)
    return str(struct.unpack_from(form, content)[0])


def _contents_by_key(record: Record, decoder: ContentDecoder, release: str) -> Contents:
    """Return what is printed of a record whose key says what it is."""
    content = record.key or b""
    number = structure("record_number").read(content, 0, len(content), flags=frozenset())[0].number
    try:
        key = decode_key(decoder, content)
        value = decode_value(decoder, record.value, key) if record.value is not None else None
        if not _is_number(decoder, number, release):
            raise _unknown(f"release {release} does not know it")
    except FormatError as error:
        if error.rule == "protocol.record.known" and not _is_number(decoder, number, release):
            return Contents(f"Unknown record type {number} at offset {record.offset}, skipping.", None)
        return Contents(f"Error at offset {record.offset}, skipping. {error}", None)
    shown = java_json.text({"type": str(number), "data": _data(key, release)})
    if value is None:
        return Contents(shown, DELETED)
    return Contents(shown, java_json.text({"version": str(value.version), "data": _data(value, release)}))


def _is_number(decoder: ContentDecoder, number: int, release: str) -> bool:
    """Tell whether a release knows records of a number."""
    name = specification().enums[KEYED[decoder]].values.get(number, "")
    if name.startswith("share_group") and numbers(release) < _SHARE_GROUPS_SINCE:
        return False
    return _has_version(f"{name}_key", 0, release)


def _has_version(layout: str, number: int, release: str) -> bool:
    """Tell whether a release had a version of a layout."""
    known = specification().versioned.get(layout)
    if known is None or numbers(known.since[number]) > numbers(release):
        return False
    return number not in known.until or numbers(known.until[number]) >= numbers(release)


def _data(schema_record: SchemaRecord, release: str) -> dict[str, Any]:
    """Return a value as JSON; what consumers tell of themselves is read too."""
    data = _as_known(
        to_json(version(schema_record.layout, schema_record.version), schema_record.value),
        schema_record.layout,
        release,
    )
    if schema_record.layout == "transaction_log_value" and numbers(release) >= _STATES_NAMED_SINCE:
        data["transactionStatus"] = _state(data["transactionStatus"])
    if schema_record.layout == "group_metadata_value" and data.get("protocolType") == _CONSUMER:
        for member, shown in zip(schema_record.value.members, data["members"], strict=True):
            for field in _OF_MEMBERS:
                with suppress(FormatError, KeyError, ValueError):  # then it stays as it is
                    shown[field] = _of_member(field, getattr(member, field), release)
    return data


def _state(number: int) -> str:
    """Return the state of a transaction as Kafka writes it; the number of an unknown one."""
    name = specification().enums["transaction_status"].values.get(number)
    return str(number) if name is None else name.title().replace("_", "")


def _of_member(field: str, content: bytes, release: str) -> dict[str, Any]:
    front, start = structure("schema_version").read(content, 0, len(content), flags=frozenset())
    schema = version(_OF_MEMBERS[field], front.version)
    value, _ = schema.read(content, start, flags=frozenset())
    return _as_known(to_json(schema, value), _OF_MEMBERS[field], release)


def _as_known(data: dict[str, Any], layout: str, release: str) -> dict[str, Any]:
    """Return JSON as the classes of a release have it: in their order, without what came later."""
    return _prune(data, specification().versioned[layout].body, numbers(release))


def _prune(data: dict[str, Any], structure: VersionedStructure, release: tuple[int, ...]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for field in structure.fields:
        if field.kafka not in data or (field.since and numbers(field.since) > release):
            continue
        value, inner = data[field.kafka], field.structure
        if inner is not None and isinstance(value, list):
            value = [_prune(each, inner, release) for each in value]
        elif inner is not None and value is not None:
            value = _prune(value, inner, release)
        kept[field.kafka] = value
    return kept


def _metadata(record: Record, release: str) -> str:
    content = decode_value(_METADATA, record.value or b"")
    return java_json.text({"type": content.layout.upper(), "version": content.version, "data": _data(content, release)})


def _remote(record: Record, release: str) -> str:
    content = decode_value(_REMOTE, record.value or b"")
    return remote_text.text(content, release)


def _unknown(detail: str) -> FormatError:
    return FormatError(detail, rule="protocol.record.known", stage=Stage.FRAMING, offset=0)


def _text_or_error(read: Callable[[], str], otherwise: str) -> str:
    try:
        return read()
    except (FormatError, ValueError) as error:
        return f"{otherwise} {error}"
