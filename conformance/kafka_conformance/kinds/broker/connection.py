"""One connection to a broker: requests out, responses in, in order, many on the way at once.

A broker answers the requests of a connection in their order. So whatever goes wrong, the oldest
request without a response is the one that it went wrong on.
"""

from __future__ import annotations

import selectors
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic
from typing import Any, Final, NamedTuple

from kafka_format import protocol
from kafka_format.errors import FormatError
from kafka_format.primitives.counts import byte_count
from kafka_format.spec.layout import specification
from kafka_tools.text import plural

from kafka_conformance.errors import StoppedError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets.broker_address import Address

WINDOW: Final = 64
"""Requests that wait for a response at a time."""

_LARGEST: Final = 128 << 20
"""Bytes that a response may have: more than any vector, and what a false size may cost at most."""

_SIZE: Final = 4
_CHUNK: Final = 1 << 18
_LOOK_SECONDS: Final = 0.1
_FLAGS: Final = frozenset(flag for rule, flag in specification().flags.items() if rule.startswith("protocol."))
"""What Kafka overlooks in messages of the protocol."""

_CLIENT: Final = "kafka-conformance"


class Call(NamedTuple):
    """A request: API, version, and what makes the body when it is sent."""

    api: str
    version: int
    body: Callable[[], Any]

    @property
    def is_about_vector(self) -> bool:
        """True if its response shows what the broker does with a vector."""
        return self.api in {"produce", "fetch"}

    @property
    def name(self) -> str:
        """API and version, as people write them."""
        return f"{self.api.title().replace('_', '')} {self.version}"


class Connection:
    """A connection that is open. Always `close` it."""

    def __init__(
        self,
        address: Address,
        seconds: float,
        stopped: Callable[[], bool] = lambda: False,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Connect.

        Args:
            address: where the broker is.
            seconds: time that the broker has for a response.
            stopped: is asked now and then whether the run is over.
            note: takes words about responses that break a rule and can be read all the same.

        Raises:
            OSError: nobody listens there.
        """
        self._socket = socket.create_connection(address, timeout=seconds)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setblocking(False)  # noqa: FBT003 - the argument has no name
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_READ)
        self._seconds = seconds
        self._stopped, self._note = stopped, note
        self._outbox = bytearray()
        self._inbox = bytearray()
        self._sent = 0

    def ask(self, call: Call) -> Any:
        """Send one request, and return the body of its response.

        Raises:
            TargetLostError: there is no response, or none that can be read.
            StoppedError: the run was interrupted.
        """
        return next(self.ask_all([call]))

    def ask_all(self, calls: Iterable[Call]) -> Iterator[Any]:
        """Send requests, and yield the bodies of their responses in order.

        Raises:
            TargetLostError: the first request without a response has none, or none that can be
                read. The connection is of no use any more.
            StoppedError: the run was interrupted.
        """
        waiting, left = deque[tuple[Call, int]](), iter(calls)
        while True:
            while len(waiting) < WINDOW and len(self._outbox) < _CHUNK and (call := next(left, None)) is not None:
                self._sent += 1
                waiting.append((call, self._sent))
                self._queue(call, self._sent)
            if not waiting:
                return
            call, number = waiting.popleft()
            yield self._read(call, number, self._receive(call))

    def close(self) -> None:
        """Hang up."""
        self._selector.close()
        self._socket.close()

    def _queue(self, call: Call, number: int) -> None:
        data = protocol.encode_request(call.api, call.version, call.body(), correlation_id=number, client_id=_CLIENT)
        self._outbox += len(data).to_bytes(_SIZE, "big") + data

    def _receive(self, call: Call) -> bytes:
        """Return the next response, header and body."""
        until = monotonic() + self._seconds
        while (data := self._take(call)) is None:
            if self._stopped():
                raise StoppedError
            # Look once more when the time is over: bytes may have come while we had no processor.
            is_late = monotonic() > until
            if self._move(call):
                until = monotonic() + self._seconds
            elif is_late:
                part = f" ({byte_count(len(self._inbox))} of one had come)" if self._inbox else ""
                raise TargetLostError(Outcome.HUNG, f"gave no response to {call.name} in {self._seconds:g} s{part}")
        return data

    def _take(self, call: Call) -> bytes | None:
        if len(self._inbox) < _SIZE:
            return None
        size = int.from_bytes(self._inbox[:_SIZE], "big", signed=True)
        if not _SIZE <= size <= _LARGEST:
            start = bytes(self._inbox[:32]).hex()
            raise _protocol_error(call, f"with what would be a frame of {byte_count(size)}: {start}")
        if len(self._inbox) < _SIZE + size:
            return None
        with memoryview(self._inbox) as inbox:
            data = bytes(inbox[_SIZE : _SIZE + size])
        del self._inbox[: _SIZE + size]
        return data

    def _move(self, call: Call) -> bool:
        """Move bytes through the socket once; tell whether any came."""
        self._selector.modify(self._socket, selectors.EVENT_READ | (selectors.EVENT_WRITE if self._outbox else 0))
        came = 0
        for _, ready in self._selector.select(_LOOK_SECONDS):
            try:
                if ready & selectors.EVENT_READ:
                    chunk = self._socket.recv(_CHUNK)
                    came = len(chunk)
                    self._inbox += chunk
                    if not chunk:
                        raise TargetLostError(Outcome.CRASHED, f"hung up on {call.name}{self._partial_response()}")
                if ready & selectors.EVENT_WRITE:
                    with suppress(BlockingIOError):
                        del self._outbox[: self._socket.send(self._outbox)]
            except OSError as error:
                words = f"the connection broke at {call.name}: {error.strerror}{self._partial_response()}"
                raise TargetLostError(Outcome.CRASHED, words) from None
        return came > 0

    def _partial_response(self) -> str:
        return f" ({plural(len(self._inbox), 'byte')} of a response had come)" if self._inbox else ""

    def _read(self, call: Call, number: int, data: bytes) -> Any:
        try:
            response = protocol.decode_response(data, call.api, call.version)
        except FormatError as error:
            response = self._overlook(call, data, _protocol_error(call, f"with a response that breaks a rule: {error}"))
        if response.header.correlation_id != number:
            raise _protocol_error(call, f"with correlation id {response.header.correlation_id}, not {number}")
        return response.body

    def _overlook(self, call: Call, data: bytes, broken: TargetLostError) -> protocol.Response:
        """Read a response as loosely as Kafka's clients do, unless it is about a vector."""
        if call.is_about_vector:
            raise broken
        try:
            response = protocol.decode_response(data, call.api, call.version, flags=_FLAGS)
        except FormatError:
            raise broken from None
        self._note(f"it {broken.detail}")
        return response


def _protocol_error(call: Call, what: str) -> TargetLostError:
    return TargetLostError(Outcome.BROKEN_PROTOCOL, f"answered {call.name} {what}")
