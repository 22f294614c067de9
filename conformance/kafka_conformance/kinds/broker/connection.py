"""One connection to a broker: requests out, responses in, in order, many on the way at once.

A broker answers the requests of a connection in their order. So whatever goes wrong, the oldest
request without a response is the one that it went wrong on.
"""

from __future__ import annotations

import selectors
import socket
import ssl
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
from kafka_conformance.kinds.broker import sasl
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets.broker_address import Address
from kafka_conformance.targets.broker_security import OPEN, Login, Security

WINDOW: Final = 64
"""Requests that wait for a response at a time."""

_LARGEST: Final = 128 << 20
"""Bytes that a response may have: more than any vector, and what a false size may cost at most."""

_NOT_NOW: Final = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
"""There is nothing to read, or no room to write."""

_HANDSHAKE: Final = 1
"""The version of SaslHandshake since which the login is requests like others (KIP-152)."""

_SIZE: Final = 4
_CHUNK: Final = 1 << 18
_LOOK_SECONDS: Final = 0.1
_FLAGS: Final = frozenset(flag for rule, flag in specification().flags.items() if rule.startswith("protocol."))
"""What Kafka overlooks in messages of the protocol."""

_CLIENT: Final = "kafka-conformance"


class Call(NamedTuple):
    """A request: API, version, and what makes the body when it is sent.

    Attributes:
        says: a version that it is said to have, and that no broker has: ApiVersions is answered in
            version 0 then (KIP-511).
    """

    api: str
    version: int
    body: Callable[[], Any]
    says: int | None = None

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
        security: Security = OPEN,
    ) -> None:
        """Connect, and log in where there is a user.

        Args:
            address: where the broker is.
            seconds: time that the broker has for a response.
            stopped: is asked now and then whether the run is over.
            note: takes words about responses that break a rule and can be read all the same.
            security: how it is spoken to.

        Raises:
            OSError: nobody listens there, or TLS fails.
            TargetLostError: the broker does not let the user in.
        """
        self._socket: socket.socket = socket.create_connection(address, timeout=seconds)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if security.tls is not None:
            self._socket = _encrypted(self._socket, security.tls, address.host)
        self._socket.setblocking(False)  # noqa: FBT003 - the argument has no name
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._socket, selectors.EVENT_READ)
        self._seconds = seconds
        self._stopped, self._note = stopped, note
        self._outbox = bytearray()
        self._inbox = bytearray()
        self._sent = 0
        if security.login is not None:
            self._log_in(security.login)

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

    def _log_in(self, login: Login) -> None:
        """Say who we are (KIP-43, KIP-152).

        Raises:
            TargetLostError: the broker does not let us in.
        """
        try:
            refusal = self._refusal(login)
        except TargetLostError:
            self.close()
            raise
        if refusal:
            self.close()
            raise TargetLostError(Outcome.BROKEN_PROTOCOL, f"does not let in by {login.mechanism}: {refusal}")

    def _refusal(self, login: Login) -> str:
        """Return why the broker does not let a user in; empty if it does."""
        hello = self.ask(_call("sasl_handshake", _HANDSHAKE, mechanism=str(login.mechanism)))
        if hello.error_code:
            return f"{error_name(hello.error_code)}; it has {', '.join(hello.mechanisms) or 'none'}"
        said, spoken = b"", sasl.exchange(login)
        try:
            while True:
                words = spoken.send(said) if said else next(spoken)
                answer = self.ask(_call("sasl_authenticate", 0, auth_bytes=words))
                if answer.error_code:
                    return f"{error_name(answer.error_code)} {answer.error_message or ''}".strip()
                said = bytes(answer.auth_bytes) or b" "
        except StopIteration:
            return ""
        except ValueError as error:
            return f"its answer is wrong: {error}"

    def close(self) -> None:
        """Hang up."""
        self._selector.close()
        self._socket.close()

    def _queue(self, call: Call, number: int) -> None:
        data = protocol.encode_request(call.api, call.version, call.body(), correlation_id=number, client_id=_CLIENT)
        if call.says is not None:
            data = data[:2] + call.says.to_bytes(2, "big") + data[4:]  # behind the API, whatever the header has more
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
        # What TLS has decrypted already, the selector does not see.
        is_decrypted = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending() > 0
        events = [ready for _, ready in self._selector.select(0 if is_decrypted else _LOOK_SECONDS)]
        try:
            if any(ready & selectors.EVENT_WRITE for ready in events):
                self._write()
            if is_decrypted or any(ready & selectors.EVENT_READ for ready in events):
                return self._receive_some(call)
        except OSError as error:
            words = f"the connection broke at {call.name}: {error.strerror}{self._partial_response()}"
            raise TargetLostError(Outcome.CRASHED, words) from None
        return False

    def _write(self) -> None:
        with suppress(*_NOT_NOW):
            del self._outbox[: self._socket.send(self._outbox)]

    def _receive_some(self, call: Call) -> bool:
        with suppress(*_NOT_NOW):
            chunk = self._socket.recv(_CHUNK)
            self._inbox += chunk
            if not chunk:
                raise TargetLostError(Outcome.CRASHED, f"hung up on {call.name}{self._partial_response()}")
            return True
        return False

    def _partial_response(self) -> str:
        return f" ({plural(len(self._inbox), 'byte')} of a response had come)" if self._inbox else ""

    def _read(self, call: Call, number: int, data: bytes) -> Any:
        if call.says is not None:
            call = call._replace(version=0)
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


def error_name(code: int) -> str:
    """Return the name of an error code, as Kafka's class Errors has it."""
    return specification().enums["error"].values.get(code, f"error {code}").upper()


def _encrypted(plain: socket.socket, context: ssl.SSLContext, host: str) -> ssl.SSLSocket:
    try:
        return context.wrap_socket(plain, server_hostname=host)
    except TimeoutError:
        plain.close()
        raise TimeoutError("it does not answer to TLS; its listener may speak plainly") from None
    except OSError:
        plain.close()
        raise


def _call(api: str, version: int, **values: object) -> Call:
    return Call(api, version, lambda: protocol.request(api, version).type(**values))


def _protocol_error(call: Call, what: str) -> TargetLostError:
    return TargetLostError(Outcome.BROKEN_PROTOCOL, f"answered {call.name} {what}")
