"""Where a broker is: what `broker:HOST:PORT` says."""

from __future__ import annotations

from typing import Final, NamedTuple

from kafka_tools.errors import UsageError

BROKER: Final = "broker:"
_LARGEST_PORT: Final = 0xFFFF


class Address(NamedTuple):
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        """Write it as users do."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse(target: str) -> Address:
    """Read `broker:HOST:PORT`, or the part behind the first colon.

    Raises:
        UsageError: it names no host and port.
    """
    text = target.removeprefix(BROKER)
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) <= _LARGEST_PORT:
        raise UsageError(f"{target!r} is not broker:HOST:PORT.", "For example: broker:127.0.0.1:9092")
    return Address(host, int(port))
