"""A capture, read from first packet to last: its connections, and what Kafka's own ones said."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import BinaryIO, Final

from kafka_format import protocol
from kafka_format.capture.captured import Captured, Endpoint, Traffic
from kafka_format.capture.connection import Connection
from kafka_format.capture.packets import CaptureError, TcpSegment, segments
from kafka_format.errors import FormatError
from kafka_format.explain.requests import SIZE

_MOST_CONNECTIONS: Final = 1000
"""Connections that are open at a time; the one that was silent longest is ended for another."""

_MOST_TOPICS: Final = 100_000
_NOWHERE: Final = Endpoint("", 0)
_TELL_TOPICS: Final = frozenset({protocol.api_number("metadata"), protocol.api_number("create_topics")})
"""APIs whose responses have names of topics beside their ids."""

_Ends = tuple[Endpoint, Endpoint]


def read(file: BinaryIO, port: int | None = None, traffic: Traffic | None = None) -> Iterator[Captured]:
    """Yield the requests and responses of all Kafka connections, in the order of their last bytes.

    Args:
        file: a capture of pcap, pcapng or snoop, from its start; it may be a pipe.
        port: the port of the brokers; without it, what begins like a request of Kafka is taken for
            one.
        traffic: is filled with what was read so far, of whatever protocol.

    Raises:
        CaptureError: the file is no capture, or a library is missing. A capture that breaks off is
            read as far as it goes; then comes an `end` that says why.
    """
    reader = _Reader(port, traffic or Traffic())
    try:
        for segment in segments(file):
            reader.traffic.packets += 1
            if segment is not None:
                yield from reader.feed(segment)
    except CaptureError as error:
        yield from reader.end()
        if not error.packets and not reader.traffic.connections:
            raise
        yield Captured("end", reader.time, 0, _NOWHERE, _NOWHERE, from_client=False, note=str(error))
        return
    yield from reader.end()


class _Reader:
    def __init__(self, port: int | None, traffic: Traffic) -> None:
        self._port = port
        self.traffic = traffic
        self._open: OrderedDict[_Ends, Connection] = OrderedDict()
        self._topics: dict[bytes, str] = {}
        self.time = 0.0

    def feed(self, segment: TcpSegment) -> Iterator[Captured]:
        """Take a segment, and yield what is whole with it."""
        self.time = segment.time
        if self._port not in (None, segment.source.port, segment.target.port):
            return
        self.traffic.segments += 1
        ends = (min(segment.source, segment.target), max(segment.source, segment.target))
        side = ends.index(segment.source)
        is_new = segment.is_syn and segment.acknowledged is None
        if is_new and ends in self._open and self._open[ends].has_begun:
            yield from self._end(ends)
        if ends not in self._open and len(self._open) >= _MOST_CONNECTIONS:
            yield from self._end(next(iter(self._open)))
        connection = self._connection(ends)
        if segment.is_syn:
            connection.open(side, segment.number, is_client=is_new)
        if segment.is_fin:
            connection.close(side, segment.number + len(segment.content) + segment.cut)
        if (segment.content or segment.cut) and segment.acknowledged is not None:
            yield from self._learn_from(connection.answer(side, segment.time, segment.acknowledged, self._topics))
        yield from self._learn_from(connection.feed(side, segment, self._topics))

    def _connection(self, ends: _Ends) -> Connection:
        """Return the connection between two ends, a new one if need be."""
        if ends in self._open:
            self._open.move_to_end(ends)
        else:
            self.traffic.connections += 1
            self._open[ends] = Connection(self.traffic.connections, ends, self._client(ends))
        return self._open[ends]

    def _client(self, ends: _Ends) -> int | None:
        """Return which end is the client, where the port of brokers is known."""
        if self._port is None or ends[0].port == ends[1].port:
            return None
        return 1 if ends[0].port == self._port else 0

    def _learn_from(self, captureds: Iterator[Captured]) -> Iterator[Captured]:
        """Yield what was said, and learn from it what topics are called."""
        for message in captureds:
            if message.kind == "response" and message.api in _TELL_TOPICS and message.version is not None:
                self._learn(message, message.api, message.version)
            yield message

    def _learn(self, message: Captured, api: int, version: int) -> None:
        try:
            body = protocol.decode_response(message.data[SIZE:], api, version).body
        except FormatError:
            return
        for topic in body.topics or ():
            name, uuid = getattr(topic, "name", None), getattr(topic, "topic_id", b"")
            if name and any(uuid) and len(self._topics) < _MOST_TOPICS:
                self._topics[uuid] = name

    def _end(self, ends: _Ends) -> Iterator[Captured]:
        yield from self._learn_from(self._open.pop(ends).end(self._topics))

    def end(self) -> Iterator[Captured]:
        """Yield what was still waiting on all connections."""
        for ends in list(self._open):
            yield from self._end(ends)
