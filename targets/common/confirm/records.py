"""The records that a script is to send: a line each, as `lines` prints them."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Given(NamedTuple):
    """What a producer is told of a record."""

    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes | None]]


def given(file: str) -> Iterator[Given]:
    """Read the records of a file."""
    for line in Path(file).read_text(encoding="ascii").splitlines():
        fields = dict(part.split("=", 1) for part in line.split())
        headers = [header.split(":") for header in fields.get("headers", "").split(",") if header]
        pairs = [((_octets(name) or b"").decode(), _octets(value)) for name, value in headers]
        yield Given(int(fields["timestamp"]), _octets(fields["key"]), _octets(fields["value"]), pairs)


def _octets(text: str) -> bytes | None:
    return None if text == "null" else bytes.fromhex(text.replace("empty", ""))
