"""A consumer in Python behind the suite: copy this file, and call your client in `Client`.

kafka-conformance smoke 'cmd:python3 consumer.py'
kafka-conformance run 'cmd:python3 consumer.py'
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

HELLO = {
    "protocol": 1,
    "kind": "consumer",
    "name": "mine",
    "version": "1.0",
    "language": "Python",
    "formats": ["v0", "v1", "v2"],
    "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
    "fields": ["offset", "timestamp", "timestamp_type", "key", "value", "headers"],
    "checks_crc": True,
    "directions": ["decode"],
    "requests": ["deliver"],
    "partial": True,
}
"""With `settings` (those of reset, max_bytes, timeout, rack, group that it knows), it takes part in
conversations."""


class Client:
    """Your client. Do not catch what it raises: that is what its users are told."""

    def __init__(self, broker: str, isolation: str, settings: Mapping[str, str]) -> None:
        """Make it, for `host:port` and an isolation level: read_uncommitted or read_committed."""

    def assign(self, topics: Mapping[str, int]) -> None:
        """Consume partition 0 of these topics, each from its offset, and no others."""

    def poll(self) -> Iterable[str]:
        """Poll for a tenth of a second; give a `record` or an `error` for each thing that comes."""
        time.sleep(0.1)
        return ()

    def close(self) -> None:
        """End it."""


def record(
    topic: str,
    offset: int,
    timestamp: int,
    timestamp_type: int,
    key: bytes | None,
    value: bytes | None,
    headers: Iterable[tuple[str | bytes, bytes | None]] = (),
) -> str:
    """Say that it got a record; the type of a time is 0 create, 1 log append, -1 none."""
    words = ["record", topic, str(offset), str(timestamp), str(timestamp_type), _hex(key), _hex(value)]
    for name, content in headers:
        words += [_hex(name), _hex(content)]
    return "\t".join(words)


def error(topic: str, text: object) -> str:
    """Say that the application was told an error; the topic is `?` if it names none."""
    return f"error\t{topic}\t{' '.join(str(text).split())[:500]}"


class AnyClient(Protocol):
    """What `serve` needs of a client."""

    def assign(self, topics: Mapping[str, int]) -> None:
        """See `Client`."""

    def poll(self) -> Iterable[str]:
        """See `Client`."""

    def close(self) -> Iterable[str] | None:
        """See `Client`; it may give lines of what is left to say."""


def serve(hello: Mapping[str, Any], make: Callable[[str, str, Mapping[str, str]], AnyClient]) -> None:
    """Answer the suite until its input ends; what is printed meanwhile goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    client: AnyClient | None = None
    while len(size := sys.stdin.buffer.read(4)) == 4:
        request = sys.stdin.buffer.read(int.from_bytes(size, "big"))
        kind, lines, said = request[:1], request[1:].decode().split("\n"), []
        try:
            if kind == b"H":
                said = [json.dumps(hello)]
            elif kind == b"P" and client is not None:
                said = list(client.poll())
            elif kind in b"AZ":
                said, client = list((client and client.close()) or ()), None
            if kind == b"A":
                broker, isolation, *settings = lines[0].split("\t")
                client = make(broker, isolation, dict(setting.split("=", 1) for setting in settings))
                client.assign({topic: int(offset) for topic, offset in (line.split("\t") for line in lines[1:])})
        except Exception as raised:  # noqa: BLE001 - whatever its users get
            said = [error("?", f"{type(raised).__name__}: {raised}")]
        body = kind + "\n".join(said).encode()
        replies.write(len(body).to_bytes(4, "big") + body)
        replies.flush()


def _hex(content: str | bytes | None) -> str:
    content = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    return "-" if content is None else bytes(content).hex()


if __name__ == "__main__":
    serve(HELLO, Client)
