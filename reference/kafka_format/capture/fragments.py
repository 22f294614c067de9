"""Packets of IP that were sent in fragments, put together again (RFC 791, 8200)."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final

_UNIT: Final = 8
"""Bytes that offsets of fragments count."""

_MOST: Final = 256
"""Packets of which fragments are kept; the one that waits longest is given up for another."""

_LARGEST: Final = 1 << 16
"""Bytes that a packet may have."""

_MOST_PARTS: Final = 256
"""Fragments of a packet that are kept; who sends more means harm."""

_FRAGMENT: Final = 44
"""The number of the extension header of IPv6 that fragments have."""


class Fragments:
    """Keeps fragments until their packet is whole."""

    def __init__(self) -> None:
        """Start without any."""
        self._open: OrderedDict[tuple[Any, ...], _Packet] = OrderedDict()

    def add(self, network: Any) -> bytes | None:
        """Take a fragment; return what its packet carries once it is whole, else None."""
        offset, more, number = _place(network)
        content, key = bytes(network.data), (network.src, network.dst, network.p, number)
        if offset + len(content) > _LARGEST:
            return None
        packet = self._open.setdefault(key, _Packet())
        packet.parts[offset] = content
        packet.size = packet.size if more else offset + len(content)
        whole = packet.whole()
        if whole is not None or packet.is_too_much():
            del self._open[key]
        elif len(self._open) > _MOST:
            self._open.popitem(last=False)
        return whole


class _Packet:
    """The fragments of a packet, by their offsets, and its size once the last one came."""

    def __init__(self) -> None:
        self.parts: dict[int, bytes] = {}
        self.size: int | None = None

    def is_too_much(self) -> bool:
        """Tell whether more was sent than a packet can have."""
        return len(self.parts) > _MOST_PARTS or sum(map(len, self.parts.values())) > 2 * _LARGEST

    def whole(self) -> bytes | None:
        """Return what the packet carries; None if some of it is missing."""
        if self.size is None or sum(map(len, self.parts.values())) < self.size:
            return None
        content = bytearray()
        for offset in sorted(self.parts):
            if offset > len(content):
                return None
            content[offset:] = self.parts[offset]
        return bytes(content[: self.size]) if len(content) >= self.size else None


def is_fragment(network: Any) -> bool:
    """Tell whether a packet of IP is a fragment of one."""
    offset, more, _ = _place(network)
    return more or offset > 0


def _place(network: Any) -> tuple[int, bool, int]:
    """Return the offset of a fragment in bytes, whether others follow, and what its packet is."""
    if network.v == 4:
        return network.offset * _UNIT, bool(network.mf), network.id
    header = network.extension_hdrs.get(_FRAGMENT)
    return (0, False, 0) if header is None else (header.frag_off * _UNIT, bool(header.m_flag), header.id)
