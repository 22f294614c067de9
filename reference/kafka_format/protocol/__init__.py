"""The wire protocol: requests and responses of every API and version, and records with schemas.

    >>> from kafka_format import protocol
    >>> fetch = protocol.request("fetch", 12)
    >>> body = fetch.type(max_wait_ms=500, topics=[fetch.types["fetch_topic"](topic="orders")])
    >>> data = protocol.encode_request("fetch", 12, body, correlation_id=7, client_id="me")
    >>> protocol.decode_request(data).body.topics[0].topic
    'orders'

A layout is loaded and compiled when it is first asked for.
"""

from kafka_format.protocol.apis import api_name, api_number, header_version
from kafka_format.protocol.exchange import (
    Request,
    Response,
    decode_request,
    decode_response,
    encode_request,
    encode_response,
    surplus,
)
from kafka_format.protocol.json_form import from_json, to_json
from kafka_format.protocol.records import SchemaRecord, decode_key, decode_value
from kafka_format.protocol.schemas import request, response, schema

__all__ = [
    "Request",
    "Response",
    "SchemaRecord",
    "api_name",
    "api_number",
    "decode_key",
    "decode_request",
    "decode_response",
    "decode_value",
    "encode_request",
    "encode_response",
    "from_json",
    "header_version",
    "request",
    "response",
    "schema",
    "surplus",
    "to_json",
]
