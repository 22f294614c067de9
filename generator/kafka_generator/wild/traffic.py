"""Record what real clients and a real broker say to each other: `python -m kafka_generator.wild.traffic`.

A proxy stands between them, which the broker advertises as its own address. Of each client the first request and the
first response of every API and version are stored, header and body.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from kafka_conformance.errors import NotReadyError

from kafka_generator.wild import broker
from kafka_generator.wild.__main__ import ROOT, _run
from kafka_generator.wild.broker import Broker
from kafka_generator.wild.clients import clients
from kafka_generator.wild.orders import orders

FILE: Final = ROOT / "vectors" / "cases" / "protocol-wild.jsonl"
RELEASE: Final = "4.4.0"
ASKED: Final = (
    *("java-4.4.0", "java-2.8.2", "java-1.1.1", "librdkafka-2.16.0", "franz-go-1.22.2", "sarama-1.61.1"),
    *("kafka-python-3.0.12", "aiokafka-0.14.0", "segmentio-0.4.51", "kafkajs-2.2.4", "platformatic-2.12.1"),
    "rskafka-0.6.0",
)
"""The clients that are recorded."""

_MOST: Final = 8000
"""Bytes of the largest message that is stored."""


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
        """Listen on the loopback address; connections wait until `serve` says where the broker is."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.frames: list[Frame] = []

    def serve(self, target: tuple[str, int]) -> None:
        """Accept connections in a thread, as long as the process lives."""
        threading.Thread(target=self._accept, args=(target,), daemon=True).start()

    def _accept(self, target: tuple[str, int]) -> None:
        while True:
            near, _ = self._listening.accept()
            far = socket.create_connection(target)
            asked: deque[tuple[int, int]] = deque()
            for one, other, is_request in ((near, far, True), (far, near, False)):
                threading.Thread(target=self._pass, args=(one, other, asked, is_request), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket, asked: deque[tuple[int, int]], is_request: bool) -> None:  # noqa: FBT001 - an argument of a thread
        with one.makefile("rb") as stream:
            try:
                while len(head := stream.read(4)) == len(b"size"):
                    data = stream.read(int.from_bytes(head, "big"))
                    self._keep(data, asked, is_request=is_request)
                    other.sendall(head + data)
            except OSError:
                pass
        for each in (one, other):
            each.close()

    def _keep(self, data: bytes, asked: deque[tuple[int, int]], *, is_request: bool) -> None:
        if is_request:
            api, version = int.from_bytes(data[:2], "big"), int.from_bytes(data[2:4], "big")
            asked.append((api, version))
            self.frames.append(Frame("request", api, version, data))
        else:
            self.frames.append(Frame("response", *asked.popleft(), data))


@contextmanager
def _between(cache: Path, folder: Path) -> Iterator[tuple[Broker, Proxy]]:
    """Run a broker behind a proxy."""
    proxy = Proxy()
    settings = f"advertised.listeners=PLAINTEXT://127.0.0.1:{proxy.port}\n"
    with broker.running(RELEASE, cache, folder, settings) as running:
        host, port = running.address.split(":")
        proxy.serve((host, int(port)))
        yield running._replace(address=f"127.0.0.1:{proxy.port}"), proxy


def main() -> int:
    """Record every client anew; 1 if one could not be run."""
    lines: list[str] = []
    cache, status = ROOT / ".targets" / "wild", 0
    with TemporaryDirectory() as folder, _between(cache, Path(folder)) as (running, proxy):
        for client in (one for one in clients() if one.label in ASKED):
            proxy.frames.clear()
            asked = [order for order in orders() if order.needs <= client.can][:3]
            asked += [order for order in orders() if order.transactional and order.needs <= client.can][:1]
            try:
                _run(client, cache, running, asked)
            except NotReadyError as error:
                sys.stderr.write(f"{client.label}: left out: {error}\n")
                status = 1
                continue
            found = list(_first(proxy.frames))
            sys.stderr.write(f"{client.label}: {len(found)} of {len(proxy.frames)} messages\n")
            lines += [json.dumps(_line(client.label, frame)) for frame in found]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return status


def _first(frames: list[Frame]) -> Iterator[Frame]:
    """Yield the first message of each kind, API and version that is not too large."""
    seen: set[tuple[str, int, int]] = set()
    for frame in list(frames):
        key = (frame.kind, frame.api, frame.version)
        if key not in seen and len(frame.data) <= _MOST:
            seen.add(key)
            yield frame


def _line(label: str, frame: Frame) -> dict[str, Any]:
    kind, api, version, data = frame
    return {"client": label, "broker": RELEASE, "kind": kind, "api": api, "version": version, "hex": data.hex()}


if __name__ == "__main__":
    sys.exit(main())
