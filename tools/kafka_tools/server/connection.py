"""One connection: requests in, answers out, in order.

Whatever comes, it ends in a note and never in a traceback.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

from kafka_format import protocol
from kafka_format.codec.prefix import prefix
from kafka_format.errors import EncodeError, FormatError
from kafka_format.primitives.counts import byte_count
from kafka_format.protocol import Request
from kafka_format.protocol.exchange import read_api
from kafka_format.spec.layout import specification

from kafka_tools.server.error_codes import UNSUPPORTED_VERSION
from kafka_tools.server.handlers import HANDLERS, sasl
from kafka_tools.server.handlers.cluster import api_keys
from kafka_tools.server.interference import NO_MEDDLING, Burst, Interference
from kafka_tools.server.notes import RequestFault
from kafka_tools.server.state import BrokerState, Call, Connection

_SIZE: Final = 4
_API_VERSIONS: Final = protocol.api_number("api_versions")
_HEADER: Final = prefix("request_header", 1)
"""API, version and correlation id, which every version of the header begins with."""

_SHORTEST: Final = _HEADER.size

_TLS: Final = b"\x16\x03"
"""How a connection with TLS begins: the type of the record, and the protocol's version."""

_HTTP: Final = (b"GET ", b"POST", b"HEAD", b"PUT ")

_FLAGS: Final = frozenset(flag for rule, flag in specification().flags.items() if rule.startswith("protocol."))
"""What Kafka overlooks in requests. The broker notes it, and answers."""


class _Closed(Exception):  # noqa: N818 - no error: the connection is over
    """The broker hangs up."""


async def serve(
    state: BrokerState, here: Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer requests until the client hangs up, is silent for long, or sends a hopeless one."""
    with suppress(ConnectionError, asyncio.IncompleteReadError, TimeoutError, _Closed):
        while True:
            data = await _frame(state, here, reader)
            answer, meddling = await _answer(state, here, data)
            if answer is not None:
                await _send(writer, meddling.pieces(len(answer).to_bytes(_SIZE, "big") + answer))
            meddling.on_sent()
            if meddling.hangs_up:
                return


async def _send(writer: asyncio.StreamWriter, pieces: Iterable[Burst]) -> None:
    for piece in pieces:
        if piece.seconds:
            await asyncio.sleep(piece.seconds)
        writer.write(piece.data)
        await writer.drain()


async def _frame(state: BrokerState, here: Connection, reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(state.settings.idle_seconds):
        size = int.from_bytes(await reader.readexactly(_SIZE), "big", signed=True)
        most = state.settings.largest_request
        if here.takes_tokens and 0 <= size <= most:
            return await reader.readexactly(size)
        if not _SHORTEST <= size <= most:
            detail = f"a request of {byte_count(size)}; the broker takes {_SHORTEST} to {most}{_looks_like(size)}"
            state.notes.fault(here.number, RequestFault(here.address, "a size", "", detail))
            raise _Closed
        return await reader.readexactly(size)


def _looks_like(size: int) -> str:
    """Say what a connection begins with that is no size of a request; empty if it is unknown."""
    first = size.to_bytes(_SIZE, "big", signed=True)
    if first[:2] == _TLS:
        return "; this is a handshake of TLS, which the broker does not speak"
    return "; these are the words of HTTP" if first in _HTTP else ""


async def _answer(state: BrokerState, here: Connection, data: bytes) -> tuple[bytes | None, Interference]:
    if here.takes_tokens:
        here.takes_tokens -= 1
        sasl.authenticate(state, here)
        return b"", NO_MEDDLING
    request = _read(state, here, data)
    if request is None:
        return _fallback(state, data), NO_MEDDLING
    client = getattr(request.header, "client_id", None)
    state.notes.request(here.number, client or here.address, request)
    name = protocol.api_name(request.api)
    if not sasl.is_admitted(state, here, name):
        raise _Closed
    call = Call(state, here, name, request.version, request.body, client)
    meddling = NO_MEDDLING if state.meddler is None else state.meddler(call)
    body = await HANDLERS[name](call)
    if body is None:
        return None, meddling
    to = {"correlation_id": request.header.correlation_id, "tagged": meddling.tagged_fields}
    try:
        return protocol.encode_response(request.api, request.version, meddling.change(body), **to), meddling
    except EncodeError as error:  # it asked for something that this version cannot say
        _note(state, here, name, data, error)
        raise _Closed from None


def _read(state: BrokerState, here: Connection, data: bytes) -> Request | None:
    """Read a request, and note its faults; None for an unknown version of ApiVersions."""
    if _is_beyond(state, data):
        return None
    name = "a header"
    try:
        api, version = read_api(data)
        name = f"{protocol.api_name(api)} {version}"
        _check_served(state, here, api, version, data)
        request = protocol.decode_request(data)
    except FormatError as error:
        _note(state, here, name, data, error)
    else:
        _note_surplus(state, here, name, data)
        return request
    try:
        return protocol.decode_request(data, flags=_FLAGS)
    except FormatError:
        raise _Closed from None


def _note_surplus(state: BrokerState, here: Connection, what: str, data: bytes) -> None:
    """Note what widely used clients leave behind a request: no broker minds, but it is a bug."""
    surplus = protocol.surplus(data)
    if surplus is not None:
        detail = f"there are bytes behind the last field, as {surplus.writer} writes them; every Kafka ignores them"
        fault = RequestFault(here.address, what, "protocol.body.exact", detail, data, is_overlooked=True)
        state.notes.fault(here.number, fault)


def _is_beyond(state: BrokerState, data: bytes) -> bool:
    """Tell whether this is an ApiVersions request of a version that the broker does not have."""
    api, version = (_HEADER.value(data, 0, field) for field in ("request_api_key", "request_api_version"))
    low, high = state.settings.versions["api_versions"]
    return api == _API_VERSIONS and not low <= version <= high


def _check_served(state: BrokerState, here: Connection, api: int, version: int, data: bytes) -> None:
    """Hang up on a version that the broker did not say it has."""
    name = protocol.api_name(api)
    low, high = state.settings.versions.get(name, (0, -1))
    if low <= version <= high:
        return
    detail = (
        f"the broker said that it has versions {low} to {high}" if high >= 0 else "the broker does not have this API"
    )
    fault = RequestFault(here.address, f"{name} {version}", "protocol.header.known", detail, data)
    state.notes.fault(here.number, fault)
    raise _Closed


def _fallback(state: BrokerState, data: bytes) -> bytes:
    """Answer an unknown version of ApiVersions in version 0, with the known ones (KIP-511)."""
    nobody = Connection(0, "", "", 0)
    call = Call(state, nobody, "api_versions", 0, None)
    ranges = (
        [] if state.settings.falls_back_silently else [key for key in api_keys(call) if key.api_key == _API_VERSIONS]
    )
    body: Any = call.answer(error_code=UNSUPPORTED_VERSION, api_keys=ranges)
    correlation = _HEADER.value(data, 0, "correlation_id")
    return protocol.encode_response("api_versions", 0, body, correlation_id=correlation)


def _note(state: BrokerState, here: Connection, what: str, data: bytes, error: FormatError | EncodeError) -> None:
    rule = getattr(error, "rule", "") or ""
    state.notes.fault(here.number, RequestFault(here.address, what, rule, str(error), data))
