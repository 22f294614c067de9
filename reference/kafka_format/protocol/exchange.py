"""Requests and responses as on a connection, header and body, without the size in front."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from kafka_format.codec import checks
from kafka_format.codec.compiler import Structure, version
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FieldPath, FormatError, Stage
from kafka_format.protocol.apis import Api, api_number, header_version, layout_of
from kafka_format.protocol.schemas import request, response
from kafka_format.spec.flags import NO_FLAGS
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Surplus

_API_VERSIONS: Final = 18
_UNSUPPORTED_VERSION: Final = (35).to_bytes(2, "big")
_ERROR_SIZE: Final = len(_UNSUPPORTED_VERSION)


class Request(NamedTuple):
    """A request.

    Attributes:
        api: number of the API.
        version: version of the body.
        header: the header, of the version that belongs to it.
        body: the body, a named tuple of `request(api, version)`.
    """

    api: int
    version: int
    header: Any
    body: Any


class Response(NamedTuple):
    """A response.

    Attributes:
        api: number of the API.
        version: version of the body. It is 0 where a broker does not know the version of
            ApiVersions that was asked.
        header: the header, of the version that belongs to it.
        body: the body, a named tuple of `response(api, version)`.
    """

    api: int
    version: int
    header: Any
    body: Any


def decode_request(data: bytes, *, flags: frozenset[str] = NO_FLAGS) -> Request:
    """Read a request whose header says what it is.

    Args:
        data: header and body, all of it.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.

    Raises:
        FormatError: the bytes break a rule; its path begins with `header` or `body`.
    """
    data = bytes(data)
    api, number = read_api(data)
    header, start = _part(version("request_header", header_version(api, number)), data, 0, "header", flags)
    body = _body(request(api, number), data, start, flags)
    return Request(api, number, header, body)


def surplus(data: bytes) -> Surplus | None:
    """Return what a client left behind the last field of a request; None if it left nothing.

    Raises:
        FormatError: `decode_request` does not read it.
    """
    api, number = read_api(data)
    compiled = request(api, number)
    if not compiled.layout.surplus:
        return None
    _, start = _part(version("request_header", header_version(api, number)), data, 0, "header", NO_FLAGS)
    _, end = _part(compiled, data, start, "body", NO_FLAGS)
    return checks.surplus_of(compiled.layout, data[end:])


def read_api(data: bytes) -> tuple[int, int]:
    """Return the API and the version that a request header names.

    Raises:
        FormatError: it is cut, or there is no such API or version.
    """
    head = prefix("request_header", 1)
    if len(data) < head.places["correlation_id"]:
        _part(version("request_header", 1), data, 0, "header", NO_FLAGS)
    api, number = head.value(data, 0, "request_api_key"), head.value(data, 0, "request_api_version")
    if api not in specification().enums["api"].values:
        raise _unknown(f"there is no API {api}", "request_api_key")
    versions = layout_of(api, "request").versions
    if number not in versions:
        raise _unknown(f"API {api} has no version {number}, it has {versions}", "request_api_version")
    return api, number


def _unknown(detail: str, field: str) -> FormatError:
    path: FieldPath = ("header", field)
    offset = prefix("request_header", 1).places[field]
    return FormatError(detail, rule="protocol.header.known", stage=Stage.FRAMING, offset=offset, path=path)


def decode_response(data: bytes, api: Api, number: int, *, flags: frozenset[str] = NO_FLAGS) -> Response:
    """Read the response to a request of this API and version.

    A broker that does not know the version of an ApiVersions request answers in version 0
    (KIP-511).

    Raises:
        FormatError: the bytes break a rule; its path begins with `header` or `body`.
        LayoutError: there is no such API or version.
    """
    data = bytes(data)
    key = api_number(api)
    header, start = _part(version("response_header", header_version(key, number, "response")), data, 0, "header", flags)
    try:
        body = _body(response(key, number), data, start, flags)
    except FormatError:
        if number == 0 or not is_fallback(key, data, start):
            raise
        number = 0
        body = _body(response(key, number), data, start, flags)
    return Response(key, number, header, body)


def is_fallback(api: int, data: bytes, start: int) -> bool:
    """Tell whether a body is a version 0 answer to an unknown version of ApiVersions."""
    return api == _API_VERSIONS and data[start : start + _ERROR_SIZE] == _UNSUPPORTED_VERSION


def _part(compiled: Structure[Any], data: bytes, start: int, name: str, flags: frozenset[str]) -> tuple[Any, int]:
    try:
        return compiled.read(data, start, flags=flags)
    except FormatError as error:
        raise error.within(name) from None


def _body(compiled: Structure[Any], data: bytes, start: int, flags: frozenset[str]) -> Any:
    body, end = _part(compiled, data, start, "body", flags)
    try:
        checks.check_end(compiled.layout, data, end, flags)
    except FormatError as error:
        raise error.within("body") from None
    return body


def encode_request(
    api: Api, number: int, body: Any, *, correlation_id: int = 0, client_id: str | None = None, tagged: Any = ()
) -> bytes:
    """Write a request: the header that belongs to the version, and the body.

    Args:
        api: number or name of the API.
        number: version of the body.
        body: a named tuple of `request(api, version)`, or a mapping of its fields.
        correlation_id: what the response is to repeat.
        client_id: name of the client; null where there is none. A header of version 0 has no place
            for it.
        tagged: unknown tagged fields of a header of version 2.

    Raises:
        EncodeError: a value has the wrong type, does not fit, or belongs to no field.
        LayoutError: there is no such API or version.
    """
    written = request(api, number).encode(body)
    given: dict[str, Any] = {
        "request_api_key": api_number(api),
        "request_api_version": number,
        "correlation_id": correlation_id,
    }
    head = header_version(api, number)
    if head > 0:
        given["client_id"] = client_id
    if tagged:
        given["unknown_tagged_fields"] = tagged
    return version("request_header", head).encode(given) + written


def encode_response(api: Api, number: int, body: Any, *, correlation_id: int = 0, tagged: Any = ()) -> bytes:
    """Write a response: the header that belongs to the version, and the body.

    Args:
        api: number or name of the API.
        number: version of the body.
        body: a named tuple of `response(api, version)`, or a mapping of its fields.
        correlation_id: that of the request.
        tagged: unknown tagged fields of a header of version 1.

    Raises:
        EncodeError: a value has the wrong type, does not fit, or belongs to no field.
        LayoutError: there is no such API or version.
    """
    written = response(api, number).encode(body)
    given: dict[str, Any] = {"correlation_id": correlation_id}
    if tagged:
        given["unknown_tagged_fields"] = tagged
    return version("response_header", header_version(api, number, "response")).encode(given) + written
