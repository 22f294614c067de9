"""A proxy between a client and a broker that keeps what they say to each other."""

from __future__ import annotations

import socket
import threading
from collections import deque
from typing import NamedTuple


class Frame(NamedTuple):
    """A message as it went over a connection: its kind, API key, version, header and body."""

    kind: str
    api: int
    version: int
    data: bytes


class Proxy:
    """Passes connections on to a broker, and keeps what goes over them.

    Attributes:
        port: where it listens.
        frames: what was said.
    """

    def __init__(self) -> None:
        """Listen on the loopback address. Connections wait until `serve` names the broker."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.frames: list[Frame] = []

    def serve(self, target: tuple[str, int]) -> None:
        """Accept connections in a thread, as long as the process lives."""
        threading.Thread(target=self._accept, args=(target,), daemon=True).start()

    def _accept(self, target: tuple[str, int]) -> None:
        while True:
            near, _ = self._listening.accept()
            try:
                far = socket.create_connection(target)
            except OSError:  # a controller is asked before it listens
                near.close()
                continue
            asked: deque[tuple[int, int]] = deque()
            for source, other, is_request in ((near, far, True), (far, near, False)):
                threading.Thread(target=self._pass, args=(source, other, asked, is_request), daemon=True).start()

    def _pass(
        self,
        source: socket.socket,
        other: socket.socket,
        asked: deque[tuple[int, int]],
        is_request: bool,  # noqa: FBT001 - an argument of a thread
    ) -> None:
        with source.makefile("rb") as stream:
            try:
                while len(head := stream.read(4)) == len(b"size"):
                    data = stream.read(int.from_bytes(head, "big"))
                    self._keep(data, asked, is_request=is_request)
                    other.sendall(head + data)
            except OSError:
                pass
        for each in (source, other):
            each.close()

    def _keep(self, data: bytes, asked: deque[tuple[int, int]], *, is_request: bool) -> None:
        if is_request:
            api, version = int.from_bytes(data[:2], "big"), int.from_bytes(data[2:4], "big")
            asked.append((api, version))
            self.frames.append(Frame("request", api, version, data))
        else:
            self.frames.append(Frame("response", *asked.popleft(), data))
