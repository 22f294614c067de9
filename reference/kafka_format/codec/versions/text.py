"""The names that the text of a version uses, and what the text calls its structures."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any, Final

from kafka_format.codec import runtime
from kafka_format.codec.versions.plan import Node, Operation

FEW: Final = 9
"""Arrays of numbers that have fewer are read and written by functions that are made once."""


class Names:
    """The names that the text of one version uses besides what every text uses.

    Attributes:
        known: name and value.
    """

    def __init__(self) -> None:
        """Start with what every text uses."""
        self.known: dict[str, Any] = dict(runtime.NAMES)

    def unpack(self, codes: str) -> str:
        """Return the name of a function that reads these struct codes at a position."""
        name = f"unpack_{_word(codes)}"
        self.known[name] = struct.Struct(f">{codes}").unpack_from
        return name

    def unpack_few(self, code: str) -> str:
        """Name the table of functions that read N such numbers at once, for each N below `FEW`."""
        name = f"unpack_few_{code}"
        self.known[name] = tuple(packer.unpack_from for packer in _few(code))
        return name

    def pack_few(self, code: str) -> str:
        """Name the table of functions that write N such numbers at once, for each N below `FEW`."""
        name = f"pack_few_{code}"
        self.known[name] = tuple(packer.pack for packer in _few(code))
        return name

    def pack(self, codes: str) -> str:
        """Return the name of a function that writes values by these struct codes."""
        name = f"pack_{_word(codes)}"
        self.known[name] = struct.Struct(f">{codes}").pack
        return name


@cache
def _few(code: str) -> tuple[struct.Struct, ...]:
    return tuple(struct.Struct(f">{count}{code}") for count in range(FEW))


def _word(codes: str) -> str:
    return codes.replace("16s", "u")


def default_name(of: str) -> str:
    """Return the name of a value of a class with all defaults, which is immutable and shared."""
    return f"no_{of}"


def default_text(field: Node) -> str:
    """Return the value of a field that is left out, as Python text. Arrays are read as lists."""
    if not field.has_absent:
        return "[]"
    is_structure = field.operation in {Operation.NESTED, Operation.OPTIONAL} and field.absent is not None
    return default_name(field.inner[0].name) if is_structure else repr(field.absent)
