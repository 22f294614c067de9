"""A client of few words, made of the project's own codec."""

import socket
from contextlib import contextmanager
from typing import NamedTuple

from kafka_format import protocol
from kafka_tools import server as broker

SECONDS = 600  # a limit for what never ends, not a measure


class Where(NamedTuple):
    """The address of a broker."""

    host: str
    port: int


class Client:
    def __init__(self, where):
        self._socket = socket.create_connection((where.host, where.port), timeout=SECONDS)

    def close(self):
        self._socket.close()

    def send(self, data):
        self._socket.sendall(len(data).to_bytes(4, "big") + data)

    def raw(self, data):
        self._socket.sendall(data)

    def receive(self):
        """Return an answer; None if the broker hung up."""
        size = self._exactly(4)
        return None if size is None else self._exactly(int.from_bytes(size, "big"))

    def ask(self, api, version, body, correlation_id=7):
        self.send(protocol.encode_request(api, version, body, correlation_id=correlation_id, client_id="test"))
        answer = protocol.decode_response(self.receive(), api, version)
        assert answer.header.correlation_id == correlation_id
        return answer.body

    def fetch(self, topic, offset=0, version=12, *, partition_max_bytes=1 << 20, **more):
        partition = {"partition": 0, "fetch_offset": offset, "partition_max_bytes": partition_max_bytes}
        named = {"topic_id": topic.topic_id} if version >= 13 else {"topic": topic.name}
        asked = {"max_wait_ms": 1, "topics": [{**named, "partitions": [partition]}], **more}
        return self.ask("fetch", version, asked)

    def fetched(self, *arguments, **more):
        """Return the only partition of a fetch answer."""
        return self.fetch(*arguments, **more).responses[0].partitions[0]

    def _exactly(self, size):
        data = b""
        while len(data) < size:
            try:
                chunk = self._socket.recv(size - len(data))
            except ConnectionResetError:
                return None
            if not chunk:
                return None
            data += chunk
        return data


@contextmanager
def talking(*topics, settings=None, sink=None):
    """Run a broker with these topics, and give it and a client."""
    with broker.running(broker.Topics(topics), settings, sink) as here:
        client = Client(here)
        try:
            yield here, client
        finally:
            client.close()
