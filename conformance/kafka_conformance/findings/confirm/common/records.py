"""The records that a script is to send: a line each, as `lines` prints them."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Given(NamedTuple):
    """What a producer is told of a record."""

    timestamp: int
    key: bytes | None
    value: bytes | None


def given(file: str) -> Iterator[Given]:
    """Read the records of a file."""
    for line in Path(file).read_text(encoding="ascii").splitlines():
        fields = dict(part.split("=", 1) for part in line.split())
        yield Given(int(fields["timestamp"]), _octets(fields["key"]), _octets(fields["value"]))


def _octets(text: str) -> bytes | None:
    return None if text == "null" else bytes.fromhex(text.replace("empty", ""))
