"""The broker as a server: it listens, and has a task for each connection."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Final

from kafka_tools.errors import UsageError
from kafka_tools.server import connection
from kafka_tools.server.notes import Notes, Sink
from kafka_tools.server.settings import BrokerSettings
from kafka_tools.server.state import NODE, BrokerState, Connection
from kafka_tools.server.topics import Topics

_START_SECONDS: Final = 30.0


class Broker:
    """A broker that listens on one port.

    Attributes:
        state: its topics, its notes, and what producers sent.
        host: the address it listens on.
        port: its port.
    """

    def __init__(
        self, topics: Topics | None = None, settings: BrokerSettings | None = None, sink: Sink | None = None
    ) -> None:
        """Make a broker that does not listen yet.

        Args:
            topics: what it serves.
            settings: how it behaves.
            sink: takes the notes on what clients send, as lines of JSON.
        """
        chosen = settings or BrokerSettings()
        self.state = BrokerState(chosen, topics or Topics(), Notes(sink))
        self.host, self.port = chosen.host, chosen.port
        self._opened = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._servers: list[asyncio.Server] = []

    @property
    def address(self) -> str:
        """Where clients reach it, as they write it: `host:port`."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    async def start(self) -> None:
        """Listen.

        Raises:
            UsageError: the address cannot be listened on.
        """
        for node in range(NODE, NODE + self.state.settings.nodes):
            port = self.port if node == NODE else 0
            try:
                server = await asyncio.start_server(partial(self._accept, node), self.host, port)
            except OSError as error:
                raise UsageError(
                    f"cannot listen on {self.address}: {_reason(error)}.", "Choose another --port, or --host."
                ) from None
            self._servers.append(server)
            self.state.ports[node] = server.sockets[0].getsockname()[1]
        self.port = self.state.ports[NODE]

    async def stop(self) -> None:
        """Stop listening, and hang up on everybody."""
        for server in self._servers:
            server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, node: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._tasks) >= self.state.settings.most_connections:
            writer.close()
            return
        self._tasks.add(task)
        try:
            await self._serve(node, reader, writer)
        except asyncio.CancelledError:  # the broker stops
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, node: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._opened += 1
        there, reached = writer.get_extra_info("peername"), writer.get_extra_info("sockname")
        here = Connection(self._opened, f"{there[0]}:{there[1]}", reached[0], reached[1], node=node)
        self.state.notes.event("opened", here.number, here.address)
        await connection.serve(self.state, here, reader, writer)
        self.state.shares.hang_up(here.number)
        self.state.notes.event("closed", here.number, here.address)


def _reason(error: OSError) -> str:
    """Return the system's words; asyncio puts its own around them, and the address once more."""
    number = error.errno or 0
    return os.strerror(number) if number > 0 else str(error.strerror)


@contextmanager
def running(
    topics: Topics | None = None, settings: BrokerSettings | None = None, sink: Sink | None = None
) -> Iterator[Broker]:
    """Run a broker in a thread of its own as long as the block does.

    Topics may be put and removed meanwhile.

    Raises:
        UsageError: the address cannot be listened on.
    """
    broker = Broker(topics, settings, sink)
    ready: Future[asyncio.AbstractEventLoop] = Future()
    stop = asyncio.Event()

    async def run() -> None:
        try:
            await broker.start()
        except UsageError as error:
            ready.set_exception(error)
            return
        ready.set_result(asyncio.get_running_loop())
        await stop.wait()
        await broker.stop()

    thread = threading.Thread(target=lambda: asyncio.run(run()), name="broker", daemon=True)
    thread.start()
    loop = ready.result(_START_SECONDS)
    try:
        yield broker
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(_START_SECONDS)
