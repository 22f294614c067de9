"""Requests to a broker over a plain socket, for programs in Python that confirm what it answers."""

import contextlib
import socket
import struct
import subprocess
import time
from collections.abc import Iterator

SECONDS = 10
MOMENTS = {5, 14, 15, 16}  # no leader, loading, no coordinator, not this one: what a broker says that has just started


@contextlib.contextmanager
def started(*command: str) -> Iterator[socket.socket]:
    """Start a broker that prints `HOST:PORT`; yield a connection, and end it with the block."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as broker:
        if broker.stdin is None or broker.stdout is None:
            raise BrokenPipeError(command[0])
        with connected(broker.stdout.readline().decode()) as connection:
            yield connection
        broker.stdin.close()


def connected(address: str) -> socket.socket:
    """Connect to `HOST:PORT`."""
    host, port = address.split(":")
    return socket.create_connection((host, int(port)), SECONDS)


def ask(connection: socket.socket, api: int, version: int, body: bytes, *, is_flexible: bool = False) -> bytes:
    """Return the body of a response behind the correlation id; nothing if the broker hangs up.

    Raises:
        TimeoutError: there is no response in time.
    """
    request = struct.pack(">hhih", api, version, 1, -1) + b"\0" * is_flexible + body
    connection.sendall(struct.pack(">i", len(request)) + request)
    stream = connection.makefile("rb")
    try:
        size = stream.read(4)
    except ConnectionResetError:
        return b""
    return stream.read(struct.unpack(">i", size)[0])[4:] if size else b""


def ask_ready(
    connection: socket.socket, api: int, version: int, body: bytes, place: int, *, is_flexible: bool = False
) -> bytes:
    """Ask until there is no error of the moment at a place of the answer; return it."""
    until = time.monotonic() + SECONDS
    while True:
        answer = ask(connection, api, version, body, is_flexible=is_flexible)
        if not answer or time.monotonic() > until or struct.unpack_from(">h", answer, place)[0] not in MOMENTS:
            return answer
        time.sleep(0.1)


def text(value: str) -> bytes:
    """Return a string behind its length in two bytes."""
    return struct.pack(">h", len(value)) + value.encode()


def compact(value: str) -> bytes:
    """Return a string of up to 126 bytes as versions with tagged fields have it."""
    return bytes([len(value) + 1]) + value.encode()


def told(answer: bytes, place: int) -> str:
    """Return in words which error an answer has at a place."""
    if not answer:
        return "hung up"
    (code,) = struct.unpack_from(">h", answer, place)
    return f"error {code}" if code else "no error"
