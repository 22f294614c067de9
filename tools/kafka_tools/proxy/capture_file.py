"""What passed, written as a capture that Wireshark, tcpdump and `kafka-format capture` read.

A packet for each piece of a frame, with headers of IP and TCP that are made up but for addresses
and ports: those of the client and of the broker, as if there were no proxy and no TLS in between.
"""

from __future__ import annotations

import socket
import struct
from typing import BinaryIO, Final

from kafka_format.capture import Endpoint

_HEADER: Final = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101)
"""pcap of version 2.4, with packets that begin with IP (tcpdump.org/linktypes.html)."""

_RECORD: Final = struct.Struct("<IIII")
_LONGEST: Final = 60_000
_SYN, _ACK, _PUSH, _FIN = 2, 16, 8, 1
_WINDOW: Final = 65535
_TTL: Final = 64
_TCP: Final = 6
_NUMBERS: Final = 1 << 32


class CaptureFile:
    """A file of pcap that grows."""

    def __init__(self, file: BinaryIO) -> None:
        """Write the head of the file."""
        self._file = file
        self._file.write(_HEADER)
        self._next: dict[tuple[Endpoint, Endpoint], int] = {}

    def open(self, time: float, client: Endpoint, server: Endpoint) -> None:
        """Write the handshake of a connection."""
        self._next[client, server] = self._next[server, client] = 1
        self._packet(time, client, server, b"", _SYN, number=0)
        self._packet(time, server, client, b"", _SYN | _ACK, number=0)

    def write(self, time: float, source: Endpoint, target: Endpoint, content: bytes) -> None:
        """Write what one end sent to the other."""
        for start in range(0, len(content), _LONGEST):
            part = content[start : start + _LONGEST]
            number = self._next[source, target]
            self._packet(time, source, target, part, _ACK | _PUSH, number=number)
            self._next[source, target] = (number + len(part)) % _NUMBERS

    def has(self, client: Endpoint, server: Endpoint) -> bool:
        """Tell whether a connection was opened and not closed."""
        return (client, server) in self._next

    def close(self, time: float, client: Endpoint, server: Endpoint) -> None:
        """Write the end of a connection."""
        for one, other in ((client, server), (server, client)):
            self._packet(time, one, other, b"", _FIN | _ACK, number=self._next.get((one, other), 1))
        self._next.pop((client, server), None)
        self._next.pop((server, client), None)
        self._file.flush()

    def _packet(
        self, time: float, source: Endpoint, target: Endpoint, content: bytes, flags: int, *, number: int
    ) -> None:
        acknowledged = self._next.get((target, source), 1) if flags & _ACK else 0
        tcp = struct.pack(
            ">HHIIBBHHH", source.port, target.port, number, acknowledged, 5 << 4, flags, _WINDOW, 0, 0
        )  # fmt: skip
        packet = _ip(source, target, len(tcp) + len(content)) + tcp + content
        seconds = int(time)
        self._file.write(_RECORD.pack(seconds, int((time - seconds) * 1e6), len(packet), len(packet)) + packet)


def _ip(source: Endpoint, target: Endpoint, length: int) -> bytes:
    """Return a header of IP for so many bytes; of version 6 where both addresses are of it."""
    if ":" in source.address and ":" in target.address:
        ends = [socket.inet_pton(socket.AF_INET6, end.address.partition("%")[0]) for end in (source, target)]
        return struct.pack(">IHBB", 6 << 28, length, _TCP, _TTL) + b"".join(ends)
    ends = [_four(end.address) for end in (source, target)]
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + length, 0, 0, _TTL, _TCP, 0) + b"".join(ends)


def _four(address: str) -> bytes:
    """Return an address of version 4; one of version 6 that has none becomes 0.0.0.0."""
    try:
        return socket.inet_aton(address.removeprefix("::ffff:"))
    except OSError:
        return bytes(4)
