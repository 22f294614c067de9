"""Requests made of JSON, and answers as JSON: with Kafka's own names, in any version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafka_format import protocol, records
from kafka_format.codec.members import inner, members
from kafka_format.errors import FormatError
from kafka_format.protocol.json_form import EXACT
from kafka_format.records import Record, control
from kafka_format.spec.layout.model import Layout

from kafka_conformance.kinds.broker.connection import Call

COORDINATOR: Final = "find_coordinator"

_ABORTED: Final = "abortedTransactions"

_RECORDS: Final = "records"
"""The field that has records, in Fetch and ShareFetch."""


def call(api: str, version: int, body: Mapping[str, Any]) -> Call:
    """Return a request; fields that its version does not have are left out.

    Raises:
        EncodeError: a value does not fit.
    """
    compiled = protocol.request(api, version)
    value = EXACT.read(compiled, _known(compiled.layout, body))
    return Call(api, version, lambda: value)


def answer(call_: Call, body: Any) -> dict[str, Any]:
    """Return the body of a response as JSON, with records as rows: their offsets, times, values.

    Records that cannot be read are hex.
    """
    version = call_.version if call_.says is None else 0
    written: dict[str, Any] = _read(EXACT.write(protocol.response(call_.api, version).layout, body))
    return written


def find_coordinator(version: int, key: str, *, is_transaction: bool) -> Call:
    """Ask for the coordinator of a group, or of a transactional id."""
    body = {"key": key, "keyType": int(is_transaction), "coordinatorKeys": [key]}
    return call(COORDINATOR, version, body)


def _read(value: Any, field: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _read(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_read(item) for item in value]
    if field == _ABORTED:
        return value or []  # consumers make no difference (CompletedFetch.abortedTransactions)
    if field != _RECORDS or not value:
        return value
    try:
        return [_row(record) for record in records.decode(bytes.fromhex(value))]
    except FormatError:
        return value


def _row(record: Record) -> dict[str, Any]:
    """Return what a reader is told of a record; numbers of 64 bits are text, as everywhere."""
    row: dict[str, Any] = {"record": str(record.offset)}
    if record.control:
        row["control"] = control.check_key(record.key)
    else:
        text = None if record.value is None else record.value.decode(errors="backslashreplace")
        row |= {"timestamp": str(record.timestamp), "value": text}
    if record.producer_id >= 0:
        row |= {"producerId": str(record.producer_id), "transactional": record.transactional}
    return row


def _known(layout: Layout, given: Any) -> Any:
    """Return what a layout has a field for."""
    if not isinstance(given, Mapping):
        return given
    fields = {name: field for field in members(layout) for name in (field.kafka, *field.formerly)}
    return {name: _known_in(inner(fields[name].type), value) for name, value in given.items() if name in fields}


def _known_in(layout: Layout | None, value: Any) -> Any:
    if layout is None:
        return value
    return [_known(layout, item) for item in value] if isinstance(value, list) else _known(layout, value)
