"""One connection of a client through the proxy: bytes to the broker, and its answers back.

What a client sends is passed on as it comes, before anybody looks at it. Of an answer the frame is
awaited, for addresses in it may be replaced. Each whole frame is then handed to the judge.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from kafka_format import protocol
from kafka_format.capture import Captured, Endpoint
from kafka_format.capture.connection import client_of
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.protocol.exchange import read_api

from kafka_tools.proxy.addresses import Place, apis_with_addresses, replaced

SIZE: Final = 4
_LARGEST: Final = 1 << 30
"""A size that no frame has; from there on bytes are only passed on."""

_MOST_PENDING: Final = 10_000
_HEADER: Final = prefix("request_header", 1)
_CORRELATION: Final = prefix("response_header", 0)
_SASL_HANDSHAKE: Final = protocol.api_number("sasl_handshake")


class Asked(NamedTuple):
    """A request that waits for its response."""

    api: int
    version: int
    time: float
    client_id: str | None


class Settings(NamedTuple):
    """What all links have in common.

    Attributes:
        place: gives the address of the proxy for a broker.
        hosts: gives the names of hosts that were seen.
        take: takes each frame that has passed.
        closed: takes a link that has come to its end.
    """

    place: Place
    hosts: Callable[[], frozenset[bytes]]
    take: Callable[[Captured], None]
    closed: Callable[[Link], None]


def _end_of(transport: asyncio.Transport) -> Endpoint:
    address, port, *_ = transport.get_extra_info("peername") or ("", 0)
    return Endpoint(address, port)


class Link:
    """A connection of a client, and the one to the broker that stands behind it."""

    def __init__(self, number: int, settings: Settings) -> None:
        """Take the number of the connection."""
        self.number = number
        self.settings = settings
        self.client = self.server = Endpoint("", 0)
        self.to_client = Side(self, from_client=True)
        self.to_broker = Side(self, from_client=False)
        self._asked: OrderedDict[int, Asked] = OrderedDict()
        self._tokens = False
        self._is_over = False

    def is_connected(self, broker: asyncio.Transport) -> None:
        """Take the connection to the broker: both ends are known now, and the client may speak."""
        client = self.to_client.transport
        if client is None or client.is_closing():
            broker.close()
            return
        self.client, self.server = _end_of(client), _end_of(broker)
        client.resume_reading()

    def is_lost(self) -> None:
        """Tell once that the link is at its end."""
        if not self._is_over:
            self._is_over = True
            self.settings.closed(self)

    def request(self, data: bytes, now: float) -> None:
        """Take a request that was passed on."""
        try:
            api, version = read_api(data)
            correlation_id = _HEADER.value(data, 0, "correlation_id")
            client_id = client_of(data) if len(data) > _HEADER.size + 1 else None
        except (FormatError, IndexError, ValueError):
            kind, note = ("token", "SASL token without a header") if self._tokens else ("request", "no known API")
            self._tell(kind, data, now, from_client=True, note=note)
            return
        self._tokens = self._tokens and api == _SASL_HANDSHAKE
        self._asked[correlation_id] = Asked(api, version, now, client_id)
        if len(self._asked) > _MOST_PENDING:
            self._asked.popitem(last=False)
        self._tell(
            "request", data, now, from_client=True, api=api, version=version, number=correlation_id, client=client_id
        )

    def response(self, data: bytes, now: float) -> bytes:
        """Take a response; return it with addresses of the proxy."""
        number = _CORRELATION.value(data, 0, "correlation_id") if len(data) >= _CORRELATION.size else None
        asked = self._asked.pop(number, None) if number is not None else None
        if asked is None:
            note = "SASL token without a header" if self._tokens else "nothing was asked with this correlation id"
            self._tell("token" if self._tokens else "response", data, now, from_client=False, note=note, number=number)
            return data
        if asked.api == _SASL_HANDSHAKE and asked.version == 0:
            self._tokens = True
        self._tell(
            "response", data, now, from_client=False, api=asked.api, version=asked.version, number=number,
            client=asked.client_id, seconds=now - asked.time,
        )  # fmt: skip
        if asked.api not in apis_with_addresses():
            return data
        return replaced(data, asked.api, asked.version, self.settings.place, self.settings.hosts())

    def _tell(
        self,
        kind: str,
        data: bytes,
        now: float,
        *,
        from_client: bool,
        note: str = "",
        api: int | None = None,
        version: int | None = None,
        number: int | None = None,
        client: str | None = None,
        seconds: float | None = None,
    ) -> None:
        frame = len(data).to_bytes(SIZE, "big") + data
        self.settings.take(
            Captured(
                kind, now, self.number, self.client, self.server, from_client, api, version, number, client,  # type: ignore[arg-type]
                seconds, frame, len(frame), note,
            )
        )  # fmt: skip


class Side(asyncio.Protocol):
    """One side of a link: what comes from there, and what is sent there."""

    def __init__(self, link: Link, *, from_client: bool) -> None:
        """Take the link, and whether the client is on this side."""
        self._link = link
        self._from_client = from_client
        self._buffer = bytearray()
        self._is_raw = False
        self.transport: asyncio.Transport | None = None

    @property
    def _other(self) -> Side:
        return self._link.to_broker if self._from_client else self._link.to_client

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection; a client waits until the broker is connected, too."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - TCP has no other
        self.transport = transport
        if self._from_client:
            transport.pause_reading()
            return
        self._link.is_connected(transport)

    def send(self, data: bytes) -> None:
        """Send bytes to this side."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on, and take the frames that are whole."""
        now = time.time()
        if self._is_raw:
            self._other.send(data)
            return
        if self._from_client:
            self._other.send(data)
        self._buffer += data
        answers = self._frames(now)
        if answers:
            self._other.send(b"".join(answers))

    def _frames(self, now: float) -> list[bytes]:
        """Take the whole frames of the buffer; return what is sent on of a broker's."""
        answers: list[bytes] = []
        position = 0
        buffer = self._buffer
        while len(buffer) - position >= SIZE:
            size = int.from_bytes(buffer[position : position + SIZE], "big", signed=True)
            if not 0 <= size <= _LARGEST:
                answers.append(b"" if self._from_client else bytes(buffer[position:]))
                position, self._is_raw = len(buffer), True
                break
            end = position + SIZE + size
            if end > len(buffer):
                break
            data = bytes(buffer[position + SIZE : end])
            position = end
            if self._from_client:
                self._link.request(data, now)
            else:
                changed = self._link.response(data, now)
                answers.append(len(changed).to_bytes(SIZE, "big") + changed)
        del buffer[:position]
        return answers

    def pause_writing(self) -> None:
        """Read no more from the other side while this one does not keep up."""
        if self._other.transport is not None:
            self._other.transport.pause_reading()

    def resume_writing(self) -> None:
        """Read on."""
        if self._other.transport is not None and not self._other.transport.is_closing():
            self._other.transport.resume_reading()

    def eof_received(self) -> bool:
        """Close this side; the other follows in `connection_lost`."""
        return False

    def connection_lost(self, _: Exception | None) -> None:
        """Close the other side, once what waits for it was sent."""
        if self._buffer and not self._from_client:
            self._other.send(bytes(self._buffer))
        if self._other.transport is not None:
            self._other.transport.close()
        self._link.is_lost()
