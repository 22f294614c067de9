"""What drivers of Python consumers share: the frames, and records as lines (docs/broker.md)."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

_FIELDS = ["offset", "timestamp", "timestamp_type", "key", "value", "headers"]


class Consumer(Protocol):
    """A client under test."""

    def assign(self, topics: Sequence[tuple[str, int]]) -> None:
        """Consume partition 0 of these topics, each from its offset, and no others."""

    def poll(self) -> Iterable[str]:
        """Poll once, for a tenth of a second; give lines of what came."""

    def stop(self) -> Iterable[str]:
        """Consume nothing any more; give lines of what is left to say."""


def hello(name: str, version: str, language: str, url: str, **changed: object) -> dict[str, Any]:
    """Make a hello of a consumer that reads everything."""
    declared = {
        "protocol": 1,
        "name": name,
        "version": version,
        "language": language,
        "formats": ["v0", "v1", "v2"],
        "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
        "fields": _FIELDS,
        "checks_crc": True,
        "directions": ["decode"],
        "requests": ["deliver"],
        "partial": True,
        "url": url,
    }
    return {**declared, **changed}


def serve(declared: dict[str, Any], make: Callable[[str, str], Consumer]) -> None:
    """Answer the suite until its input ends.

    `make` makes a client by broker and isolation level.
    """
    made: dict[tuple[str, str], Consumer] = {}
    current: Consumer | None = None
    while len(size := sys.stdin.buffer.read(4)) == 4:
        body = sys.stdin.buffer.read(int.from_bytes(size, "big"))
        kind, lines = body[:1], body[1:].decode().split("\n")
        said: Iterable[str] = ()
        if kind == b"H":
            said = [json.dumps(declared)]
        elif kind == b"A":
            broker, isolation = lines[0].split("\t")
            current = made.get((broker, isolation)) or made.setdefault((broker, isolation), make(broker, isolation))
            current.assign([(name, int(offset)) for name, offset in map(_pair, lines[1:])])
        elif current is not None:
            said = current.poll() if kind == b"P" else current.stop()
        _reply(kind + "\n".join(said).encode())


def record(
    topic: str,
    offset: int,
    timestamp: int,
    timestamp_type: int,
    key: bytes | None,
    value: bytes | None,
    headers: Iterable[tuple[bytes, bytes | None]] = (),
) -> str:
    """Make the line of a record."""
    words = ["record", topic, str(offset), str(timestamp), str(timestamp_type), _hex(key), _hex(value)]
    for name, content in headers:
        words += [name.hex(), _hex(content)]
    return "\t".join(words)


def error(topic: str, text: object) -> str:
    """Make the line of an error that the application is told."""
    return f"error\t{topic}\t{' '.join(str(text).split())[:500]}"


def _pair(line: str) -> list[str]:
    return line.split("\t")


def _hex(content: bytes | None) -> str:
    return "-" if content is None else content.hex()


def _reply(body: bytes) -> None:
    sys.stdout.buffer.write(len(body).to_bytes(4, "big") + body)
    sys.stdout.buffer.flush()
