"""The proxy: a port for each broker, links of clients through it, and the judge of their frames."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Final, NamedTuple

from kafka_format.capture import Captured

from kafka_tools.proxy.link import Link, Settings

_MOST_QUEUED: Final = 64 << 20
"""Bytes of frames that wait for the judge; above it clients wait, too."""

_AT_A_TIME: Final = 1
"""Frames that are judged before other work of the loop is done: each delays what passes."""

Take = Callable[[Captured], None]


class Upstream(NamedTuple):
    """The broker that is first asked, and how the proxy connects.

    Attributes:
        host: its name or address.
        port: its port.
        tls: how TLS is spoken with brokers; None for without.
    """

    host: str
    port: int
    tls: ssl.SSLContext | None = None


class Proxy:
    """Listens on a port for each broker, and passes on what clients and brokers say.

    Attributes:
        links: connections of clients so far.
        failed: those that no broker took.
    """

    def __init__(self, upstream: Upstream, listen: tuple[str, int], advertised: str, take: Take) -> None:
        """Take where to, where to listen, the host that clients are told, and who takes frames."""
        self._upstream = upstream
        self._listen = listen
        self._advertised = advertised
        self._take = take
        self._ports: dict[tuple[str, int], int] = {}
        self._hosts: frozenset[bytes] = frozenset()
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: set[Link] = set()
        self._queue: deque[Captured] = deque()
        self._closing: deque[Link] = deque()
        self._queued = 0
        self._is_scheduled = False
        self._is_full = False
        self.links = self.failed = 0
        self.on_close: Callable[[Link], None] = lambda _: None

    def start(self) -> tuple[str, int]:
        """Listen for the first broker; return where. It is called inside a running loop.

        Raises:
            OSError: the port cannot be had.
        """
        port = self._listen_for((self._upstream.host, self._upstream.port), self._listen[1])
        return self._listen[0], port

    async def stop(self) -> None:
        """Listen no more, close all links, and judge what still waits."""
        for server in self._servers:
            server.close()
        for link in list(self._open):
            for side in (link.to_client, link.to_broker):
                if side.transport is not None:
                    side.transport.close()
        await asyncio.sleep(0)
        while self._queue or self._closing:
            self._judge(len(self._queue))

    def place(self, host: str, port: int) -> tuple[str, int]:
        """Return the address of the proxy for a broker; listen there from now on."""
        if (host, port) not in self._ports:
            self._listen_for((host, port), 0)
        return self._advertised, self._ports[host, port]

    def _listen_for(self, broker: tuple[str, int], port: int) -> int:
        family = socket.AF_INET6 if ":" in self._listen[0] else socket.AF_INET
        listening = socket.create_server((self._listen[0], port), family=family, backlog=512)
        taken: int = listening.getsockname()[1]
        self._ports[broker] = taken
        self._hosts |= {broker[0].encode()}
        self._run(self._serve(listening, broker))
        return taken

    def _run(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, listening: socket.socket, broker: tuple[str, int]) -> None:
        loop = asyncio.get_running_loop()
        self._servers.append(await loop.create_server(lambda: self._accept(broker), sock=listening))

    def _accept(self, broker: tuple[str, int]) -> asyncio.Protocol:
        """Begin a link for a client that connects."""
        self.links += 1
        link = Link(self.links, Settings(self.place, lambda: self._hosts, self._queue_frame, self._closed))
        self._open.add(link)
        self._run(self._connect(link, broker))
        return link.to_client

    async def _connect(self, link: Link, broker: tuple[str, int]) -> None:
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: link.to_broker,
                *broker,
                ssl=self._upstream.tls,
                server_hostname=broker[0] if self._upstream.tls else None,
            )
        except OSError as error:
            self.failed += 1
            self._open.discard(link)
            if link.to_client.transport is not None:
                link.to_client.transport.close()
            self._failure(link, broker, error)
            return

    def _failure(self, link: Link, broker: tuple[str, int], error: OSError) -> None:
        note = f"{broker[0]}:{broker[1]} cannot be reached: {error.strerror or error}"
        self._take(Captured("end", 0.0, link.number, link.client, link.server, from_client=False, note=note))

    def _queue_frame(self, message: Captured) -> None:
        self._queue.append(message)
        self._queued += message.size
        if self._queued > _MOST_QUEUED and not self._is_full:
            self._is_full = True
            self._set_reading(reads=False)
        self._schedule()

    def _schedule(self) -> None:
        if not self._is_scheduled and (self._queue or self._closing):
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._judge_next)

    def _judge_next(self) -> None:
        self._is_scheduled = False
        self._judge(_AT_A_TIME)
        self._schedule()

    def _judge(self, count: int) -> None:
        for _ in range(min(count, len(self._queue))):
            message = self._queue.popleft()
            self._queued -= message.size
            self._take(message)
        while self._closing and not self._queue:
            self.on_close(self._closing.popleft())
        if self._is_full and self._queued < _MOST_QUEUED // 2:
            self._is_full = False
            self._set_reading(reads=True)

    def _set_reading(self, *, reads: bool) -> None:
        for link in list(self._open):
            transport = link.to_client.transport
            if transport is None or transport.is_closing() or not link.server.port:
                continue
            if reads:
                transport.resume_reading()
            else:
                transport.pause_reading()

    def _closed(self, link: Link) -> None:
        self._open.discard(link)
        self._closing.append(link)
        self._schedule()
