"""Requests and responses as JSON, with Kafka's own names of fields."""

from typing import Any

from kafka_format import protocol
from kafka_format.protocol import Request, Response


def of_request(request: Request) -> dict[str, Any]:
    """Return a request as what `json.dumps` takes."""
    header = protocol.schema("request_header", protocol.header_version(request.api, request.version))
    return _document(request, header, protocol.request(request.api, request.version))


def of_response(response: Response) -> dict[str, Any]:
    """Return a response as what `json.dumps` takes."""
    header = protocol.schema("response_header", protocol.header_version(response.api, response.version, "response"))
    return _document(response, header, protocol.response(response.api, response.version))


def _document(message: Request | Response, header: Any, body: Any) -> dict[str, Any]:  # noqa: ANN401 - compiled versions
    return {
        "api": protocol.api_name(message.api),
        "version": message.version,
        "header": protocol.to_json(header, message.header),
        "body": protocol.to_json(body, message.body),
    }
