"""A producer in Python behind the suite: copy this file, and call your client in `produce`.

kafka-conformance smoke 'cmd:python3 producer.py'
kafka-conformance run 'cmd:python3 producer.py'
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

HELLO = {
    "protocol": 1,
    "kind": "producer",
    "name": "mine",
    "version": "1.0",
    "language": "Python",
    "formats": ["v2"],
    "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
    "fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"],
    "checks_crc": True,
    "directions": ["encode"],
    "requests": ["produce"],
    "settings": ["headers"],  # what it can be asked to do, also: idempotent, transactional, level, acks
}


class Record(NamedTuple):
    """A record to write."""

    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[bytes, bytes | None], ...]


class Order(NamedTuple):
    """Records to write to partition 0 of a topic, and how; None is the client's own way."""

    topic: str
    records: list[Record]
    codec: str
    level: int | None
    acks: int | None
    idempotent: bool
    transactional: bool  # one transaction with the topic's name as its id, committed


def produce(broker: str, order: Order) -> Iterable[str]:
    """Write all records of an order, wait until they are sent, and give the failures that it tells.

    Do not catch what your client raises: that is such a failure.
    """
    return [f"nothing writes {len(order.records)} records to {order.topic} of {broker}"]


def serve(hello: Mapping[str, Any], write: Callable[[str, Order], Iterable[str]]) -> None:
    """Answer the suite until its input ends; what is printed meanwhile goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while len(size := sys.stdin.buffer.read(4)) == 4:
        request = sys.stdin.buffer.read(int.from_bytes(size, "big"))
        for words in [[json.dumps(hello)]] if request[:1] == b"H" else _written(request[1:].decode(), write):
            body = request[:1] + "\n".join(" ".join(word.split()) for word in words).encode()
            replies.write(len(body).to_bytes(4, "big") + body)
            replies.flush()


def _written(text: str, write: Callable[[str, Order], Iterable[str]]) -> Iterator[list[str]]:
    """Write the orders of a request, and yield the failures of each when it is written."""
    [broker, _release], *rows = (line.split("\t") for line in text.split("\n"))
    orders: list[Order] = []
    for word, *fields in rows:
        if word == "order":
            orders.append(_order(fields[0], dict(field.split("=", 1) for field in fields[1:])))
        else:
            key, value, *headers = map(_bytes, fields[1:])
            names = [name or b"" for name in headers[::2]]
            orders[-1].records.append(Record(int(fields[0]), key, value, tuple(zip(names, headers[1::2], strict=True))))
    for order in orders:
        try:
            yield list(write(broker, order))
        except Exception as raised:  # noqa: BLE001 - whatever its users get
            yield [f"{type(raised).__name__}: {raised}"]


def _order(topic: str, asked: Mapping[str, str]) -> Order:
    level, acks = (int(asked[name]) if name in asked else None for name in ("level", "acks"))
    return Order(topic, [], asked["codec"], level, acks, "idempotent" in asked, "transactional" in asked)


def _bytes(text: str) -> bytes | None:
    return None if text == "-" else bytes.fromhex(text)


if __name__ == "__main__":
    serve(HELLO, produce)
