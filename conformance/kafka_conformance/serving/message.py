"""The reference's word on a request or response: its value as JSON."""

import json
from typing import Final, Literal

from kafka_format import protocol
from kafka_format.codec.versions import version
from kafka_format.protocol.json_form import EXACT

from kafka_conformance.protocol.messages import MessageInput

_KINDS: Final[tuple[Literal["request", "response"], ...]] = ("request", "response")


def read(asked: MessageInput) -> bytes:
    """Return header and body as UTF-8 JSON.

    Raises:
        FormatError: the bytes break a rule.
        ValueError: there is no such API or version, or it is a schema record.
    """
    if asked.message_kind not in range(len(_KINDS)):
        raise ValueError(f"messages of kind {asked.message_kind} are not read")
    kind = _KINDS[asked.message_kind]
    message: protocol.Request | protocol.Response = (
        protocol.decode_request(asked.message)
        if kind == "request"
        else protocol.decode_response(asked.message, asked.api, asked.version)
    )
    header = version(f"{kind}_header", protocol.header_version(asked.api, asked.version, kind))
    body = version(f"{protocol.api_name(message.api)}_{kind}", message.version)
    document = {
        "version": message.version,
        "header": EXACT.write(header.layout, message.header),
        "body": EXACT.write(body.layout, message.body),
    }
    return json.dumps(document).encode()
