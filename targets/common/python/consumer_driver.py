"""What drivers of Python consumers share: the frames, and records as lines (docs/broker.md)."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, cast

_MOMENT = 0.1
"""Seconds for which there is nothing to poll if no client could be made."""

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


Settings = dict[str, str]
"""Further settings of a client by name: `reset`, `max_bytes`, `timeout` (in milliseconds)."""


def serve(declared: dict[str, Any], make: Callable[[str, str, Settings], Consumer]) -> None:
    """Answer the suite until its input ends.

    `make` makes a client by broker, isolation level and further settings.
    """
    made: dict[str, Consumer] = {}
    current: Consumer | None = None
    while len(size := sys.stdin.buffer.read(4)) == 4:
        body = sys.stdin.buffer.read(int.from_bytes(size, "big"))
        kind, lines = body[:1], body[1:].decode().split("\n")
        said: Iterable[str] = ()
        if kind == b"H":
            said = [json.dumps(declared)]
        elif kind == b"A":
            broker, isolation, *settings = lines[0].split("\t")
            try:
                current = made.get(lines[0])
                if current is None:
                    made.clear()  # another broker: the last one is gone
                    current = made[lines[0]] = make(broker, isolation, dict(setting.split("=") for setting in settings))
                current.assign([(name, int(offset)) for name, offset in map(_pair, lines[1:])])
            except Exception as raised:  # noqa: BLE001 - whatever its users get
                current, said = None, [error("?", f"{type(raised).__name__}: {raised}")]
        elif current is not None:
            said = _said(current, kind)
        elif kind == b"P":
            time.sleep(_MOMENT)
        _reply(kind + "\n".join(said).encode())


class Member(Protocol):
    """A client that commits when it is told to."""

    def commit(self) -> Iterable[str]:
        """Commit what it has; give a line `committed`, or `commit-failed` with an error."""


def _said(client: Consumer, kind: bytes) -> Iterable[str]:
    """Have a client poll, commit or stop; what it raises is an error like any other."""
    try:
        if kind == b"C":
            yield from cast("Member", client).commit()
        else:
            yield from client.poll() if kind == b"P" else client.stop()
    except Exception as raised:  # noqa: BLE001 - whatever its users get
        yield error("?", f"{type(raised).__name__}: {raised}")


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


def hung(topic: str, text: object) -> str:
    """Make the line of a call that did not come back, and that the driver could get out of."""
    return f"hung\t{topic}\t{' '.join(str(text).split())[:500]}"


def _pair(line: str) -> list[str]:
    return line.split("\t")


def _hex(content: bytes | None) -> str:
    return "-" if content is None else content.hex()


def _reply(body: bytes) -> None:
    sys.stdout.buffer.write(len(body).to_bytes(4, "big") + body)
    sys.stdout.buffer.flush()
