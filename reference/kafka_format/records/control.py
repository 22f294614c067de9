"""Control records: written by brokers between the records of producers; no application gets them.

The key tells the type. Abort and commit end a transaction, the others belong to KRaft's own log. A
client looks at the key of the first record of a batch that has a producer id, and at nothing else;
a broker reads values too, always by version 0 of their schema (clients ControlRecordType,
EndTransactionMarker, ControlRecordUtils).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol, cast

from kafka_format.codec.compiler import structure
from kafka_format.codec.interpreter import SpanReader
from kafka_format.errors import EncodeError, FormatError, Stage
from kafka_format.primitives.counts import byte_count
from kafka_format.records.entries import Entry
from kafka_format.records.model import Record
from kafka_format.spec.flags import check_flags
from kafka_format.spec.layout import Layout, find, specification

UNKNOWN: Final = "unknown"
"""The name of a type that has none."""

TRAILING: Final = "control-trailing-bytes"
"""The flag that lets bytes follow the fields that are known."""

UNREAD: Final = "control-records-unread"
"""The flag under which clients read them: of all that they say, they look at one key."""

VALUES: Final[Mapping[str, str]] = {
    "abort": "end_txn_marker",
    "commit": "end_txn_marker",
    "leader_change": "leader_change_v0",
    "snapshot_header": "snapshot_header",
    "snapshot_footer": "snapshot_footer",
    "kraft_version": "kraft_version",
    "kraft_voters": "kraft_voters",
}
"""Layout of the value by the name of the type."""


class _Key(Protocol):
    """The fields of `control_record_key`."""

    version: int
    type: int


class ControlRecord(NamedTuple):
    """The decoded content of a control record.

    Attributes:
        type: abort, commit, leader_change, snapshot_header, snapshot_footer, kraft_version,
            kraft_voters or unknown.
        number: the type as it stands in the key.
        version: version of the key.
        fields: the value, by its layout (`VALUES`); None for an unknown type.
    """

    type: str
    number: int
    version: int
    fields: Any


def read(key: bytes | None, value: bytes | None, *, flags: frozenset[str] = frozenset()) -> ControlRecord:
    """Read key and value of a control record.

    The value of an unknown type is not read.

    Args:
        key: the key of the record.
        value: the value of the record.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.

    Raises:
        FormatError: the key or the value breaks a rule. Its path starts with `key` or `value`, and
            its offset counts there.
        ValueError: there is no such flag.
    """
    if flags:
        check_flags(flags)
    fields_of_key = cast("_Key", _read("control_record_key", key, "key", flags))
    name = type_name(fields_of_key.type)
    fields = None if name == UNKNOWN else _read(VALUES[name], value, "value", flags)
    return ControlRecord(name, fields_of_key.type, fields_of_key.version, fields)


def check(records: list[Record], data: bytes, entry: Entry, flags: frozenset[str], limit: int) -> None:
    """Read the control records that are those of the batch at `entry`.

    Raises:
        FormatError: one breaks a rule.
    """
    for index, record in enumerate(records):
        try:
            if UNREAD not in flags:
                read(record.key, record.value, flags=flags)
            elif index == 0 and record.producer_id >= 0:
                check_key(record.key)
        except FormatError as error:
            raise _place(error, index, SpanReader(data, flags=flags, limit=limit), entry) from None


def _place(error: FormatError, index: int, reader: SpanReader, entry: Entry) -> FormatError:
    """Return an error with the offset and path of the key or value that it was found in."""
    reader.read(find("record_batch"), entry.start, entry.end)
    spans = {span.path: span for span in reader.spans}
    part = ("records", index, error.path[0])
    length = spans[*part, "length"]  # content without any bytes has no span of its own
    start = spans[part].start if part in spans else length.end
    return error.within("records", index, offset=start, payload=length.payload)


def check_key(key: bytes | None) -> str:
    """Return the name of the type, or `unknown`, of a key that has 4 bytes and no negative version.

    That is all that clients look at (ControlRecordType.parse).

    Raises:
        FormatError: it breaks one of these rules.
    """
    return type_name(cast("_Key", _read("control_record_key", key, "key", frozenset({TRAILING}))).type)


def type_name(number: int) -> str:
    """Return the name of a type, or `unknown`."""
    return _types().get(number, UNKNOWN)


def _types() -> Mapping[int, str]:
    return specification().enums["control_type"].values


def _read(name: str, data: bytes | None, part: str, flags: frozenset[str]) -> object:
    """Read one structure that is all of the key or the value; null is read as nothing."""
    content = data or b""
    try:
        fields, end = structure(name).read(content, 0, len(content), flags=flags)
    except FormatError as error:
        raise error.within(part) from None
    if end != len(content) and TRAILING not in flags:
        left = len(content) - end
        raise FormatError(
            f"{byte_count(left)} after the last field",
            rule=f"control.{part}.exact",
            stage=Stage.STRUCTURE,
            offset=end,
            path=(part,),
        )
    return fields


def write(name: str, fields: object = None) -> tuple[bytes, bytes]:
    """Write key and value of a control record.

    Args:
        name: name of the type.
        fields: the value, as its layout (`VALUES`) takes it: a named tuple of its structure, or a
            mapping.

    Raises:
        EncodeError: there is no such type, or a field is missing or does not fit.
    """
    numbers = {word: number for number, word in _types().items()}
    if name not in numbers:
        raise EncodeError(f"there is no type `{name}`; there are {', '.join(numbers)}", path=("type",))
    key = structure("control_record_key").encode({"type": numbers[name]})
    return key, structure(VALUES[name]).encode({} if fields is None else fields)


def layout_of(part: str, number: int | None) -> Layout | None:
    """Return the layout of that type's key or value; None for a value of an unknown type."""
    if part == "key":
        return find("control_record_key")
    name = UNKNOWN if number is None else type_name(number)
    return None if name == UNKNOWN else find(VALUES[name])
