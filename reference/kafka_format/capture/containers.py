"""Files of pcapng and snoop: their packets, each with its time and its link type.

python-pcapng reads blocks. It raises at comments and names that are not UTF-8, so options are taken
out before, but for what times need.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Final

_INTERFACE: Final = 1
_PACKETS: Final = MappingProxyType({6: (20, 12), 2: (20, 12)})
"""Blocks of packets: the bytes before a packet, and where its length stands (draft-ietf-opsawg)."""

_BEFORE_OPTIONS: Final = 8
"""Bytes of an interface's block before its options."""

_OF_TIMES: Final = (9, 14)
"""Options of an interface that say how times are counted."""

_SNOOP_HEADER: Final = struct.Struct(">8sII")
_SNOOP_RECORD: Final = struct.Struct(">IIIIII")
_SNOOP_LINKS: Final = MappingProxyType({4: 1, 8: 1})
"""Link types of snoop (RFC 1761), and of pcap: Ethernet."""


def of_pcapng(file: Any) -> Iterator[tuple[float, int, bytes]]:
    """Yield the packets of a file of pcapng."""
    import pcapng.blocks  # noqa: PLC0415 - an extra
    import pcapng.structs  # noqa: PLC0415 - the same

    class Scanner(pcapng.FileScanner):  # type: ignore[misc] # it ships no types
        """Reads blocks without the options that have text."""

        __slots__ = ()

        def _read_block(self, number: int) -> Any:
            data = pcapng.structs.read_block_data(self.stream, endianness=self.endianness)
            known = pcapng.blocks.KNOWN_BLOCKS
            if number not in known or (number != _INTERFACE and number not in _PACKETS):
                return None
            data = _without_texts(number, data, "<" if self.endianness == "<" else ">")
            return self.current_section.new_member(known[number], raw=data)

    for block in Scanner(file):
        packet = getattr(block, "packet_data", None)
        if packet is not None:
            yield float(getattr(block, "timestamp", 0)), int(block.interface.link_type), packet


def _without_texts(number: int, data: bytes, order: str) -> bytes:
    """Return the content of a block without options, but for those that times need."""
    if number in _PACKETS:
        start, length_at = _PACKETS[number]
        (length,) = struct.unpack_from(f"{order}I", data, length_at)
        return data[: start + length + -length % 4]
    kept = bytearray(data[:_BEFORE_OPTIONS])
    position = _BEFORE_OPTIONS
    while position + 4 <= len(data):
        code, length = struct.unpack_from(f"{order}HH", data, position)
        end = position + 4 + length + -length % 4
        if code in _OF_TIMES:
            kept += data[position:end]
        position = end
    return bytes(kept)


def of_snoop(file: Any) -> Iterator[tuple[float, int, bytes]]:
    """Yield the packets of a file of snoop, as Solaris and some switches write it (RFC 1761)."""
    _, _, link = _SNOOP_HEADER.unpack(file.read(_SNOOP_HEADER.size))
    while head := file.read(_SNOOP_RECORD.size):
        _, included, length, _, seconds, microseconds = _SNOOP_RECORD.unpack(head)
        packet = file.read(included)
        file.read(max(0, length - _SNOOP_RECORD.size - included))
        yield seconds + microseconds / 1e6, _SNOOP_LINKS.get(link, -1), packet
