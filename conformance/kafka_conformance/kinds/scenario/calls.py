"""Requests made of JSON, and answers as JSON: with Kafka's own names, in any version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafka_format import protocol
from kafka_format.codec.members import inner, members
from kafka_format.protocol.json_form import EXACT
from kafka_format.spec.layout.model import Layout

from kafka_conformance.kinds.broker.connection import Call

COORDINATOR: Final = "find_coordinator"


def call(api: str, version: int, body: Mapping[str, Any]) -> Call:
    """Return a request; fields that its version does not have are left out.

    Raises:
        EncodeError: a value does not fit.
    """
    compiled = protocol.request(api, version)
    value = EXACT.read(compiled, _known(compiled.layout, body))
    return Call(api, version, lambda: value)


def answer(call_: Call, body: Any) -> dict[str, Any]:
    """Return the body of a response as JSON."""
    version = call_.version if call_.says is None else 0
    return EXACT.write(protocol.response(call_.api, version).layout, body)


def find_coordinator(version: int, key: str, *, is_transaction: bool) -> Call:
    """Ask for the coordinator of a group, or of a transactional id."""
    body = {"key": key, "keyType": int(is_transaction), "coordinatorKeys": [key]}
    return call(COORDINATOR, version, body)


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
