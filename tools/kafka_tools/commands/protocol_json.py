"""Requests and responses as JSON with Kafka's own names of fields, and back."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from kafka_format import protocol
from kafka_format.codec.compiler import Structure
from kafka_format.errors import EncodeError, FormatError
from kafka_format.explain.requests import SIZE, Kind, is_framed, split

from kafka_tools.commands import records_in_json
from kafka_tools.commands.protocol_options import ExchangeOptions
from kafka_tools.errors import UsageError
from kafka_tools.show.protocol_json import of_request, of_response

_PARTS = ("api", "version", "header", "body")


def decode(
    data: bytes, exchange: ExchangeOptions, flags: frozenset[str], *, read_records: bool = False
) -> dict[str, Any] | list[dict[str, Any]]:
    """Decode a request or response, or a list of them where each has its size in front.

    Raises:
        FormatError: bytes break a rule.
        UsageError: of a response, API and version are not said; or a request is another than the
            user says.
    """
    frames = _decode_frames(data, exchange, flags)
    if read_records:
        frames = [_with_records(frame, exchange.kind or "request", flags) for frame in frames]
    return frames[0] if len(frames) == 1 else frames


def _decode_frames(data: bytes, exchange: ExchangeOptions, flags: frozenset[str]) -> list[dict[str, Any]]:
    """Decode what each frame has, or all bytes if they have no sizes in front."""
    if not is_framed(data, exchange.kind or "request"):
        return [_decode(data, exchange, flags)]
    if exchange.kind == "response":
        with suppress(FormatError):  # a correlation id can look like a size
            return [_decode(data, exchange, flags)]
    return [_decode(frame[SIZE:], exchange, flags) for frame in split(data)]


def _decode(data: bytes, exchange: ExchangeOptions, flags: frozenset[str]) -> dict[str, Any]:
    if exchange.kind == "response":
        return of_response(protocol.decode_response(data, *exchange.both(), flags=flags))
    decoded = protocol.decode_request(data, flags=flags)
    for said, name, number in ((exchange.api, "--api", decoded.api), (exchange.version, "--version", decoded.version)):
        if said not in (None, number):
            raise UsageError(f"{name} says {said}, the header of the request says {number}.", f"Leave out {name}.")
    return of_request(decoded)


def _with_records(document: dict[str, Any], kind: Kind, flags: frozenset[str]) -> dict[str, Any]:
    layout = _body(kind, document["api"], document["version"]).layout
    return document | {"body": records_in_json.read(layout, document["body"], flags)}


def _body(kind: Kind | None, api: int | str, version: int) -> Structure[Any]:
    return protocol.request(api, version) if kind == "request" else protocol.response(api, version)


def encode(document: object, exchange: ExchangeOptions) -> bytes:
    """Encode a request or response, without its size.

    Args:
        document: what `decode` gives, or the body alone. What is left out has its default.
        exchange: which API and version it is.

    Raises:
        EncodeError: a value does not fit, or belongs to no field.
        UsageError: the API and version are not said, or are neither names nor numbers; or the
            document is no object.
    """
    if not isinstance(document, Mapping):
        raise UsageError("expected an object with `header` and `body`, or the body alone.", "`decode` prints one.")
    if "body" in document and set(document) <= set(_PARTS):
        exchange = exchange._replace(
            api=exchange.api if exchange.api is not None else _api(document.get("api")),
            version=exchange.version if exchange.version is not None else _version(document.get("version")),
        )
        return _encode(document.get("header", {}), document["body"], exchange)
    return _encode({}, document, exchange)


def _api(said: object) -> int | None:
    if said is not None and (not isinstance(said, str | int) or isinstance(said, bool)):
        raise UsageError(f"`api` is {said!r}, neither a name nor a number.", "For example: fetch, Fetch or 1.")
    return None if said is None else protocol.api_number(said)


def _version(said: object) -> int | None:
    if said is not None and type(said) is not int:
        raise UsageError(f"`version` is {said!r}, which is no whole number.", "For example: 12.")
    return said


def _encode(header: Any, body: Any, exchange: ExchangeOptions) -> bytes:  # noqa: ANN401 - the user's JSON
    api, version = exchange.both()
    is_request = exchange.kind == "request"
    compiled = _body(exchange.kind, api, version)
    written = compiled.encode(_part(compiled, records_in_json.write(compiled.layout, body), "body"))
    number = protocol.header_version(api, version, exchange.kind or "request")
    front = protocol.schema(f"{exchange.kind}_header", number)
    usual = {"requestApiKey": api, "requestApiVersion": version} if is_request else {}
    if not isinstance(header, Mapping):
        raise UsageError("`header` is not an object.", "`decode` prints one.")
    return front.encode(_part(front, {**usual, **header}, "header")) + written


def _part(compiled: Any, value: Any, name: str) -> Any:  # noqa: ANN401 - the user's JSON
    try:
        return protocol.from_json(compiled, value)
    except EncodeError as error:
        raise EncodeError(error.detail, path=(name, *error.path)) from None
