"""The reference's answer to a request, a response or a schema record: its value as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from kafka_format import protocol, structure
from kafka_format.codec.compiler import version
from kafka_format.protocol import records
from kafka_format.protocol.json_form import EXACT

from kafka_conformance.protocol.messages import MessageInput, MessageKind


def read(asked: MessageInput) -> bytes:
    """Return the value as UTF-8 JSON.

    Raises:
        FormatError: the bytes break a rule.
        ValueError: there is no such API, version, topic or kind of message.
    """
    return json.dumps(_READERS[MessageKind(asked.message_kind)](asked)).encode()


def _request(asked: MessageInput) -> Mapping[str, Any]:
    return _message("request", protocol.decode_request(asked.message), asked)


def _response(asked: MessageInput) -> Mapping[str, Any]:
    return _message("response", protocol.decode_response(asked.message, asked.api, asked.version), asked)


def _message(
    kind: Literal["request", "response"], message: protocol.Request | protocol.Response, asked: MessageInput
) -> Mapping[str, Any]:
    header = version(f"{kind}_header", protocol.header_version(asked.api, asked.version, kind))
    body = version(f"{protocol.api_name(message.api)}_{kind}", message.version)
    return {
        "version": message.version,
        "header": EXACT.write(header.layout, message.header),
        "body": EXACT.write(body.layout, message.body),
    }


def _record(asked: MessageInput) -> Mapping[str, Any]:
    """Read the value of a record, or its key if there is no value."""
    record = structure("schema_record").decode(asked.message)
    topic = record.topic.decode()
    key = None if record.key is None else records.decode_key(topic, record.key)
    read = key if record.value is None else records.decode_value(topic, record.value, key)
    if read is None:
        raise ValueError(f"a record of {topic} without a key and a value")
    layout = version(read.layout, read.version).layout
    return {"version": read.version, "body": EXACT.write(layout, read.value)}


_READERS: Final[Mapping[MessageKind, Callable[[MessageInput], Mapping[str, Any]]]] = {
    MessageKind.REQUEST: _request,
    MessageKind.RESPONSE: _response,
    MessageKind.RECORD: _record,
}
