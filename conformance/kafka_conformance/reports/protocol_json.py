"""Requests and responses as JSON, with Kafka's own names of fields."""

from typing import Any

from kafka_format import protocol
from kafka_format.protocol import Request, Response


def of_request(found: Request) -> dict[str, Any]:
    """Return a request as what `json.dumps` takes."""
    header = protocol.schema("request_header", protocol.header_version(found.api, found.version))
    return _document(found, header, protocol.request(found.api, found.version))


def of_response(found: Response) -> dict[str, Any]:
    """Return a response as what `json.dumps` takes."""
    header = protocol.schema("response_header", protocol.header_version(found.api, found.version, "response"))
    return _document(found, header, protocol.response(found.api, found.version))


def _document(found: Request | Response, header: Any, body: Any) -> dict[str, Any]:  # noqa: ANN401 - compiled versions
    return {
        "api": protocol.api_name(found.api),
        "version": found.version,
        "header": protocol.to_json(header, found.header),
        "body": protocol.to_json(body, found.body),
    }
