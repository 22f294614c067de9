"""The names that a text uses: functions of `struct`, tables, classes; each made when it is used."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any, Final

from kafka_format.codec import runtime
from kafka_format.codec.compiler.plan import Node, Operation
from kafka_format.primitives.varints import VarintKind, short_varints
from kafka_format.spec.layout.model import Enumeration

FEW: Final = 9
"""Arrays of numbers that have fewer are read and written by functions that are made once."""


class Names:
    """The names that the text of one layout uses besides what every text uses.

    Attributes:
        known: name and value.
    """

    def __init__(self) -> None:
        """Start with what every text uses."""
        self.known: dict[str, Any] = dict(runtime.NAMES)

    def unpack(self, codes: str) -> str:
        """Return the name of a function that reads these struct codes at a position."""
        return self._keep(f"unpack_{_word(codes)}", struct.Struct(codes).unpack_from)

    def unpack_few(self, code: str) -> str:
        """Name the table of functions that read N such numbers at once, for each N below `FEW`."""
        return self._keep(f"unpack_few_{_word(code)}", tuple(packer.unpack_from for packer in _few(code)))

    def pack_few(self, code: str) -> str:
        """Name the table of functions that write N such numbers at once, for each N below `FEW`."""
        return self._keep(f"pack_few_{_word(code)}", tuple(packer.pack for packer in _few(code)))

    def pack(self, codes: str) -> str:
        """Return the name of a function that writes values by these struct codes."""
        return self._keep(f"pack_{_word(codes)}", struct.Struct(codes).pack)

    def varint(self, kind: VarintKind) -> str:
        """Return the name of a kind of varint."""
        return self._keep(kind.name.upper(), kind)

    def short(self, kind: VarintKind) -> str:
        """Return the name of the table of its shortest varints."""
        return self._keep(f"{kind.name.upper()}_SHORT", _short(kind))

    def values(self, enumeration: Enumeration) -> str:
        """Return the name of the names of numbers."""
        return self._keep(f"{enumeration.name.upper()}_NAMES", enumeration.values)

    def checksum(self, algorithm: str) -> str:
        """Return the name of a checksum's function."""
        from kafka_format.primitives.checksums import CHECKSUMS  # noqa: PLC0415 - requests have none, and it loads slowly

        return self._keep(algorithm, CHECKSUMS[algorithm])

    def compression(self) -> str:
        """Return the name of the module of codecs."""
        from kafka_format import compression  # noqa: PLC0415 - the same

        return self._keep("compression", compression)

    def _keep(self, name: str, value: Any) -> str:
        self.known[name] = value
        return name


@cache
def _short(kind: VarintKind) -> tuple[bytes, ...]:
    return short_varints(kind)


@cache
def _few(code: str) -> tuple[struct.Struct, ...]:
    return tuple(struct.Struct(f"{code[0]}{count}{code[1:]}") for count in range(FEW))


def _word(codes: str) -> str:
    """Return struct codes as they can stand in a name."""
    return codes.replace("16s", "u").replace(">", "").replace("<", "little_")


def default_name(of: str) -> str:
    """Return the name of a value of a class with all defaults, which is immutable and shared."""
    return f"no_{of}"


def default_text(field: Node) -> str:
    """Return the value of a field that is left out, as Python text. Arrays are read as lists."""
    if not field.has_absent:
        return "[]"
    is_structure = field.operation in {Operation.NESTED, Operation.OPTIONAL} and field.absent is not None
    return default_name(field.inner[0].name) if is_structure else repr(field.absent)
