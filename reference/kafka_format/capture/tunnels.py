"""Packets inside packets: what networks of containers and clouds put around those of a connection.

IP and GRE in IP, and Ethernet in VXLAN and Geneve (RFC 2003, 2784, 7348, 8926).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

_MOST: Final = 8
"""Packets inside each other that are looked into."""

_GENEVE_UNIT: Final = 4
_VXLAN_SIZE: Final = 8
_ETHERNET: Final = b"\x65\x58"
"""The number of Ethernet frames in Geneve."""


def inner(network: Any) -> Any:
    """Return the innermost IP packet of one; the packet itself if there is none in it."""
    for _ in range(_MOST):
        within = _within(network)
        if within is None:
            break
        network = within
    return network


def _within(network: Any) -> Any:
    """Return the IP packet that is carried by one; None if none is."""
    import dpkt  # noqa: PLC0415 - an extra

    carried = getattr(network, "data", None)
    if isinstance(carried, dpkt.tcp.TCP):  # nearly all
        return None
    if isinstance(carried, dpkt.gre.GRE | dpkt.udp.UDP):
        carried = _in_udp(carried) if isinstance(carried, dpkt.udp.UDP) else carried.data
    if isinstance(carried, dpkt.ethernet.Ethernet):
        carried = carried.data
    return carried if isinstance(carried, dpkt.ip.IP | dpkt.ip6.IP6) else None


def _in_udp(datagram: Any) -> Any:
    import dpkt  # noqa: PLC0415 - an extra

    content = _READ.get(datagram.dport, _nothing)(bytes(datagram.data))
    ethernet: Callable[[bytes], Any] = dpkt.ethernet.Ethernet
    return ethernet(content) if content else None


def _vxlan(content: bytes) -> bytes:
    """Return the Ethernet frame in VXLAN; Linux also uses the port 8472 for it."""
    return content[_VXLAN_SIZE:]


def _geneve(content: bytes) -> bytes:
    """Return the Ethernet frame in Geneve; nothing if something else is in it."""
    options = (content[0] & 0x3F) * _GENEVE_UNIT
    return content[_VXLAN_SIZE + options :] if content[2:4] == _ETHERNET else b""


def _nothing(_: bytes) -> bytes:
    return b""


_READ: Final[Mapping[int, Callable[[bytes], bytes]]] = MappingProxyType({4789: _vxlan, 8472: _vxlan, 6081: _geneve})
"""Functions that take the Ethernet frame out of a datagram, by its port."""
