"""What a capture holds, once read: requests, responses, and notes on connections of Kafka."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from kafka_format.explain.inside import AS_RULED, How
from kafka_format.explain.requests import SIZE, ExplainedFrame, explain_request, explain_response

Kind = Literal["request", "response", "token", "lost", "tls", "end"]
"""A request, a response, a SASL token without a header, bytes that the capture lacks, TLS, the end
of a broken file."""


class Endpoint(NamedTuple):
    """One end of a connection."""

    address: str
    port: int

    def __str__(self) -> str:
        """As people write it; an address of IPv6 in brackets."""
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


class Captured(NamedTuple):
    """A request, a response, or a gap on a connection.

    Attributes:
        kind: what it is.
        time: when its last byte was captured, in seconds since 1970-01-01 UTC.
        connection: number of the connection, from 1 in the order of the first packets; 0 for none.
        client: the end that asked.
        server: the end that answered.
        from_client: True if the client sent it.
        api: number of the API, if it is known.
        version: version of the API, if it is known.
        correlation_id: of a request or response.
        client_id: that of the request, for a response too.
        seconds: from the request to the response; None if the request was not captured.
        data: its bytes with the size in front, as far as they were kept.
        size: bytes that it has with the size in front; of what is lost, bytes that are missing.
        note: what is to be said of it.
        topics: names of topics by their ids, as far as they were seen before.
    """

    kind: Kind
    time: float
    connection: int
    client: Endpoint
    server: Endpoint
    from_client: bool
    api: int | None = None
    version: int | None = None
    correlation_id: int | None = None
    client_id: str | None = None
    seconds: float | None = None
    data: bytes = b""
    size: int = 0
    note: str = ""
    topics: Mapping[bytes, str] = {}


@dataclass(slots=True)
class Traffic:
    """How much a capture has, of whatever protocol.

    Attributes:
        packets: all of them.
        segments: those that are TCP, on the port of brokers if that is known.
        connections: those of the segments.
    """

    packets: int = 0
    segments: int = 0
    connections: int = 0


def explain(message: Captured, how: How = AS_RULED) -> ExplainedFrame | None:
    """Explain a captured request or response; None for what is neither."""
    how = how._replace(topics=message.topics)
    if message.kind == "request":
        return explain_request(message.data, how=how, start=min(SIZE, len(message.data)))
    if message.kind == "response":
        return explain_response(message.data, message.api, message.version, how=how, start=min(SIZE, len(message.data)))
    return None
